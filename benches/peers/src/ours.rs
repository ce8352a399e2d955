//! Our side, in the same words as [`crate::peer`].

use std::sync::Arc;

use symbi_syntax::{File, SyntaxKind};

/// The tree and the number of its reports.
pub fn parse(text: &Arc<str>) -> (File, usize) {
    let file = File::parse(text.clone());
    let reports = file.diagnostics().len();
    (file, reports)
}

/// The tree of our grammar for editors, from the same library as the peer's.
pub fn grammar(text: &str) -> Result<tree_sitter::Tree, String> {
    let mut parser = tree_sitter::Parser::new();
    parser
        .set_language(&tree_sitter_symbi::LANGUAGE.into())
        .map_err(|error| error.to_string())?;
    parser
        .parse(text, None)
        .ok_or_else(|| "our grammar gives no tree".to_owned())
}

/// The formatted text, or why there is none.
pub fn format(text: &Arc<str>) -> Result<String, String> {
    symbi_syntax::format::format_text(text).map_err(|error| error.to_string())
}

/// The comments of a text, sorted, without the white space around them: what
/// must be the same before and after formatting.
pub fn comments(text: &str) -> Vec<String> {
    let mut found: Vec<String> = symbi_syntax::lex(text)
        .into_iter()
        .filter(|(kind, _)| {
            matches!(
                kind,
                SyntaxKind::LineComment | SyntaxKind::BlockComment | SyntaxKind::OpenComment
            )
        })
        .map(|(_, span)| text[span.range()].trim().to_owned())
        .collect();
    found.sort_unstable();
    found
}
