//! What a source declares, as an indented list.

use std::io::{self, Write};

use symbi_diagnostics::SourceFile;
use symbi_syntax::OutlineEntry;

/// One line a declaration: its kind, name and details, then where it begins.
pub fn write(entries: &[OutlineEntry], file: &SourceFile, out: &mut impl Write) -> io::Result<()> {
    // A stack instead of recursion: how deep declarations nest is not ours to say.
    let mut open = vec![entries.iter()];
    while let Some(level) = open.last_mut() {
        let Some(entry) = level.next() else {
            open.pop();
            continue;
        };
        let indent = "  ".repeat(open.len() - 1);
        let place = file.line_column(entry.span.start);
        writeln!(
            out,
            "{indent}{}  {}:{}",
            headline(entry),
            place.line,
            place.column
        )?;
        open.push(entry.children.iter());
    }
    Ok(())
}

fn headline(entry: &OutlineEntry) -> String {
    let mut text = entry.kind.to_owned();
    if let Some(name) = &entry.name {
        text.push(' ');
        text.push_str(name);
    }
    if !entry.detail.is_empty() {
        // Parameters stand at the name, everything else apart.
        if !entry.detail.starts_with('(') {
            text.push(' ');
        }
        text.push_str(&entry.detail);
    }
    symbi_diagnostics::render::one_line(&text).into_owned()
}
