//! `[command]`: a program of this machine and the words it is started with. No
//! shell ever reads them.

use symbi_diagnostics::project as codes;
use symbi_diagnostics::{Diagnostic, Edit, Span};

use super::argument::{Argument, DefaultValue};
use super::expansion::{self, Conditional, Mapping};
use super::placeholder::{Names, Part, Place, Template, strict};
use super::section::Section;
use super::source::Filesystem;
use super::split;
use super::tool::Tool;
use crate::Spanned;
use crate::reader::Reader;
use crate::value::relative_path;

/// `[command]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Command {
    /// What is started.
    pub launch: Launch,
    /// `defaults`: values that no call gives.
    pub defaults: Vec<(Spanned<String>, Spanned<DefaultValue>)>,
    /// `mappings`: flags for each value of an argument.
    pub mappings: Vec<Mapping>,
    /// `conditionals`: words that are only there under a condition.
    pub conditionals: Vec<Conditional>,
    /// `end_of_options`: `--` stands before the first word that a call gives.
    pub end_of_options: bool,
}

/// What a command starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Launch {
    /// `exec`: the words of a command, of which the first is the program.
    Exec(Vec<Template>),
    /// `template`, split into words when it was read.
    Template(Vec<Template>),
    /// `executor`: a program that gets the arguments in its environment, as
    /// `TOOLCLAD_ARG_NAME`.
    Executor(Spanned<String>),
}

/// Programs that run what they are given as code, or as another program.
const INTERPRETERS: [&str; 36] = [
    "ash",
    "awk",
    "bash",
    "busybox",
    "cmd",
    "csh",
    "dash",
    "deno",
    "doas",
    "env",
    "expect",
    "fish",
    "gawk",
    "groovy",
    "ksh",
    "lua",
    "make",
    "mawk",
    "nice",
    "node",
    "nohup",
    "osascript",
    "perl",
    "php",
    "powershell",
    "pwsh",
    "python",
    "ruby",
    "setsid",
    "sh",
    "ssh",
    "stdbuf",
    "su",
    "sudo",
    "tclsh",
    "timeout",
];
const MORE_INTERPRETERS: [&str; 6] = ["bun", "tcsh", "watch", "xargs", "xonsh", "zsh"];

/// The name of a program without folders, endings and version.
pub fn program_name(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    if plain.is_empty() { name } else { plain }
}

fn is_interpreter(path: &str) -> bool {
    let name = program_name(path).to_ascii_lowercase();
    INTERPRETERS.contains(&&*name) || MORE_INTERPRETERS.contains(&&*name)
}

/// Reads `[command]`.
pub fn read<'d>(
    reader: &mut Reader<'d>,
    section: &Section<'d>,
    tool: &Tool,
    arguments: &[Argument],
    filesystem: &Filesystem,
) -> Option<Command> {
    let mut names = Names::of(arguments);
    filesystem.mark(&mut names);
    let default_entries = section.open(reader, "defaults");
    let mapping_entries = section.open(reader, "mappings");
    let conditional_entries = section.open(reader, "conditionals");
    names
        .defaults
        .extend(default_entries.iter().map(|entry| &*entry.key));
    names
        .mappings
        .extend(mapping_entries.iter().map(|entry| &*entry.key));
    names
        .conditionals
        .extend(conditional_entries.iter().map(|entry| &*entry.key));

    let defaults = expansion::defaults(reader, default_entries, &names);
    let mappings = expansion::mappings(reader, mapping_entries, &names);
    let conditionals = expansion::conditionals(reader, conditional_entries, &mut names);
    let launch = launch(reader, section, tool, &mut names);
    let end = section.text(reader, "end_of_options");
    if let Some(end) = &end
        && end.value != "--"
    {
        section.unknown_word(reader, "end_of_options", end);
    }
    let launch = launch?;
    match &launch {
        // Each argument is in its environment.
        Launch::Executor(_) => {}
        Launch::Exec(_) | Launch::Template(_) => {
            unused(reader, &names, &defaults, &mappings, &conditionals);
        }
    }
    Some(Command {
        launch,
        defaults,
        mappings,
        conditionals,
        end_of_options: end.is_some(),
    })
}

