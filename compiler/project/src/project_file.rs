//! `symbiont.toml`: what the checker reads of it.

use std::collections::HashMap;

use symbi_diagnostics::project as codes;
use symbi_diagnostics::{Code, Diagnostic, Edit, Level, Span};

use crate::document::{Entry, Value};
use crate::reader::{self, Codes, Reader};
use crate::waiver::{self, Waiver};
use crate::{Parsed, Spanned, Tier};

/// What `symbiont.toml` says to the checker.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProjectFile {
    /// `[check]`: which reports are given.
    pub check: Check,
    /// `[sandbox]`: how agents are isolated.
    pub sandbox: Sandbox,
    /// `[policy]`: what may run although nothing enforces it.
    pub policy: Policy,
}

/// `[check]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Check {
    /// Codes with a level, in the order of the file. None is that of an error.
    pub levels: Vec<CodeLevel>,
    /// Whether hints are shown without being asked for.
    pub hints: Option<Spanned<bool>>,
}

/// The level of a code in `[check]`.
#[derive(Clone, Debug, PartialEq)]
pub struct CodeLevel {
    /// The code: a warning or a hint.
    pub code: &'static Code,
    /// Its level here; `None` switches it off.
    pub level: Option<Level>,
    /// Where the code stands.
    pub at: Span,
}

impl Check {
    /// Whether reports of a code are left out.
    pub fn is_off(&self, code: &Code) -> bool {
        self.levels
            .iter()
            .any(|known| known.code == code && known.level.is_none())
    }
}

/// `[sandbox]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sandbox {
    /// What an agent has that states none; [`Tier::DEFAULT`] if not given.
    pub tier: Option<Spanned<Tier>>,
    /// What every agent must have at least.
    pub minimum: Option<Spanned<Tier>>,
}

/// `[policy]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Policy {
    /// What is waived, in the order of the file.
    pub waive: Vec<Waiver>,
}

static CODES: Codes = Codes {
    unreadable: &codes::B0780,
    twice: &codes::B0781,
    wrong_type: &codes::B0782,
};

/// The tables that are read here.
const OURS: [&str; 3] = ["check", "sandbox", "policy"];

/// Tables that the runtime and its peers read, and that the checker leaves
/// alone.
const OTHERS: [&str; 15] = [
    "api",
    "context",
    "database",
    "escalation",
    "http",
    "logging",
    "managed_cli",
    "native_execution",
    "outbound",
    "runtime",
    "scheduler",
    "schemapin",
    "security",
    "storage",
    "vector_db",
];

/// Keys of `[sandbox]` besides ours: the settings of each backend.
const BACKENDS: [&str; 6] = [
    "docker",
    "e2b",
    "firecracker",
    "gvisor",
    "landlock",
    "roots",
];

/// Keys of `[policy]` besides ours: those that scaffolds of the peer write.
const ENGINE: [&str; 3] = ["enforcement", "engine", "policy_dir"];

/// In which table a key belongs that stands above all tables.
const HOMES: [(&str, &str); 4] = [
    ("hints", "check"),
    ("minimum", "sandbox"),
    ("tier", "sandbox"),
    ("waive", "policy"),
];

impl ProjectFile {
    /// Reads the text of a `symbiont.toml`.
    pub fn parse(text: &str) -> Parsed<Self> {
        reader::parse(text, "the project file", &CODES, |reader| {
            let mut file = Self::default();
            for entry in reader.entries(reader.document.root()) {
                match entry.key.as_str() {
                    "check" => file.check = check(reader, entry),
                    "sandbox" => file.sandbox = sandbox(reader, entry),
                    "policy" => file.policy = policy(reader, entry),
                    other if OTHERS.contains(&other) => {}
                    _ => unknown_table(reader, entry),
                }
            }
            file
        })
    }
}

