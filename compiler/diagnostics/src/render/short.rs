//! One line a diagnostic, as compilers have printed them for decades and every
//! editor can read: `path:line:column: error[S0107]: message`.

use codespan_reporting::diagnostic::{Diagnostic as Report, Label, Severity};
use codespan_reporting::term::{Config, DisplayStyle, emit_into_string};

use super::text::one_line;
use crate::{Diagnostic, Level, SourceFile};

/// One line, with its line feed.
///
/// Whatever the message and the path hold, it stays one line: control
/// characters are written as escapes.
pub fn short(file: &SourceFile, diagnostic: &Diagnostic) -> String {
    let severity = match diagnostic.code.level {
        Level::Error => Severity::Error,
        Level::Warning => Severity::Warning,
        Level::Hint => Severity::Help,
    };
    let report = Report::new(severity)
        .with_code(diagnostic.code.id)
        .with_message(one_line(&diagnostic.message))
        .with_label(Label::primary(
            (),
            file.clamp(diagnostic.primary.at).range(),
        ));
    let config = Config {
        display_style: DisplayStyle::Short,
        ..Config::default()
    };
    // Our `Files` has this file and clamps every offset, and a string takes
    // all that is written: nothing here can fail.
    emit_into_string(&config, file, &report).unwrap_or_default()
}
