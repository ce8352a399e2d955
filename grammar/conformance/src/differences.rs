//! Where the tree-sitter grammar is meant to differ from the compiler.
//!
//! It knows tokens and what may stand next to them, but not what a number is
//! worth, how deep or long something is, or which words other languages have.
//! Each difference has its reason and an input that shows it; there are at
//! most [`MOST`]. A difference that none of them explains is a fault.

use crate::verdict::CompilerVerdict;

/// How many differences may be meant.
pub const MOST: usize = 15;

/// A difference that is meant.
#[derive(Debug)]
pub struct Difference {
    /// What it is called in `.expect` files.
    pub name: &'static str,
    /// Why it is not mended.
    pub reason: &'static str,
    /// The smallest text that shows it. The compiler refuses it, the grammar
    /// does not.
    pub input: &'static str,
    /// The codes of the compiler by which it is known: all errors have one.
    pub codes: &'static [&'static str],
}

/// All of them.
pub const DIFFERENCES: &[Difference] = &[
    Difference {
        name: "number-too-large",
        reason: "the grammar reads digits, not what they are worth",
        input: "metadata { n = 9223372036854775808 }",
        codes: &["S0108"],
    },
    Difference {
        name: "outside-the-standard-library",
        reason: "the grammar is told no file name, and reads both",
        input: "extern effect send;",
        codes: &["S0126"],
    },
    Difference {
        name: "await-behind-a-call",
        reason: "behind anything but a call `.await` is a field, and a scanner does not see what stands before",
        input: "function f() { g().await; }",
        codes: &["S0154"],
    },
    Difference {
        name: "limits",
        reason: "an editor shows a file as far as it can, whatever the compiler will not compile",
        // Too long to stand here: see the corpus, `bounds/`.
        input: "",
        codes: &["S0114", "S0115", "S0116"],
    },
];

/// The difference that explains why the grammar accepts what the compiler
/// refuses, if one does.
pub fn explains(answer: &CompilerVerdict) -> Option<&'static Difference> {
    let known = |code: &&str| DIFFERENCES.iter().any(|known| known.codes.contains(code));
    if answer.errors.is_empty() || !answer.errors.iter().all(known) {
        return None;
    }
    let first = answer.errors.first()?;
    DIFFERENCES.iter().find(|known| known.codes.contains(first))
}
