//! The Symbi language for tree-sitter, for editors and other programs that
//! highlight, fold and navigate `.symbi` files.
//!
//! In: text. Out: a tree-sitter tree, and the queries that editors run over
//! it. It must never be asked what a file means: the compiler alone says that
//! (`symbi-syntax`); the conformance tests hold this grammar to it. Begin
//! reading in `grammar.js`, then `src/scanner.c`.
//!
//! ```
//! let mut parser = tree_sitter::Parser::new();
//! parser.set_language(&tree_sitter_symbi::LANGUAGE.into())?;
//! let tree = parser.parse("agent greeter { }", None).ok_or("no tree")?;
//! assert!(!tree.root_node().has_error());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use tree_sitter_language::LanguageFn;

#[allow(unsafe_code)]
mod parser {
    use super::LanguageFn;

    unsafe extern "C" {
        fn tree_sitter_symbi() -> *const ();
    }

    /// The language, for `tree_sitter::Parser::set_language`.
    // INVARIANT: the function is the generated parser's own, which build.rs
    // compiles into this crate; it returns a pointer to static data.
    pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_symbi) };
}

pub use parser::LANGUAGE;

/// What kinds of nodes there are, with their fields and children, as JSON.
pub const NODE_TYPES: &str = include_str!("../../src/node-types.json");

/// Colours.
pub const HIGHLIGHTS_QUERY: &str = include_str!("../../queries/highlights.scm");

/// Scopes of names, their definitions and uses.
pub const LOCALS_QUERY: &str = include_str!("../../queries/locals.scm");

/// What may be folded away.
pub const FOLDS_QUERY: &str = include_str!("../../queries/folds.scm");

/// Where lines are indented.
pub const INDENTS_QUERY: &str = include_str!("../../queries/indents.scm");

/// Other languages inside comments and strings.
pub const INJECTIONS_QUERY: &str = include_str!("../../queries/injections.scm");

/// Definitions and references, for a list of symbols.
pub const TAGS_QUERY: &str = include_str!("../../queries/tags.scm");

/// What an editor may select or move over as a whole.
pub const TEXTOBJECTS_QUERY: &str = include_str!("../../queries/textobjects.scm");
