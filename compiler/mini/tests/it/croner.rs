//! Another implementation as a witness, where it means the same as the
//! language: which days an expression names. What differs, and why there is an
//! implementation of our own, stands in docs/decisions/0005-cron.md.

use crate::total::Numbers;
use chrono::{NaiveDate, NaiveDateTime};
use croner::parser::{CronParser, Seconds};
use symbi_mini::cron;
use symbi_mini::zone::Zone;

const DAYS: &[&str] = &[
    "*", "?", "1", "13", "15", "29", "30", "31", "1-7", "8-14", "10-20/3", "1,15", "L", "LW", "1W",
    "15W", "30W", "31W", "L,15", "1W,15W",
];
const MONTHS: &[&str] = &[
    "*", "1", "2", "FEB", "4,6,9,11", "1-3", "*/3", "JAN,JUL", "12",
];
const WEEKDAYS: &[&str] = &[
    "*", "?", "0", "7", "1", "MON", "MON-FRI", "1-5", "5-7", "SAT,SUN", "1#1", "MON#2", "FRI#5",
    "0#1,0#3", "5L",
];
const TIMES: &[&str] = &["0 0", "30 6", "0 0,12", "59 23"];

/// The first firings after an instant, by croner on a wall clock without a
/// zone.
fn witness(expression: &str, after: NaiveDateTime, count: usize) -> Vec<String> {
    let cron = CronParser::builder()
        .seconds(Seconds::Optional)
        .build()
        .parse(expression)
        .unwrap_or_else(|error| panic!("{expression}: {error}"));
    cron.iter_after(after)
        .take(count)
        .map(|time| time.format("%Y-%m-%dT%H:%M:%S").to_string())
        .collect()
}

#[test]
fn days_are_those_that_croner_finds() {
    let mut random = Numbers(0xca1e);
    let mut pick = |from: &[&'static str]| from[random.below(from.len())];
    let start = NaiveDate::from_ymd_opt(2026, 1, 1).and_then(|day| day.and_hms_opt(0, 0, 0));
    for _ in 0..1_000 {
        let day = pick(DAYS);
        let weekday = pick(WEEKDAYS);
        let expression = format!("{} {day} {} {weekday}", pick(TIMES), pick(MONTHS));
        let cron = cron::parse(&expression).unwrap_or_else(|error| panic!("{expression}: {error}"));
        if cron.never_fires(None).is_some() {
            continue;
        }
        let after = "2026-01-01T00:00:00Z".parse().unwrap();
        let found: Vec<String> = cron
            .firings(&Zone::utc(), after)
            .take(5)
            .map(|firing| firing.named.to_string())
            .collect();
        assert_eq!(
            found,
            witness(&expression, start.unwrap(), 5),
            "{expression}"
        );
    }
}
