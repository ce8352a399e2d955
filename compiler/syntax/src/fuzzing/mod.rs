//! What must hold for every input, as functions that panic where it does not.
//!
//! Each target is `fuzz_one(&[u8])`: the fuzzer's targets (`fuzz/`), the smoke
//! run with fixed seeds and the property tests of this crate all call it. It
//! uses nothing but what the crate offers to everyone.

pub mod format;
pub mod lexer;
pub mod mutate;
pub mod parser;

/// The bytes as text, wrong ones replaced: what an editor would hand over.
pub(crate) fn text(data: &[u8]) -> String {
    String::from_utf8_lossy(data).into_owned()
}
