//! That every declaration is documented, and that the examples are programs.

use symbi_analysis::Ty;
use symbi_analysis::stdlib::StdlibKind;
use symbi_diagnostics::{Diagnostic, Level};
use symbi_syntax::File;

use super::{of_kind, place, stdlib};
use crate::support::check_text;

/// The lines in the fences of a documentation.
fn examples(docs: &str) -> Vec<&str> {
    let mut inside = false;
    let mut lines = Vec::new();
    for line in docs.lines() {
        match line {
            "```symbi" => inside = true,
            "```" => inside = false,
            line if inside => lines.push(line),
            _ => {}
        }
    }
    lines
}

fn reports(text: &str) -> Vec<String> {
    File::parse(text)
        .diagnostics()
        .iter()
        .map(|report| report.code.id.to_owned())
        .collect()
}

#[test]
fn everything_is_documented_and_functions_have_examples() {
    for declared in &stdlib().declarations {
        let docs = declared.docs();
        let place = place(declared);
        let summary = declared.summary();
        assert!(
            summary.ends_with('.') && summary.len() > 10,
            "{place}: {summary:?}"
        );
        assert!(
            docs.lines().all(|line| line.chars().count() <= 100),
            "{place}"
        );
        let lines = examples(&docs);
        if declared.kind != StdlibKind::Function {
            assert!(lines.is_empty(), "{place} has an example");
            continue;
        }
        assert_eq!(
            docs.matches("\n\nExample:\n```symbi\n").count(),
            1,
            "{place}"
        );
        assert!(docs.ends_with("\n```") && !lines.is_empty(), "{place}");
        for line in &lines {
            let (code, value) = match line.split_once(" // => ") {
                Some((code, value)) => (code, value),
                None => (*line, "null"),
            };
            let body = format!("function example() {{\n    {code}\n}}\n");
            assert_eq!(reports(&body), [""; 0], "{place}: {code}");
            let body = format!("function value() {{\n    return {value};\n}}\n");
            assert_eq!(reports(&body), [""; 0], "{place}: {value}");
        }
        let valued = lines.iter().all(|line| line.contains(" // => "));
        let pure = stdlib().overloads(declared.name).all(|(signature, facts)| {
            let takes_secret = |ty: &Ty| matches!(ty, Ty::Secret(_));
            facts.effect.is_none() && !signature.params.iter().any(|p| takes_secret(&p.ty))
        });
        assert!(!pure || valued, "{place} has an example without its value");
    }
}

/// A function's own example calls it, so that it cannot be the example of
/// another.
#[test]
fn examples_call_what_they_explain() {
    for declared in of_kind(StdlibKind::Function) {
        let docs = declared.docs();
        for line in examples(&docs) {
            let code = line.split(" // => ").next().unwrap();
            assert!(
                code.split(|c: char| !c.is_alphanumeric() && c != '_')
                    .any(|word| word == declared.name),
                "{}: {code}",
                place(declared)
            );
        }
    }
}

/// The checks find nothing in examples that have a value. The others read
/// names of a program around them.
#[test]
fn examples_keep_the_rules_of_types() {
    let mut checked = 0;
    for declared in of_kind(StdlibKind::Function) {
        let docs = declared.docs();
        for line in examples(&docs) {
            let (code, value) = match line.split_once(" // => ") {
                Some((code, value)) => (code, Some(value)),
                None => (line, None),
            };
            let body = format!("function example() {{\n    {code}\n}}\n");
            let odd: Vec<Diagnostic> = check_text(&body)
                .into_iter()
                .filter(|report| match value {
                    Some(_) => report.code.level != Level::Hint,
                    None => report.is_error(),
                })
                .collect();
            assert!(odd.is_empty(), "{}: {code}\n{odd:?}", place(declared));
            checked += 1;
        }
    }
    assert!(checked > 180, "{checked}");
}