/// A key at the top of the file that nothing reads. One that is nearly a table
/// of ours, or a key of ours outside of its table, is an error: with `[sandbx]`
/// a floor would be lost.
fn unknown_table(reader: &mut Reader, entry: &Entry) {
    let key = entry.key.as_str();
    let is_table = matches!(reader.value(entry.value), Value::Table(_));
    if !is_table && let Some((_, home)) = HOMES.iter().find(|(name, _)| *name == key) {
        let message = format!("`{key}` stands outside of its table `[{home}]`");
        let report = Diagnostic::new(&codes::B0783, entry.key_at, message);
        reader.report(report.help(format!("write `[{home}]` on a line before it")));
        return;
    }
    if let Some(near) = reader.nearest(key, OURS) {
        reader.report(misspelt(entry, near, "a project file has no table"));
        return;
    }
    let found = if is_table { "table" } else { "key" };
    let message = format!("nothing reads the {found} `{key}`");
    reader.report(match reader.nearest(key, OTHERS) {
        Some(near) => {
            let meant = near.to_owned();
            did_you_mean(&codes::B0784, entry.key_at, message, meant)
        }
        None => Diagnostic::new(&codes::B0784, entry.key_at, message).help("leave it out"),
    });
}

/// A key of one of our tables, called `whose`, that it does not have. The key
/// that was probably meant.
pub(crate) fn unknown_key<'n>(
    reader: &mut Reader,
    entry: &Entry,
    whose: &str,
    known: &[&'n str],
) -> Option<&'n str> {
    let place = format!("{whose} has no key");
    let meant = reader.nearest(&entry.key, known.iter().copied());
    let report = match meant {
        Some(near) => misspelt(entry, near, &place),
        None => {
            let known: Vec<String> = known.iter().map(|key| format!("`{key}`")).collect();
            let message = format!("{place} `{}`", entry.key);
            Diagnostic::new(&codes::B0783, entry.key_at, message)
                .help(format!("it has {}", known.join(", ")))
        }
    };
    reader.report(report);
    meant
}

fn misspelt(entry: &Entry, near: &str, place: &str) -> Diagnostic {
    let message = format!("{place} `{}`", entry.key);
    did_you_mean(&codes::B0783, entry.key_at, message, near.to_owned())
}

/// A report with the text that was probably meant at its place.
pub(crate) fn did_you_mean(
    code: &'static Code,
    at: Span,
    message: String,
    meant: String,
) -> Diagnostic {
    let shown = meant.trim_matches('"');
    Diagnostic::new(code, at, format!("{message}; did you mean `{shown}`?"))
        .maybe_fix(format!("write `{meant}`"), vec![Edit { at, text: meant }])
}

fn check(reader: &mut Reader, table: &Entry) -> Check {
    let mut check = Check::default();
    let mut seen: HashMap<&str, Span> = HashMap::new();
    for entry in reader.table(table, "check").unwrap_or_default() {
        if entry.key == "hints" {
            check.hints = reader.boolean(entry);
            continue;
        }
        if !looks_like_code(&entry.key) && reader.nearest(&entry.key, ["hints"]).is_some() {
            unknown_key(reader, entry, "`[check]`", &["hints"]);
            continue;
        }
        let Some(code) = known_code(reader, &entry.key, entry.key_at) else {
            continue;
        };
        if let Some(&first) = seen.get(code.id) {
            let message = format!("the level of `{}` is given a second time", code.id);
            let report = Diagnostic::new(&codes::B0781, entry.key_at, message);
            reader.report(report.note(first, "the first one"));
            continue;
        }
        seen.insert(code.id, entry.key_at);
        if let Some(level) = level(reader, entry, code) {
            check.levels.push(CodeLevel {
                code,
                level,
                at: entry.key_at,
            });
        }
    }
    check
}

/// A letter and digits.
fn looks_like_code(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic())
        && chars.next().is_some_and(|c| c.is_ascii_digit())
}

/// The code of a text, in upper or lower case; else it is reported.
pub(crate) fn known_code(reader: &mut Reader, text: &str, at: Span) -> Option<&'static Code> {
    let found = symbi_diagnostics::find(text);
    if found.is_none() {
        let message = format!("there is no code `{text}`");
        let near = reader.nearest(text, symbi_diagnostics::all().map(|code| code.id));
        reader.report(match near {
            Some(near) => {
                let message = format!("{message}; did you mean `{near}`?");
                Diagnostic::new(&codes::B0785, at, message)
            }
            None => Diagnostic::new(&codes::B0785, at, message).help(
                "a code is a letter and four digits, as reports show it: `B0703` for a key that nothing reads",
            ),
        });
    }
    found
}

