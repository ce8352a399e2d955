//! Schedules: when they fire, which agent they start, and with what
//! (language.md section 3).

use symbi_diagnostics::{Diagnostic, Edit, blocks as codes, schedules as schedule_codes};
use symbi_mini::cron::{Cron, Effect};
use symbi_mini::jiff::Timestamp;
use symbi_mini::jiff::civil::DateTime;
use symbi_mini::jiff::tz::AmbiguousOffset;
use symbi_mini::moment::Moment;
use symbi_mini::zone::Zone;
use symbi_mini::{cron, moment, zone};
use symbi_syntax::Place;
use symbi_syntax::ast::{AstNode, BlockItem, Entry, Expr, ScheduleDef};

use super::cx::{Cx, at_value, instead, quoted, wrong_type};
use super::entries::{Given, key_place, read};
use super::keys::{Key, Value};
use super::plain::{Plain, mini_report, plain, within};
use super::references::{self, Target};
use super::tables::SCHEDULE;
use super::{inputs, naming, numbers, values};
use crate::findings::{at_node, at_token};
use crate::suggest::nearest;

/// Changes of clocks are looked for in the year after this instant, the start
/// of 2027: a check knows no today, and says the same on every machine.
const CLOCKS_FROM: i64 = 1_798_761_600;

/// A schedule, in an agent if `owner` is there.
pub(super) fn check(cx: &mut Cx<'_>, schedule: ScheduleDef<'_>, owner: Option<&Target>) {
    let mut given = Given::default();
    let name = schedule.name();
    let mut items = naming::entries(
        cx,
        schedule.node(),
        name,
        schedule.entries(),
        owner.is_some(),
    );
    let every = other_time(&mut items);
    read(cx, &SCHEDULE, items.into_iter(), &mut given);
    let head = at_token(schedule.node().tokens().start);
    match (given.entry("cron"), given.entry("at")) {
        (Some(cron), Some(at)) => {
            let second = match cron.node().tokens().start < at.node().tokens().start {
                true => (at, cron),
                false => (cron, at),
            };
            cx.report(
                Diagnostic::new(
                    &schedule_codes::C0501,
                    key_place(second.0),
                    "a schedule has either `cron` or `at`, not both",
                )
                .note(key_place(second.1), "the other one stands here")
                .help("keep `cron` for what fires again and again, `at` for a single time"),
            );
        }
        (None, None) if every.is_some() => {
            if let Some(entry) = every {
                cx.report(every_report(entry));
            }
        }
        (None, None) if !given.has("cron") && !given.has("at") => cx.missing(
            schedule.node(),
            Diagnostic::new(
                &schedule_codes::C0501,
                head,
                "this schedule does not say when it fires",
            )
            .help("write `cron: \"0 9 * * *\"` for every day at nine, or `at:` and a time"),
        ),
        _ => {}
    }
    times(cx, &given);
    settings(cx, &given);
    let target = target(cx, schedule, &given, owner);
    if let Some(value) = given.value("policy") {
        references::policy(cx, value);
    }
    let place = given.entry("agent").map_or(head, key_place);
    if given.has("input") && given.entry("input").is_none() {
        // Something stands for it that has been reported.
        return;
    }
    inputs::check(cx, given.entry("input"), target.as_ref(), place);
}

/// Takes out what says when a schedule without `cron` and `at` fires, in a word
/// that is none of the language.
fn other_time<'i>(items: &mut Vec<BlockItem<'i>>) -> Option<Entry<'i>> {
    let is = |item: &BlockItem<'_>, words: &[&str]| match item {
        BlockItem::Entry(entry) => entry.key().is_some_and(|key| words.contains(&&*key)),
        _ => false,
    };
    if items.iter().any(|item| is(item, &["cron", "at"])) {
        return None;
    }
    let other = ["every", "interval", "frequency", "when", "time", "run_at"];
    let at = items.iter().position(|item| is(item, &other))?;
    match items.remove(at) {
        BlockItem::Entry(entry) => Some(entry),
        _ => None,
    }
}

fn every_report(entry: Entry<'_>) -> Diagnostic<Place> {
    let key = entry.key().unwrap_or_default();
    let report = Diagnostic::new(
        &schedule_codes::C0501,
        key_place(entry),
        format!(
            "nothing reads {}, so this schedule does not say when it fires",
            quoted(&key)
        ),
    );
    let nanos = entry
        .value()
        .and_then(|value| super::durations::nanos(&plain(value)));
    let minutes = nanos
        .filter(|nanos| nanos % 60_000_000_000 == 0)
        .map(|nanos| nanos / 60_000_000_000);
    let cron = match minutes {
        Some(1) => "* * * * *".to_owned(),
        Some(n @ 2..60) if 60 % n == 0 => format!("*/{n} * * * *"),
        Some(60) => "0 * * * *".to_owned(),
        Some(1440) => "0 0 * * *".to_owned(),
        Some(10_080) => "0 0 * * 0".to_owned(),
        Some(n) if n % 60 == 0 && n > 0 && n < 1440 && 1440 % n == 0 => {
            format!("0 */{} * * *", n / 60)
        }
        _ => {
            return report
                .help("write `cron: \"0 9 * * *\"` for every day at nine, or `at:` and a time");
        }
    };
    report.maybe_fix(
        format!("write `cron: \"{cron}\"`"),
        vec![Edit {
            at: at_node(entry.node()),
            text: format!("cron: \"{cron}\""),
        }],
    )
}

