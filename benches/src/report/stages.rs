//! The stages one by one, in this process: lex, parse, format.

use std::sync::Arc;
use std::time::Duration;

use symbi_syntax::File;

use super::{BYTES, Inputs, Limit, On, RUNS, Report, Row};
use crate::Error;
use crate::clock::{best, mb_per_second};
use crate::corpus::Generated;

/// Tokens, the tree with its reports, and formatted text, of 5 MB.
pub(super) fn rows(inputs: &Inputs, report: &mut Report) -> Result<(), Error> {
    let made = &inputs.large;
    let bytes = made.text.len();
    let size = BYTES / 1_000_000;
    for stage in Stage::ALL {
        let time = stage.best(made, RUNS)?;
        let row = Row::new(
            format!("{}, {size} MB", stage.words()),
            mb_per_second(bytes, time),
            "MB/s",
        );
        report.rows.push(match stage {
            Stage::Lex => row,
            Stage::Parse => row.goal(On::Ours, Limit::AtLeast(150.0)),
            Stage::Format => row.goal(On::Ours, Limit::AtLeast(40.0)),
        });
    }
    Ok(())
}

/// A stage of the front end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Lex,
    Parse,
    Format,
}

impl Stage {
    pub(super) const ALL: [Stage; 3] = [Stage::Lex, Stage::Parse, Stage::Format];

    pub(super) fn words(self) -> &'static str {
        match self {
            Stage::Lex => "lex",
            Stage::Parse => "parse (tokens, tree, reports)",
            Stage::Format => "format (parse included)",
        }
    }

    /// The best CPU time of several runs, each checked.
    pub(super) fn best(self, made: &Generated, runs: usize) -> Result<Duration, Error> {
        let text: Arc<str> = made.text.as_str().into();
        match self {
            Stage::Lex => best(
                runs,
                || symbi_syntax::lex(&text),
                |tokens| {
                    let end = tokens.last().map_or(0, |(_, span)| span.end as usize);
                    right(end == text.len(), || {
                        format!("the tokens end at byte {end}")
                    })
                },
            ),
            Stage::Parse => best(
                runs,
                || {
                    let file = File::parse(text.clone());
                    let reports = file.diagnostics();
                    (file, reports)
                },
                |(file, reports)| {
                    let (items, reports) = (file.items().len(), reports.len());
                    right(items == made.items && reports == 0, || {
                        format!(
                            "{items} items and {reports} reports where {} and 0 are right",
                            made.items
                        )
                    })
                },
            ),
            Stage::Format => best_format(&text, runs),
        }
    }
}

/// The first result is parsed and formatted again; the others must equal it.
fn best_format(text: &Arc<str>, runs: usize) -> Result<Duration, Error> {
    let first = format(text)?;
    let again = File::parse(first.as_str());
    right(again.diagnostics().is_empty(), || {
        "what was formatted has reports".to_owned()
    })?;
    right(format(again.text())? == first, || {
        "formatting twice is not formatting once".to_owned()
    })?;
    best(
        runs,
        || format(text),
        |formatted| {
            let same = formatted
                .as_ref()
                .is_ok_and(|formatted| *formatted == first);
            right(same, || {
                "formatting gives one text here and another there".to_owned()
            })
        },
    )
}

/// Text to formatted text, as `symbi fmt` does it for one file: it parses, and
/// it reads its own result again before anybody else does.
fn format(text: &Arc<str>) -> Result<String, Error> {
    symbi_syntax::format::format_text(text).map_err(|error| Error::Wrong(error.to_string()))
}

fn right(is_right: bool, what: impl FnOnce() -> String) -> Result<(), Error> {
    if is_right {
        Ok(())
    } else {
        Err(Error::Wrong(what()))
    }
}
