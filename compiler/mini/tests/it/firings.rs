//! When expressions fire: `tests/data/cron.txt`, and what tables cannot say.

use symbi_mini::cron::{self, Effect};
use symbi_mini::jiff::Timestamp;
use symbi_mini::zone::{self, Zone};

fn at(text: &str) -> Timestamp {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn every_case_of_the_table_fires_as_written() {
    let mut cases = 0;
    let mut wrong = Vec::new();
    for line in include_str!("../data/cron.txt").lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let columns: Vec<&str> = line.split(" | ").collect();
        let [expression, zone, after, expected] = columns[..] else {
            panic!("not four columns: {line}");
        };
        cases += 1;
        let cron = cron::parse(expression).unwrap_or_else(|error| panic!("{line}: {error}"));
        let zone = zone::parse(zone).unwrap_or_else(|error| panic!("{line}: {error}"));
        let mut firings = cron.firings(&zone, at(after));
        for expected in expected.split(' ') {
            let found = firings.next().map(|firing| firing.to_string());
            let found = found.as_deref().map(|found| found.replace('Z', "+00:00"));
            let expected = (!matches!(expected, "none" | "end")).then(|| expected.to_owned());
            if found != expected {
                wrong.push(format!("{line}\n  expected {expected:?}, found {found:?}"));
                break;
            }
        }
    }
    assert!(cases >= 120, "{cases} cases");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_firing_knows_the_time_that_a_gap_swallowed() {
    let cron = cron::parse("30 2 * * *").unwrap();
    let zone = zone::parse("America/New_York").unwrap();
    let firings: Vec<_> = cron
        .firings(&zone, at("2026-03-07T12:00:00Z"))
        .take(2)
        .collect();
    assert!(firings[0].is_moved());
    assert_eq!(firings[0].named.to_string(), "2026-03-08T02:30:00");
    assert_eq!(firings[0].wall().to_string(), "2026-03-08T03:00:00");
    assert!(!firings[1].is_moved());
    assert_eq!(firings[1].named, firings[1].wall());
}

#[test]
fn times_that_lie_in_gaps_alone_end_the_search() {
    // The second Sunday of March at half past two, as a range: never there.
    let cron = cron::parse("30 2-2 * 3 SUN#2").unwrap();
    assert_eq!(cron.never_fires(None), None);
    let zone = zone::parse("America/New_York").unwrap();
    assert_eq!(cron.firings(&zone, at("2026-01-01T00:00:00Z")).next(), None);
    let utc = cron
        .firings(&Zone::utc(), at("2026-01-01T00:00:00Z"))
        .next();
    assert_eq!(
        utc.map(|firing| firing.at),
        Some(at("2026-03-08T02:30:00Z"))
    );
}

#[test]
fn years_that_are_over_are_told_from_days_that_are_none() {
    let past = cron::parse("0 0 0 1 1 ? 2020").unwrap();
    assert_eq!(past.never_fires(None), None);
    let error = past.never_fires(Some(at("2026-01-01T00:00:00Z"))).unwrap();
    assert_eq!(error.message, "this never fires again: 2020 is over");
    assert_eq!(error.span, 12..16);
    let last_second = at("2020-01-01T00:00:00Z");
    assert_eq!(past.never_fires(Some(last_second)), None);
    assert_eq!(past.firings(&Zone::utc(), last_second).next(), None);
}

#[test]
fn firings_end_with_the_calendar() {
    let daily = cron::parse("@daily").unwrap();
    let apia = zone::parse("Pacific/Apia").unwrap();
    for zone in [&Zone::utc(), &apia] {
        assert_eq!(daily.firings(zone, Timestamp::MAX).next(), None);
        let first = daily.firings(zone, Timestamp::MIN).next();
        assert!(first.is_some_and(|firing| firing.at > Timestamp::MIN));
    }
}

#[test]
fn notes_say_what_each_change_of_clocks_does() {
    let table = [
        (
            "30 2 * * *",
            "America/New_York",
            "on 2026-03-08 clocks skip 02:30: it fires at 03:00",
        ),
        (
            "30 1 * * *",
            "America/New_York",
            "on 2026-11-01 clocks show 01:30 twice: it fires the first time",
        ),
        (
            "30 2-3 * * *",
            "America/New_York",
            "on 2026-03-08 clocks skip 02:30: it does not fire then",
        ),
        (
            "30 1-2 5 * SUN",
            "Europe/London",
            "on 2026-03-29 clocks skip 01:30: it does not fire then",
        ),
        (
            "45 1-1 * 4 *",
            "Australia/Lord_Howe",
            "on 2026-04-05 clocks show 01:45 twice: it fires both times",
        ),
        ("0 9 * * *", "America/New_York", ""),
        ("0 2 * * *", "UTC", ""),
    ];
    for (expression, zone, expected) in table {
        let cron = cron::parse(expression).unwrap();
        let zone = zone::parse(zone).unwrap();
        let notes = cron.clock_notes(&zone, at("2026-01-01T00:00:00Z"));
        let first = notes
            .first()
            .map(|note| note.to_string())
            .unwrap_or_default();
        assert_eq!(first, expected, "{expression}");
    }
    let cron = cron::parse("0 9 * * *").unwrap();
    let apia = zone::parse("Pacific/Apia").unwrap();
    let notes = cron.clock_notes(&apia, at("2011-12-01T00:00:00Z"));
    assert_eq!(
        notes[0].to_string(),
        "clocks skip 09:00 of 2011-12-30: it fires at 00:00 of 2011-12-31"
    );
    assert!(matches!(notes[0].effect, Effect::Moved(_)));
}
