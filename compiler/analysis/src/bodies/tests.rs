//! What the suites cannot say: sizes, depths, and what editors ask for.

use std::sync::Arc;

use symbi_syntax::ast::{AstNode, Expr};
use symbi_syntax::{File, Item, NodeRef, SyntaxKind as K};

use super::{Inference, LocalKind, infer, signature_of_agent, value_problems};
use crate::declaration::{Declaration, Kind, declare};
use crate::program::{AgentEntry, Entries, FileId, Found, Program, Tool};
use crate::ty::{RecordTy, Ty};

/// A program of one file.
struct OneFile(Vec<Arc<Declaration>>);

impl OneFile {
    fn of(file: &File) -> Self {
        let items = file.items().iter();
        OneFile(
            items
                .map(|placed| Arc::new(declare(&placed.item)))
                .collect(),
        )
    }
}

impl Program for OneFile {
    fn file(&self) -> FileId {
        FileId(0)
    }

    fn file_name(&self, _file: FileId) -> Arc<str> {
        "main.symbi".into()
    }

    fn declared_in(&self, _file: FileId, kind: Kind, name: &str) -> Option<Arc<Declaration>> {
        let named = |one: &&Arc<Declaration>| {
            one.named()
                .is_some_and(|(known, text)| known == kind && **text == *name)
        };
        self.0.iter().find(named).cloned()
    }

    fn names_in(&self, _file: FileId, kind: Kind) -> Vec<Arc<str>> {
        let names = self.0.iter().filter_map(|one| one.named());
        names
            .filter(|(known, _)| *known == kind)
            .map(|(_, name)| name.clone())
            .collect()
    }

    fn naming_files(&self, _named: &crate::policies::NamedAgent) -> Entries<FileId> {
        Entries::default()
    }

    fn agent_block(
        &self,
        _file: FileId,
        _named: &crate::policies::NamedAgent,
    ) -> Option<crate::policies::AgentBlock> {
        None
    }

    fn has_block(&self, _file: FileId, _kind: Kind, _name: &str) -> bool {
        false
    }

    fn file_agents(&self) -> crate::FileAgents {
        crate::FileAgents::None
    }

    fn function_calls(&self, _name: &str) -> Vec<Arc<str>> {
        Vec::new()
    }

    fn sandbox(&self) -> crate::settings::Sandbox {
        Default::default()
    }

    fn agent_params(&self) -> Arc<crate::program::AgentParams> {
        Arc::default()
    }

    fn agent_entries(&self, _name: &str) -> Entries<AgentEntry> {
        Entries {
            first: Vec::new(),
            count: 0,
        }
    }

    fn webhook_files(&self, _path: &str) -> Entries<FileId> {
        Entries {
            first: Vec::new(),
            count: 0,
        }
    }

    fn project_has(&self, _kind: Kind, _name: &str) -> bool {
        false
    }

    fn project_names(&self, _kind: Kind) -> Vec<Arc<str>> {
        Vec::new()
    }

    fn file_metadata(&self, _key: &str) -> Option<Arc<str>> {
        None
    }

    fn calls(&self, _: &str) -> bool {
        false
    }

    fn called(&self) -> Vec<Arc<str>> {
        Vec::new()
    }

    fn tool(&self, _name: &str) -> Option<Arc<Tool>> {
        None
    }

    fn tool_names(&self) -> Vec<Arc<str>> {
        Vec::new()
    }
}

/// What is found in the first item of a text.
fn inferred(text: &str) -> (Arc<Item>, Inference) {
    let file = File::parse(text);
    let program = OneFile::of(&file);
    let item = file.items()[0].item.clone();
    let found = infer(&program, item.top_item().unwrap());
    (item, found)
}

fn function(body: &str) -> String {
    format!("function f(a: int, b: bool, xs: Array<int>, q: Any) {{\n{body}\n}}\n")
}

