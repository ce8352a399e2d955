//! What each field names, as plain values: for whoever keeps a schedule as
//! data and has to be sure that it was read alike.

use super::Cron;
use super::set::{FIRST_YEAR, Set};

/// The numbers that each field of an expression names, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    /// 0 to 59.
    pub seconds: Vec<u32>,
    /// 0 to 59.
    pub minutes: Vec<u32>,
    /// 0 to 23.
    pub hours: Vec<u32>,
    /// The days of the month: numbers, then `L` and `L-2`, `15W`, `LW`.
    pub days: Vec<String>,
    /// 1 to 12.
    pub months: Vec<u32>,
    /// The days of the week, 0 is Sunday: numbers, then `5#2`, `5L`.
    pub weekdays: Vec<String>,
    /// `None` for every year.
    pub years: Option<Vec<u32>>,
    /// Both fields of days restrict: either may match. Else both have to.
    pub either_day: bool,
    /// The hours are plain numbers: see [`Cron::is_fixed`].
    pub fixed: bool,
}

impl Cron {
    /// What each field names. Two expressions with the same numbers fire at the
    /// same times.
    ///
    /// ```
    /// let numbers = symbi_mini::cron::parse("*/20 9 15W,L-2 * FRI#2,SUN").unwrap().numbers();
    /// assert_eq!(numbers.minutes, [0, 20, 40]);
    /// assert_eq!(numbers.days, ["L-2", "15W"]);
    /// assert_eq!(numbers.weekdays, ["0", "5#2"]);
    /// assert!(numbers.either_day && numbers.fixed);
    /// ```
    pub fn numbers(&self) -> Numbers {
        let of = |set: &Set| set.values().collect::<Vec<u32>>();
        Numbers {
            seconds: of(&self.seconds),
            minutes: of(&self.minutes),
            hours: of(&self.hours),
            days: self.day_texts(),
            months: of(&self.months),
            weekdays: self.weekday_texts(),
            years: self.years.as_ref().map(|years| {
                let years = years.values();
                years.map(|distance| FIRST_YEAR + distance).collect()
            }),
            either_day: !self.days.open && !self.weekdays.open,
            fixed: self.fixed,
        }
    }

    fn day_texts(&self) -> Vec<String> {
        let days = &self.days;
        let mut texts: Vec<String> = days.numbers.values().map(|day| day.to_string()).collect();
        texts.extend(days.from_last.values().map(|distance| match distance {
            0 => "L".to_owned(),
            distance => format!("L-{distance}"),
        }));
        texts.extend(days.nearest.values().map(|day| format!("{day}W")));
        texts.extend(days.last_working.then(|| "LW".to_owned()));
        texts
    }

    fn weekday_texts(&self) -> Vec<String> {
        let weekdays = &self.weekdays;
        let mut texts: Vec<String> = weekdays.every.values().map(|day| day.to_string()).collect();
        for (week, nth) in (1..).zip(&weekdays.nth) {
            texts.extend(nth.values().map(|day| format!("{day}#{week}")));
        }
        texts.extend(weekdays.last.values().map(|day| format!("{day}L")));
        texts
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;

    /// The fields, each as its numbers.
    fn told(text: &str) -> String {
        let told = parse(text).unwrap().numbers();
        let numbers = |numbers: &[u32]| {
            let texts: Vec<String> = numbers.iter().map(u32::to_string).collect();
            match texts.len() > 8 {
                true => format!("{} to {}", texts[0], texts[texts.len() - 1]),
                false => texts.join(","),
            }
        };
        let texts = |texts: &[String]| match texts.len() > 6 {
            true => format!("{} to {}", texts[0], texts[texts.len() - 1]),
            false => texts.join(","),
        };
        format!(
            "{} {} {} {} {} {} {}{}{}",
            numbers(&told.seconds),
            numbers(&told.minutes),
            numbers(&told.hours),
            texts(&told.days),
            numbers(&told.months),
            texts(&told.weekdays),
            told.years.map_or("*".to_owned(), |years| numbers(&years)),
            if told.either_day { " either" } else { "" },
            if told.fixed { " fixed" } else { "" },
        )
    }

    #[test]
    fn each_field_tells_its_numbers() {
        let table = [
            ("0 9 * * *", "0 0 9 1 to 31 1 to 12 0 to 6 * fixed"),
            ("@daily", "0 0 0 1 to 31 1 to 12 0 to 6 * fixed"),
            (
                "*/15 8-17 * * MON-FRI",
                "0 0,15,30,45 8 to 17 1 to 31 1 to 12 1,2,3,4,5 *",
            ),
            ("5 0 9 1,15 * 7", "5 0 9 1,15 1 to 12 0 * either fixed"),
            (
                "0 0 L,L-3,LW,1W JAN,JUL 5L,MON#2",
                "0 0 0 L,L-3,1W,LW 1,7 1#2,5L * either fixed",
            ),
            (
                "0 0 0 1 1 ? 2027-2029",
                "0 0 0 1 1 0 to 6 2027,2028,2029 fixed",
            ),
            // A step restricts without being a restriction: both have to match.
            ("0 0 */10 * MON", "0 0 0 1,11,21,31 1 to 12 1 * fixed"),
        ];
        for (text, expected) in table {
            assert_eq!(told(text), expected, "{text}");
        }
    }
}
