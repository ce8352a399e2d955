//! Names of time zones, and the rules behind them: the IANA database, built
//! in, so that a schedule means the same on every machine.

use crate::MiniError;
use crate::error::{nearest, quote};
use crate::grammar::within;
use jiff::tz::{TimeZone, TimeZoneDatabase};
use std::sync::LazyLock;

/// Never the system's: two machines would disagree.
static DATABASE: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

/// A time zone of the IANA database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    name: String,
    rules: TimeZone,
}

impl Zone {
    /// Coordinated universal time, the default of a schedule.
    pub fn utc() -> Zone {
        Zone {
            name: "UTC".to_owned(),
            rules: TimeZone::UTC,
        }
    }

    /// The name as the database spells it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The rules.
    pub fn rules(&self) -> &TimeZone {
        &self.rules
    }
}

/// Finds a zone by its name. Case does not matter.
///
/// ```
/// use symbi_mini::zone::parse;
/// assert_eq!(parse("europe/berlin").unwrap().name(), "Europe/Berlin");
/// let error = parse("America/New York").unwrap_err();
/// assert_eq!(error.help.as_deref(), Some("did you mean `America/New_York`?"));
/// ```
///
/// # Errors
/// A name that the database does not have, with the nearest one that it has.
pub fn parse(text: &str) -> Result<Zone, MiniError> {
    within(text, crate::MAX_BYTES)?;
    let name = text.trim();
    let start = text.len() - text.trim_start().len();
    if name.is_empty() {
        return Err(MiniError::new(
            0..text.len(),
            "a time zone is expected, and this text is empty",
        )
        .help(HELP));
    }
    if let Some(zone) = known(name) {
        return Ok(zone);
    }
    let error = MiniError::new(
        start..start + name.len(),
        format!("{} is not a time zone of the IANA database", quote(name)),
    );
    // `Etc/GMT+2` would be two hours west, and `PST` is nobody's `EST`.
    let is_offset = name.contains(['+', '-', ':']) && name.contains(|c: char| c.is_ascii_digit());
    let is_abbreviation = name.len() < 6 && name.bytes().all(|byte| byte.is_ascii_uppercase());
    if is_offset || is_abbreviation {
        return Err(error.help(format!("name the place: {HELP}")));
    }
    Err(error.help(match similar(name) {
        Some(known) => format!("did you mean `{known}`?"),
        None => HELP.to_owned(),
    }))
}

/// The zone of a name, for those to whom nothing is said about one that the
/// database does not have: to look for the nearest takes hundreds of times as
/// long as to find none. Case does not matter, nor does white space around it.
///
/// ```
/// use symbi_mini::zone::find;
/// assert!(find("europe/berlin").is_some_and(|zone| zone.name() == "Europe/Berlin"));
/// assert!(find("America/New York").is_none());
/// ```
pub fn find(text: &str) -> Option<Zone> {
    within(text, crate::MAX_BYTES).ok()?;
    known(text.trim())
}

fn known(name: &str) -> Option<Zone> {
    if name.eq_ignore_ascii_case("utc") || name.eq_ignore_ascii_case("etc/utc") {
        return Some(Zone::utc());
    }
    let rules = DATABASE.get(name).ok()?;
    let name = rules.iana_name()?.to_owned();
    Some(Zone { name, rules })
}

const HELP: &str = "write for example `Europe/Berlin`, which knows when clocks change, or `UTC`";

/// Every name of the database, in its order.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(|name| name.usual.as_str())
}

/// A name, and what it is compared by.
struct Name {
    usual: String,
    plain: String,
}

static NAMES: LazyLock<Vec<Name>> = LazyLock::new(|| {
    let name = |usual: &str| Name {
        usual: usual.to_owned(),
        plain: plain(usual),
    };
    DATABASE
        .available()
        .map(|known| name(known.as_str()))
        .collect()
});

fn plain(text: &str) -> String {
    text.to_lowercase().replace([' ', '-'], "_")
}

/// The name of the database that a text was most likely meant to be: one with
/// the same last part (`Berlin`, `new york`), or the nearest.
fn similar(text: &str) -> Option<&'static str> {
    const LONGEST_NAME: usize = 40;
    if text.len() > LONGEST_NAME {
        return None;
    }
    let wanted = plain(text);
    let city = wanted.rsplit('/').next().unwrap_or("");
    let is_city = |name: &&Name| {
        let last = name.plain.rsplit_once('/');
        last.is_some_and(|(_, last)| last == city)
    };
    let found = NAMES
        .iter()
        .find(|name| name.plain == wanted)
        .or_else(|| NAMES.iter().find(is_city));
    match found {
        Some(name) => Some(&name.usual),
        None => nearest(text, names()),
    }
}
