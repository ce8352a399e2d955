//! An expression in plain words, for hovers.

use super::Cron;
use super::fields::{MONTHS, WEEKDAYS};
use super::set::{FIRST_YEAR, Set};
use crate::error::list;

/// Up to so many times of day are named one by one.
const NAMED_TIMES: usize = 6;

impl Cron {
    /// The expression in plain words.
    ///
    /// ```
    /// let describe = |text| symbi_mini::cron::parse(text).unwrap().describe();
    /// assert_eq!(describe("0 9 * * MON-FRI"), "at 09:00 on Monday to Friday");
    /// assert_eq!(describe("*/15 8-17 * * *"), "every 15 minutes in the hours 8 to 17");
    /// assert_eq!(describe("0 0 L JAN,JUL *"), "at 00:00 on the last day in January and July");
    /// ```
    pub fn describe(&self) -> String {
        let mut words = vec![self.times()];
        words.extend(self.days_in_words());
        let months: Vec<u32> = self.months.values().collect();
        if months.len() < 12 {
            words.push(format!(
                "in {}",
                runs(&months, |month| name(MONTHS, month - 1))
            ));
        }
        if let Some(years) = &self.years {
            let years: Vec<u32> = years.values().collect();
            words.push(format!(
                "in {}",
                runs(&years, |year| (FIRST_YEAR + year).to_string())
            ));
        }
        words.join(" ")
    }

    fn times(&self) -> String {
        let [seconds, minutes, hours] =
            [&self.seconds, &self.minutes, &self.hours].map(|set| set.values().collect::<Vec<_>>());
        let count = seconds.len() * minutes.len() * hours.len();
        if count <= NAMED_TIMES {
            let mut times = Vec::with_capacity(count);
            for hour in &hours {
                for minute in &minutes {
                    for second in &seconds {
                        times.push(match second {
                            0 => format!("{hour:02}:{minute:02}"),
                            second => format!("{hour:02}:{minute:02}:{second:02}"),
                        });
                    }
                }
            }
            return format!("at {}", list(&times, "and"));
        }
        let seconds = unit(&seconds, 60, "second").filter(|words| words != "at second 0");
        let minutes = unit(&minutes, 60, "minute");
        let hours = match hours.as_slice() {
            hours if hours.len() == 24 => None,
            hours => Some(match step(hours, 24) {
                Some(step) => format!("every {step} hours"),
                None => format!("in the hours {}", runs(hours, |hour| hour.to_string())),
            }),
        };
        match (seconds, minutes.as_deref(), hours) {
            (None, Some("at minute 0"), None) => "every hour".to_owned(),
            (None, Some("at minute 0"), Some(hours)) if hours.starts_with("every") => hours,
            (None, Some("at minute 0"), Some(hours)) => format!("every hour {hours}"),
            (Some(seconds), Some("every minute"), hours) => words([Some(seconds), hours]),
            (seconds, minutes, hours) => words([seconds, minutes.map(str::to_owned), hours]),
        }
    }

    fn days_in_words(&self) -> Option<String> {
        // Either may match, and one of them always does.
        let either = !self.days.open && !self.weekdays.open;
        let every =
            self.days.numbers.values().count() == 31 || self.weekdays.every.values().count() == 7;
        if either && every {
            return Some("every day".to_owned());
        }
        let days = self.day_words();
        let weekdays = self.weekday_words();
        match (days, weekdays) {
            (None, None) => None,
            (Some(days), None) => Some(format!("on {days}")),
            (None, Some(weekdays)) => Some(format!("on {weekdays}")),
            (Some(days), Some(weekdays)) if self.days.open || self.weekdays.open => {
                Some(format!("on {days} if it is {weekdays}"))
            }
            (Some(days), Some(weekdays)) => Some(format!("on {days} or on {weekdays}")),
        }
    }

