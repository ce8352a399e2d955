//! What bodies call, by name.

use std::collections::BTreeSet;
use std::sync::Arc;

use symbi_syntax::ast::{AstNode, CallExpr, Expr};
use symbi_syntax::{NodeRef, SyntaxKind};

/// The names and paths that are called somewhere below a node. Patterns of
/// rules are no calls, and the host reads what blocks say. The address of a
/// secret is a call of `secret_read`.
pub(crate) fn called(node: NodeRef<'_>) -> BTreeSet<Arc<str>> {
    let mut found = BTreeSet::new();
    node.visit(|node| {
        match node.kind() {
            SyntaxKind::PolicyDef | SyntaxKind::Entry => return false,
            SyntaxKind::Literal => {
                let first = node.item().token_kind(node.tokens().start);
                if matches!(first, SyntaxKind::SecretUrl | SyntaxKind::EnvName) {
                    found.insert("secret_read".into());
                }
                return false;
            }
            _ => {}
        }
        if let Some(call) = CallExpr::cast(node) {
            match call.callee() {
                Some(Expr::Name(name)) => {
                    let first = node.item().token_kind(name.node().tokens().start);
                    // `Ok(x)` is x, and calls nothing.
                    let wraps = matches!(
                        first,
                        SyntaxKind::SomeKw | SyntaxKind::OkKw | SyntaxKind::ErrKw
                    );
                    let name = name.name().filter(|_| !wraps);
                    found.extend(name.map(|name| Arc::from(&*name.text())));
                }
                Some(Expr::Path(path)) => {
                    found.insert(path.text().into());
                }
                _ => {}
            }
        }
        true
    });
    found
}