/// Runs a check in a thread with the stack that the parser is held to.
fn codes_in_a_megabyte(text: String) -> Vec<&'static str> {
    let run = move || {
        let (_, found) = inferred(&text);
        let reports = found.findings.reports.iter();
        reports
            .filter(|report| !report.is_hint())
            .map(|report| report.code.id)
            .collect()
    };
    let thread = std::thread::Builder::new().stack_size(1 << 20);
    thread.spawn(run).unwrap().join().unwrap()
}

#[test]
fn nesting_up_to_the_limit_fits_into_a_megabyte() {
    let n = 240;
    let cases = [
        ("(", "1", ")"),
        ("[", "1", "]"),
        ("{ a: ", "1", " }"),
        ("abs(", "1", ")"),
        ("min(1, ", "1", ")"),
        ("xs.index_of(", "1", ")"),
        ("q.m(", "1", ")"),
        ("q[", "1", "]"),
    ];
    for (open, middle, close) in cases {
        let value = [&*open.repeat(n), middle, &*close.repeat(n)].concat();
        let text = function(&format!("return {value};"));
        assert_eq!(codes_in_a_megabyte(text), Vec::<&str>::new(), "{open}");
    }
    let lambdas = [
        "xs.map(x => ".repeat(n / 2),
        "1".to_owned(),
        ")".repeat(n / 2),
    ]
    .concat();
    let text = function(&format!("return {lambdas};"));
    assert_eq!(codes_in_a_megabyte(text), Vec::<&str>::new());
    for (open, close) in [
        ("if b { ", " }"),
        ("for x in xs { ", " }"),
        ("try { ", " } catch (e) { }"),
        ("match a { 1 => { ", " } _ => {} }"),
    ] {
        let n = if open.starts_with("match") { n / 2 } else { n };
        let text = function(&[open.repeat(n), "a;".to_owned(), close.repeat(n)].concat());
        assert_eq!(codes_in_a_megabyte(text), Vec::<&str>::new(), "{open}");
    }
}

#[test]
fn chains_are_walked_in_loops() {
    let n = 9_900;
    let cases = [
        format!("return {};", vec!["1"; n].join(" + ")),
        format!("return {};", vec!["b"; n].join(" && ")),
        format!("return {}b;", "!".repeat(n)),
        format!("return q{};", ".a".repeat(n)),
        format!("return q{};", "[0]".repeat(n)),
        format!("return q{};", ".m()".repeat(n / 2)),
        format!("return xs{};", ".sorted()".repeat(n / 2)),
        format!("q{} = 1;", ".a".repeat(n)),
        format!("if b {{ }} {}", "else if b { a; } ".repeat(n)),
        format!(
            "let _v = if b {{ 1 }} {}else {{ 2 }};",
            "else if b { 1 } ".repeat(n)
        ),
    ];
    for body in cases {
        let start: String = body.chars().take(30).collect();
        assert_eq!(
            codes_in_a_megabyte(function(&body)),
            Vec::<&str>::new(),
            "{start}"
        );
    }
    let last = format!("return {} + true;", vec!["1"; n].join(" + "));
    assert_eq!(codes_in_a_megabyte(function(&last)), ["T0305"]);
}

#[test]
fn types_that_double_with_every_statement_stay_small() {
    let mut body = "let x0 = [1];\n".to_owned();
    for at in 0..2_000 {
        body += &format!("let x{} = {{ a: x{at}, b: x{at} }};\n", at + 1);
    }
    body += "return x2000.a.b;";
    assert_eq!(codes_in_a_megabyte(function(&body)), Vec::<&str>::new());
    let mut types = "type T0 = int\n".to_owned();
    for at in 0..200 {
        types += &format!("type T{} = Map<T{at}, T{at}>\n", at + 1);
    }
    let text = format!("function f(t: T200) -> Any {{ return t; }}\n{types}");
    assert_eq!(codes_in_a_megabyte(text), Vec::<&str>::new());
}

fn nodes<'i>(item: &'i Item) -> impl Iterator<Item = NodeRef<'i>> {
    (0..).map_while(|index| item.node(index))
}

