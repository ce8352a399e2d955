//! The two day fields, with what only they have: `L`, `W` and `#`.

use super::days::{Days, Weekdays};
use super::fields::{DAY, Selection, WEEKDAY, entries, selection, small_number, value};
use super::peer;
use super::set::Set;
use super::split::{Entry, Field};
use crate::MiniError;
use crate::error::quote;
use crate::grammar::Piece;

/// The day of the month.
pub(super) fn days(field: &Field<'_>) -> Result<Days, MiniError> {
    let mut days = Days {
        open: true,
        ..Days::default()
    };
    let mut all = false;
    for entry in entries(field)? {
        if special_day(entry, &mut days)? {
            days.open = false;
            continue;
        }
        let selection = selection(&DAY, entry)?;
        selection.add_to(&mut days.numbers);
        days.open &= selection.star;
        all |= selection.star && selection.step == 1;
    }
    days.open |= all;
    Ok(days)
}

/// `L`, `L-3`, `LW`, `15W`.
fn special_day(entry: &Entry<'_>, days: &mut Days) -> Result<bool, MiniError> {
    let word = entry.first.text.to_ascii_uppercase();
    let fails =
        |message: &str, help: &str| Err(MiniError::new(entry.span.clone(), message).help(help));
    match (word.as_str(), entry.more.as_slice()) {
        ("L", []) => days.from_last.add(0),
        ("LW" | "WL", []) => days.last_working = true,
        ("L", [('-', distance)]) => {
            let number = distance.text.bytes().all(|byte| byte.is_ascii_digit());
            match small_number(distance.text).filter(|_| number && !distance.is_empty()) {
                Some(distance @ 1..=30) => days.from_last.add(distance),
                _ => {
                    let message = format!(
                        "{} is no number of days before the last",
                        quote(distance.text)
                    );
                    return Err(
                        MiniError::new(distance.span(), message).help("write `L-1` to `L-30`")
                    );
                }
            }
        }
        ("L" | "LW", _) => {
            return fails(
                "a range or a step does not start at the last day",
                "write `L`, `L-3` (three days before it) or `LW` (the last working day)",
            );
        }
        (word, more) => {
            let Some(day) = word.strip_suffix('W') else {
                return Ok(false);
            };
            if day.is_empty() {
                return fails("a day is missing before `W`", "write for example `15W`");
            }
            let piece = Piece {
                text: entry.first.text.get(..day.len()).unwrap_or(day),
                at: entry.first.at,
            };
            let day = value(&DAY, piece)?;
            if !more.is_empty() {
                return fails("`W` goes with one day", "write each day: `1W,15W`");
            }
            days.nearest.add(day);
        }
    }
    Ok(true)
}

/// The day of the week; `count` is the number of fields.
pub(super) fn weekdays(field: &Field<'_>, count: usize) -> Result<Weekdays, MiniError> {
    let mut weekdays = Weekdays {
        open: true,
        ..Weekdays::default()
    };
    let mut all = false;
    let mut peer = Some(Set::default());
    for entry in entries(field)? {
        if special_weekday(entry, &mut weekdays)? {
            weekdays.open = false;
            peer = None;
            continue;
        }
        let selection = selection(&WEEKDAY, entry)?;
        selection.add_to(&mut weekdays.every);
        peer = peer.and_then(|set| peer::weekdays(set, &selection_bounds(&selection)));
        weekdays.open &= selection.star;
        all |= selection.star && selection.step == 1;
    }
    weekdays.open |= all;
    weekdays.peer = peer.filter(|_| count > 5);
    Ok(weekdays)
}

fn selection_bounds(selection: &Selection<'_>) -> peer::Bounds {
    peer::Bounds {
        low: selection.low,
        high: selection.high,
        step: selection.step,
        numbers: selection.numbers,
    }
}

/// `FRIL`, `5L`, `MON#2`.
fn special_weekday(entry: &Entry<'_>, weekdays: &mut Weekdays) -> Result<bool, MiniError> {
    let text = entry.first.text;
    let single = |help: &str| match entry.more.as_slice() {
        [] => Ok(()),
        _ => {
            let message = "`#` and `L` go with one weekday";
            Err(MiniError::new(entry.span.clone(), message).help(help.to_owned()))
        }
    };
    let piece = |length: usize| Piece {
        text: text.get(..length).unwrap_or(text),
        at: entry.first.at,
    };
    if let Some((day, week)) = text.split_once('#') {
        let weekday = value(&WEEKDAY, piece(day.len()))?;
        single("write each weekday: `MON#2,TUE#2`")?;
        let place = entry.first.at + day.len() + 1;
        let place = place..place + week.len();
        let week = match week {
            "1" | "2" | "3" | "4" | "5" => small_number(week).unwrap_or(1),
            "L" | "l" => {
                let message = "the last one in a month is written with `L` alone";
                return Err(MiniError::new(place, message).help(format!("write `{day}L`")));
            }
            week => {
                let message = format!("{} is not a week of a month", quote(week));
                return Err(MiniError::new(place, message)
                    .help("write 1 to 5, as in `MON#2`, or `MONL` for the last"));
            }
        };
        if let Some(nth) = weekdays.nth.get_mut(week as usize - 1) {
            nth.add(weekday % 7);
        }
        return Ok(true);
    }
    let Some(day) = text.strip_suffix(['L', 'l']) else {
        return Ok(false);
    };
    if day.is_empty() {
        let message = "which weekday is the last?";
        return Err(MiniError::new(entry.span.clone(), message)
            .help("write `FRIL` for the last Friday of a month, `SAT` for the end of a week"));
    }
    let weekday = value(&WEEKDAY, piece(day.len()))?;
    single("write each weekday: `MONL,TUEL`")?;
    weekdays.last.add(weekday % 7);
    Ok(true)
}