fn launch<'d>(
    reader: &mut Reader<'d>,
    section: &Section<'d>,
    tool: &Tool,
    names: &mut Names<'_>,
) -> Option<Launch> {
    let ways = ["exec", "template", "executor"];
    let mut given = ways.iter().filter_map(|way| section.entry(way));
    let Some(first) = given.next() else {
        let message = "`[command]` does not say what it starts";
        let report = Diagnostic::new(&codes::K0866, section.at, message);
        reader.report(report.help("write for example `exec = [\"wc\", \"-l\", \"{path}\"]`"));
        return None;
    };
    if let Some(second) = given.next() {
        let message = format!(
            "`{}` and `{}` both say what is started",
            first.key, second.key
        );
        let report = Diagnostic::new(&codes::K0866, second.key_at, message);
        reader.report(report.note(first.key_at, "the other one").help(format!(
            "keep `{}`, and leave `{}` out",
            first.key, second.key
        )));
    }
    match first.key.as_str() {
        "exec" => {
            let words = exec(reader, section, names)?;
            check_program(reader, tool, &words);
            Some(Launch::Exec(words))
        }
        "template" => {
            let text = section.filled(reader, "template")?;
            old_form(reader, first.key_at, &text);
            let words =
                expansion::template_words(reader, &text, names, |alone| Place::Word { alone });
            check_program(reader, tool, &words);
            no_spaces(reader, names);
            Some(Launch::Template(words))
        }
        _ => {
            let path = section.filled(reader, "executor")?;
            check_executor(reader, &path);
            Some(Launch::Executor(path))
        }
    }
}

/// The words of `exec`: each stays one, whatever its values hold.
fn exec<'d>(
    reader: &mut Reader<'d>,
    section: &Section<'d>,
    names: &mut Names<'_>,
) -> Option<Vec<Template>> {
    let written = section.texts(reader, "exec")?;
    if written.is_empty() {
        let message = "`exec` starts nothing";
        let report = Diagnostic::new(&codes::K0866, section.at, message);
        reader.report(report.help("write for example `exec = [\"wc\", \"-l\", \"{path}\"]`"));
        return None;
    }
    let mut words = Vec::with_capacity(written.len());
    for word in &written {
        // A brace that means nothing is reported, and the word is not used.
        let pieces = strict(reader, word).unwrap_or_default();
        let alone = pieces.len() == 1;
        let parts = names.resolve(reader, pieces, Place::Word { alone }, |reader, part| {
            reader.inside(word, part)
        });
        words.push(Template { parts, at: word.at });
    }
    if let [only] = &*written
        && let Ok(split) = split::words(&only.value)
        && split.len() > 1
    {
        let message = "this is a whole command, and a word of a command is expected";
        let mut report = Diagnostic::new(&codes::K0868, only.at, message);
        let list: Vec<String> = split
            .iter()
            .map(|word| format!("{:?}", word.text))
            .collect();
        let plain = split
            .iter()
            .all(|word| word.text.chars().all(|c| (' '..='~').contains(&c)));
        if plain {
            let edit = Edit {
                at: only.at,
                text: list.join(", "),
            };
            report = report.maybe_fix("write a list of words", vec![edit]);
        }
        if report.fix.is_none() {
            report = report.help("write each word as a text of its own");
        }
        reader.report(report);
        return None;
    }
    Some(words)
}

/// The program itself is no value of a call, is called what `[tool]` says, and
/// runs no argument as code.
fn check_program(reader: &mut Reader, tool: &Tool, words: &[Template]) {
    let Some(first) = words.first() else {
        return;
    };
    let program = match &*first.parts {
        [Part::Text(program)] => program,
        parts => {
            if parts.iter().any(|part| !matches!(part, Part::Text(_))) {
                let message = "which program is started cannot be a value of a call";
                reader.report(Diagnostic::new(&codes::K0868, first.at, message));
            } else {
                let message = "the name of the program is empty";
                reader.report(Diagnostic::new(&codes::K0868, first.at, message));
            }
            return;
        }
    };
    check_binary(reader, tool, program, first.at);
    let open = words
        .iter()
        .skip(1)
        .find(|word| word.parts.iter().any(is_given));
    if let Some(open) = open
        && is_interpreter(program)
        && !tool.allow_interpreter.value
    {
        let message =
            format!("`{program}` runs what it is given as a program, and a call says what that is");
        let report = Diagnostic::new(&codes::K0868, first.at, message);
        reader.report(report.note(open.at, "what a call gives").help(
            "start the program itself, or write `allow_interpreter = true` in `[tool]` if the word is data to it",
        ));
    }
}

/// Whether a call says what stands there.
fn is_given(part: &Part) -> bool {
    matches!(part, Part::Argument(_) | Part::Conditional(_))
}

/// `binary` is the program that is started.
pub fn check_binary(reader: &mut Reader, tool: &Tool, program: &str, at: Span) {
    let Some(binary) = &tool.binary else {
        return;
    };
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    if name != binary.value {
        let message = format!("`{}` is declared, and `{name}` is started", binary.value);
        let mut report = Diagnostic::new(&codes::K0868, binary.at, message);
        report = report.note(at, "the program that is started");
        if !name.is_empty() && !name.contains(['"', '\\']) {
            let text = format!("\"{name}\"");
            let edit = Edit {
                at: binary.at,
                text: text.clone(),
            };
            report = report.maybe_fix(format!("write `binary = {text}`"), vec![edit]);
        }
        reader.report(report);
    }
}

