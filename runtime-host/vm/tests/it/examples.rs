//! The examples of the standard library give what they say, in the machine
//! itself.

use std::fmt::Write as _;

use symbi_analysis::stdlib::{Stdlib, StdlibKind};
use symbi_vm::{Raise, Value, kinds};

use crate::fast::{Turns, run};
use crate::naive::{Asked, End, Runs};
use crate::support::{compile, written};

/// A world with a clock that stands still, and nothing else.
fn world(asked: &Asked) -> Result<Value, Raise> {
    let first = asked.arguments.first().map(|(_, value)| value.clone());
    Ok(match (&*asked.name, first) {
        ("now", _) => Value::Time(1_796_300_000_000_000_000),
        ("time_since", Some(Value::Time(start))) => {
            Value::Duration(1_796_300_000_000_000_000 - start)
        }
        ("random", _) => Value::Float(0.25),
        ("generate_id", _) => Value::from("0190d2c8-75f0-7a31-8000-5ac7f9a6d7e2"),
        ("log" | "print" | "audit_log" | "sleep", _) => Value::Null,
        (name, _) => return Err(Raise::new(kinds::NO_PROVIDER, name.to_owned())),
    })
}

/// The lines of the example of a declaration: code, and the value of its last
/// statement.
fn examples(docs: &str) -> impl Iterator<Item = (&str, &str)> {
    let inside = docs
        .split("```symbi\n")
        .nth(1)
        .and_then(|rest| rest.split("\n```").next());
    inside
        .unwrap_or_default()
        .lines()
        .filter_map(|line| line.split_once(" // => "))
}

#[test]
fn examples_give_what_they_say() {
    let library = Stdlib::get();
    let mut source = String::new();
    let mut lines = Vec::new();
    for declared in library
        .declarations
        .iter()
        .filter(|one| one.kind == StdlibKind::Function)
    {
        for (code, value) in examples(&declared.docs()) {
            let number = lines.len();
            writeln!(source, "function example{number}() -> Any {{ {code} }}").unwrap();
            writeln!(source, "function value{number}() -> Any {{ {value} }}").unwrap();
            lines.push(format!("{}: {code} // => {value}", declared.file()));
        }
    }
    let (program, errors) = compile(&source);
    assert!(errors.is_empty(), "{errors:?}");
    let mut wrong = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let value = |name: &str| {
            let name = format!("{name}{number}");
            let ended = run(
                &program,
                Runs::Function(&name),
                Vec::new(),
                Turns::Short(3),
                &mut |asked| world(&asked),
            );
            match ended {
                End::Value(value) => written(&value),
                End::Raised(problem) => format!("raised {}: {}", &*problem.kind, &*problem.message),
                other => format!("{other:?}"),
            }
        };
        let (found, expected) = (value("example"), value("value"));
        if found != expected {
            wrong.push(format!("{line}\n  gives {found}"));
        }
    }
    assert!(lines.len() > 180, "{} examples", lines.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
