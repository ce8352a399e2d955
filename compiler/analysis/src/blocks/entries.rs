//! The entries of a block: which keys it knows, and what stands there twice
//! (language.md section 2.1).

use std::collections::BTreeMap;

use symbi_diagnostics::{Diagnostic, Edit, blocks as codes};
use symbi_syntax::Place;
use symbi_syntax::ast::{AstNode, BlockItem, Entry, Expr, NestedBlock};

use super::cx::{Cx, any_of, quoted};
use super::keys::{Table, Unknown, Value};
use super::plain::meaning;
use super::{secrets, values};
use crate::findings::{at_node, at_token};
use crate::suggest::nearest;

/// The words that begin rules of a policy.
const VERBS: [&str; 4] = ["allow", "deny", "require", "audit"];

/// The words that begin statements.
const STATEMENTS: [&str; 8] = [
    "let", "return", "if", "match", "for", "while", "try", "break",
];

/// What a block, or several that are read as one, holds.
#[derive(Default)]
pub(crate) struct Given<'i> {
    /// Every key, with what stands there first.
    keys: BTreeMap<String, First<'i>>,
    /// The known nested blocks, in order.
    pub blocks: Vec<NestedBlock<'i>>,
    /// Known keys that were most likely meant by misspelt ones.
    meant: Vec<&'static str>,
}

/// What stands first under a key.
struct First<'i> {
    at: Place,
    /// What its value means; empty where it is missing.
    meaning: String,
    /// `None` for a nested block.
    entry: Option<Entry<'i>>,
}

/// The entry before the second one of a key.
struct Before {
    at: Place,
    /// Both mean the same.
    same: bool,
}

impl<'i> Given<'i> {
    /// What stands in a block, without a word about it.
    pub fn of(table: &Table, items: impl Iterator<Item = BlockItem<'i>>) -> Self {
        let mut given = Given::default();
        given.add(table, items);
        given
    }

    /// Adds what stands in a block that is read as one with those before.
    pub fn add(&mut self, table: &Table, items: impl Iterator<Item = BlockItem<'i>>) {
        for item in items {
            match item {
                BlockItem::Entry(entry) => {
                    self.note(table, entry);
                }
                BlockItem::Block(block) => {
                    if let Some(name) = known_block(table, block) {
                        self.note_block(name, block);
                    }
                }
                BlockItem::Policy(_) => {}
            }
        }
    }

    /// Whether a key is there, perhaps misspelt or without its value.
    pub fn has(&self, key: &str) -> bool {
        self.keys.contains_key(key) || self.meant.contains(&key)
    }

    /// The entry of a key.
    pub fn entry(&self, key: &str) -> Option<Entry<'i>> {
        self.keys.get(key)?.entry
    }

    /// The value of a key.
    pub fn value(&self, key: &str) -> Option<Expr<'i>> {
        self.entry(key)?.value()
    }

    /// All keys with a value, sorted.
    pub fn values(&self) -> impl Iterator<Item = (&str, Expr<'i>)> {
        let keys = self.keys.iter();
        keys.filter_map(|(key, first)| Some((&**key, first.entry?.value()?)))
    }

    /// Notes an entry. Of a key that is there already the first one counts.
    fn note(&mut self, table: &Table, entry: Entry<'i>) -> Option<Before> {
        let name = entry.key()?;
        let (at, meaning) = match (entry.value(), table.key(&name)) {
            // Its value is missing, which has been reported.
            (None, _) => (key_place(entry), String::new()),
            (Some(value), Some(key)) => (at_node(entry.node()), values::typed_meaning(key, value)),
            (Some(value), None) => (at_node(entry.node()), meaning(value)),
        };
        let Some(first) = self.keys.get(&name) else {
            let first = First {
                at,
                meaning,
                entry: Some(entry),
            };
            self.keys.insert(name, first);
            return None;
        };
        if entry.value().is_none() || (first.meaning.is_empty() && !meaning.is_empty()) {
            return None;
        }
        Some(Before {
            at: first.at,
            same: first.meaning == meaning,
        })
    }

    /// Notes a block that is known.
    fn note_block(&mut self, name: String, block: NestedBlock<'i>) -> Option<Before> {
        if let Some(first) = self.keys.get(&name) {
            return Some(Before {
                at: first.at,
                same: false,
            });
        }
        let first = First {
            at: head_place(block),
            meaning: String::from("{"),
            entry: None,
        };
        self.keys.insert(name, first);
        self.blocks.push(block);
        None
    }
}

/// The word of a nested block that the table knows.
fn known_block(table: &Table, block: NestedBlock<'_>) -> Option<String> {
    let name = block.key()?;
    (table.has_block(&name) && block.label().is_none()).then_some(name)
}

/// Reads the items of a block. Policies in it are no business of this.
pub(super) fn read<'i>(
    cx: &mut Cx<'_>,
    table: &'static Table,
    items: impl Iterator<Item = BlockItem<'i>>,
    given: &mut Given<'i>,
) {
    for item in items {
        match item {
            BlockItem::Entry(one) => entry(cx, table, one, given),
            BlockItem::Block(block) => nested(cx, table, block, given),
            BlockItem::Policy(_) => {}
        }
    }
}