fn old_form(reader: &mut Reader, at: Span, text: &Spanned<String>) {
    let message =
        "a command in one text is split into words: spaces and quotes in it are easy to get wrong";
    let mut report = Diagnostic::new(&codes::K0872, at, message);
    if let Ok(words) = split::words(&text.value) {
        let plain = words
            .iter()
            .all(|word| word.text.chars().all(|c| (' '..='~').contains(&c)));
        let list: Vec<String> = words
            .iter()
            .map(|word| format!("{:?}", word.text))
            .collect();
        if plain && !words.is_empty() && text.value.len() <= 400 {
            let edits = vec![
                Edit {
                    at,
                    text: "exec".to_owned(),
                },
                Edit {
                    at: text.at,
                    text: format!("[{}]", list.join(", ")),
                },
            ];
            report = report.maybe_fix("write the words as a list in `exec`", edits);
        }
    }
    if report.fix.is_none() {
        report = report.help("write the words as a list in `exec`");
    }
    reader.report(report);
}

/// `allow_whitespace` is for the words of `exec` alone.
fn no_spaces(reader: &mut Reader, names: &Names) {
    for argument in names.list {
        if argument
            .rules
            .as_ref()
            .is_some_and(|rules| rules.allow_whitespace)
        {
            let message = format!(
                "`{}` may have spaces, which a command in one text cannot be trusted with",
                argument.name.value
            );
            let report = Diagnostic::new(&codes::K0864, argument.name.at, message);
            reader.report(report.help("write the command as a list in `exec`"));
        }
    }
}

fn check_executor(reader: &mut Reader, path: &Spanned<String>) {
    let written = &path.value;
    if let Some((at, found)) = written
        .char_indices()
        .find(|(_, c)| "{}\0\n\r".contains(*c))
    {
        let place = reader.inside(path, at..at + found.len_utf8());
        let message = "`executor` is the path of a program, as it is";
        let report = Diagnostic::new(&codes::K0868, place, message);
        reader.report(report.help("the arguments are in its environment, as `TOOLCLAD_ARG_NAME`"));
        return;
    }
    let absolute = written.starts_with('/');
    if !absolute && let Err(problem) = relative_path(written) {
        let message = format!("`executor` {problem}");
        reader.report(Diagnostic::new(&codes::K0868, path.at, message));
    }
}

/// Reports what a command declares and never uses.
fn unused(
    reader: &mut Reader,
    names: &Names,
    defaults: &[(Spanned<String>, Spanned<DefaultValue>)],
    mappings: &[Mapping],
    conditionals: &[Conditional],
) {
    let mut report = |name: &Spanned<String>, message: String, help: String| {
        reader.report(Diagnostic::new(&codes::K0871, name.at, message).help(help));
    };
    let mapped = |name: &str| names.uses_words(&format!("{name}_flags"));
    for argument in names.list {
        let name = &argument.name.value;
        // An unused mapping has a report of its own.
        if !names.uses(name) && !names.mappings.contains(&**name) {
            unused_argument(&mut report, &argument.name);
        }
    }
    for mapping in mappings {
        let name = &mapping.argument.value;
        if !mapped(name) && names.argument(name).is_some() {
            let message = format!("nothing uses the flags that `{name}` is mapped to");
            report(
                &mapping.argument,
                message,
                format!("write `{{_{name}_flags}}` in the command"),
            );
        }
    }
    for conditional in conditionals {
        let name = &conditional.name.value;
        if !names.uses_words(name) {
            let message = format!("nothing uses the conditional `{name}`");
            report(
                &conditional.name,
                message,
                format!("write `{{_{name}}}` in the command"),
            );
        }
    }
    for (name, _) in defaults {
        if !names.uses(&name.value) {
            let message = format!("nothing uses the default of `{}`", name.value);
            report(
                name,
                message,
                format!("write `{{{}}}` in the command, or leave it out", name.value),
            );
        }
    }
}

/// Reports an argument that a call gives in vain.
pub fn unused_argument(
    report: &mut dyn FnMut(&Spanned<String>, String, String),
    name: &Spanned<String>,
) {
    let message = format!("nothing uses the argument `{}`", name.value);
    let help = format!(
        "write `{{{}}}` where its value belongs, or leave the argument out",
        name.value
    );
    report(name, message, help);
}
