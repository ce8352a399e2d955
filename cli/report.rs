//! The seam between a checked file and the renderers of `symbi-diagnostics`:
//! which of them prints, where, and how much. What a format is stands here, in
//! one table, and nowhere else. Formats that are one document are filled in
//! `document.rs`.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use symbi_diagnostics::render::{Origin, Style, github, github_unreadable, human, inert, short};
use symbi_diagnostics::{Diagnostic, SourceFile};

/// What `--format` says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// For people.
    #[default]
    Human,
    /// One line a report.
    Short,
    /// Workflow commands of GitHub.
    Github,
    /// Our own document.
    Json,
    /// The document of code scanning services.
    Sarif,
    /// The document of GitLab's merge requests.
    Gitlab,
    /// The document of test reports.
    Junit,
}

/// Each format: its name, what it is in a few words, and the lines of the long
/// help.
const FORMATS: &[(Format, &str, &str, &str)] = &[
    (
        Format::Human,
        "human",
        "For people: with an excerpt of the source",
        "a line a source on stdout; reports with an excerpt of the source on
          stderr",
    ),
    (
        Format::Short,
        "short",
        "One line a report",
        "a line a source on stdout; one line a report on stderr, as editors
          and CI logs read it: path:line:column: error[S0107]: message",
    ),
    (
        Format::Github,
        "github",
        "For a workflow of GitHub: annotations",
        "a line a source on stdout, followed by a workflow command for each
          of its reports",
    ),
    (
        Format::Json,
        "json",
        "For programs: one document",
        "one JSON document on stdout",
    ),
    (
        Format::Sarif,
        "sarif",
        "For code scanning: one SARIF document",
        "one SARIF 2.1.0 document on stdout",
    ),
    (
        Format::Gitlab,
        "gitlab",
        "For a merge request of GitLab: one code quality document",
        "one code quality document of GitLab on stdout",
    ),
    (
        Format::Junit,
        "junit",
        "For test reports: one JUnit document",
        "one JUnit XML document on stdout: each source is a test case",
    ),
];

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        use Format::{Github, Gitlab, Human, Json, Junit, Sarif, Short};
        &[Human, Short, Github, Json, Sarif, Gitlab, Junit]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (_, name, help, _) = FORMATS.iter().find(|(format, ..)| format == self)?;
        Some(PossibleValue::new(*name).help(*help))
    }
}

impl Format {
    /// The list of all formats for the long help of a command.
    pub fn list() -> String {
        let lines = FORMATS
            .iter()
            .map(|(_, name, _, words)| format!("  {name:<8}{words}\n"));
        format!("Formats:\n{}", lines.collect::<String>())
    }

    /// Whether stdout holds one document and nothing else.
    pub fn is_document(self) -> bool {
        match self {
            Format::Human | Format::Short | Format::Github => false,
            Format::Json | Format::Sarif | Format::Gitlab | Format::Junit => true,
        }
    }

    /// Whether it is about what a check finds, and about nothing else.
    pub fn is_for_checks(self) -> bool {
        !matches!(self, Format::Human | Format::Short | Format::Json)
    }

    /// Whether reports go to stdout, after the line of their source.
    pub fn reports_on_stdout(self) -> bool {
        self == Format::Github
    }

    /// A line as it may be printed beside reports of this format.
    pub fn line(self, line: String) -> String {
        match self {
            Format::Github => inert(&line).into_owned(),
            _ => line,
        }
    }
}

/// Reports of one file that are printed in full for people; of the others only
/// their number is said. A file that is not Symbi at all can have one a line.
const MAX_HUMAN: usize = 100;

/// The reports of one file as text; empty where they go into a document.
pub fn text(
    format: Format,
    origin: &Origin,
    file: &SourceFile,
    diagnostics: &[Diagnostic],
    color: bool,
) -> String {
    match format {
        Format::Json | Format::Sarif | Format::Gitlab | Format::Junit => String::new(),
        Format::Github => diagnostics
            .iter()
            .map(|d| github(origin, file, d))
            .collect(),
        Format::Short => diagnostics.iter().map(|d| short(file, d)).collect(),
        Format::Human => {
            let style = Style {
                color,
                ..Style::default()
            };
            let shown = most_important(diagnostics, MAX_HUMAN);
            let mut text = String::new();
            for diagnostic in &shown {
                text.push_str(&human(file, diagnostic, style));
                text.push('\n');
            }
            let hidden = diagnostics.len() - shown.len();
            if hidden > 0 {
                text.push_str(&format!(
                    "{}: {hidden} more reports; --format short prints them all\n\n",
                    symbi_diagnostics::render::one_line(&file.name)
                ));
            }
            text
        }
    }
}

/// At most `count` of the reports, errors before warnings, in their order.
fn most_important(diagnostics: &[Diagnostic], count: usize) -> Vec<&Diagnostic> {
    let errors = diagnostics.iter().filter(|d| d.is_error()).count();
    let mut errors_left = errors.min(count);
    let mut warnings_left = count - errors_left;
    diagnostics
        .iter()
        .filter(|diagnostic| {
            let left = if diagnostic.is_error() {
                &mut errors_left
            } else {
                &mut warnings_left
            };
            let shown = *left > 0;
            *left = left.saturating_sub(1);
            shown
        })
        .collect()
}

/// What there is to say of a source that could not be read, beside the line
/// that every format has on stderr.
pub fn unreadable(format: Format, origin: &Origin, reason: &str) -> String {
    match format {
        Format::Github => github_unreadable(origin, reason),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbi_diagnostics::{Span, syntax};

    fn reports(letters: &str) -> Vec<Diagnostic> {
        let report = |(at, letter): (usize, char)| {
            let code = if letter == 'e' {
                &syntax::S0107
            } else {
                &syntax::S0161
            };
            Diagnostic::new(code, Span::at(at as u32), letter.to_string())
        };
        letters.chars().enumerate().map(report).collect()
    }

    #[test]
    fn errors_are_never_hidden_behind_warnings() {
        let table = [
            ("", 2, ""),
            ("wewe", 4, "wewe"),
            ("wwwe", 2, "we"),
            ("weee", 2, "ee"),
            ("wewwe", 3, "wee"),
        ];
        for (all, count, expected) in table {
            let all = reports(all);
            let shown: String = most_important(&all, count)
                .into_iter()
                .map(|d| d.message.as_str())
                .collect();
            assert_eq!(shown, expected);
        }
    }

    #[test]
    fn a_flood_of_reports_ends_with_their_number() {
        let text_of = |count: usize| {
            let file = SourceFile::new("x.symbi", "a".repeat(count));
            let origin = Origin::file("x.symbi");
            let reports = reports(&"w".repeat(count));
            text(Format::Human, &origin, &file, &reports, false)
        };
        assert!(!text_of(MAX_HUMAN).contains("more reports"));
        let flood = text_of(MAX_HUMAN + 7);
        assert_eq!(flood.matches("S0161").count(), MAX_HUMAN);
        assert!(flood.ends_with("x.symbi: 7 more reports; --format short prints them all\n\n"));
    }

    #[test]
    fn the_table_has_each_format_once_in_the_order_of_the_help() {
        let listed: Vec<Format> = FORMATS.iter().map(|(format, ..)| *format).collect();
        assert_eq!(listed, Format::value_variants());
        for (format, name, ..) in FORMATS {
            assert_eq!(Format::from_str(name, false).as_ref(), Ok(format));
            assert!(Format::list().contains(&format!("\n  {name} ")));
        }
        for line in Format::list().lines() {
            assert!(line.len() <= 79, "{line}");
        }
    }
}
