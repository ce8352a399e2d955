//! `[session]`: a program that stays and is spoken to line by line; and
//! `[mcp]`: a tool of another server.

use std::collections::HashMap;

use symbi_diagnostics::project as codes;
use symbi_diagnostics::{Diagnostic, Edit, Span};

use super::argument::{self, Argument};
use super::command::{check_binary, program_name};
use super::keys;
use super::placeholder::{names, strict};
use super::section::Section;
use super::split;
use super::terms::{RiskTier, Sanitize};
use super::tool::Tool;
use crate::custom_types::CustomTypes;
use crate::document::Entry;
use crate::pattern::Pattern;
use crate::reader::Reader;
use crate::{Setting, Spanned};

/// `[mcp]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mcp {
    /// `server`, as `mcp-config.toml` calls it.
    pub server: Spanned<String>,
    /// `tool`, as that server calls it.
    pub tool: Spanned<String>,
    /// `field_map`: how the server calls an argument. Others keep their names.
    pub field_map: Vec<(Spanned<String>, Spanned<String>)>,
}

/// `[session]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// `startup_command`, split into words.
    pub startup: Vec<String>,
    /// `ready_pattern`: what the program prints when it waits. It is looked for
    /// at the start of a line.
    pub ready: Pattern,
    /// `startup_timeout_seconds`.
    pub startup_timeout_seconds: Setting<u64>,
    /// `idle_timeout_seconds`.
    pub idle_timeout_seconds: Setting<u64>,
    /// `session_timeout_seconds`.
    pub session_timeout_seconds: Setting<u64>,
    /// `max_interactions`.
    pub max_interactions: Setting<u64>,
    /// `sentinel_command`: makes the program print a word that ends an answer.
    pub sentinel_command: Option<Spanned<String>>,
    /// `interaction.input_sanitize`.
    pub input_sanitize: Vec<Spanned<Sanitize>>,
    /// `interaction.output_max_bytes`.
    pub output_max_bytes: Setting<u64>,
    /// `interaction.output_wait_ms`.
    pub output_wait_ms: Setting<u64>,
    /// `commands`, in the order of the file.
    pub commands: Vec<SessionCommand>,
}

/// `[session.commands.NAME]`.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionCommand {
    /// Its name: agents call `TOOL.NAME`.
    pub name: Spanned<String>,
    /// `pattern`, which the whole line must match.
    pub pattern: Option<Pattern>,
    /// `description`.
    pub description: String,
    /// `risk_tier`.
    pub risk_tier: Setting<RiskTier>,
    /// `human_approval`.
    pub human_approval: Setting<bool>,
    /// `extract_target`: the group `target` of the pattern is compared with the
    /// scope.
    pub extract_target: Setting<bool>,
    /// `finalize`: it ends the session.
    pub finalize: Setting<bool>,
    /// `args`.
    pub arguments: Vec<Argument>,
}

/// Reads `[mcp]`.
pub fn read_mcp<'d>(
    reader: &mut Reader<'d>,
    section: &Section<'d>,
    arguments: &[Argument],
) -> Option<Mcp> {
    let server = section.needed(reader, "server");
    let tool = section.needed(reader, "tool");
    let known: HashMap<&str, ()> = arguments
        .iter()
        .map(|known| (&*known.name.value, ()))
        .collect();
    let mut taken: HashMap<String, Span> = HashMap::new();
    let mut field_map = Vec::new();
    for entry in section.open(reader, "field_map") {
        if !known.contains_key(&*entry.key) {
            unknown_field(reader, entry, arguments);
        }
        let Some(field) = reader.text(entry, "\"title\"") else {
            continue;
        };
        if let Some(&first) = taken.get(&field.value) {
            let message = format!("the field `{}` is given by another argument", field.value);
            let report = Diagnostic::new(&codes::K0867, field.at, message);
            reader.report(report.note(first, "the first one"));
        }
        taken.insert(field.value.clone(), field.at);
        let name = Spanned {
            value: entry.key.clone(),
            at: entry.key_at,
        };
        field_map.push((name, field));
    }
    Some(Mcp {
        server: server?,
        tool: tool?,
        field_map,
    })
}

fn unknown_field(reader: &mut Reader, entry: &Entry, arguments: &[Argument]) {
    let message = format!("there is no argument `{}` to rename", entry.key);
    let known = arguments.iter().map(|argument| &*argument.name.value);
    let report = match reader.nearest(&entry.key, known) {
        Some(near) => {
            let text = near.to_owned();
            let message = format!("{message}; did you mean `{near}`?");
            let title = format!("write `{near}`");
            let at = entry.key_at;
            Diagnostic::new(&codes::K0867, at, message).fix(title, vec![Edit { at, text }])
        }
        None => Diagnostic::new(&codes::K0867, entry.key_at, message)
            .help("left are the names of arguments, right those of the server"),
    };
    reader.report(report);
}

