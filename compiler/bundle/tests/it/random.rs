//! Changes by chance, with fixed seeds: what `fuzz/` goes on with.

use symbi_bundle::fuzzing::{fuzz_one, unpack};
use symbi_bundle::write;

use crate::{TOOLCHAIN, entries, key_text, signing_key};

/// The next number of a row (a linear congruential generator).
fn next(state: &mut u64) -> usize {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

/// A few changes: bytes that are other ones, that come twice, that are gone.
fn change(bytes: &mut Vec<u8>, state: &mut u64) {
    for _ in 0..=next(state) % 4 {
        if bytes.is_empty() {
            return;
        }
        let at = next(state) % bytes.len();
        let end = (at + 1 + next(state) % 16).min(bytes.len());
        match next(state) % 5 {
            0 => bytes[at] ^= 1 << (next(state) % 8),
            1 => bytes[at] = next(state) as u8,
            2 => drop(bytes.drain(at..end)),
            3 => {
                let copy = bytes[at..end].to_vec();
                let to = next(state) % bytes.len();
                drop(bytes.splice(to..to, copy));
            }
            _ => bytes[at] = b"0123456789\"{}[],:/.\\"[next(state) % 20],
        }
    }
}

#[test]
fn whatever_is_read_holds_together() {
    let mut seeds = vec![
        write(&entries(), TOOLCHAIN, None).unwrap(),
        write(&entries()[..2], TOOLCHAIN, Some(&signing_key())).unwrap(),
        write(&[("a", "b")], TOOLCHAIN, None).unwrap(),
    ];
    // Read as archives as well, where a change leads further.
    for at in 0..seeds.len() {
        seeds.push(unpack(&seeds[at]).unwrap());
    }
    for name in [
        "p256.pem",
        "p256-sec1.pem",
        "p256.jwk",
        "p256.pub.pem",
        "p256.pub.jwk",
    ] {
        seeds.push(key_text(name));
    }
    for (seed, bytes) in seeds.iter().enumerate() {
        fuzz_one(bytes);
        let mut state = seed as u64;
        for _ in 0..300 {
            let mut bytes = bytes.clone();
            change(&mut bytes, &mut state);
            fuzz_one(&bytes);
        }
    }
}
