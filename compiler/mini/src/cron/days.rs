//! The calendar: which days of a month an expression names.

use super::Cron;
use super::set::Set;

/// The day field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Days {
    /// Days by number.
    pub numbers: Set,
    /// Distances from the last day: 0 for `L`, 3 for `L-3`.
    pub from_last: Set,
    /// Days whose nearest working day is meant: `15W`.
    pub nearest: Set,
    /// `LW`.
    pub last_working: bool,
    /// `*`, `?` or `*/n`: no restriction.
    pub open: bool,
}

/// The weekday field. Sunday is bit 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Weekdays {
    /// Weekdays in every week.
    pub every: Set,
    /// `MON#2`: the weekdays of each week of a month, the first at 0.
    pub nth: [Set; 5],
    /// `FRIL`.
    pub last: Set,
    /// `*`, `?` or `*/n`: no restriction.
    pub open: bool,
    /// What the public toolchain reads in the field; `None` if it refuses it.
    pub peer: Option<Set>,
}

impl Days {
    /// The smallest day, if days are named by number alone.
    pub fn only_numbers(&self) -> Option<u32> {
        let others =
            self.last_working || self.from_last != Set::default() || self.nearest != Set::default();
        self.numbers.at_least(1).filter(|_| !others)
    }

    /// The days of a month, as bits 1 to 31.
    fn of(&self, length: u32, first: u32) -> u32 {
        let weekday = |day: u32| (first + day - 1) % 7;
        let mut days = self.numbers.low() as u32;
        for distance in self.from_last.values() {
            if distance < length {
                days |= 1 << (length - distance);
            }
        }
        if self.last_working {
            let back = match weekday(length) {
                SATURDAY => 1,
                SUNDAY => 2,
                _ => 0,
            };
            days |= 1 << (length - back);
        }
        for day in self.nearest.values().filter(|day| *day <= length) {
            // Never into another month.
            let moved = match weekday(day) {
                SATURDAY if day == 1 => 3,
                SATURDAY => day - 1,
                SUNDAY if day == length => day - 2,
                SUNDAY => day + 1,
                _ => day,
            };
            days |= 1 << moved;
        }
        days & all_days(length)
    }
}

impl Weekdays {
    /// The days of a month, as bits 1 to 31.
    fn of(&self, length: u32, first: u32) -> u32 {
        let mut days = 0;
        for day in 1..=length {
            let weekday = (first + day - 1) % 7;
            let week = (day as usize - 1) / 7;
            let named = self.every.has(weekday)
                || self.nth.get(week).is_some_and(|nth| nth.has(weekday))
                || (day + 7 > length && self.last.has(weekday));
            days |= u32::from(named) << day;
        }
        days
    }
}

const SUNDAY: u32 = 0;
const SATURDAY: u32 = 6;

fn all_days(length: u32) -> u32 {
    // INVARIANT: a month has at most 31 days.
    ((1_u64 << (length + 1)) - 2) as u32
}

impl Cron {
    /// The days of a month that the day fields name, as bits 1 to 31. Whether
    /// month and year are named is for the caller to know.
    pub(super) fn days_of(&self, year: i64, month: u32) -> u32 {
        self.days_in(
            month_length(year, month),
            weekday(day_number(year, month, 1)),
        )
    }

    fn days_in(&self, length: u32, first: u32) -> u32 {
        let days = self.days.of(length, first);
        let weekdays = self.weekdays.of(length, first);
        if self.days.open || self.weekdays.open {
            days & weekdays
        } else {
            days | weekdays
        }
    }

    /// Whether there is any day at all that the expression names.
    pub(super) fn has_day(&self) -> bool {
        match &self.years {
            Some(years) => years.values().any(|distance| {
                let year = i64::from(super::set::FIRST_YEAR + distance);
                (1..=12).any(|month| self.months.has(month) && self.days_of(year, month) != 0)
            }),
            // Every length of a month meets every weekday within 400 years.
            None => (1..=12)
                .filter(|month| self.months.has(*month))
                .any(|month| {
                    [2023, 2024].iter().any(|year| {
                        let length = month_length(*year, month);
                        (0..7).any(|first| self.days_in(length, first) != 0)
                    })
                }),
        }
    }
}

/// Days since 1 January 1970 in the Gregorian calendar.
pub(super) fn day_number(year: i64, month: u32, day: u32) -> i64 {
    // Years that begin in March put the leap day at their end.
    let shifted = year - i64::from(month <= 2);
    let cycle = shifted.div_euclid(400);
    let year_of_cycle = shifted.rem_euclid(400);
    let month_from_march = (i64::from(month) + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + i64::from(day) - 1;
    let day_of_cycle = year_of_cycle * 365 + year_of_cycle / 4 - year_of_cycle / 100 + day_of_year;
    cycle * 146_097 + day_of_cycle - 719_468
}

/// Year, month and day of a [`day_number`].
pub(super) fn civil(day_number: i64) -> (i64, u32, u32) {
    let shifted = day_number + 719_468;
    let cycle = shifted.div_euclid(146_097);
    let day = shifted.rem_euclid(146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let month = (month_from_march + 2) % 12 + 1;
    let day_of_month = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let year = cycle * 400 + year + i64::from(month <= 2);
    // INVARIANT: 1 to 12 and 1 to 31.
    (year, month as u32, day_of_month as u32)
}

/// The weekday of a [`day_number`]; Sunday is 0.
pub(super) fn weekday(day_number: i64) -> u32 {
    // 1 January 1970 was a Thursday. INVARIANT: 0 to 6.
    (day_number + 4).rem_euclid(7) as u32
}

pub(super) fn month_length(year: i64, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.rem_euclid(4) == 0
            && (year.rem_euclid(100) != 0 || year.rem_euclid(400) == 0) =>
        {
            29
        }
        2 => 28,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::Date;

    #[test]
    fn the_calendar_is_the_librarys() {
        let mut date = Date::constant(1599, 12, 30);
        let mut number = day_number(1599, 12, 30);
        while date.year() < 2405 {
            let expected = (
                i64::from(date.year()),
                date.month() as u32,
                date.day() as u32,
            );
            assert_eq!(civil(number), expected);
            assert_eq!(day_number(expected.0, expected.1, expected.2), number);
            assert_eq!(
                weekday(number),
                date.weekday().to_sunday_zero_offset() as u32
            );
            assert_eq!(
                month_length(expected.0, expected.1),
                date.days_in_month() as u32
            );
            date = date.tomorrow().unwrap();
            number += 1;
        }
    }
}
