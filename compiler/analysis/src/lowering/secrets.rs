//! References to secrets.

use std::collections::BTreeSet;
use std::sync::Arc;

use symbi_syntax::ast::{AstNode, Literal, LiteralValue};
use symbi_syntax::{NodeRef, SyntaxKind};

use crate::blocks::plain::is_reference;

/// The secrets that are written somewhere below a node: `vault://path` and
/// `env://NAME`, and in blocks the same in quotes. Rules read none: a guard
/// compares no secret.
pub(crate) fn secrets_in(node: NodeRef<'_>) -> BTreeSet<Arc<str>> {
    let mut found = BTreeSet::new();
    let mut open = vec![(node, false)];
    while let Some((node, in_entry)) = open.pop() {
        match node.kind() {
            SyntaxKind::PolicyDef => continue,
            SyntaxKind::Literal => {
                let value = Literal::cast(node).and_then(Literal::value);
                found.extend(value.and_then(|value| reference(value, in_entry)));
                continue;
            }
            _ => {}
        }
        let in_entry = in_entry || node.kind() == SyntaxKind::Entry;
        open.extend(node.children().map(|child| (child, in_entry)));
    }
    found
}

fn reference(value: LiteralValue, quoted_too: bool) -> Option<Arc<str>> {
    match value {
        LiteralValue::Secret(address) => Some(address.into()),
        LiteralValue::Env(name) => Some(format!("env://{name}").into()),
        LiteralValue::String(text) if quoted_too && is_reference(&text) => Some(text.into()),
        _ => None,
    }
}
