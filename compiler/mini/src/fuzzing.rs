//! For tests and fuzzers only: every parser on any bytes, with all that must
//! hold of what it gives. Nothing here is for programs.

use crate::grammar::Steps;
use crate::{
    MiniError, cron, duration, host_port, json_path, moment, rate, size, tool_pattern, zone,
};
use jiff::Timestamp;

/// Reads the bytes as text with every parser and panics if an invariant of a
/// result does not hold. The first two bytes choose a zone and an instant for
/// schedules, the rest is the text.
pub fn fuzz_one(data: &[u8]) {
    let (choice, text) = match data {
        [zone, instant, text @ ..] => ([*zone, *instant], text),
        _ => ([0, 0], data),
    };
    let text = String::from_utf8_lossy(text);
    check_durations(&text);
    check_rates(&text);
    check_cron(&text, choice);
    // Looking for the nearest of all zones would be most of the time.
    if choice[0].is_multiple_of(16) {
        check_zones(&text);
    }
    check_tools(&text);
    check_hosts(&text);
    check_paths(&text);
    check_moments(&text);
}

/// The languages that [`steps`] counts.
pub const LANGUAGES: &[&str] = &[
    "duration",
    "size",
    "rate",
    "cron",
    "tool_pattern",
    "host_port",
    "json_path",
];

/// The steps that reading a text takes: characters that the grammar read, and
/// rounds of the loops behind it. 0 for an unknown language.
pub fn steps(language: &str, text: &str) -> usize {
    let mut steps = Steps::default();
    match language {
        "duration" => drop(duration::parse_counted(text, &mut steps)),
        "size" => drop(size::parse_counted(text, &mut steps)),
        "rate" => drop(rate::parse_counted(text, &mut steps)),
        "cron" => drop(cron::parse_counted(text, &mut steps)),
        "tool_pattern" => drop(tool_pattern::parse_counted(text, &mut steps)),
        "host_port" => drop(host_port::parse_counted(text, &mut steps)),
        "json_path" => drop(json_path::parse_counted(text, &mut steps)),
        _ => {}
    }
    steps.0
}

/// The steps to the next firing, or to there being none: stretches of a zone
/// and months that were looked at.
pub fn firing_steps(cron: &cron::Cron, zone: &zone::Zone, after: Timestamp) -> usize {
    let mut firings = cron.firings(zone, after);
    firings.next();
    firings.steps.0
}

fn check_error(text: &str, error: &MiniError) {
    let span = error.span.clone();
    assert!(
        text.get(span.clone()).is_some(),
        "{span:?} is not a part of {text:?}: {error:?}"
    );
    assert!(!error.message.is_empty(), "{text:?}");
    assert!(!error.message.ends_with('.'), "{error:?}");
    // A message stays a message whatever the text holds.
    assert!(error.message.len() < 400, "{} bytes", error.message.len());
    assert!(error.help.as_ref().is_none_or(|help| help.len() < 700));
}

fn check_moments(text: &str) {
    match moment::parse(text) {
        Ok(moment) => assert_eq!(moment::parse(&moment.to_string()), Ok(moment), "{text:?}"),
        Err(error) => check_error(text, &error),
    }
}

fn check_durations(text: &str) {
    type Parse = fn(&str) -> Result<crate::Reading<i64>, MiniError>;
    for parse in [duration::parse as Parse, size::parse] {
        match parse(text) {
            Ok(reading) => {
                assert!(reading.value >= 0, "{text:?}");
                if let Some(write) = &reading.write {
                    let usual = parse(write).unwrap_or_else(|error| panic!("{write:?}: {error}"));
                    assert_eq!(
                        (usual.value, usual.write),
                        (reading.value, None),
                        "{text:?}"
                    );
                }
            }
            Err(error) => check_error(text, &error),
        }
    }
    if let Ok(reading) = duration::parse(text) {
        let written = duration::format(reading.value);
        let again = duration::parse(&written).map(|again| again.value);
        assert_eq!(again, Ok(reading.value), "{written}");
    }
}

fn check_rates(text: &str) {
    match rate::parse(text) {
        Ok(rate) => {
            assert!(rate.count > 0 && rate.window > 0, "{text:?}");
            assert_eq!(rate::parse(&rate.to_string()), Ok(rate), "{text:?}");
        }
        Err(error) => check_error(text, &error),
    }
}

