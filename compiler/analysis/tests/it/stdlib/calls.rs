//! That the examples of the repository call nothing unannounced.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use symbi_syntax::ast::{AstNode, CallExpr, Expr, LambdaExpr, Rule};
use symbi_syntax::{File, NodeRef, SyntaxKind};

use super::stdlib;
use crate::support::repository;

/// What the examples call that only the surroundings of a project provide:
/// tools, and actions of the quick reference that shows their form.
const PROVIDED: &[&str] = &[
    "Address::of",
    "Client::new",
    "Mail::send",
    "deploy",
    "detonate",
    "list_orders",
    "newest_backup",
    "current_release",
    "open_case",
    "page_on_call",
    "post_comment",
    "quarantine",
    "read_diff",
    "read_log",
    "read_table",
    "roll_back",
    "search_web",
    "sign_ins",
    "verify_backup",
    "watch_health",
    "write_file",
];

/// Lambdas in fields of the examples.
const FIELDS: &[&str] = &["holds"];

/// What the examples call, in bodies and in guards.
#[derive(Default)]
struct Calls {
    names: BTreeMap<String, String>,
    methods: BTreeMap<String, String>,
    guards: BTreeSet<String>,
    declared: BTreeSet<String>,
}

fn read_calls(calls: &mut Calls, path: &Path, text: String) {
    let file = File::parse(text);
    let shown = path.display().to_string();
    for placed in file.items() {
        for index in 0.. {
            let Some(node) = placed.item.node(index) else {
                break;
            };
            if let Some(name) = declares(node) {
                calls.declared.insert(name);
            }
            let Some(call) = CallExpr::cast(node) else {
                continue;
            };
            let rule = ancestor(node, SyntaxKind::Rule).and_then(Rule::cast);
            if let Some(rule) = rule {
                let guard = rule.guard().map(|guard| guard.node().tokens());
                let within = guard.is_some_and(|guard| guard.contains(&node.tokens().start));
                if within {
                    calls.guards.extend(callee(call).map(|(name, _)| name));
                }
                continue;
            }
            match callee(call) {
                Some((name, true)) => calls.methods.insert(name, shown.clone()),
                Some((name, false)) => calls.names.insert(name, shown.clone()),
                None => None,
            };
        }
    }
}

/// The name that is called, and whether on something.
fn callee(call: CallExpr<'_>) -> Option<(String, bool)> {
    let node = call.callee()?.node();
    let text = |token: u32| node.item().token_text(token);
    match call.callee()? {
        Expr::Name(_) | Expr::Path(_) => Some((node.tokens().map(text).collect(), false)),
        Expr::Member(_) => Some((text(node.tokens().end - 1).to_owned(), true)),
        _ => None,
    }
}

/// The names of functions, agents, and locals that hold a lambda.
fn declares(node: NodeRef<'_>) -> Option<String> {
    let item = node.item();
    let second = || Some(item.token_text(node.tokens().start + 1).to_owned());
    match node.kind() {
        SyntaxKind::FunctionDef | SyntaxKind::AgentDef => second(),
        SyntaxKind::LetStmt if node.children().any(|c| LambdaExpr::cast(c).is_some()) => second(),
        SyntaxKind::LambdaExpr => Some(item.token_text(node.tokens().start).to_owned()),
        _ => None,
    }
}

fn ancestor(node: NodeRef<'_>, kind: SyntaxKind) -> Option<NodeRef<'_>> {
    std::iter::successors(Some(node), |node| node.parent()).find(|node| node.kind() == kind)
}

#[test]
fn the_examples_call_what_there_is() {
    let mut calls = Calls::default();
    let folder = repository().join("examples");
    for project in std::fs::read_dir(folder).unwrap() {
        let project = project.unwrap().path();
        if !project.is_dir() {
            continue;
        }
        for file in std::fs::read_dir(project).unwrap() {
            let file = file.unwrap().path();
            if file.extension().is_some_and(|ext| ext == "symbi") {
                let text = std::fs::read_to_string(&file).unwrap();
                read_calls(&mut calls, &file, text);
            }
        }
    }
    assert!(calls.names.len() > 40 && calls.methods.len() > 10);
    let mut provided = BTreeSet::new();
    for (name, path) in &calls.names {
        if stdlib().functions.contains_key(name) || calls.declared.contains(name) {
            continue;
        }
        match name.as_str() {
            "Set::new" | "Map::new" | "Array::new" => {}
            name => {
                assert!(PROVIDED.contains(&name), "{path}: {name} is nowhere");
                provided.insert(name);
            }
        }
    }
    let stale: Vec<_> = PROVIDED
        .iter()
        .filter(|name| !provided.contains(**name))
        .collect();
    assert!(stale.is_empty(), "no longer called: {stale:?}");
    for (name, path) in &calls.methods {
        let known = stdlib().methods(name).next().is_some() || FIELDS.contains(&name.as_str());
        assert!(known, "{path}: .{name} is nowhere");
    }
    for name in &calls.guards {
        assert!(stdlib().guards.contains_key(name), "guard {name}");
    }
    assert!(calls.guards.contains("starts_with") && calls.guards.contains("length"));
}