    fn day_words(&self) -> Option<String> {
        let numbers: Vec<u32> = self.days.numbers.values().collect();
        if numbers.len() == 31 {
            return None;
        }
        let mut words = Vec::new();
        match step_from(&numbers, 1, 31) {
            Some(step) => words.push(format!("every {} day from the 1st", ordinal(step))),
            None if !numbers.is_empty() => words.push(format!("the {}", runs(&numbers, ordinal))),
            None => {}
        }
        for day in self.days.nearest.values() {
            words.push(format!("the working day nearest to the {}", ordinal(day)));
        }
        for distance in self.days.from_last.values() {
            words.push(match distance {
                0 => "the last day".to_owned(),
                1 => "the day before the last".to_owned(),
                distance => format!("the {} day before the last", ordinal(distance)),
            });
        }
        if self.days.last_working {
            words.push("the last working day".to_owned());
        }
        Some(list(&words, "and"))
    }

    fn weekday_words(&self) -> Option<String> {
        if self.weekdays.every.values().count() == 7 {
            return None;
        }
        let mut words = Vec::new();
        if self.weekdays.every != Set::default() {
            words.push(weekday_list(&self.weekdays.every));
        }
        for (week, nth) in ["first", "second", "third", "fourth", "fifth"]
            .iter()
            .zip(&self.weekdays.nth)
        {
            words.extend(
                nth.values()
                    .map(|day| format!("the {week} {}", name(WEEKDAYS, day))),
            );
        }
        let last = self.weekdays.last.values();
        words.extend(last.map(|day| format!("the last {}", name(WEEKDAYS, day))));
        Some(list(&words, "and"))
    }
}

fn words<const N: usize>(parts: [Option<String>; N]) -> String {
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// "every 15 minutes", "every minute", "at minute 5 and 10".
fn unit(values: &[u32], count: u32, name: &str) -> Option<String> {
    if values.len() == count as usize {
        return Some(format!("every {name}"));
    }
    Some(match step(values, count) {
        Some(step) => format!("every {step} {name}s"),
        None => format!("at {name} {}", runs(values, |value| value.to_string())),
    })
}

/// The step of values that run evenly from 0 round to 0 again.
fn step(values: &[u32], count: u32) -> Option<u32> {
    step_from(values, 0, count - 1).filter(|step| count.is_multiple_of(*step))
}

fn step_from(values: &[u32], low: u32, high: u32) -> Option<u32> {
    let [first, second, ..] = values else {
        return None;
    };
    let step = second - first;
    let even = *first == low
        && step > 1
        && values.len() > 2
        && values.windows(2).all(|pair| pair[1] - pair[0] == step)
        && values.last().is_some_and(|last| last + step > high);
    even.then_some(step)
}

fn name(names: &[&str], at: u32) -> String {
    names.get(at as usize).copied().unwrap_or("").to_owned()
}

/// Weekdays in words, in the order of a week that begins on Monday unless it
/// is Sunday that begins a run.
pub(super) fn weekday_list(set: &Set) -> String {
    let in_week = |first: u32| {
        (first..first + 7)
            .filter(|day| set.has(day % 7))
            .collect::<Vec<_>>()
    };
    let (from_sunday, from_monday) = (in_week(0), in_week(1));
    let pieces = |days: &[u32]| {
        days.windows(2)
            .filter(|pair| pair[1] != pair[0] + 1)
            .count()
    };
    let days = match pieces(&from_sunday) < pieces(&from_monday) {
        true => from_sunday,
        false => from_monday,
    };
    runs(&days, |day| name(WEEKDAYS, day % 7))
}

/// Values as a list in which three and more neighbours are a range.
fn runs(values: &[u32], word: impl Fn(u32) -> String) -> String {
    let mut words = Vec::new();
    let mut rest = values;
    while let [first, ..] = rest {
        let length = rest
            .iter()
            .zip(*first..)
            .take_while(|(value, expected)| *value == expected)
            .count();
        let (run, after) = rest.split_at(length);
        match run {
            [first, _, .., last] => words.push(format!("{} to {}", word(*first), word(*last))),
            run => words.extend(run.iter().map(|value| word(*value))),
        }
        rest = after;
    }
    list(&words, "and")
}

fn ordinal(number: u32) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}
