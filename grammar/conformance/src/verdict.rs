//! What the compiler says about a text: accepted or not, with which codes, and
//! what it declares where.

use std::fmt::Write as _;

use symbi_syntax::{File, OutlineEntry, ParseOptions, SyntaxKind as K, lex};

/// A declaration, as all readers are compared by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// How deep it is nested.
    pub depth: usize,
    /// `agent`, `policy`, `function`, …
    pub kind: String,
    /// Its name, if it has one, and the bytes of the name.
    pub name: Option<(String, std::ops::Range<usize>)>,
    /// The bytes of all of it.
    pub span: std::ops::Range<usize>,
}

/// A reader's answer about a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// No error.
    pub accepted: bool,
    /// What the text declares; meant to be compared only when accepted.
    pub outline: Vec<Declaration>,
    /// Its expressions, types and the like: what each is and which bytes it
    /// has, in the order of their ends, and of their beginnings from the
    /// inside out. Says what binds to what.
    pub shapes: Vec<Shape>,
}

/// A part of a program whose extent readers may see differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// `binary`, `call`, …
    pub kind: &'static str,
    /// Its bytes.
    pub span: std::ops::Range<usize>,
}

/// Sorts shapes as [`Verdict::shapes`] has them.
pub fn in_order(mut shapes: Vec<Shape>) -> Vec<Shape> {
    shapes.sort_by_key(|shape| {
        (
            shape.span.end,
            std::cmp::Reverse(shape.span.start),
            shape.kind,
        )
    });
    shapes
}

/// The compiler's nodes that are compared.
fn shape_kind(kind: K) -> Option<&'static str> {
    Some(match kind {
        K::BinaryExpr => "binary",
        K::PrefixExpr => "unary",
        K::MemberExpr => "member",
        K::CallExpr => "call",
        K::IndexExpr => "index",
        K::LambdaExpr => "lambda",
        K::StructExpr => "struct",
        K::ArrayExpr => "array",
        K::ParenExpr => "parentheses",
        K::IfExpr => "if",
        K::MatchExpr => "match",
        K::MatchArm => "arm",
        K::TryExpr => "try",
        K::CatchClause => "catch",
        K::AssignStmt => "assignment",
        K::NamedArg => "named argument",
        K::NamedType => "type",
        K::OptionalType => "optional type",
        K::FunctionType => "function type",
        K::Param => "parameter",
        K::RuleGuard => "guard",
        _ => return None,
    })
}

fn shapes(file: &File) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for placed in file.items() {
        let spans = file.token_spans(placed);
        for node in (0..).map_while(|index| placed.item.node(index)) {
            let tokens = node.tokens();
            let (Some(kind), Some(last)) = (shape_kind(node.kind()), tokens.end.checked_sub(1))
            else {
                continue;
            };
            if let (Some(first), Some(last)) =
                (spans.get(tokens.start as usize), spans.get(last as usize))
            {
                shapes.push(Shape {
                    kind,
                    span: first.start as usize..last.end as usize,
                });
            }
        }
    }
    in_order(shapes)
}

/// The compiler's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompilerVerdict {
    /// What other readers can give, too.
    pub verdict: Verdict,
    /// The codes of all its reports, sorted, each once.
    pub codes: Vec<&'static str>,
    /// Those of its errors, in the order of the text.
    pub errors: Vec<&'static str>,
    /// The first error: where, and what it says.
    pub first_error: Option<(usize, String)>,
}

/// Declarations in agents and at top level; rules, entries and nested blocks
/// are none.
const KINDS: &[&str] = &[
    "agent",
    "metadata",
    "capabilities",
    "policy",
    "type",
    "function",
    "extern",
    "schedule",
    "channel",
    "memory",
    "webhook",
    "with",
    "constraints",
    "executor",
];

/// Asks the compiler.
pub fn compiler(text: &str, stdlib: bool) -> CompilerVerdict {
    let file = File::parse_with(text, ParseOptions { stdlib });
    let reports = file.diagnostics();
    let mut codes: Vec<_> = reports.iter().map(|report| report.code.id).collect();
    codes.sort_unstable();
    codes.dedup();
    let errors = reports.iter().filter(|report| report.is_error());
    let errors = errors.map(|report| report.code.id).collect();
    let first_error = reports.iter().find(|report| report.is_error());
    let mut outline = Vec::new();
    for entry in file.outline() {
        declare(text, &entry, 0, &mut outline);
    }
    CompilerVerdict {
        verdict: Verdict {
            accepted: first_error.is_none(),
            outline,
            shapes: shapes(&file),
        },
        codes,
        errors,
        first_error: first_error
            .map(|report| (report.primary.at.start as usize, report.message.clone())),
    }
}

fn declare(text: &str, entry: &OutlineEntry, depth: usize, out: &mut Vec<Declaration>) {
    let known = KINDS.contains(&entry.kind);
    if known {
        let span = entry.span.range();
        let name = entry.name.as_ref().and_then(|name| {
            let at = second_token(&text[span.clone()])?;
            Some((name.clone(), span.start + at.start..span.start + at.end))
        });
        out.push(Declaration {
            depth,
            kind: entry.kind.to_owned(),
            name,
            span,
        });
    }
    for child in &entry.children {
        declare(text, child, depth + usize::from(known), out);
    }
}

/// The token after the word of an item.
fn second_token(text: &str) -> Option<std::ops::Range<usize>> {
    lex(text)
        .into_iter()
        .filter(|(kind, _)| !matches!(kind, K::Bom) && !kind.is_trivia())
        .nth(1)
        .map(|(_, span)| span.range())
}

/// Line and column, both from 1; columns count Unicode scalar values, and a
/// byte order mark is none.
pub fn line_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let mut line = 1;
    let mut start = 0;
    let bytes = before.as_bytes();
    for (index, byte) in bytes.iter().enumerate() {
        let ends = match byte {
            b'\n' => true,
            b'\r' => text.as_bytes().get(index + 1) != Some(&b'\n'),
            _ => false,
        };
        if ends {
            line += 1;
            start = index + 1;
        }
    }
    let column = before[start..]
        .trim_start_matches('\u{FEFF}')
        .chars()
        .count();
    (line, column + 1)
}

/// An outline in the form of `.expect` files, one line a declaration.
pub fn outline_text(text: &str, outline: &[Declaration]) -> String {
    let place = |at| {
        let (line, column) = line_column(text, at);
        format!("{line}:{column}")
    };
    let mut out = String::new();
    for declaration in outline {
        let indent = "  ".repeat(declaration.depth + 1);
        let span = format!(
            "{}-{}",
            place(declaration.span.start),
            place(declaration.span.end)
        );
        // Writing to a string cannot fail.
        let _ = match &declaration.name {
            Some((name, at)) => writeln!(
                out,
                "{indent}{} {name} {span} name {}-{}",
                declaration.kind,
                place(at.start),
                place(at.end)
            ),
            None => writeln!(out, "{indent}{} - {span}", declaration.kind),
        };
    }
    out
}
