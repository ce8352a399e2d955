//! Any text can be checked: prefixes of what people write, and texts near to
//! it, from fixed seeds. `fuzz/run check` goes on where this ends.

use symbi_analysis::fuzzing::check::fuzz_one;
use symbi_syntax::fuzzing::mutate::{self, Random};

use crate::support::texts;

#[test]
fn what_is_half_typed_can_be_checked() {
    let mut count = 0;
    for text in texts() {
        // Each file has its own places; a step of a prime meets all of them.
        for end in (0..text.len()).step_by(61) {
            if text.is_char_boundary(end) {
                fuzz_one(&text.as_bytes()[..end]);
                count += 1;
            }
        }
    }
    assert!(count > 1_000, "{count}");
}

#[test]
fn what_is_near_to_a_program_can_be_checked() {
    let texts = texts();
    let mut random = Random(4);
    for _ in 0..1_000 {
        let text = &texts[random.below(texts.len())];
        let other = &texts[random.below(texts.len())];
        let mutant = match random.below(3) {
            0 => mutate::spacing(text, &mut random).into_bytes(),
            1 => mutate::tokens(text, other, &mut random).into_bytes(),
            _ => mutate::bytes(text.as_bytes(), &mut random),
        };
        fuzz_one(&mutant);
    }
}