/// Reads `[session]`.
pub fn read<'d>(
    reader: &mut Reader<'d>,
    section: &Section<'d>,
    tool: &Tool,
    types: &CustomTypes,
) -> Option<Session> {
    let startup = section.needed(reader, "startup_command");
    let startup = startup.and_then(|text| startup_words(reader, &text, tool));
    let ready = section.needed(reader, "ready_pattern");
    let ready = ready.and_then(|text| {
        let pattern = reader.pattern(&text, false)?;
        if pattern.matches("") {
            let message = "this pattern is found in every output, before the program is ready";
            let report = Diagnostic::new(&codes::K0865, text.at, message);
            reader.report(report.help("write what the program prints when it waits"));
        }
        Some(pattern)
    });
    let idle_timeout_seconds = section.whole_or(reader, "idle_timeout_seconds", 300);
    let session_timeout_seconds = section.whole_or(reader, "session_timeout_seconds", 1800);
    let startup_timeout_seconds = section.whole_or(reader, "startup_timeout_seconds", 30);
    not_longer(
        reader,
        "startup_timeout_seconds",
        &startup_timeout_seconds,
        &session_timeout_seconds,
    );
    not_longer(
        reader,
        "idle_timeout_seconds",
        &idle_timeout_seconds,
        &session_timeout_seconds,
    );
    let interaction = section.section(reader, "interaction", &keys::INTERACTION);
    let default = |value| Setting::or(None, value);
    let (input_sanitize, output_max_bytes, output_wait_ms) = match &interaction {
        Some(interaction) => (
            interaction
                .terms(reader, "input_sanitize")
                .unwrap_or_default(),
            interaction.whole_or(reader, "output_max_bytes", 1 << 20),
            interaction.whole_or(reader, "output_wait_ms", 2000),
        ),
        None => (Vec::new(), default(1 << 20), default(2000)),
    };
    let max_interactions = section.whole_or(reader, "max_interactions", 100);
    let sentinel_command = section.filled(reader, "sentinel_command");
    if let Some(sentinel) = &sentinel_command {
        check_sentinel(reader, sentinel);
    }
    let entries = section.open(reader, "commands");
    if entries.is_empty() {
        let message = "a session without commands does nothing";
        let report = Diagnostic::new(&codes::K0866, section.at, message);
        reader.report(report.help("write `[session.commands.NAME]`, and a `pattern` below it"));
    }
    let mut commands = Vec::new();
    for entry in entries {
        commands.extend(command(reader, entry, types));
    }
    Some(Session {
        startup: startup?,
        ready: ready?,
        startup_timeout_seconds,
        idle_timeout_seconds,
        session_timeout_seconds,
        max_interactions,
        sentinel_command,
        input_sanitize,
        output_max_bytes,
        output_wait_ms,
        commands,
    })
}

/// A part of a session that would be longer than the whole.
pub fn not_longer(reader: &mut Reader, name: &str, part: &Setting<u64>, whole: &Setting<u64>) {
    if part.value <= whole.value {
        return;
    }
    let Some(at) = part.at.or(whole.at) else {
        return;
    };
    let message = format!(
        "`{name}` is {}, and the whole session ends after {} seconds",
        part.value, whole.value
    );
    let report = Diagnostic::new(&codes::K0863, at, message);
    reader.report(report.help("make the one less, or `session_timeout_seconds` more"));
}

fn startup_words(reader: &mut Reader, text: &Spanned<String>, tool: &Tool) -> Option<Vec<String>> {
    let words = match split::words(&text.value) {
        Ok(words) => words,
        Err(quote) => {
            let at = reader.inside(text, quote..quote + 1);
            reader.report(Diagnostic::new(
                &codes::K0867,
                at,
                "this quote is not closed",
            ));
            return None;
        }
    };
    let words: Vec<String> = words.into_iter().map(|word| word.text).collect();
    let program = words.first()?;
    check_binary(reader, tool, program, text.at);
    let code = ["sh", "bash", "dash", "zsh", "ksh", "fish"];
    if code.contains(&program_name(program)) && !tool.allow_interpreter.value {
        let message = format!("`{program}` runs what it is given as a program");
        let report = Diagnostic::new(&codes::K0868, text.at, message);
        reader.report(
            report
                .help("start the program itself, or write `allow_interpreter = true` in `[tool]`"),
        );
    }
    Some(words)
}

fn check_sentinel(reader: &mut Reader, text: &Spanned<String>) {
    let Some(pieces) = strict(reader, text) else {
        return;
    };
    let found: Vec<&str> = names(&pieces).map(|(name, _)| name).collect();
    if found != ["sentinel"] {
        let message =
            "`sentinel_command` prints `{sentinel}`, once, and nothing else stands for it";
        reader.report(Diagnostic::new(&codes::K0867, text.at, message));
    }
}

fn command(reader: &mut Reader<'_>, entry: &Entry, types: &CustomTypes) -> Option<SessionCommand> {
    let header = format!("session.commands.{}", entry.key);
    let section = Section::read(reader, entry, &keys::SESSION_COMMAND, &header)?;
    check_command_name(reader, entry);
    let extract_target = section.boolean(reader, "extract_target", false);
    let written = section.needed(reader, "pattern");
    let pattern = written.as_ref().and_then(|text| reader.pattern(text, true));
    if let (Some(at), Some(pattern)) = (extract_target.at, &pattern)
        && extract_target.value
        && !pattern.has_group("target")
    {
        let message = "no group of the pattern is the target";
        let report = Diagnostic::new(&codes::K0865, at, message);
        reader.report(report.help("write `(?P<target>…)` round it in `pattern`"));
    }
    let description = section.text(reader, "description");
    let entries = section.open(reader, "args");
    Some(SessionCommand {
        name: Spanned {
            value: entry.key.clone(),
            at: entry.key_at,
        },
        pattern,
        description: description.map(|text| text.value).unwrap_or_default(),
        risk_tier: section.term_or(reader, "risk_tier", RiskTier::Low),
        human_approval: section.boolean(reader, "human_approval", false),
        extract_target,
        finalize: section.boolean(reader, "finalize", false),
        arguments: argument::read_all(reader, entries, &format!("{header}.args"), types),
    })
}

/// Agents call a command by its name.
pub fn check_command_name(reader: &mut Reader, entry: &Entry) {
    if !super::spelt_like_a_name(&entry.key) {
        let message = format!("a command cannot be called `{}`", entry.key);
        let report = Diagnostic::new(&codes::K0863, entry.key_at, message);
        reader.report(report.help("a name has letters from `a` to `z`, digits and `_`"));
    }
}
