//! Instants and lengths of time. Calendars are those of the database of zones
//! that is built in.

use symbi_mini::jiff::civil::DateTime;
use symbi_mini::moment::{self, Moment};
use symbi_mini::zone::{self, Zone};
use symbi_mini::{duration, quote};

use super::arguments::{invalid, out_of_range, text, unfit};
use super::{Cx, Given};
use crate::raise::Failure;
use crate::show::{instant, timestamp};
use crate::value::Value;

const SECOND: i64 = 1_000_000_000;

/// Takes the steps for reading a text that is refused if it is long.
fn read(cx: &mut Cx<'_>, text: &str) -> Result<(), Failure> {
    cx.meter.work(1 + text.len().min(symbi_mini::MAX_BYTES) / 8)
}

/// The form of RFC 3339: with seconds and an offset, and `T` or a blank between
/// day and time. The library for time takes more.
fn is_rfc3339(text: &str) -> bool {
    let seconds = text.get(16..19).unwrap_or_default();
    let colon = seconds.strip_prefix(':');
    let offset = text.get(text.len().saturating_sub(6)..).unwrap_or_default();
    let has_minutes = offset.starts_with(['+', '-']) && offset.as_bytes().get(3) == Some(&b':');
    text.bytes()
        .next()
        .is_some_and(|byte| byte.is_ascii_digit())
        && colon.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
        && (text.ends_with(['Z', 'z']) || has_minutes)
}

pub(super) fn parse_time(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(text)] = args else {
        return Err(unfit("parse_time", args));
    };
    read(cx, text)?;
    let found = match moment::parse(text) {
        Ok(Moment::Instant(found)) if is_rfc3339(text) => found,
        Ok(Moment::Wall(_)) => {
            return Err(invalid(format!(
                "{} has no zone; write `Z` behind it for UTC, or an offset such as `+01:00`",
                quote(text)
            )));
        }
        _ => {
            return Err(invalid(format!(
                "{} is no instant; write one as `2026-03-01T12:00:00Z`",
                quote(text)
            )));
        }
    };
    match i64::try_from(found.as_nanosecond()) {
        Ok(nanos) => Ok(Value::Time(nanos)),
        Err(_) => Err(invalid(format!(
            "{} is not in the years 1678 to 2261, which an instant can have",
            quote(text)
        ))),
    }
}

pub(super) fn parse_duration(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(text)] = args else {
        return Err(unfit("parse_duration", args));
    };
    read(cx, text)?;
    match duration::parse(text) {
        Ok(reading) => Ok(Value::Duration(reading.value)),
        Err(error) => Err(invalid(error.to_string())),
    }
}

fn in_zone(cx: &mut Cx<'_>, nanos: i64, zone: &str) -> Result<(Zone, DateTime), Failure> {
    // The nearest name is looked for where there is none.
    cx.meter.work(4)?;
    let zone = match zone::find(zone) {
        Some(zone) => zone,
        None => {
            cx.meter.work(1000)?;
            zone::parse(zone).map_err(|error| invalid(error.to_string()))?
        }
    };
    let civil = zone.rules().to_datetime(timestamp(nanos));
    Ok((zone, civil))
}

pub(super) fn to_iso(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Time(nanos), Value::Text(zone)] = args else {
        return Err(unfit("to_iso", args));
    };
    let (zone, _) = in_zone(cx, *nanos, zone)?;
    let shown = match zone == Zone::utc() {
        true => instant(*nanos),
        false => {
            let at = timestamp(*nanos);
            let offset = zone.rules().to_offset(at);
            at.display_with_offset(offset).to_string()
        }
    };
    text(cx, &shown)
}

pub(super) fn date(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Time(nanos), Value::Text(zone)] = args else {
        return Err(unfit("date", args));
    };
    let (_, civil) = in_zone(cx, *nanos, zone)?;
    text(cx, &civil.date().to_string())
}

/// A number of the calendar or the clock in a zone.
pub(super) fn part(
    cx: &mut Cx<'_>,
    args: &mut [Value],
    name: &str,
    part: fn(DateTime) -> i64,
) -> Given {
    match args {
        [Value::Time(nanos), Value::Text(zone)] => {
            let (_, civil) = in_zone(cx, *nanos, zone)?;
            Ok(Value::Int(part(civil)))
        }
        args => Err(unfit(name, args)),
    }
}

pub(super) fn to_unix(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Time(nanos)] => Ok(Value::Int(*nanos / SECOND)),
        args => Err(unfit("to_unix", args)),
    }
}

