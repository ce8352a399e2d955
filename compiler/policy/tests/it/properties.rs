//! What holds of every decision (language.md section 4), by fixed seeds. A
//! fuzzer goes on where these end: `fuzz/README.md`.

use std::collections::BTreeMap;

use symbi_policy::Outcome;
use symbi_policy::fuzzing::{Bytes, Question, added, fuzz_one};

use crate::reference;

const SEEDS: u64 = 20_000;

/// Bytes that follow from a seed (xorshift).
fn bytes(seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as u8
    };
    let length = usize::from(next()) * 4;
    (0..length).map(|_| next()).collect()
}

#[test]
fn every_decision_is_that_of_a_naive_reading_and_adding_permits_no_more() {
    for seed in 0..SEEDS / 4 {
        fuzz_one(&bytes(seed), reference::decide);
    }
    for byte in 0..=255 {
        fuzz_one(&[byte], reference::decide);
        fuzz_one(&[byte; 400], reference::decide);
    }
    fuzz_one(&[], reference::decide);
}

/// So nothing is compared in vain.
#[test]
fn the_seeds_come_to_every_reason_and_every_outcome() {
    let mut reasons: BTreeMap<String, u32> = BTreeMap::new();
    let (mut pending, mut restricted) = (0, 0);
    for seed in 0..SEEDS {
        let bytes = bytes(seed);
        let bytes = &mut Bytes::new(&bytes);
        let question = Question::read(bytes);
        let decision = question.decide();
        let because = format!("{:?}", decision.because);
        let because = because.split('(').next().unwrap_or_default().to_owned();
        *reasons.entry(because).or_default() += 1;
        pending += u32::from(decision.outcome == Outcome::Pending);
        if let Some(added) = added(bytes, &question) {
            restricted += u32::from(added.decide().outcome != decision.outcome);
        }
    }
    let all = [
        "Allowed",
        "Answer",
        "Asked",
        "CedarError",
        "CedarForbids",
        "CedarPermits",
        "CedarSilent",
        "Ceiling",
        "Denied",
        "Dev",
        "NoAllow",
        "NobodyGranted",
        "Refused",
        "Undecidable",
        "UndecidableRequirement",
        "Unmet",
    ];
    let found: Vec<&str> = reasons.keys().map(String::as_str).collect();
    assert_eq!(found, all, "{reasons:?}");
    assert!(reasons.values().all(|count| *count >= 20), "{reasons:?}");
    assert!(pending > 200 && restricted > 500, "{pending}, {restricted}");
}