fn target(
    cx: &mut Cx<'_>,
    schedule: ScheduleDef<'_>,
    given: &Given<'_>,
    owner: Option<&Target>,
) -> Option<Target> {
    if let Some(value) = given.value("agent") {
        return references::agent(cx, value, "the schedule starts nothing");
    }
    if given.has("agent") {
        return None;
    }
    if let Some(owner) = owner {
        return Some(owner.clone());
    }
    let only = references::only_agent(cx.program);
    if only.is_none() {
        let node = schedule.node();
        cx.missing(
            node,
            Diagnostic::new(
                &schedule_codes::C0509,
                at_token(node.tokens().start),
                "this schedule does not say which agent it starts",
            )
            .help(
                "write `agent: \"name\"`; only where the file has exactly one agent it may be \
                 left out",
            ),
        );
    }
    only
}

/// A cron expression, and what it says.
pub(crate) fn as_cron(found: &Plain<'_>) -> Option<(String, Cron)> {
    let Plain::Text(text) = found else {
        return None;
    };
    let cron = cron::parse(text).ok()?;
    Some((text.clone(), cron))
}

/// What `at` says.
pub(crate) fn as_moment(found: &Plain<'_>) -> Option<Moment> {
    match found {
        Plain::Text(text) => moment::parse(text).ok(),
        _ => None,
    }
}

/// The zone of a schedule, which is UTC where it names none.
pub(crate) fn zone_of(given: &Given<'_>) -> Option<Zone> {
    match given.value("timezone").map(plain) {
        None => Some(Zone::utc()),
        Some(found) => zone::parse(found.word()?).ok(),
    }
}

/// The longest random delay: `jitter`, which `max_jitter` cuts off.
pub(crate) fn jitter_of(given: &Given<'_>) -> Option<i128> {
    let nanos = |key| super::durations::nanos(&plain(given.value(key)?));
    let both = [nanos("jitter"), nanos("max_jitter")];
    both.into_iter().flatten().min()
}

/// What `cron`, `at` and `timezone` mean together.
fn times(cx: &mut Cx<'_>, given: &Given<'_>) {
    let zone = zone_of(given);
    if let Some(value) = given.value("cron")
        && let Some((_, cron)) = as_cron(&plain(value))
    {
        if let Some(error) = cron.never_fires(None) {
            cx.report(mini_report(&schedule_codes::C0503, value, error));
            return;
        }
        for note in cron.peer_notes() {
            let report = Diagnostic::new(
                &schedule_codes::C0505,
                within(value, &note.span),
                note.message,
            );
            cx.report(match note.help {
                Some(help) => report.help(help),
                None => report,
            });
        }
        if let Some(zone) = &zone {
            swallowed(cx, value, &cron, zone);
        }
    }
    if let Some(value) = given.value("at") {
        match (as_moment(&plain(value)), zone) {
            (Some(Moment::Instant(_)), _) => {
                if let Some(entry) = given.entry("timezone") {
                    cx.report(
                        Diagnostic::new(
                            &schedule_codes::C0508,
                            key_place(entry),
                            "`timezone` says nothing here: the time of `at` has an offset of its own",
                        )
                        .help("leave out one of the two"),
                    );
                }
            }
            (Some(Moment::Wall(wall)), Some(zone)) => skipped(cx, value, wall, &zone),
            _ => {}
        }
    }
}

/// A fixed time that a change of clocks swallows.
fn swallowed(cx: &mut Cx<'_>, value: Expr<'_>, cron: &Cron, zone: &Zone) {
    let Ok(from) = Timestamp::from_second(CLOCKS_FROM) else {
        return;
    };
    let note = cron
        .clock_notes(zone, from)
        .into_iter()
        .find(|note| matches!(note.effect, Effect::Moved(_)));
    if let Some(note) = note {
        cx.report(
            at_value(
                &schedule_codes::C0504,
                value,
                format!("{}: {note}", zone.name()),
            )
            .help("choose an hour in which clocks do not change, or leave the zone at UTC"),
        );
    }
}

fn skipped(cx: &mut Cx<'_>, value: Expr<'_>, wall: DateTime, zone: &Zone) {
    let offset = zone.rules().to_ambiguous_timestamp(wall).offset();
    let message = match offset {
        AmbiguousOffset::Unambiguous { .. } => return,
        AmbiguousOffset::Gap { .. } => {
            "clocks skip this time: it fires at the first instant after it"
        }
        AmbiguousOffset::Fold { .. } => "clocks show this time twice: it fires the first time",
    };
    cx.report(
        at_value(
            &schedule_codes::C0504,
            value,
            format!("{}: {message}", zone.name()),
        )
        .help("choose another time, or write the offset: `2027-01-01T09:00:00+01:00`"),
    );
}

