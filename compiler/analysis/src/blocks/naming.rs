//! Blocks without a name of their own (language.md section 2.2).

use symbi_diagnostics::{Diagnostic, Edit, blocks as codes};
use symbi_syntax::ast::{AstNode, BlockItem, Entry, Name};
use symbi_syntax::{NodeRef, Place, SyntaxKind};

use super::cx::{Cx, quoted};
use super::plain::plain;
use crate::findings::at_token;

/// What stands in a block without a name of its own, and the entry that names
/// it, which is no longer among the rest. A block with a name has no such entry.
pub(crate) fn parts<'i>(
    name: Option<Name<'i>>,
    items: impl Iterator<Item = BlockItem<'i>>,
) -> (Vec<BlockItem<'i>>, Option<Entry<'i>>) {
    let mut items: Vec<BlockItem<'i>> = items.collect();
    let naming = items.iter().position(|item| match item {
        BlockItem::Entry(entry) => name.is_none() && entry.key().as_deref() == Some("name"),
        _ => false,
    });
    match naming.map(|at| items.remove(at)) {
        Some(BlockItem::Entry(entry)) => (items, Some(entry)),
        _ => (items, None),
    }
}

/// What stands in a block, without the entry that names it; reports a block
/// at the top level that has no name of its own.
pub(super) fn entries<'i>(
    cx: &mut Cx<'_>,
    node: NodeRef<'i>,
    name: Option<Name<'i>>,
    items: impl Iterator<Item = BlockItem<'i>>,
    in_agent: bool,
) -> Vec<BlockItem<'i>> {
    let (items, naming) = parts(name, items);
    let unnamed = name.is_none() && node.item().problems().is_empty();
    let head = node.tokens().start;
    let word = node.item().token_text(head);
    let Some(entry) = naming else {
        if unnamed && !in_agent {
            cx.report(
                Diagnostic::new(
                    &codes::B0731,
                    at_token(head),
                    format!("this {word} has no name, so nothing can refer to it"),
                )
                .help(format!("write `{word} name {{ … }}`")),
            );
        }
        return items;
    };
    let Some(value) = entry.value() else {
        return items;
    };
    let found = plain(value);
    let Some(name) = found.word() else {
        cx.wrong_type("name", value, &found, "a name");
        return items;
    };
    let tokens = entry.node().tokens();
    let separator = matches!(
        node.item().token_kind(tokens.end),
        SyntaxKind::Comma | SyntaxKind::Semicolon
    );
    let whole = Place::Tokens(tokens.start, tokens.end - u32::from(!separator));
    let report = Diagnostic::new(
        &codes::B0731,
        at_token(head),
        format!("this {word} has its name inside of its braces"),
    )
    .note(
        at_token(tokens.start),
        format!("it is called {} here", quoted(name)),
    );
    let is_name = name
        .bytes()
        .enumerate()
        .all(|(at, b)| b == b'_' || b.is_ascii_alphabetic() || (at > 0 && b.is_ascii_digit()));
    cx.report(match is_name && !name.is_empty() {
        true => report.fix(
            format!("write `{word} {name}`"),
            vec![
                Edit {
                    at: Place::After(head),
                    text: format!(" {name}"),
                },
                Edit {
                    at: whole,
                    text: String::new(),
                },
            ],
        ),
        false => report.help(format!("write `{word} name {{ … }}`")),
    });
    items
}
