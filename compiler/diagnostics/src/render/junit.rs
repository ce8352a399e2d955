//! JUnit's XML, as Jenkins, GitLab and others read it: a suite for the run, a
//! case for each source. A case fails by its first report, and its text holds
//! them all; what does not make it fail is its output.

use std::borrow::Cow;

use super::{Origin, one_line, short};
use crate::{Diagnostic, SourceFile};

/// Reports of one source in each text. Whoever reads the document keeps it
/// whole in memory.
const MAX_REPORTS: usize = 1000;

/// The document. How many cases there are stands at its beginning, so its
/// pieces wait for the end.
#[derive(Debug)]
pub struct JunitReport {
    name: String,
    cases: String,
    tests: usize,
    failures: usize,
    errors: usize,
}

/// One case.
#[derive(Debug)]
pub struct JunitCase {
    xml: String,
    failed: bool,
    unreadable: bool,
}

impl JunitCase {
    /// A file that was checked. It fails by its errors, and by its warnings
    /// where these are denied.
    pub fn checked(
        origin: &Origin,
        file: &SourceFile,
        diagnostics: &[Diagnostic],
        deny_warnings: bool,
    ) -> Self {
        let is_fatal = |diagnostic: &&Diagnostic| {
            diagnostic.is_error() || deny_warnings && !diagnostic.is_hint()
        };
        // Errors stand first also where warnings are fatal: that is the one
        // that its head is about.
        let (errors, denied): (Vec<_>, Vec<_>) = diagnostics
            .iter()
            .filter(is_fatal)
            .partition(|diagnostic| diagnostic.is_error());
        let fatal = [errors, denied].concat();
        let others: Vec<&Diagnostic> = diagnostics.iter().filter(|d| !is_fatal(d)).collect();
        let mut inside = String::new();
        if let Some(first) = fatal.first() {
            let more = match fatal.len() - 1 {
                0 => String::new(),
                more => format!(" (and {more} more)"),
            };
            inside.push_str(&format!(
                "<failure type=\"{}\" message=\"{}{more}\">{}</failure>",
                first.code.id,
                text(&one_line(&first.message)),
                text(&lines(file, &fatal)),
            ));
        }
        if !others.is_empty() {
            let lines = lines(file, &others);
            inside.push_str(&format!("<system-out>{}</system-out>", text(&lines)));
        }
        Self {
            xml: case(origin, &inside),
            failed: !fatal.is_empty(),
            unreadable: false,
        }
    }

    /// A file that could not be read, and why.
    pub fn unreadable(origin: &Origin, reason: &str) -> Self {
        let reason = text(&one_line(reason)).into_owned();
        let inside = format!("<error type=\"unreadable\" message=\"{reason}\"></error>");
        Self {
            xml: case(origin, &inside),
            failed: false,
            unreadable: true,
        }
    }
}

impl JunitReport {
    /// A document without cases yet, about a run of this command.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            cases: String::new(),
            tests: 0,
            failures: 0,
            errors: 0,
        }
    }

    /// One more case.
    pub fn push(&mut self, case: &JunitCase) {
        self.tests += 1;
        self.failures += usize::from(case.failed);
        self.errors += usize::from(case.unreadable);
        self.cases.push_str(&case.xml);
    }

    /// The document. It holds no times: they would make each run another one.
    pub fn finish(self) -> String {
        let counts = format!(
            "name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\"",
            text(&one_line(&self.name)),
            self.tests,
            self.failures,
            self.errors
        );
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {counts}>\n  \
             <testsuite {counts} skipped=\"0\">\n{}  </testsuite>\n</testsuites>\n",
            self.cases
        )
    }
}

fn case(origin: &Origin, inside: &str) -> String {
    let name = one_line(origin.name());
    let name = text(&name);
    let head = format!("    <testcase classname=\"symbi\" name=\"{name}\"");
    match inside {
        "" => format!("{head}/>\n"),
        inside => format!("{head}>{inside}</testcase>\n"),
    }
}

fn lines(file: &SourceFile, diagnostics: &[&Diagnostic]) -> String {
    let shown = &diagnostics[..diagnostics.len().min(MAX_REPORTS)];
    let mut lines: String = shown.iter().map(|d| short(file, d)).collect();
    let hidden = diagnostics.len() - shown.len();
    if hidden > 0 {
        lines.push_str(&format!("{hidden} more; --format short prints them all\n"));
    }
    lines
}

/// A text as it stands between tags and in attributes. What XML 1.0 cannot hold
/// at all, not even escaped, is replaced; carriage returns and tabs would not
/// survive as they are.
fn text(text: &str) -> Cow<'_, str> {
    let plain = |c: char| !matches!(c, '<' | '>' | '&' | '"' | '\'' | '\r' | '\t') && allowed(c);
    if text.chars().all(plain) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\r' | '\t' => out.push_str(&format!("&#{};", u32::from(c))),
            c if allowed(c) => out.push(c),
            _ => out.push('\u{FFFD}'),
        }
    }
    Cow::Owned(out)
}

/// Section 2.2 of XML 1.0.
fn allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_cannot_hold_is_replaced() {
        let table = [
            ("a é🦀\nb", "a é🦀\nb"),
            ("<a b=\"'&'\">", "&lt;a b=&quot;&apos;&amp;&apos;&quot;&gt;"),
            ("]]>", "]]&gt;"),
            ("a\r\n\tb", "a&#13;\n&#9;b"),
            (
                "\0\u{B}\x1B\u{FFFE}\u{FFFF}",
                "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}",
            ),
            (
                "\u{1FFFE}\u{10FFFF}\x7F\u{85}",
                "\u{1FFFE}\u{10FFFF}\x7F\u{85}",
            ),
        ];
        for (given, expected) in table {
            assert_eq!(text(given), expected, "{given:?}");
        }
    }
}
