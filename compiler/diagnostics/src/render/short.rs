//! One line a diagnostic, as compilers have printed them for decades and every
//! editor can read: `path:line:column: error[S0107]: message`.

use super::text::one_line;
use crate::{Diagnostic, SourceFile};

/// One line, with its line feed.
///
/// Whatever the message and the path hold, it stays one line: control
/// characters are written as escapes.
pub fn short(file: &SourceFile, diagnostic: &Diagnostic) -> String {
    let start = file.clamp(diagnostic.primary.at).start;
    let place = file.line_column(start);
    format!(
        "{}:{}:{}: {}[{}]: {}\n",
        one_line(&file.name),
        place.line,
        place.column,
        diagnostic.code.level.word(),
        diagnostic.code.id,
        one_line(&diagnostic.message),
    )
}