pub(super) fn from_unix(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Int(seconds)] => match seconds.checked_mul(SECOND) {
            Some(nanos) => Ok(Value::Time(nanos)),
            None => Err(out_of_range(format!(
                "{seconds} seconds from 1970 are not in the years 1678 to 2261, \
                 which an instant can have"
            ))),
        },
        args => Err(unfit("from_unix", args)),
    }
}

pub(super) fn to_milliseconds(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Duration(nanos)] => Ok(Value::Int(*nanos / 1_000_000)),
        args => Err(unfit("to_milliseconds", args)),
    }
}

/// A length of time in a unit of so many seconds.
pub(super) fn in_units(args: &mut [Value], name: &str, seconds: f64) -> Given {
    match args {
        [Value::Duration(nanos)] => Ok(Value::Float(*nanos as f64 / 1e9 / seconds)),
        args => Err(unfit(name, args)),
    }
}

#[cfg(test)]
mod tests {
    use crate::library::Native;
    use crate::library::testing::*;
    use crate::value::Value;

    fn at(text: &str) -> Value {
        given(Native::ParseTime, [t(text)]).unwrap()
    }

    #[test]
    fn instants_give_what_is_declared() {
        let noon = || at("2026-03-01T12:30:00Z");
        let late = || at("2026-03-01T23:30:00Z");
        let table: Vec<(Native, Vec<Value>, &str)> = vec![
            (
                Native::ParseTime,
                vec![t("2026-03-01T12:00:00+01:00")],
                "2026-03-01T11:00:00Z",
            ),
            (
                Native::ParseTime,
                vec![t("2026-03-01T12:00:00.5Z")],
                "2026-03-01T12:00:00.5Z",
            ),
            (
                Native::ParseTime,
                vec![t("2026-03-01T12:00:00")],
                "invalid_value",
            ),
            (
                Native::ParseTime,
                vec![t("2026-03-01T12:00Z")],
                "invalid_value",
            ),
            (
                Native::ParseTime,
                vec![t("2026-02-30T12:00:00Z")],
                "invalid_value",
            ),
            (Native::ParseTime, vec![t("2026-03-01")], "invalid_value"),
            (
                Native::ParseTime,
                vec![t("3000-01-01T00:00:00Z")],
                "invalid_value",
            ),
            (
                Native::ParseTime,
                vec![t("éééééééééééééééééééé")],
                "invalid_value",
            ),
            (Native::ParseTime, vec![t("")], "invalid_value"),
            (Native::ParseDuration, vec![t("90m")], "90m"),
            (Native::ParseDuration, vec![t("soon")], "invalid_value"),
            (
                Native::ToIso,
                vec![noon(), t("UTC")],
                r#""2026-03-01T12:30:00Z""#,
            ),
            (
                Native::ToIso,
                vec![noon(), t("Europe/Berlin")],
                r#""2026-03-01T13:30:00+01:00""#,
            ),
            (Native::ToIso, vec![noon(), t("Mars")], "invalid_value"),
            (
                Native::Date,
                vec![late(), t("Europe/Berlin")],
                r#""2026-03-02""#,
            ),
            (Native::Year, vec![noon(), t("UTC")], "2026"),
            (Native::Month, vec![noon(), t("UTC")], "3"),
            (Native::Day, vec![late(), t("Asia/Tokyo")], "2"),
            (Native::Weekday, vec![noon(), t("UTC")], "7"),
            (Native::Hour, vec![noon(), t("Europe/Berlin")], "13"),
            (Native::Minute, vec![noon(), t("UTC")], "30"),
            (Native::Year, vec![Value::Time(i64::MIN), t("UTC")], "1677"),
            (
                Native::Year,
                vec![Value::Time(i64::MAX), t("Asia/Tokyo")],
                "2262",
            ),
            (Native::ToUnix, vec![at("1970-01-01T00:01:00Z")], "60"),
            (Native::ToUnix, vec![Value::Time(-1)], "0"),
            (Native::FromUnix, vec![i(60)], "1970-01-01T00:01:00Z"),
            (Native::FromUnix, vec![i(i64::MAX)], "out_of_range"),
            (
                Native::ToMilliseconds,
                vec![Value::Duration(1_500_000_000)],
                "1500",
            ),
            (
                Native::ToSeconds,
                vec![Value::Duration(1_500_000_000)],
                "1.5",
            ),
            (
                Native::ToMinutes,
                vec![Value::Duration(90_000_000_000)],
                "1.5",
            ),
            (
                Native::ToHours,
                vec![Value::Duration(5_400_000_000_000)],
                "1.5",
            ),
            (
                Native::ToDays,
                vec![Value::Duration(129_600_000_000_000)],
                "1.5",
            ),
        ];
        for (native, args, expected) in table {
            assert_eq!(shown(native, args.clone()), expected, "{native:?} {args:?}");
        }
    }
}
