//! A source file and its table of lines: the one place that turns a byte into
//! a line and a column, for every renderer.

use crate::Span;

/// A file as reports see it: a name to print, its text and its lines.
#[derive(Debug)]
pub struct SourceFile {
    /// What is printed for it: a path as the user wrote it, or `<stdin>`.
    pub name: String,
    /// The whole text, with its BOM if it has one.
    pub text: std::sync::Arc<str>,
    lines: LineTable,
}

impl SourceFile {
    /// A file with its line table.
    pub fn new(name: impl Into<String>, text: impl Into<std::sync::Arc<str>>) -> Self {
        let text = text.into();
        let lines = LineTable::new(&text);
        Self {
            name: name.into(),
            text,
            lines,
        }
    }

    /// Its lines.
    pub fn lines(&self) -> &LineTable {
        &self.lines
    }

    /// Line and column of a byte.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        self.lines.line_column(&self.text, offset)
    }

    /// The span cut to the text and widened to whole characters.
    pub fn clamp(&self, span: Span) -> Span {
        let text = &*self.text;
        let mut start = (span.start as usize).min(text.len());
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let mut end = (span.end as usize).clamp(start, text.len());
        while !text.is_char_boundary(end) {
            end += 1;
        }
        Span::new(start as u32, end as u32)
    }
}

/// A place as people and editors count it. All counts start at 1, except
/// `utf16`, which starts at 0 as the language server protocol has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineColumn {
    /// The line.
    pub line: u32,
    /// The column, in Unicode scalar values: what is printed.
    pub column: u32,
    /// The column in bytes.
    pub byte: u32,
    /// The column in UTF-16 code units, from 0.
    pub utf16: u32,
}

/// Where each line starts. A line ends with LF, CRLF or a lone CR
/// (language.md section 1). A BOM at the start of the file has no column.
#[derive(Debug)]
pub struct LineTable {
    starts: Vec<u32>,
    /// Bytes of the BOM: 0 or 3.
    bom: u32,
}

impl LineTable {
    /// The table of a text.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, &byte) in bytes.iter().enumerate() {
            if byte == b'\n' || (byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')) {
                starts.push(at as u32 + 1);
            }
        }
        let bom = if text.starts_with('\u{FEFF}') { 3 } else { 0 };
        Self { starts, bom }
    }

    /// How many lines there are; an empty text has one.
    pub fn len(&self) -> u32 {
        self.starts.len() as u32
    }

    /// Never true: every text has a line.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The line of a byte, counted from 0.
    pub fn line_of(&self, offset: u32) -> u32 {
        self.starts.partition_point(|&start| start <= offset) as u32 - 1
    }

    /// The first byte of a line counted from 0 (after the BOM on the first
    /// line); the end of the last line for a line that does not exist.
    pub fn start_of(&self, line: u32) -> u32 {
        match self.starts.get(line as usize) {
            Some(0) => self.bom,
            Some(&start) => start,
            None => u32::MAX,
        }
    }

    /// Line and column of a byte of `text`, the text this table was made of.
    pub fn line_column(&self, text: &str, offset: u32) -> LineColumn {
        let mut offset = (offset as usize).min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line_of(offset as u32);
        let start = (self.start_of(line) as usize).min(offset);
        let before = &text[start..offset];
        LineColumn {
            line: line + 1,
            column: before.chars().count() as u32 + 1,
            byte: before.len() as u32 + 1,
            utf16: before.encode_utf16().count() as u32,
        }
    }
}
