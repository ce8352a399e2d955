//! What bodies call, by name.

use std::collections::BTreeSet;
use std::sync::Arc;

use symbi_syntax::NodeRef;
use symbi_syntax::ast::{AstNode, CallExpr, Expr};

/// The names and paths that are called somewhere below a node. Patterns of
/// rules are no calls.
pub(crate) fn called(node: NodeRef<'_>) -> BTreeSet<Arc<str>> {
    let mut found = BTreeSet::new();
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        if node.kind() == symbi_syntax::SyntaxKind::PolicyDef {
            continue;
        }
        if let Some(call) = CallExpr::cast(node) {
            match call.callee() {
                Some(Expr::Name(name)) => {
                    found.extend(name.name().map(|name| Arc::from(&*name.text())));
                }
                Some(Expr::Path(path)) => {
                    found.insert(path.text().into());
                }
                _ => {}
            }
        }
        open.extend(node.children());
    }
    found
}
