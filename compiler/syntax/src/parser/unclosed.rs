//! Brackets that were left open: one report a place, however many end there.

use symbi_diagnostics::{Diagnostic, Edit, syntax as codes};

use super::core::Parser;
use crate::kind::SyntaxKind::{self, self as K};
use crate::place::Place;
use crate::tokens::closer;

impl<'t> Parser<'t> {
    /// Reports each place where brackets were left open: one report a place,
    /// however many brackets end there.
    pub(super) fn report_unclosed(&mut self) {
        let mut unclosed = std::mem::take(&mut self.unclosed);
        let mut rest = unclosed.as_slice();
        while let Some(&inner) = rest.first() {
            let close = self.toks[inner].mate;
            let same = rest
                .iter()
                .take_while(|&&open| self.toks[open].mate == close)
                .count();
            let (group, tail) = rest.split_at(same);
            rest = tail;
            self.report_unclosed_group(group, close as usize);
        }
        unclosed.clear();
        self.unclosed = unclosed;
    }

    /// `group` holds the brackets from the innermost to the outermost.
    #[cold]
    fn report_unclosed_group(&mut self, group: &[usize], close: usize) {
        let (Some(&innermost), Some(&outermost)) = (group.first(), group.last()) else {
            return;
        };
        if self.comment_open && close == self.toks.len() {
            return;
        }
        // A cut string that swallowed the closing bracket has been reported.
        let swallowed = (outermost..close.min(self.toks.len())).any(|at| {
            matches!(self.toks[at].kind, K::CutString | K::CutTripleString)
                && self.token_text(at).contains(['}', ')', ']'])
        });
        if swallowed {
            return;
        }
        let closers: String = group
            .iter()
            .filter_map(|&open| closer(self.toks[open].kind)?.fixed_text())
            .collect();
        let last = close.saturating_sub(1).max(innermost);
        let at = Place::After(self.relative(last));
        let open_text = self.token_text(outermost);
        let message = match group.len() {
            1 => format!("this `{open_text}` is never closed: a `{closers}` is missing"),
            n if n <= 8 => format!("{n} brackets are never closed: `{closers}` is missing"),
            n => format!("{n} brackets are never closed"),
        };
        let mut diagnostic = Diagnostic::new(&codes::S0112, at, message)
            .label(if group.len() == 1 {
                format!("`{closers}` is missing here")
            } else {
                "they should be closed here".to_owned()
            })
            .note(
                self.at_token(outermost),
                format!("this `{open_text}` is open"),
            );
        if group.len() <= 8 {
            let mut text = String::new();
            for &open in group {
                let Some(closer) = closer(self.toks[open].kind).and_then(SyntaxKind::fixed_text)
                else {
                    continue;
                };
                let between =
                    &self.text[self.toks[open].start as usize..self.toks[last].end as usize];
                if closer == "}" && between.contains(['\n', '\r']) {
                    text.push('\n');
                    text.push_str(self.indent_of(open));
                } else if closer == "}" {
                    text.push(' ');
                }
                text.push_str(closer);
            }
            diagnostic =
                diagnostic.maybe_fix(format!("write `{closers}`"), vec![Edit { at, text }]);
        }
        self.report(diagnostic);
    }

    /// The blanks before the first token of the line on which a token stands.
    fn indent_of(&self, token: usize) -> &'t str {
        let before = &self.text[..self.toks[token].start as usize];
        let line = &before[before.rfind(['\n', '\r']).map_or(0, |at| at + 1)..];
        let line = line.trim_start_matches('\u{FEFF}');
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }
}
