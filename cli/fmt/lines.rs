//! `--lines FROM-TO`: which bytes of a file stand on these lines.

use std::ops::Range;

use symbi_diagnostics::SourceFile;

/// Lines of a file, from 1, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    from: u32,
    to: u32,
}

impl Lines {
    /// Reads `10-25`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.parse::<u32>().ok().filter(|number| *number > 0);
        let both = text.split_once('-');
        match both.and_then(|(from, to)| Some((number(from)?, number(to)?))) {
            Some((from, to)) if from > to => Err(format!("line {from} comes after line {to}")),
            Some((from, to)) => Ok(Self { from, to }),
            None => Err("write two line numbers, from 1, such as 10-25".to_owned()),
        }
    }

    /// The bytes that stand on these lines, without the last one's line end:
    /// how the line behind is indented is not asked for. Lines that the file
    /// does not have hold nothing.
    pub fn bytes(self, file: &SourceFile) -> Option<Range<u32>> {
        let first = self.from - 1;
        let count = file.lines().len();
        if first >= count {
            return None;
        }
        let start = file.lines().start_of(first);
        if self.to >= count {
            return Some(start..file.text.len() as u32);
        }
        let end = file.line_range(self.to - 1).end as u32;
        // Where a line ends, the space to the next one begins, and to touch the
        // beginning of it is to want it.
        Some(start..end.saturating_sub(1).max(start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_two_numbers_from_one() {
        let lines = |from, to| Ok(Lines { from, to });
        assert_eq!(Lines::parse("3-10"), lines(3, 10));
        assert_eq!(Lines::parse("7-7"), lines(7, 7));
        assert_eq!(
            Lines::parse("10-3"),
            Err("line 10 comes after line 3".to_owned())
        );
        for wrong in ["", "3", "3-", "-3", "0-3", "a-b", "1-2-3", "1-99999999999"] {
            let complaint = Lines::parse(wrong).unwrap_err();
            assert!(complaint.starts_with("write two"), "{wrong}: {complaint}");
        }
    }

    #[test]
    fn the_line_end_is_not_on_the_line() {
        let file = SourceFile::new("x", "ab\n\r\ncd\r\n");
        let bytes = |from, to| Lines { from, to }.bytes(&file);
        assert_eq!(bytes(1, 1), Some(0..1));
        assert_eq!(bytes(2, 2), Some(3..3));
        assert_eq!(bytes(1, 3), Some(0..6));
        assert_eq!(bytes(3, 3), Some(5..6));
        assert_eq!(bytes(3, 99), Some(5..9));
        assert_eq!(bytes(5, 6), None);
    }
}