/// Settings that say nothing, or not what they seem to.
fn settings(cx: &mut Cx<'_>, given: &Given<'_>) {
    if given.entry("at").is_some()
        && let Some(entry) = given.entry("one_shot")
        && entry
            .value()
            .is_some_and(|value| numbers::as_bool(&plain(value)) == Some(false))
    {
        cx.report(
            Diagnostic::new(
                &schedule_codes::C0508,
                key_place(entry),
                "a schedule with `at` fires once, whatever `one_shot` says",
            )
            .help("leave `one_shot` out, or write `cron` for what fires again and again"),
        );
    }
    let nanos = |key| super::durations::nanos(&plain(given.value(key)?));
    if let (Some(jitter), Some(most)) = (nanos("jitter"), nanos("max_jitter"))
        && jitter > most
        && let Some(entry) = given.entry("jitter")
    {
        cx.report(
            Diagnostic::new(
                &schedule_codes::C0508,
                key_place(entry),
                "`jitter` is longer than `max_jitter` permits",
            )
            .help("the longest delay is `max_jitter`: leave out one of the two"),
        );
    }
}

/// A cron expression.
pub(super) fn cron(cx: &mut Cx<'_>, name: &str, value: Expr<'_>, found: &Plain<'_>) {
    match found {
        Plain::Text(text) => {
            if let Err(error) = cron::parse(text) {
                cx.report(mini_report(&schedule_codes::C0502, value, error));
            }
        }
        _ => cx.wrong_type(name, value, found, "a cron expression in quotes"),
    }
}

/// `at` and `timezone`.
pub(super) fn clock_value(cx: &mut Cx<'_>, key: &Key, value: Expr<'_>, found: &Plain<'_>) {
    if key.value == Value::Zone {
        match found.word() {
            None => cx.wrong_type(key.name, value, found, "the name of a time zone"),
            Some(text) => {
                if let Err(error) = zone::parse(text) {
                    let name = error.help.as_deref().and_then(|help| {
                        let name = help.strip_prefix("did you mean `")?.strip_suffix("`?")?;
                        Some(name.to_owned())
                    });
                    let report = mini_report(&schedule_codes::C0507, value, error);
                    cx.report(match name {
                        Some(name) => report.fix(
                            format!("write `\"{name}\"`"),
                            instead(value, format!("\"{name}\"")),
                        ),
                        None => report,
                    });
                }
            }
        }
        return;
    }
    let Plain::Text(text) = found else {
        cx.wrong_type(
            key.name,
            value,
            found,
            "a time in quotes, such as `\"2027-01-01T09:00:00Z\"`",
        );
        return;
    };
    if let Err(error) = moment::parse(text) {
        let report = at_value(&schedule_codes::C0506, value, error.message);
        cx.report(match error.help {
            Some(help) => report.help(help),
            None => report,
        });
    }
}

/// Whether a text names a place that results go to.
pub(crate) fn is_place(text: &str) -> bool {
    let rest = |scheme: &str| text.strip_prefix(scheme);
    ["stdout", "log"].contains(&text)
        || ["slack://", "https://", "webhook:"]
            .iter()
            .any(|scheme| rest(scheme).is_some_and(goes))
}

/// Whether there is somewhere that results go to behind a scheme.
fn goes(rest: &str) -> bool {
    !rest.is_empty() && !rest.contains(char::is_whitespace)
}

/// Where a result goes.
pub(super) fn deliver(cx: &mut Cx<'_>, name: &str, value: Expr<'_>, found: &Plain<'_>) {
    let Some(text) = found.word() else {
        let report = wrong_type(name, value, found, "one place");
        if !matches!(found, Plain::Unread | Plain::Computed) {
            cx.report(report.help(PLACES));
        }
        return;
    };
    let rest = |scheme: &str| text.strip_prefix(scheme);
    if is_place(text) {
        if let Some(webhook) = rest("webhook:") {
            references::webhook(cx, value, webhook);
        }
        return;
    }
    let report = at_value(
        &schedule_codes::C0510,
        value,
        format!("a result cannot be delivered to {}", quoted(text)),
    );
    if let Some(address) = rest("http://").filter(|rest| goes(rest)) {
        let address = format!("\"https://{address}\"");
        cx.report(
            report
                .help("results travel encrypted")
                .maybe_fix(format!("write `{address}`"), instead(value, address)),
        );
        return;
    }
    cx.report(match nearest(text, ["stdout", "log"]) {
        Some(known) => report.help(format!("did you mean `{known}`?")).fix(
            format!("write `{}`", values::requoted(value, known)),
            instead(value, values::requoted(value, known)),
        ),
        None => report.help(PLACES),
    });
}

const PLACES: &str = "write `stdout`, `log`, `\"slack://channel\"`, `\"webhook:name\"` or \
                      `\"https://…\"`";

/// The report about an input that is no record.
pub(super) fn no_record(value: Expr<'_>, found: &Plain<'_>) -> Diagnostic<Place> {
    let mut report = wrong_type("input", value, found, "a record of the agent's parameters");
    report.code = &codes::B0708;
    report.help("write `{ name: value }`")
}
