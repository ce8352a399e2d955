//! What a file declares, in the order it stands there.

use symbi_diagnostics::Span;

use crate::kind::SyntaxKind::{self, self as K};
use crate::tree::{File, NodeRef};

/// One declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineEntry {
    /// `agent`, `policy`, `function`, … as the source writes it.
    pub kind: &'static str,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The rest of its header in one line: parameters and result of an agent
    /// or function, attributes of a with block, the text of a rule. May be
    /// empty.
    pub detail: String,
    /// All of it.
    pub span: Span,
    /// What it holds.
    pub children: Vec<OutlineEntry>,
}

impl File {
    /// The declarations of the file.
    pub fn outline(&self) -> Vec<OutlineEntry> {
        let mut entries = Vec::new();
        for placed in self.items() {
            if kind_word(placed.item.root().kind()).is_none() {
                continue;
            }
            let spans = self.token_spans(placed);
            entries.extend(entry(self, placed.item.root(), &spans));
        }
        entries
    }
}

/// The word of a declaration; `None` for what the outline does not show.
fn kind_word(kind: SyntaxKind) -> Option<&'static str> {
    Some(match kind {
        K::AgentDef => "agent",
        K::MetadataBlock => "metadata",
        K::CapabilitiesDef => "capabilities",
        K::PolicyDef => "policy",
        K::TypeDef => "type",
        K::FunctionDef => "function",
        K::ExternDef => "extern",
        K::ScheduleDef => "schedule",
        K::ChannelDef => "channel",
        K::MemoryDef => "memory",
        K::WebhookDef => "webhook",
        K::WithBlock => "with",
        K::ConstraintsBlock => "constraints",
        K::ExecutorBlock => "executor",
        K::Rule => "rule",
        K::Entry => "entry",
        K::NestedBlock => "block",
        _ => return None,
    })
}

/// Declarations nest three deep at most (agent, policy, rule), and nested
/// blocks as deep as the parser lets them, so this recursion is bounded.
fn entry(file: &File, node: NodeRef<'_>, spans: &[Span]) -> Option<OutlineEntry> {
    let kind = kind_word(node.kind())?;
    let tokens = node.tokens();
    let span = |first: u32, end: u32| -> Option<Span> {
        let last = spans.get(end.checked_sub(1)? as usize)?;
        Some(Span::new(spans.get(first as usize)?.start, last.end))
    };
    let whole = span(tokens.start, tokens.end)?;
    let text = |first: u32, end: u32| -> String {
        match span(first, end) {
            Some(span) if first < end => one_line(&file.text()[span.range()]),
            _ => String::new(),
        }
    };
    let item = node.item();
    let mut children = Vec::new();
    let mut body_start = tokens.end;
    for child in node.children() {
        match child.kind() {
            K::AgentBody | K::PolicyBody | K::EntryBlock | K::AttributeBlock => {
                body_start = child.tokens().start;
                children.extend(
                    child
                        .children()
                        .filter_map(|child| entry(file, child, spans)),
                );
            }
            K::Block => body_start = body_start.min(child.tokens().start),
            _ => {}
        }
    }
    let first = tokens.start;
    let second = item.token_kind(first + 1);
    let named = matches!(
        node.kind(),
        K::AgentDef
            | K::PolicyDef
            | K::TypeDef
            | K::FunctionDef
            | K::ScheduleDef
            | K::ChannelDef
            | K::MemoryDef
            | K::WebhookDef
    ) && (second.is_word() || second == K::String)
        && first + 1 < body_start;
    let (name, header) = match node.kind() {
        K::Rule | K::Entry | K::NestedBlock => (Some(item.token_text(first).to_owned()), first + 1),
        _ if named => (
            Some(item.token_text(first + 1).trim_matches('"').to_owned()),
            first + 2,
        ),
        _ => (None, first + 1),
    };
    let detail = match node.kind() {
        K::Rule | K::Entry => {
            let sign = usize::from(matches!(item.token_kind(header), K::Colon | K::Eq)) as u32;
            text(header + sign, tokens.end)
        }
        K::CapabilitiesDef if body_start == tokens.end => {
            let sign = usize::from(matches!(item.token_kind(header), K::Colon | K::Eq)) as u32;
            text(header + sign, tokens.end)
        }
        K::TypeDef => text((header + 1).min(tokens.end), tokens.end),
        _ => text(header, body_start),
    };
    Some(OutlineEntry {
        kind,
        name,
        detail,
        span: whole,
        children,
    })
}

/// The text on one line, cut to 80 characters.
fn one_line(text: &str) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if line.chars().count() > 80 {
            let cut: String = line.chars().take(79).collect();
            return format!("{cut}…");
        }
    }
    line
}
