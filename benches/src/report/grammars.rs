//! The tree-sitter grammar: how fast it reads, and that inputs made to hurt it
//! cost twice as much when they are twice as long. The peer's grammar, beside
//! ours in one process, is in `peers`.

use tree_sitter::{Parser, Tree};

use super::{BYTES, Inputs, Limit, On, Report, Row};
use crate::Error;
use crate::clock::{best, mb_per_second};

const RUNS: usize = 5;

/// An input of n parts: its name, how many parts are enough to see the growth,
/// how to make it, and whether it is accepted.
type Shape = (&'static str, usize, fn(usize) -> String, bool);

const SHAPES: &[Shape] = &[
    ("`+` chain", 10_000, |n| body(&"1 + ".repeat(n), "1"), true),
    ("`!` chain", 10_000, |n| body(&"!".repeat(n), "x"), true),
    (
        "nested `( )`",
        10_000,
        |n| body(&"(".repeat(n), &format!("1{}", ")".repeat(n))),
        true,
    ),
    (
        "nested `[ ]`",
        10_000,
        |n| body(&"[".repeat(n), &format!("1{}", "]".repeat(n))),
        true,
    ),
    ("open `(`", 10_000, |n| body(&"(".repeat(n), "1"), false),
    (
        "`else if`",
        5_000,
        |n| body("if a {}", &" else if b {}".repeat(n)),
        true,
    ),
    (
        "list in one line",
        50_000,
        |n| body("[", &format!("{}]", "\"text\", ".repeat(n))),
        true,
    ),
    (
        "one string",
        500_000,
        |n| body("\"", &format!("{}\"", "x".repeat(n))),
        true,
    ),
    (
        "one comment",
        500_000,
        |n| format!("/*{}*/", "x".repeat(n)),
        true,
    ),
    (
        "comments behind a rule",
        2_000,
        |n| format!("policy p {{ allow: a\n{}if x }}", "// why\n".repeat(n)),
        true,
    ),
];

fn body(begin: &str, end: &str) -> String {
    format!("function f() {{ {begin}{end} }}")
}

pub(super) fn rows(inputs: &Inputs, report: &mut Report) -> Result<(), Error> {
    let text = &inputs.large.text;
    let time = measure(text, RUNS, true)?;
    report.rows.push(Row::new(
        format!("tree-sitter grammar, {} MB", BYTES / 1_000_000),
        mb_per_second(text.len(), time),
        "MB/s",
    ));
    for &(name, parts, make, accepted) in SHAPES {
        let mut times = Vec::new();
        for times_longer in [1, 2, 4] {
            let text = make(parts * times_longer);
            times.push(measure(&text, RUNS, accepted)?.as_secs_f64());
        }
        let ratios: Vec<f64> = times.windows(2).map(|pair| pair[1] / pair[0]).collect();
        let worst = ratios.iter().copied().fold(0.0, f64::max);
        let all: Vec<String> = ratios.iter().map(|ratio| format!("{ratio:.2}")).collect();
        report.rows.push(
            Row::new(format!("tree-sitter, twice the input: {name}"), worst, "×")
                .detail(format!(
                    "{}; {:.0} ms at the longest",
                    all.join(", "),
                    times[2] * 1e3
                ))
                .goal(On::Ours, Limit::AtMost(2.3)),
        );
    }
    Ok(())
}

fn measure(text: &str, runs: usize, accepted: bool) -> Result<std::time::Duration, Error> {
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_symbi::LANGUAGE.into())
        .map_err(|error| Error::Wrong(error.to_string()))?;
    best(
        runs,
        || parser.parse(text, None),
        |tree: &Option<Tree>| match tree {
            Some(tree) if tree.root_node().has_error() != accepted => Ok(()),
            _ => Err(Error::Wrong(format!(
                "tree-sitter does not give {} bytes the verdict that is right",
                text.len()
            ))),
        },
    )
}