fn level(reader: &mut Reader, entry: &Entry, code: &'static Code) -> Option<Option<Level>> {
    let id = code.id;
    let written = reader.text(entry, "\"off\"")?;
    if code.level == Level::Error {
        let message = format!("`{id}` is an error, and errors cannot be switched off");
        let report = Diagnostic::new(&codes::B0786, entry.key_at, message);
        reader.report(report.label(code.title).help(format!(
            "mend what it reports; `symbi explain {id}` says how"
        )));
        return None;
    }
    match (written.value.as_str(), code.level) {
        ("off", _) => Some(None),
        ("warning", Level::Warning) => Some(Some(Level::Warning)),
        ("warning", _) => {
            let message = format!("`{id}` is a hint, and hints are not raised one by one");
            let report = Diagnostic::new(&codes::B0787, written.at, message);
            reader.report(
                report.help("`hints = true` shows all hints; `\"off\"` leaves this one out"),
            );
            None
        }
        ("error", _) => {
            let message = "a level is `\"off\"` or `\"warning\"`: the project file lowers levels and never raises them";
            let report = Diagnostic::new(&codes::B0787, written.at, message);
            reader
                .report(report.help("`symbi dsl --check --deny-warnings` fails for every warning"));
            None
        }
        (other, _) => {
            let message = format!("there is no level `{other}`: write `\"off\"` or `\"warning\"`");
            let mut report = Diagnostic::new(&codes::B0787, written.at, message);
            if let Some(near) = reader.nearest(other, ["off", "warning"]) {
                let text = format!("\"{near}\"");
                let edit = Edit {
                    at: written.at,
                    text: text.clone(),
                };
                report = report.maybe_fix(format!("write `{text}`"), vec![edit]);
            }
            reader.report(report);
            None
        }
    }
}

fn sandbox(reader: &mut Reader, table: &Entry) -> Sandbox {
    let mut sandbox = Sandbox::default();
    for entry in reader.table(table, "sandbox").unwrap_or_default() {
        match entry.key.as_str() {
            "tier" => sandbox.tier = tier(reader, entry),
            "minimum" => sandbox.minimum = tier(reader, entry),
            backend if BACKENDS.contains(&backend) => {}
            _ => {
                let mut known = vec!["minimum", "tier"];
                known.extend(BACKENDS);
                unknown_key(reader, entry, "`[sandbox]`", &known);
            }
        }
    }
    if let (Some(tier), Some(minimum)) = (&sandbox.tier, &sandbox.minimum)
        && !tier.value.satisfies(minimum.value)
    {
        let (own, least) = (tier.value.as_str(), minimum.value.as_str());
        let message = format!(
            "agents that state no sandbox would run in `{own}`, and the minimum is `{least}`"
        );
        let report = Diagnostic::new(&codes::B0790, tier.at, message)
            .label("not enough")
            .note(minimum.at, "the minimum")
            .help(format!("write `tier = \"{least}\"`, or a lower minimum"));
        reader.report(report);
    }
    sandbox
}

fn tier(reader: &mut Reader, entry: &Entry) -> Option<Spanned<Tier>> {
    let written = reader.text(entry, "\"gvisor\"")?;
    if let Some(value) = Tier::parse(&written.value) {
        return Some(Spanned {
            value,
            at: written.at,
        });
    }
    let message = format!("there is no sandbox `{}`", written.value);
    let spellings = Tier::SPELLINGS.iter().map(|&(spelling, _)| spelling);
    reader.report(match reader.nearest(&written.value, spellings) {
        Some(near) => did_you_mean(&codes::B0788, written.at, message, format!("\"{near}\"")),
        None => Diagnostic::new(&codes::B0788, written.at, message)
            .help("write `docker`, `gvisor`, `firecracker`, `landlock`, `e2b` or `none`"),
    });
    None
}

fn policy(reader: &mut Reader, table: &Entry) -> Policy {
    let mut policy = Policy::default();
    for entry in reader.table(table, "policy").unwrap_or_default() {
        match entry.key.as_str() {
            "waive" => policy.waive = waiver::read(reader, entry),
            key if ENGINE.contains(&key) => {}
            _ => {
                let mut known = vec!["waive"];
                known.extend(ENGINE);
                unknown_key(reader, entry, "`[policy]`", &known);
            }
        }
    }
    policy
}
