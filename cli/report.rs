//! The seam between a parsed file and the renderers of `symbi-diagnostics`:
//! which of them prints, and how much.

use symbi_diagnostics::render::json::{JsonFile, JsonReport, Tool};
use symbi_diagnostics::render::{Style, human, short};
use symbi_diagnostics::{Diagnostic, SourceFile};

use crate::args;

/// What `--format` says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people: with an excerpt of the source
    #[default]
    Human,
    /// One line a report
    Short,
    /// For programs: one document
    Json,
}

/// Reports of one file that are printed in full for people; of the others only
/// their number is said. A file that is not Symbi at all can have one a line.
const MAX_HUMAN: usize = 100;

/// The reports of one file as text for stderr.
pub fn text(format: Format, file: &SourceFile, diagnostics: &[Diagnostic], color: bool) -> String {
    match format {
        Format::Json => String::new(),
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

/// The document of a run, to be filled source by source.
pub fn document() -> JsonReport {
    JsonReport::new(Tool {
        name: "symbi".to_owned(),
        version: args::VERSION.to_owned(),
        edition: args::EDITION.to_owned(),
    })
}

/// One checked source of the document.
pub fn json(file: &SourceFile, diagnostics: &[Diagnostic]) -> JsonFile {
    JsonFile::checked(file, diagnostics)
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
            text(Format::Human, &file, &reports(&"w".repeat(count)), false)
        };
        assert!(!text_of(MAX_HUMAN).contains("more reports"));
        let flood = text_of(MAX_HUMAN + 7);
        assert_eq!(flood.matches("S0161").count(), MAX_HUMAN);
        assert!(flood.ends_with("x.symbi: 7 more reports; --format short prints them all\n\n"));
    }
}