/// Reads an entry.
pub(super) fn entry<'i>(
    cx: &mut Cx<'_>,
    table: &'static Table,
    entry: Entry<'i>,
    given: &mut Given<'i>,
) {
    let Some(name) = entry.key() else { return };
    if let Some(before) = given.note(table, entry) {
        let of = match table.name {
            "with" => String::new(),
            block => format!(" in this `{block}`"),
        };
        let at = at_node(entry.node());
        cx.report(second(&name, &of, at, before.at, before.same));
    }
    let Some(key) = table.key(&name) else {
        unknown_entry(cx, table, &name, entry, given);
        return;
    };
    if key.value == Value::Unenforced {
        cx.report(
            Diagnostic::new(
                &codes::B0725,
                key_place(entry),
                format!("`{name}` is read, and nothing enforces it"),
            )
            .help("leave it out, or say what you need with attributes and policies"),
        );
    }
    if let Some(value) = entry.value() {
        values::check(cx, key, value);
        if key.value != Value::Secret {
            secrets::in_clear(cx, table.name, &name, value);
        }
    }
}

/// The report about a second entry of one key.
pub(super) fn second(
    name: &str,
    of: &str,
    at: Place,
    first: Place,
    same: bool,
) -> Diagnostic<Place> {
    let name = quoted(name);
    match same {
        true => Diagnostic::new(
            &codes::B0707,
            at,
            format!("{name} is given a second time{of}, with the same value"),
        )
        .note(first, "it stands here already")
        .help("remove one of the two"),
        false => Diagnostic::new(
            &codes::B0706,
            at,
            format!("{name} is given a second time{of}, with another value"),
        )
        .note(first, "the first value stands here")
        .help("keep the one that is meant: none of the two is taken by chance"),
    }
}

/// The place of an entry's key.
pub(super) fn key_place(entry: Entry<'_>) -> Place {
    at_token(entry.node().tokens().start)
}

fn unknown_entry<'i>(
    cx: &mut Cx<'_>,
    table: &'static Table,
    name: &str,
    entry: Entry<'i>,
    given: &mut Given<'i>,
) {
    if let Some(value) = entry.value()
        && values::written_out(cx, value)
    {
        secrets::in_clear(cx, table.name, name, value);
    }
    if table.unknown == Unknown::Names {
        return;
    }
    let at = key_place(entry);
    if table.name == "with" && STATEMENTS.contains(&name) {
        cx.report(
            Diagnostic::new(
                &codes::B0703,
                at,
                format!("`{name}` begins no attribute, and these braces hold attributes only"),
            )
            .help("statements stand in an agent: `agent name { with { … } }`"),
        );
        return;
    }
    if let Some(block) = table.blocks.iter().find(|block| **block == name) {
        given.meant.push(block);
        cx.report(no_block(block, entry));
        return;
    }
    let keys = table.keys.iter().map(|key| key.name);
    if let Some(known) = nearest(name, keys.chain(table.blocks.iter().copied())) {
        given.meant.push(known);
        cx.report(misspelt(table, name, known, at, "key"));
        return;
    }
    if table.unknown == Unknown::Documentation {
        return;
    }
    if VERBS.contains(&name) {
        cx.report(rules_outside(table, at_node(entry.node()), quoted(name)));
        return;
    }
    let report = match table.name {
        "with" => Diagnostic::new(
            &codes::B0703,
            at,
            format!("nothing reads the attribute {}", quoted(name)),
        ),
        block => Diagnostic::new(
            &codes::B0703,
            at,
            format!("nothing reads {} in `{block}`", quoted(name)),
        ),
    };
    let known: Vec<&str> = table
        .keys
        .iter()
        .filter(|key| key.value != Value::Unenforced)
        .map(|key| key.name)
        .collect();
    cx.report(match known.len() <= 8 {
        true => report.help(format!("it takes {}", any_of(&known))),
        false => report.help("leave it out: an agent that it is about is refused where it runs"),
    });
}

/// The report about a value where a block belongs.
fn no_block(name: &str, entry: Entry<'_>) -> Diagnostic<Place> {
    let report = Diagnostic::new(
        &codes::B0708,
        at_node(entry.node()),
        format!("`{name}` is a block, not a value"),
    );
    match (entry.sign(), entry.value()) {
        (Some(sign), Some(Expr::Record(_))) => report.fix(
            "leave out the sign",
            vec![Edit {
                at: Place::Tokens(sign, sign),
                text: String::new(),
            }],
        ),
        _ => report.help(format!("write `{name} {{ … }}`")),
    }
}

fn misspelt(table: &Table, name: &str, known: &str, at: Place, what: &str) -> Diagnostic<Place> {
    let code = match table.unknown {
        Unknown::Documentation => &codes::B0702,
        _ => &codes::B0701,
    };
    let where_ = match table.name {
        "with" if what == "key" => "is no attribute of `with`".to_owned(),
        "agent" => format!("is no {what} of an agent"),
        block => format!("is no {what} of `{block}`"),
    };
    super::cx::misspelt(code, at, format!("{} {where_}", quoted(name)), known)
}

