//! What a running program says, shown at once.

use std::io::{self, Write};

use serde_json::Value as Json;
use symbi_host::run::Console;

use crate::output::{GREEN, RED_BOLD, YELLOW, paint};

/// Stdout for `print` and for decisions of a dry run, stderr for `log`.
pub struct Terminal {
    dry: bool,
    colour: bool,
    log_colour: bool,
}

impl Terminal {
    pub fn new(dry: bool, colour: bool, log_colour: bool) -> Self {
        Terminal {
            dry,
            colour,
            log_colour,
        }
    }
}

/// A text on a terminal: characters that would steer it are shown.
pub fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '\n' | '\t' => out.push(char),
            char if crate::audit::steers(char) => out.extend(char.escape_default()),
            char => out.push(char),
        }
    }
    out
}

impl Console for Terminal {
    fn print(&self, text: &str) {
        // Nobody may be reading any more: the run goes on all the same.
        let _ = writeln!(io::stdout().lock(), "{}", harmless(text));
    }

    fn log(&self, level: &str, text: &str) {
        let style = match level {
            "ERROR" | "CRITICAL" => RED_BOLD,
            "WARNING" => YELLOW,
            _ => GREEN,
        };
        let level = paint(level, style, self.log_colour);
        let _ = writeln!(io::stderr().lock(), "{level} {}", harmless(text));
    }

    fn event(&self, _: &str, event: &Json) {
        if !self.dry || event.get("type") != Some(&Json::from("decided")) {
            return;
        }
        let text = |name: &str| event.get(name).and_then(Json::as_str).unwrap_or_default();
        let (word, style) = match text("decision") {
            "granted" => ("granted", GREEN),
            _ => ("denied", RED_BOLD),
        };
        let arguments = event
            .get("arguments")
            .map(Json::to_string)
            .unwrap_or_default();
        let rule = event.get("rule").filter(|rule| !rule.is_null());
        let rule = rule.map_or_else(String::new, |rule| {
            let part = |name: &str| {
                rule.get(name)
                    .map(|part| part.to_string().trim_matches('"').to_owned())
            };
            format!(
                "  {}:{}:{}",
                part("file").unwrap_or_default(),
                part("line").unwrap_or_default(),
                part("column").unwrap_or_default()
            )
        });
        let line = format!(
            "{} · {} {} · {}{rule}",
            paint(word, style, self.colour),
            harmless(text("effect")),
            harmless(&arguments),
            harmless(text("message")),
        );
        let _ = writeln!(io::stdout().lock(), "{line}");
    }
}
