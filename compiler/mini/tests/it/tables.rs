//! Texts and what they are read as: the tables of `tests/data`, one for each
//! language. A line is `text => value` or `text => error START..END: message
//! (help)`; `(empty)` stands for the empty text. Blanks around the text count.

use std::fmt::Write;
use symbi_mini::{
    MiniError, Reading, cron, duration, host_port, json_path, rate, size, tool_pattern, zone,
};

#[test]
fn durations() {
    check("duration", include_str!("../data/duration.txt"), |text| {
        duration::parse(text).map(reading)
    });
}

#[test]
fn sizes() {
    check("size", include_str!("../data/size.txt"), |text| {
        size::parse(text).map(reading)
    });
}

#[test]
fn rates() {
    check("rate", include_str!("../data/rate.txt"), |text| {
        rate::parse(text).map(|rate| format!("{} in {}ns, {rate}", rate.count, rate.window))
    });
}

#[test]
fn hosts() {
    check("host_port", include_str!("../data/host_port.txt"), |text| {
        host_port::parse(text).map(|place| match &place.host {
            host_port::Host::Name(_) => format!("name {place}"),
            host_port::Host::Address(_) => format!("address {place}"),
        })
    });
}

#[test]
fn tools() {
    check(
        "tool_pattern",
        include_str!("../data/tool_pattern.txt"),
        |text| {
            tool_pattern::parse(text).map(|list| {
                let mut out = String::new();
                for pattern in &list.patterns {
                    let _ = write!(out, "{:?} {}", pattern.span, pattern.name);
                    if let Some(argument) = &pattern.argument {
                        let kind = if argument.prefix { "prefix" } else { "exactly" };
                        let _ = write!(out, " {kind} {:?} `{}`", argument.span, argument.text);
                    }
                    out.push_str("; ");
                }
                for span in &list.empty {
                    let _ = write!(out, "nothing at {span:?}; ");
                }
                out.trim_end_matches("; ").to_owned()
            })
        },
    );
}

#[test]
fn paths() {
    check("json_path", include_str!("../data/json_path.txt"), |text| {
        json_path::parse(text).map(|path| path.to_string())
    });
}

#[test]
fn zones() {
    check("zone", include_str!("../data/zone.txt"), |text| {
        zone::parse(text).map(|zone| zone.name().to_owned())
    });
}

/// Expressions: in plain words, why they never fire, and what the public
/// toolchain reads otherwise. When they fire stands in `cron.txt`.
#[test]
fn expressions() {
    check(
        "expression",
        include_str!("../data/expression.txt"),
        |text| {
            let cron = cron::parse(text)?;
            let mut out = cron.describe();
            if let Some(error) = cron.never_fires(None) {
                let _ = write!(out, " | {:?}: {}", error.span, error.message);
            }
            for note in cron.peer_notes() {
                let _ = write!(out, " | {:?}: {}", note.span, note.message);
            }
            Ok(out)
        },
    );
}

fn reading(reading: Reading<i64>) -> String {
    match reading.write {
        Some(write) => format!("{}, usually `{write}`", reading.value),
        None => reading.value.to_string(),
    }
}

fn error(error: &MiniError) -> String {
    let help = match &error.help {
        Some(help) => format!(" ({help})"),
        None => String::new(),
    };
    format!("error {:?}: {}{help}", error.span, error.message)
}

/// Compares each line with what is read, and shows all that differ.
fn check(name: &str, table: &str, read: impl Fn(&str) -> Result<String, MiniError>) {
    let mut differing = String::new();
    let mut cases = 0;
    for line in table.lines() {
        let Some((text, expected)) = line.split_once(" => ") else {
            assert!(line.is_empty() || line.starts_with('#'), "{line:?}");
            continue;
        };
        let text = if text == "(empty)" { "" } else { text };
        let found = read(text).unwrap_or_else(|wrong| error(&wrong));
        cases += 1;
        if found != expected {
            let _ = writeln!(differing, "{text} => {found}\n   not: {expected}");
        }
    }
    assert!(cases > 20, "{name}: {cases} cases");
    assert!(differing.is_empty(), "{name}:\n{differing}");
}
