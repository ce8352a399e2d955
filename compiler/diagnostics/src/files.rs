//! A source file and its table of lines: the one place that turns a byte into
//! a line and a column, for every renderer.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use crate::Span;

/// A file as reports see it: a name to print, its text and its lines.
#[derive(Debug)]
pub struct SourceFile {
    /// What is printed for it: a path as the user wrote it, or `<stdin>`.
    pub name: String,
    /// The whole text, with its BOM if it has one.
    pub text: Arc<str>,
    /// Made when first asked for: a file without reports needs none.
    lines: OnceLock<LineTable>,
}

impl SourceFile {
    /// A file; its line table is made when a report first needs it.
    pub fn new(name: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
            lines: OnceLock::new(),
        }
    }

    /// Its lines.
    pub fn lines(&self) -> &LineTable {
        self.lines.get_or_init(|| LineTable::new(&self.text))
    }

    /// Line and column of a byte.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        self.lines().line_column(&self.text, offset)
    }

    /// The bytes of a line counted from 0, without its BOM and its line end;
    /// empty at the end of the text for a line that does not exist.
    pub fn line_range(&self, line: u32) -> Range<usize> {
        let text = self.text.as_bytes();
        let start = (self.lines().start_of(line) as usize).min(text.len());
        let mut end = match line.checked_add(1) {
            Some(next) => (self.lines().start_of(next) as usize).min(text.len()),
            None => text.len(),
        };
        if end > start && text[end - 1] == b'\n' {
            end -= 1;
        }
        if end > start && text[end - 1] == b'\r' {
            end -= 1;
        }
        start..end
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
    /// What stands before each multiple of [`STEP`] bytes. Without them every
    /// column in a file of one long line would cost a walk through all of it.
    /// Empty for a text of ASCII alone, where all counts are the same.
    counts: Vec<Counts>,
}

/// Bytes between two entries of `LineTable::counts`.
const STEP: usize = 1024;

/// Bytes that are looked at as one; fewer than 256, so that a byte can hold a
/// count of them.
const BLOCK: usize = 64;

/// Characters in some bytes from the start of the text.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    scalars: u32,
    utf16: u32,
}

impl Counts {
    /// These and the characters that begin in `bytes`.
    fn and(self, bytes: &[u8]) -> Self {
        // A byte of 0b10xx_xxxx continues a character; only a character of
        // four bytes, led by 0b1111_0xxx, is a pair of units in UTF-16.
        // Counting in bytes, so that a machine counts many at once.
        let (mut scalars, mut pairs) = (0, 0);
        for block in bytes.chunks(BLOCK) {
            let count = |is: fn(u8) -> bool| block.iter().map(|&b| u8::from(is(b))).sum::<u8>();
            scalars += u32::from(count(|byte| (byte as i8) >= -0x40));
            pairs += u32::from(count(|byte| byte >= 0xF0));
        }
        Self {
            scalars: self.scalars + scalars,
            utf16: self.utf16 + scalars + pairs,
        }
    }
}

impl LineTable {
    /// The table of a text.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (number, block) in bytes.chunks(BLOCK).enumerate() {
            // Without a branch a byte, so that blocks within a line fly by.
            let ends = block.iter().fold(false, |ends, &byte| {
                ends | (byte == b'\n') | (byte == b'\r')
            });
            if !ends {
                continue;
            }
            for (at, &byte) in block.iter().enumerate() {
                let next = number * BLOCK + at + 1;
                if byte == b'\n' || (byte == b'\r' && bytes.get(next) != Some(&b'\n')) {
                    starts.push(next as u32);
                }
            }
        }
        let bom = if text.starts_with('\u{FEFF}') { 3 } else { 0 };
        let mut counts = Vec::new();
        if !text.is_ascii() {
            let mut before = Counts::default();
            for chunk in bytes.chunks(STEP) {
                counts.push(before);
                before = before.and(chunk);
            }
            // For an offset at the end of a text of whole steps.
            counts.push(before);
        }
        Self {
            starts,
            bom,
            counts,
        }
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
        let before = self.counts_at(text, offset);
        let line_before = self.counts_at(text, start);
        LineColumn {
            line: line + 1,
            column: before.scalars - line_before.scalars + 1,
            byte: (offset - start) as u32 + 1,
            utf16: before.utf16 - line_before.utf16,
        }
    }

    /// What stands before a byte; it costs at most one step, whatever the
    /// length of the line.
    fn counts_at(&self, text: &str, offset: usize) -> Counts {
        match self.counts.get(offset / STEP) {
            Some(counts) => counts.and(&text.as_bytes()[offset / STEP * STEP..offset]),
            None => Counts {
                scalars: offset as u32,
                utf16: offset as u32,
            },
        }
    }
}
