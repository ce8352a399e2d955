//! Whether the readers of the language say the same about a text.

use crate::differences::explains;
use crate::ebnf::Grammar;
use crate::recognise::{Derived, derives};
use crate::tree_sitter::TreeSitter;
use crate::verdict::{CompilerVerdict, Declaration, Shape, compiler};

/// The readers that are asked besides the compiler.
pub struct Readers<'g> {
    /// The grammar file, which is slow to ask.
    pub grammar: Option<&'g Grammar>,
    /// The grammar for editors.
    pub tree_sitter: TreeSitter,
}

/// What came of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All say the same.
    Agree,
    /// They differ as they are meant to: the difference has this name.
    Meant(&'static str),
    /// They differ: how, in a few words.
    Differ(String),
}

impl Readers<'_> {
    /// Compares what the readers say about a text.
    pub fn compare(&mut self, text: &str, stdlib: bool) -> (CompilerVerdict, Outcome) {
        let answer = compiler(text, stdlib);
        let outcome = self.outcome(text, stdlib, &answer);
        (answer, outcome)
    }

    fn outcome(&mut self, text: &str, stdlib: bool, answer: &CompilerVerdict) -> Outcome {
        let accepted = answer.verdict.accepted;
        let codes = answer.errors.join(" ");
        if let Some(grammar) = self.grammar {
            let start = if stdlib { "stdlib-file" } else { "file" };
            let derived = derives(grammar, start, text) == Derived::Yes;
            if derived != accepted {
                return Outcome::Differ(match derived {
                    true => format!("the grammar derives it, the compiler says {codes}"),
                    false => "the grammar does not derive it".to_owned(),
                });
            }
        }
        let Some(seen) = self.tree_sitter.verdict(text) else {
            return Outcome::Differ("tree-sitter gave up".to_owned());
        };
        match (seen.accepted, accepted) {
            (true, false) => match explains(answer) {
                Some(difference) => Outcome::Meant(difference.name),
                None => {
                    Outcome::Differ(format!("tree-sitter accepts it, the compiler says {codes}"))
                }
            },
            (false, true) => Outcome::Differ("tree-sitter refuses it".to_owned()),
            (false, false) => Outcome::Agree,
            (true, true) => match unlike(&seen.outline, &answer.verdict.outline) {
                Some(what) => Outcome::Differ(format!("the outlines differ: {what}")),
                None => match unlike_shape(&seen.shapes, &answer.verdict.shapes) {
                    Some(what) => Outcome::Differ(format!("the trees differ: {what}")),
                    None => Outcome::Agree,
                },
            },
        }
    }
}

/// The first declaration that is not the same in both outlines.
fn unlike(tree_sitter: &[Declaration], compiler: &[Declaration]) -> Option<String> {
    let longest = tree_sitter.len().max(compiler.len());
    (0..longest).find_map(|at| match (tree_sitter.get(at), compiler.get(at)) {
        (Some(left), Some(right)) if left == right => None,
        (Some(left), Some(right)) if left.kind == right.kind && left.depth == right.depth => {
            Some(match left.name == right.name {
                true => format!("the span of `{}`", left.kind),
                false => format!("the name of `{}`", left.kind),
            })
        }
        (left, right) => {
            let kind = |side: Option<&Declaration>| {
                side.map_or("nothing".to_owned(), |side| format!("`{}`", side.kind))
            };
            Some(format!("{} for {}", kind(left), kind(right)))
        }
    })
}

/// The first part of the program that is not the same in both trees.
fn unlike_shape(tree_sitter: &[Shape], compiler: &[Shape]) -> Option<String> {
    let longest = tree_sitter.len().max(compiler.len());
    (0..longest).find_map(|at| match (tree_sitter.get(at), compiler.get(at)) {
        (left, right) if left == right => None,
        (left, right) => {
            let kind = |side: Option<&Shape>| side.map_or("nothing", |side| side.kind);
            Some(format!("{} for {}", kind(left), kind(right)))
        }
    })
}