const ZONES: &[&str] = &[
    "UTC",
    "America/New_York",
    "Europe/London",
    "Australia/Lord_Howe",
    "Australia/Sydney",
    "Pacific/Apia",
    "America/Sao_Paulo",
    "Africa/Casablanca",
    "America/Goose_Bay",
    "Asia/Kathmandu",
    "Antarctica/Troll",
    "Europe/Dublin",
];

fn check_cron(text: &str, choice: [u8; 2]) {
    let cron = match cron::parse(text) {
        Ok(cron) => cron,
        Err(error) => return check_error(text, &error),
    };
    assert!(!cron.describe().is_empty(), "{text:?}");
    for note in cron.peer_notes() {
        assert!(text.get(note.span.clone()).is_some(), "{note:?}");
    }
    let name = ZONES[usize::from(choice[0]) % ZONES.len()];
    let zone = zone::parse(name).unwrap_or_else(|error| panic!("{error}"));
    // From 1970 to 2110, in steps of 200 days and some minutes.
    let second = i64::from(choice[1]) * (200 * 86_400 + 8_023);
    let Ok(after) = Timestamp::from_second(second) else {
        return;
    };
    if let Some(error) = cron.never_fires(Some(after)) {
        check_error(text, &error);
        assert_eq!(cron.firings(&zone, after).next(), None, "{text:?}");
    }
    let mut last = after;
    for firing in cron.firings(&zone, after).take(4) {
        assert!(
            firing.at > last,
            "{text:?} in {name}: {firing} after {last}"
        );
        last = firing.at;
        assert!(cron.names(firing.named), "{text:?} in {name}: {firing}");
        assert_eq!(zone.rules().to_offset(firing.at), firing.offset);
        if firing.is_moved() {
            assert!(
                cron.is_fixed() && firing.wall() > firing.named,
                "{text:?}: {firing}"
            );
        }
    }
    for note in cron.clock_notes(&zone, after) {
        assert!(cron.names(note.named), "{text:?} in {name}: {note:?}");
        assert!(!note.to_string().is_empty());
    }
}

fn check_zones(text: &str) {
    let found = zone::find(text);
    match zone::parse(text) {
        Ok(zone) => {
            assert_eq!(found.as_ref(), Some(&zone));
            assert!(zone.name().eq_ignore_ascii_case(text.trim()) || zone == zone::Zone::utc())
        }
        Err(error) => {
            assert_eq!(found, None);
            check_error(text, &error);
        }
    }
}

fn check_tools(text: &str) {
    let list = match tool_pattern::parse(text) {
        Ok(list) => list,
        Err(error) => return check_error(text, &error),
    };
    assert!(!list.patterns.is_empty());
    let mut end = 0;
    for pattern in &list.patterns {
        assert!(pattern.span.start >= end, "{text:?}");
        end = pattern.span.end;
        assert_eq!(text.get(pattern.span.clone()), Some(&*pattern.to_string()));
        if let Some(argument) = &pattern.argument {
            assert_eq!(text.get(argument.span.clone()), Some(&*argument.text));
        }
    }
    for span in &list.empty {
        assert!(
            text.get(span.clone())
                .is_some_and(|gap| gap.trim().is_empty())
        );
    }
    let again = tool_pattern::parse(&list.to_string()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.patterns.len(), list.patterns.len(), "{text:?}");
}

fn check_hosts(text: &str) {
    match host_port::parse(text) {
        Ok(place) => {
            assert!(place.port > 0);
            assert_eq!(host_port::parse(&place.to_string()), Ok(place), "{text:?}");
        }
        Err(error) => check_error(text, &error),
    }
}

fn check_paths(text: &str) {
    match json_path::parse(text) {
        Ok(path) => {
            assert_eq!(
                json_path::parse(&path.to_string()),
                Ok(path.clone()),
                "{text:?}"
            );
            let value = serde_json::json!({ "a": [1, { "b": [[2], 3] }, "x"], "b": { "a": null } });
            assert!(path.select(&value).count() <= 12, "{text:?}");
        }
        Err(error) => check_error(text, &error),
    }
}