fn rules_outside(table: &Table, at: Place, what: String) -> Diagnostic<Place> {
    Diagnostic::new(
        &codes::B0705,
        at,
        format!("{what} is a rule, and rules hold in a policy only"),
    )
    .help(match table.name {
        "channel" => "write `policy name { … }` around it",
        _ => "put it in a `policy name { … }` of the agent or the file",
    })
}

/// Whether a block holds rules.
pub(super) fn holds_rules(block: NestedBlock<'_>) -> bool {
    block.entries().any(|item| match item {
        BlockItem::Entry(entry) => entry.key().is_some_and(|key| VERBS.contains(&&*key)),
        _ => false,
    })
}

fn holds_blocks(block: NestedBlock<'_>) -> bool {
    block
        .entries()
        .any(|item| !matches!(item, BlockItem::Entry(_)))
}

/// The place of a nested block's head: its word, and its name.
pub(super) fn head_place(block: NestedBlock<'_>) -> Place {
    let first = block.node().tokens().start;
    match block.label() {
        Some(_) => Place::Tokens(first, first + 1),
        None => at_token(first),
    }
}

/// How messages call a nested block.
pub(super) fn called(block: NestedBlock<'_>) -> String {
    let key = block.key().unwrap_or_default();
    match block.label() {
        Some(label) => quoted(&format!("{key} {label}")),
        None => quoted(&key),
    }
}

fn nested<'i>(
    cx: &mut Cx<'_>,
    table: &'static Table,
    block: NestedBlock<'i>,
    given: &mut Given<'i>,
) {
    let Some(name) = block.key() else { return };
    let at = head_place(block);
    if let Some(known) = known_block(table, block) {
        if let Some(before) = given.note_block(known, block) {
            cx.report(second(&name, "", at, before.at, before.same));
        }
        return;
    }
    secrets::in_block(cx, block);
    if holds_rules(block) {
        cx.report(rules_block(table, block));
        return;
    }
    if let Some(key) = table.key(&name).filter(|key| !key.is_block()) {
        given.meant.push(key.name);
        let report = Diagnostic::new(
            &codes::B0704,
            at,
            format!("`{name}` is a value in `{}`, not a block", table.name),
        );
        // A record is written like a block behind a sign.
        let record = key.value == Value::Input && block.label().is_none() && !holds_blocks(block);
        cx.report(match record {
            true => report.fix(
                format!("write `{name}: {{ … }}`"),
                vec![Edit {
                    at: Place::After(block.node().tokens().start),
                    text: ":".to_owned(),
                }],
            ),
            false => report.help(format!("write `{name}: …`; nothing reads this block")),
        });
        return;
    }
    if let Some(known) = nearest(&name, table.block_words())
        && block.label().is_none()
    {
        given.meant.push(known);
        cx.report(misspelt(table, &name, known, at, "block"));
        return;
    }
    if table.unknown == Unknown::Documentation {
        return;
    }
    cx.report(
        Diagnostic::new(
            &codes::B0704,
            at,
            format!(
                "nothing reads the block {} in `{}`",
                called(block),
                table.name
            ),
        )
        .help("leave it out, or say it with the keys of the block"),
    );
}

/// The report about a block of rules that is no policy.
pub(super) fn rules_block(table: &Table, block: NestedBlock<'_>) -> Diagnostic<Place> {
    let report = Diagnostic::new(
        &codes::B0705,
        head_place(block),
        format!(
            "{} holds rules, and rules hold in a policy only",
            called(block)
        ),
    );
    let name = match (block.key(), block.label()) {
        (_, Some(label)) => label,
        (Some(key), None) => key,
        (None, None) => String::new(),
    };
    let is_name = name.bytes().enumerate().all(|(at, byte)| {
        byte == b'_' || byte.is_ascii_alphabetic() || (at > 0 && byte.is_ascii_digit())
    });
    match is_name && !name.is_empty() && matches!(table.name, "agent" | "channel") {
        true => report.fix(
            format!("write `policy {name}`"),
            vec![Edit {
                at: head_place(block),
                text: format!("policy {name}"),
            }],
        ),
        false => report.help("put its rules in a `policy name { … }` of the agent or the file"),
    }
}

/// The report about an unknown block of an agent.
pub(super) fn agent_block(
    table: &'static Table,
    words: &'static [&'static str],
    block: NestedBlock<'_>,
) -> Option<Diagnostic<Place>> {
    let name = block.key()?;
    let at = head_place(block);
    if let Some(known) = nearest(&name, words.iter().copied()) {
        return Some(misspelt(table, &name, known, at_first(block), "block"));
    }
    if holds_rules(block) {
        return Some(rules_block(table, block));
    }
    Some(
        Diagnostic::new(
            &codes::B0704,
            at,
            format!("nothing reads the block {} in an agent", called(block)),
        )
        .help("leave it out: an agent that has it is refused where it runs"),
    )
}

fn at_first(block: NestedBlock<'_>) -> Place {
    at_token(block.node().tokens().start)
}