#[test]
fn types_of_expressions_can_be_asked_for() {
    let (item, found) = inferred(
        "function f(xs: Array<int>) -> Any { let words = xs.map(x => \"a\" + x); return words[0]; }",
    );
    let text = |node: NodeRef<'_>| -> String {
        let tokens = node.tokens();
        tokens.map(|token| node.item().token_text(token)).collect()
    };
    let types: Vec<(String, String)> = nodes(&item)
        .filter(|node| Expr::cast(*node).is_some())
        .filter_map(|node| Some((text(node), found.type_of(node.index())?.to_string())))
        .collect();
    let expected = [
        ("xs", "Array<int>"),
        ("\"a\"", "String"),
        ("x", "int"),
        ("\"a\"+x", "String"),
        ("x=>\"a\"+x", "(int) -> String"),
        ("xs.map(x=>\"a\"+x)", "Array<String>"),
        ("words", "Array<String>"),
        ("0", "int"),
        ("words[0]", "String"),
    ];
    let expected = expected.map(|(text, ty)| (text.to_owned(), ty.to_owned()));
    assert_eq!(types, expected);
}

#[test]
fn variables_know_where_they_are_read() {
    let (item, found) = inferred("function f(n: int) -> int { let m = n; m = m + n; return m; }");
    let locals: Vec<(&str, LocalKind, String, usize)> = found
        .locals
        .iter()
        .map(|local| {
            (
                &*local.name,
                local.kind,
                local.ty.to_string(),
                local.uses.len(),
            )
        })
        .collect();
    assert_eq!(
        locals,
        [
            ("n", LocalKind::Parameter, "int".to_owned(), 2),
            ("m", LocalKind::Variable, "int".to_owned(), 2),
        ]
    );
    for local in &found.locals {
        for token in local.uses.iter().chain([&local.tokens.start]) {
            assert_eq!(item.token_text(*token), &*local.name);
        }
        assert!(local.uses.is_sorted());
    }
}

#[test]
fn signatures_of_agents_have_the_types_of_their_file() {
    let file = File::parse(
        "type Box = { size: int }\nagent a(b: Box, n: int = 1) -> Box? { with { return b; } }\nagent c {}",
    );
    let program = OneFile::of(&file);
    let signature = |at: usize| {
        signature_of_agent(
            &program,
            &Found {
                file: FileId(0),
                declaration: program.0[at].clone(),
            },
        )
    };
    assert_eq!(
        signature(1).to_string(),
        "a(b: Box, n: int = …) -> Option<Box>"
    );
    assert_eq!(signature(2).rest, Some(Ty::Any), "it takes what it is told");
}

#[test]
fn a_value_of_a_block_is_compared_with_what_is_expected() {
    let expected = Ty::Record(Arc::new(RecordTy {
        fields: vec![
            ("days".into(), Ty::Int),
            ("to".into(), Ty::Option(Arc::new(Ty::String))),
        ],
        open: false,
    }));
    let problem = |input: &str| {
        let text = format!("schedule s {{ cron: \"@daily\", input: {input} }}");
        let file = File::parse(text);
        let program = OneFile::of(&file);
        let item = file.items()[0].item.clone();
        let value = nodes(&item)
            .filter(|node| node.kind() == K::RecordExpr)
            .last()
            .and_then(Expr::cast)
            .unwrap();
        let problems = value_problems(&program, value, &expected);
        let mut messages = problems.into_iter().map(|report| report.message);
        let first = messages.next();
        assert_eq!(messages.next(), None, "{input}");
        first
    };
    assert_eq!(problem("{ days: 1, to: \"me\" }"), None);
    assert_eq!(
        problem("{ days: anything }"),
        None,
        "names are not looked up"
    );
    assert_eq!(problem("{ days: \"1\" }"), None, "text may hold a number");
    assert_eq!(
        problem("{ days: \"one\" }").as_deref(),
        Some("an `int` is expected here, and this is a `String`")
    );
    assert_eq!(
        problem("{ dais: 1, days: 1 }").as_deref(),
        Some("nothing here takes `dais`")
    );
    assert_eq!(
        problem("{ to: null }").as_deref(),
        Some("`days` is missing here")
    );
}
