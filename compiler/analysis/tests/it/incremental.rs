//! Incremental equals cold, and memory stays where it is.

use symbi_analysis::Analysis;
use symbi_analysis::fuzzing::edits;
use symbi_syntax::decode;

use crate::support::{check_text, texts};

#[test]
fn after_any_edits_the_reports_are_those_of_a_fresh_check() {
    let texts = texts();
    assert!(texts.len() > 20);
    let mut total = edits::Done::default();
    for seed in 0..300 {
        match edits::run(seed, 12, &texts) {
            Ok(done) => {
                total.edits += done.edits;
                total.cancelled += done.cancelled;
                total.reports += done.reports;
            }
            Err(difference) => panic!("{difference}"),
        }
    }
    assert_eq!(total.edits, 3600);
    assert!(total.reports > 10_000, "{total:?}");
}

/// Bytes that the process has in use, by the allocator's own count where it
/// has one, else by the kernel's.
fn resident_bytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = status.split_whitespace().nth(1);
    pages
        .and_then(|pages| pages.parse::<usize>().ok())
        .unwrap_or(0)
        * 4096
}

#[test]
fn slots_are_used_again_and_memory_stays_where_it_is() {
    let mut analysis = Analysis::new();
    let text = |n: usize| {
        format!(
            "agent agent{n}(x: int) -> int {{ with {{ return f{n}(x); }} }}\n\
             function f{n}(x: int) -> int {{ return x + {n}; }}\n"
        )
    };
    let mut round = |edits: std::ops::Range<usize>| {
        for n in edits {
            let path = format!("agents/file{}.symbi", n % 50);
            if n % 10 == 9 {
                analysis.remove_file(&path);
            } else {
                analysis.set_file(&path, decode(text(n).into_bytes()));
                assert!(analysis.diagnostics(&path).is_some());
            }
        }
    };
    round(0..20_000);
    let before = resident_bytes();
    round(20_000..100_000);
    let grown = resident_bytes().saturating_sub(before);
    assert!(grown < 4 << 20, "{grown} bytes more after 80,000 edits");
}

/// A nearest name is looked for among 2,000 at most: more would cost a file with
/// as many unknown names their product.
#[test]
fn both_programs_stop_looking_for_the_nearest_name_at_the_same_number() {
    let near = |functions: usize| -> Vec<bool> {
        let mut text = String::new();
        for n in 1..functions {
            text.push_str(&format!("function other{n}() {{ }}\n"));
        }
        text.push_str("function greeting() { }\nfunction f() { greetnig(); }\n");
        let mut analysis = Analysis::new();
        analysis.set_file("main.symbi", decode(text.clone().into_bytes()));
        let resident = analysis.diagnostics("main.symbi").expect("a known file");
        [resident, check_text(&text)]
            .iter()
            .map(|reports| {
                let unknown = reports.iter().find(|report| report.code.id == "N0203");
                unknown.expect("an unknown name").fix.is_some()
            })
            .collect()
    };
    // `f` is one of them.
    assert_eq!(near(1_999), [true, true]);
    assert_eq!(near(2_000), [false, false]);
}
