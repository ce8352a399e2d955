//! The peer's side.

use dsl::DslDiagnostic;

/// Whatever keeps the peer from giving a tree.
pub type Error = Box<dyn std::error::Error>;

/// The tree alone. It can hold errors.
pub fn tree(text: &str) -> Result<tree_sitter::Tree, Error> {
    dsl::parse_dsl(text)
}

/// The tree and the errors in it: what our reports are.
pub fn parse(text: &str) -> Result<(tree_sitter::Tree, Vec<DslDiagnostic>), Error> {
    let tree = dsl::parse_dsl(text)?;
    let errors = dsl::find_errors(tree.root_node(), text, 0);
    Ok((tree, errors))
}

/// Whether the peer's grammar accepts the text. A token that is only missing
/// counts: the list of errors leaves it out.
pub fn accepts(text: &str) -> bool {
    tree(text).is_ok_and(|tree| !tree.root_node().has_error())
}

/// What the peer's formatter makes of the text. A text that its grammar does
/// not accept comes back as it is.
pub fn format(text: &str) -> Result<String, Error> {
    Ok(dsl::format::format_source(text)?)
}
