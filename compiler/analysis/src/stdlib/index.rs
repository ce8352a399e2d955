//! Where each declaration stands.
//!
//! The files are laid out by the formatter: a declaration begins with `extern`
//! at the start of a line and ends before the next blank line or the end. So
//! its place and name are found without parsing the file, which would cost
//! more than all else a small check does. A test holds what is found here to
//! what the parser finds in the whole files.

use super::sources::SOURCES;
use super::table::Table;
use super::{Stdlib, StdlibDeclaration, StdlibKind, read};

/// All declarations, unread.
pub(super) fn all() -> Stdlib {
    let mut stdlib = Stdlib {
        functions: Table::new(read::functions),
        effects: Table::new(read::effect),
        groups: Table::new(read::group),
        guards: Table::new(read::functions),
        obligations: Table::new(read::obligation),
        audit: Table::new(read::obligation),
        declarations: Vec::with_capacity(256),
    };
    for (source, file) in SOURCES.iter().enumerate() {
        find(file.text, source, &mut stdlib.declarations);
    }
    for (place, declared) in stdlib.declarations.iter().enumerate() {
        match declared.kind {
            StdlibKind::Function => stdlib.functions.add(place, *declared),
            StdlibKind::Effect => stdlib.effects.add(place, *declared),
            StdlibKind::Group => stdlib.groups.add(place, *declared),
            StdlibKind::Guard => stdlib.guards.add(place, *declared),
            StdlibKind::Obligation => stdlib.obligations.add(place, *declared),
            StdlibKind::Audit => stdlib.audit.add(place, *declared),
        }
    }
    stdlib
}

fn find(text: &'static str, source: usize, found: &mut Vec<StdlibDeclaration>) {
    // Where the lines since the last blank one begin, and the declaration in
    // them: its kind, its name, its start.
    let mut docs_start = 0;
    let mut head = None;
    let mut at = 0;
    let mut add = |head: Option<(&str, &'static str, usize)>, docs_start: usize, end: usize| {
        let Some((kind, name, start)) = head else {
            return;
        };
        let text = text.get(start..end).unwrap_or("");
        let end = start + text.trim_end().len();
        found.extend(kind_of(kind, text).map(|kind| StdlibDeclaration {
            kind,
            name,
            source,
            docs_start,
            start,
            end,
        }));
    };
    for line in text.split_inclusive('\n') {
        if line == "\n" {
            add(head.take(), docs_start, at);
            docs_start = at + 1;
        } else if let Some((kind, rest)) = line
            .strip_prefix("extern ")
            .and_then(|line| line.split_once(' '))
        {
            let name = rest.split(['(', '<', ' ', ';']).next().unwrap_or("");
            head = Some((kind, name, at));
        }
        at += line.len();
    }
    add(head, docs_start, at);
}

fn kind_of(kind: &str, text: &str) -> Option<StdlibKind> {
    Some(match kind {
        "function" => StdlibKind::Function,
        "effect" => StdlibKind::Effect,
        "group" => StdlibKind::Group,
        "guard" => StdlibKind::Guard,
        "obligation" if text.contains("verb: audit") => StdlibKind::Audit,
        "obligation" => StdlibKind::Obligation,
        _ => return None,
    })
}
