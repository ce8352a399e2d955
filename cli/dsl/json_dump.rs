//! The debugging form for programs. Written piece by piece and without
//! recursion: a tree may be ten thousand levels deep, and larger than memory
//! would like as one value.
//!
//! ```json
//! {"version":1,"sources":[{"path":"x.symbi","error":null,
//!   "outline":[{"kind":"agent","name":"a","detail":"","start":0,"end":11,"children":[]}],
//!   "tree":[{"kind":"AgentDef","start":0,"end":11,"children":[{"kind":"AgentKw","start":0,"end":5,"text":"agent"}]}],
//!   "tokens":[{"kind":"AgentKw","start":0,"end":5,"text":"agent"}],
//!   "diagnostics":[]}]}
//! ```
//!
//! Places are bytes. A section that was not asked for is missing; of a source
//! that could not be read there are only `path` and `error`. Diagnostics have
//! the shape that `--check --format json` gives them.

use std::io::{self, Write};

use symbi_diagnostics::Span;
use symbi_syntax::{OutlineEntry, SyntaxKind, WalkEvent};

/// A node or token list under way: whether the next element needs a comma.
struct List {
    first: bool,
}

impl List {
    fn next(&mut self, out: &mut impl Write) -> io::Result<()> {
        if std::mem::replace(&mut self.first, false) {
            Ok(())
        } else {
            out.write_all(b",")
        }
    }
}

/// The outline as an array.
pub fn outline(entries: &[OutlineEntry], out: &mut impl Write) -> io::Result<()> {
    let mut open = vec![(entries.iter(), List { first: true })];
    out.write_all(b"[")?;
    while let Some((entries, list)) = open.last_mut() {
        let Some(entry) = entries.next() else {
            open.pop();
            out.write_all(if open.is_empty() { b"]" } else { b"]}" })?;
            continue;
        };
        list.next(out)?;
        out.write_all(b"{\"kind\":")?;
        string(entry.kind, out)?;
        out.write_all(b",\"name\":")?;
        serde_json::to_writer(&mut *out, &entry.name)?;
        out.write_all(b",\"detail\":")?;
        string(&entry.detail, out)?;
        write!(
            out,
            ",\"start\":{},\"end\":{},\"children\":[",
            entry.span.start, entry.span.end
        )?;
        open.push((entry.children.iter(), List { first: true }));
    }
    Ok(())
}

/// The tree: an array of what stands at its top.
pub fn tree(
    events: impl IntoIterator<Item = WalkEvent>,
    text: &str,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut open = vec![List { first: true }];
    out.write_all(b"[")?;
    for event in events {
        if let (WalkEvent::Enter(..) | WalkEvent::Token(..), Some(list)) = (event, open.last_mut())
        {
            list.next(out)?;
        }
        match event {
            WalkEvent::Enter(kind, span) => {
                head(kind, span, out)?;
                out.write_all(b",\"children\":[")?;
                open.push(List { first: true });
            }
            WalkEvent::Token(kind, span) => token(kind, span, text, out)?,
            WalkEvent::Leave => {
                open.pop();
                out.write_all(b"]}")?;
            }
        }
    }
    out.write_all(b"]")
}

/// The tokens as an array.
pub fn tokens(
    tokens: impl IntoIterator<Item = (SyntaxKind, Span)>,
    text: &str,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut list = List { first: true };
    out.write_all(b"[")?;
    for (kind, span) in tokens {
        list.next(out)?;
        token(kind, span, text, out)?;
    }
    out.write_all(b"]")
}

/// A string with its quotes.
pub fn string(text: &str, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer(out, text).map_err(io::Error::from)
}

fn head(kind: SyntaxKind, span: Span, out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"{\"kind\":")?;
    string(kind.name(), out)?;
    write!(out, ",\"start\":{},\"end\":{}", span.start, span.end)
}

fn token(kind: SyntaxKind, span: Span, text: &str, out: &mut impl Write) -> io::Result<()> {
    head(kind, span, out)?;
    out.write_all(b",\"text\":")?;
    string(text.get(span.range()).unwrap_or_default(), out)?;
    out.write_all(b"}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: SyntaxKind = SyntaxKind::Error;

    fn entry(name: &str, children: Vec<OutlineEntry>) -> OutlineEntry {
        OutlineEntry {
            kind: "agent",
            name: Some(name.to_owned()),
            detail: String::new(),
            span: Span::new(0, 1),
            children,
        }
    }

    fn written(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> serde_json::Value {
        let mut out = Vec::new();
        write(&mut out).unwrap();
        serde_json::from_slice(&out).unwrap()
    }

    #[test]
    fn nodes_and_tokens_nest_as_they_were_walked() {
        let (enter, token, leave) = (
            |start, end| WalkEvent::Enter(KIND, Span::new(start, end)),
            |start, end| WalkEvent::Token(KIND, Span::new(start, end)),
            WalkEvent::Leave,
        );
        let events = [
            enter(0, 4),
            token(0, 1),
            enter(1, 4),
            token(1, 3),
            leave,
            leave,
            token(4, 5),
        ];
        let kind = KIND.name();
        assert_eq!(
            written(|out| tree(events, "a\"\nbc", out)),
            serde_json::json!([
                {"kind": kind, "start": 0, "end": 4, "children": [
                    {"kind": kind, "start": 0, "end": 1, "text": "a"},
                    {"kind": kind, "start": 1, "end": 4, "children": [
                        {"kind": kind, "start": 1, "end": 3, "text": "\"\n"},
                    ]},
                ]},
                {"kind": kind, "start": 4, "end": 5, "text": "c"},
            ])
        );
    }

    #[test]
    fn declarations_nest() {
        let entries = [
            entry("a", vec![entry("b", vec![]), entry("c", vec![])]),
            entry("d", vec![]),
        ];
        let json = written(|out| outline(&entries, out));
        let names = |list: &serde_json::Value| -> Vec<String> {
            list.as_array()
                .unwrap()
                .iter()
                .map(|e| e["name"].as_str().unwrap().to_owned())
                .collect()
        };
        assert_eq!(names(&json), ["a", "d"]);
        assert_eq!(names(&json[0]["children"]), ["b", "c"]);
        assert_eq!(names(&json[1]["children"]), [""; 0]);
    }
}
