//! `symbi cron next`: firings on stdout, words on stderr.

use serde_json::Value;

use crate::support::Place;

/// Runs `symbi cron next` with the expression and the rest of the line.
fn next(expression: &str, rest: &str) -> (String, String, i32) {
    let mut words = vec!["cron", "next", expression];
    words.extend(rest.split_whitespace());
    let run = Place::new().symbi(words);
    (run.stdout, run.stderr, run.code)
}

#[test]
fn firings_go_to_stdout_and_what_they_mean_to_stderr() {
    let (stdout, stderr, code) = next(
        "30 2 * * *",
        "--timezone Europe/Berlin -n 3 --after 2026-03-27T12:00",
    );
    assert_eq!(
        stdout,
        "2026-03-28T02:30:00+01:00\n2026-03-29T03:00:00+02:00\n2026-03-30T02:30:00+02:00\n"
    );
    assert_eq!(
        stderr,
        "at 02:30, Europe/Berlin\n\
         note: on 2026-03-29 clocks skip 02:30: it fires at 03:00\n\
         note: on 2026-10-25 clocks show 02:30 twice: it fires the first time\n\
         note: on 2027-03-28 clocks skip 02:30: it fires at 03:00\n"
    );
    assert_eq!(code, 0);
}

#[test]
fn the_zone_is_utc_and_five_firings_are_shown_if_nothing_else_is_said() {
    let (stdout, stderr, code) = next("@daily", "--after 2026-02-26T00:00:00Z");
    let days = ["02-27", "02-28", "03-01", "03-02", "03-03"];
    let expected: String = days
        .iter()
        .map(|day| format!("2026-{day}T00:00:00+00:00\n"))
        .collect();
    assert_eq!((stdout.as_str(), code), (expected.as_str(), 0));
    assert_eq!(stderr, "at 00:00, UTC\n");
    // Without an instant it begins now.
    let (stdout, _, code) = next("* * * * *", "-n 1");
    assert_eq!((stdout.lines().count(), code), (1, 0));
}

#[test]
fn an_expression_with_an_end_ends() {
    let (stdout, _, code) = next("0 0 12 31 12 * 2026", "--after 2026-06-01");
    assert_eq!((stdout.as_str(), code), ("2026-12-31T12:00:00+00:00\n", 0));
}

#[test]
fn what_is_wrong_is_underlined() {
    let table = [
        (
            "0 9 * * MUN",
            "",
            "error: `MUN` is not a day of the week\n  0 9 * * MUN\n          ^^^\n  help: did you mean `MON`?\n",
            1,
        ),
        (
            "0 0 31 2 *",
            "",
            "error: this never fires: February has no day 31\n  0 0 31 2 *\n      ^^\n  help: write `L` for the last day of a month, or choose another month\n",
            1,
        ),
        (
            "@daily",
            "--timezone Europe/Berln",
            "error: `Europe/Berln` is not a time zone of the IANA database\n  Europe/Berln\n  ^^^^^^^^^^^^\n  help: did you mean `Europe/Berlin`?\n",
            2,
        ),
        (
            "@daily",
            "--after soon",
            "error: `soon` is not a time\n  soon\n  ^^^^\n  help: write `2026-03-27T12:00`, or `2026-03-27T12:00:00Z` with an offset\n",
            2,
        ),
    ];
    for (expression, rest, expected, code) in table {
        let got = next(expression, rest);
        assert_eq!(
            got,
            (String::new(), expected.to_owned(), code),
            "{expression}"
        );
    }
    for rest in ["-n 0", "-n 10001", "-n x"] {
        let (stdout, stderr, code) = next("@daily", rest);
        assert_eq!((stdout.as_str(), code), ("", 2), "{rest}: {stderr}");
    }
}

#[test]
fn hostile_expressions_get_a_line_and_not_a_panic() {
    let long = "1,".repeat(60_000);
    for expression in ["", "\u{1b}[2J", "* * * * \u{202e}", "٣ * * * *", &long] {
        let (stdout, stderr, code) = next(expression, "");
        assert_eq!((stdout.as_str(), code), ("", 1), "{stderr}");
        assert!(stderr.starts_with("error: "), "{stderr}");
        assert!(
            !stderr.contains('\u{1b}') && stderr.len() < 1_000,
            "{stderr}"
        );
    }
}

#[test]
fn an_error_is_one_document_too() {
    let (stdout, stderr, code) = next("0 9 * * MUN", "--json");
    assert_eq!((stderr.as_str(), code), ("", 1));
    let document: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(
        document["error"],
        serde_json::json!({
            "argument": "0 9 * * MUN",
            "start": 8,
            "end": 11,
            "message": "`MUN` is not a day of the week",
            "help": "did you mean `MON`?",
        })
    );
    let (stdout, _, code) = next("@daily", "--json --after soon");
    let document: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(
        (document["error"]["argument"].as_str(), code),
        (Some("soon"), 2)
    );
}

#[test]
fn words_and_notes_say_what_happens() {
    // Both day fields are restricted, and one of them always fits.
    let (_, stderr, _) = next("0 9 13 * 1-7", "--after 2026-01-01 -n 1");
    assert_eq!(stderr, "at 09:00 every day, UTC\n");
    // An interval goes on across a change of the clocks.
    let (_, stderr, _) = next("@hourly", "-z America/New_York --after 2026-03-01 -n 1");
    assert_eq!(stderr, "every hour, America/New_York\n");
}

#[test]
fn json_is_one_document() {
    let (stdout, stderr, code) = next(
        "30 2 * * *",
        "-z Europe/Berlin -n 2 --after 2026-03-28T12:00:00+01:00 --json",
    );
    assert_eq!((stderr.as_str(), code), ("", 0));
    let document: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(
        document["firings"],
        serde_json::json!([
            { "at": "2026-03-29T01:00:00Z", "local": "2026-03-29T03:00:00+02:00", "moved": true },
            { "at": "2026-03-30T00:30:00Z", "local": "2026-03-30T02:30:00+02:00", "moved": false },
        ])
    );
    assert_eq!(document["version"], 1);
    assert_eq!(document["timezone"], "Europe/Berlin");
    assert_eq!(document["words"], "at 02:30");
    assert_eq!(document["notes"].as_array().map(Vec::len), Some(3));
}
