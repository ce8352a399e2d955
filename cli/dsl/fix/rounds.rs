//! The fixes of one project, round by round: apply what does not get in each
//! other's way, check again, and take back what made anything worse.
//!
//! Nothing is written here: what came of each file is left in its [`Sheet`].

use symbi_diagnostics::{Code, Diagnostic, Edit, Span};

use super::choose::{Candidate, choose, comments};
use super::compare::{Said, fresh};
use super::patch::{Patch, apply, forward};
use crate::project::Program;

/// Rounds after which it ends, done or not. Each mends all that does not
/// overlap, so that more than three are rare.
pub const ROUNDS: usize = 10;

/// How often parts of a round are tried to find the fixes that do harm. Each
/// try checks the files concerned again; what is not known by then is left out.
const TRIES: usize = 64;

/// Which file of a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Which of its sources.
    Source(usize),
    /// Which of the files beside them.
    Beside(usize),
}

/// One file, and what is done to it.
pub struct Sheet {
    /// Which.
    pub place: Place,
    /// Whether it may be changed.
    asked: bool,
    /// Its text before.
    pub old: String,
    /// Its text so far.
    pub text: String,
    /// What there is to say about that.
    pub reports: Vec<Diagnostic>,
    /// From the one text to the other.
    pub patch: Patch,
    /// What was mended; the places are of the old text.
    pub fixed: Vec<Fixed>,
    /// What was tried and does harm; the places are of the text so far.
    pub refused: Vec<Refused>,
}

/// A problem that is mended.
pub struct Fixed {
    /// Its kind.
    pub code: &'static Code,
    /// The report about it.
    pub message: String,
    /// What was done.
    pub title: String,
    /// Where the report was.
    pub at: Span,
}

/// A fix that would have led to something worse.
pub struct Refused {
    code: &'static Code,
    title: String,
    /// Where its report is.
    pub at: Span,
    /// To what, or why that is not known.
    harm: Harm,
}

/// Why a fix is left out.
#[derive(Clone)]
enum Harm {
    /// It leads to this report.
    Report(String),
    /// It takes this comment away.
    Comment(String),
    /// It was among those that do harm, and there was no time to find out.
    Unknown,
}

impl Refused {
    /// In a sentence.
    pub fn told(&self) -> String {
        let Refused {
            code, title, harm, ..
        } = self;
        let because = match harm {
            Harm::Report(report) => format!("it would lead to {report}"),
            Harm::Comment(comment) => format!("it would lose the comment `{comment}`"),
            Harm::Unknown => {
                "some fixes here make things worse, and it may be one of them".to_owned()
            }
        };
        format!("the fix of {} ({title}) is left out: {because}", code.id)
    }
}

/// Whether all was mended that can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ended {
    /// Another run would find nothing to do.
    Done,
    /// There may be more to do.
    TooManyRounds,
}

/// Applies the fixes of a project; `asked` says which of its files may be
/// changed. The program holds the new texts afterwards.
pub fn fix(program: &mut Program, asked: impl Fn(&Program, Place) -> bool) -> (Vec<Sheet>, Ended) {
    let mut sheets = sheets(program, asked);
    // Whether anything was mended since the refused ones were refused.
    let mut progress = false;
    for _ in 0..ROUNDS {
        let mut chosen = choices(&mut sheets);
        if chosen.iter().all(Vec::is_empty) && progress {
            // What did harm then may do none now; it would not in a second
            // run, and a second run shall have nothing to do.
            progress = false;
            for sheet in &mut sheets {
                sheet.refused.clear();
            }
            chosen = choices(&mut sheets);
        }
        if chosen.iter().all(Vec::is_empty) {
            return (sheets, Ended::Done);
        }
        let mut round = Round::new(program, &mut sheets, chosen);
        round.settle_files();
        round.settle_project();
        progress |= round.keep();
    }
    let left = choices(&mut sheets).iter().any(|chosen| !chosen.is_empty());
    let ended = if left || progress && sheets.iter().any(|sheet| !sheet.refused.is_empty()) {
        Ended::TooManyRounds
    } else {
        Ended::Done
    };
    (sheets, ended)
}

fn sheets(program: &Program, asked: impl Fn(&Program, Place) -> bool) -> Vec<Sheet> {
    let sources = program
        .members()
        .iter()
        .enumerate()
        .filter_map(|(index, member)| {
            let decoded = member.text.as_ref().ok()?;
            // The bytes that are no text would be lost.
            let place = Place::Source(index);
            Some((
                place,
                &*decoded.text,
                decoded.invalid.is_empty(),
                program.reports(index),
            ))
        });
    let besides = program
        .beside()
        .iter()
        .enumerate()
        .filter_map(|(index, beside)| {
            let text = beside.text.as_ref().ok()?;
            Some((Place::Beside(index), &**text, true, beside.reports.clone()))
        });
    let sheet = |(place, text, whole, reports): (Place, &str, bool, Vec<Diagnostic>)| Sheet {
        place,
        asked: whole && asked(program, place),
        old: text.to_owned(),
        text: text.to_owned(),
        reports,
        patch: Patch::default(),
        fixed: Vec::new(),
        refused: Vec::new(),
    };
    sources.chain(besides).map(sheet).collect()
}

/// What is to be applied to each.
fn choices(sheets: &mut [Sheet]) -> Vec<Vec<Candidate>> {
    sheets.iter_mut().map(Sheet::choices).collect()
}

impl Sheet {
    fn choices(&mut self) -> Vec<Candidate> {
        if !self.asked {
            return Vec::new();
        }
        let mut known: Option<Vec<Span>> = None;
        loop {
            let mut chosen = choose(&self.text, &self.reports, |it| self.refuses(it));
            if chosen.is_empty() || matches!(self.place, Place::Beside(_)) {
                return chosen;
            }
            let comments = known.get_or_insert_with(|| comments(&self.text));
            let lost = |it: &Candidate| it.loses(&self.text, comments);
            let losing: Vec<(Candidate, Span)> = chosen
                .extract_if(.., |it| lost(it).is_some())
                .filter_map(|it| lost(&it).map(|span| (it, span)))
                .collect();
            if losing.is_empty() {
                return chosen;
            }
            // What they stood in the way of comes now.
            for (candidate, span) in losing {
                let comment = self.text[span.range()].to_owned();
                self.refuse(&candidate, Harm::Comment(comment));
            }
        }
    }

    fn refuses(&self, candidate: &Candidate) -> bool {
        self.refused.iter().any(|refused| {
            (refused.code, refused.at.start, &refused.title)
                == (candidate.code, candidate.at.start, &candidate.title)
        })
    }

    fn refuse(&mut self, candidate: &Candidate, harm: Harm) {
        self.refused.push(Refused {
            code: candidate.code,
            title: candidate.title.clone(),
            at: candidate.at,
            harm,
        });
    }

    /// The first thing that is worse with these reports about another text of it.
    fn harm(&self, text: &str, reports: &[Diagnostic]) -> Option<Harm> {
        let before = Said {
            text: &self.text,
            reports: &self.reports,
        };
        let fresh = fresh(before, Said { text, reports });
        let first = fresh.first()?;
        Some(Harm::Report(format!("{} {}", first.code.id, first.message)))
    }
}

/// One round.
struct Round<'r> {
    program: &'r mut Program,
    sheets: &'r mut [Sheet],
    chosen: Vec<Vec<Candidate>>,
    /// Of each file, which of its fixes are applied.
    applied: Vec<Vec<usize>>,
    /// What the program holds for each file, as far as it is another text than
    /// that of the sheet.
    held: Vec<Option<String>>,
}

impl<'r> Round<'r> {
    fn new(program: &'r mut Program, sheets: &'r mut [Sheet], chosen: Vec<Vec<Candidate>>) -> Self {
        Round {
            applied: vec![Vec::new(); chosen.len()],
            held: vec![None; chosen.len()],
            program,
            sheets,
            chosen,
        }
    }

    /// Tries all fixes at once; in files that are worse for it, halves of them,
    /// down to the one that does harm. Files are judged by what is said about
    /// themselves.
    fn settle_files(&mut self) {
        let mut waiting: Vec<Vec<Vec<usize>>> = self
            .chosen
            .iter()
            .map(|chosen| match chosen.len() {
                0 => Vec::new(),
                count => vec![(0..count).collect()],
            })
            .collect();
        for tries in 0.. {
            let mut tried: Vec<(usize, Vec<usize>)> = Vec::new();
            for (index, groups) in waiting.iter_mut().enumerate() {
                if let Some(group) = groups.pop() {
                    tried.push((index, group));
                }
            }
            if tried.is_empty() {
                return;
            }
            if tries == TRIES {
                for (index, group) in tried {
                    let rest = std::mem::take(&mut waiting[index]);
                    for number in rest.into_iter().flatten().chain(group) {
                        self.sheets[index].refuse(&self.chosen[index][number], Harm::Unknown);
                    }
                }
                return self.hold_applied();
            }
            let texts = tried.iter().map(|(index, group)| {
                let both = self.applied[*index].iter().chain(group).copied();
                (*index, self.text_with(*index, both.collect()))
            });
            let texts: Vec<(usize, String)> = texts.collect();
            self.hold(texts);
            for (index, group) in tried {
                match (self.harm(index), &*group) {
                    (None, _) => self.applied[index].extend(group),
                    (Some(harm), [only]) => {
                        self.sheets[index].refuse(&self.chosen[index][*only], harm);
                    }
                    (Some(_), _) => {
                        let (first, second) = group.split_at(group.len() / 2);
                        waiting[index].extend([second.to_vec(), first.to_vec()]);
                    }
                }
            }
            self.hold_applied();
        }
    }

    /// Checks the whole project. If any file is worse for what was done to
    /// others, finds these and takes back what was done to them.
    fn settle_project(&mut self) {
        if self.project_harm().is_none() {
            return;
        }
        let changed: Vec<usize> = (0..self.applied.len())
            .filter(|&index| !self.applied[index].is_empty())
            .collect();
        let wanted = std::mem::replace(&mut self.applied, vec![Vec::new(); self.chosen.len()]);
        let mut waiting = vec![changed];
        for tries in 0.. {
            let Some(group) = waiting.pop() else { return };
            for &index in &group {
                self.applied[index].clone_from(&wanted[index]);
            }
            self.hold_applied();
            let harm = match tries < TRIES {
                true => self.project_harm(),
                false => Some(Harm::Unknown),
            };
            let Some(harm) = harm else { continue };
            for &index in &group {
                self.applied[index].clear();
            }
            self.hold_applied();
            if group.len() == 1 || tries >= TRIES {
                for &index in &group {
                    for &number in &wanted[index] {
                        let candidate = &self.chosen[index][number];
                        self.sheets[index].refuse(candidate, harm.clone());
                    }
                }
            } else {
                let (first, second) = group.split_at(group.len() / 2);
                waiting.extend([second.to_vec(), first.to_vec()]);
            }
        }
    }

    /// The first thing that is worse anywhere.
    fn project_harm(&self) -> Option<Harm> {
        (0..self.sheets.len()).find_map(|index| self.harm(index))
    }

    /// The first thing that is worse in a file.
    fn harm(&self, index: usize) -> Option<Harm> {
        let sheet = &self.sheets[index];
        let reports = self.reports(index);
        sheet.harm(self.text(index), &reports)
    }

    fn text(&self, index: usize) -> &str {
        self.held[index]
            .as_ref()
            .unwrap_or(&self.sheets[index].text)
    }

    fn reports(&self, index: usize) -> Vec<Diagnostic> {
        match self.sheets[index].place {
            Place::Source(member) => self.program.reports(member),
            Place::Beside(beside) => self.program.beside()[beside].reports.clone(),
        }
    }

    fn text_with(&self, index: usize, fixes: Vec<usize>) -> String {
        apply(&self.sheets[index].text, &self.edits(index, fixes))
    }

    fn edits(&self, index: usize, mut fixes: Vec<usize>) -> Vec<Edit> {
        fixes.sort_unstable();
        let edits = fixes.iter().map(|&fix| &self.chosen[index][fix].edits);
        let mut edits: Vec<Edit> = edits.flatten().cloned().collect();
        // One fix may stand between the parts of another.
        edits.sort_by_key(|edit| edit.at);
        edits
    }

    /// Lets the program hold what is applied, and nothing else.
    fn hold_applied(&mut self) {
        let texts = (0..self.applied.len()).map(|index| {
            (
                index,
                match self.applied[index].is_empty() {
                    true => self.sheets[index].text.clone(),
                    false => self.text_with(index, self.applied[index].clone()),
                },
            )
        });
        let texts: Vec<(usize, String)> = texts.collect();
        self.hold(texts);
    }

    fn hold(&mut self, texts: Vec<(usize, String)>) {
        let mut besides = Vec::new();
        for (index, text) in texts {
            if self.text(index) == text {
                continue;
            }
            match self.sheets[index].place {
                Place::Source(member) => self.program.set_text(member, &text),
                Place::Beside(beside) => besides.push((beside, text.clone())),
            }
            self.held[index] = (text != self.sheets[index].text).then_some(text);
        }
        self.program.set_beside(besides);
    }

    /// Takes over what is applied. Whether that is anything.
    fn keep(self) -> bool {
        let mut any = false;
        for index in 0..self.sheets.len() {
            let reports = self.reports(index);
            let numbers = &self.applied[index];
            let edits = self.edits(index, numbers.clone());
            let sheet = &mut self.sheets[index];
            sheet.reports = reports;
            if numbers.is_empty() {
                continue;
            }
            any = true;
            let back = sheet.patch.back();
            let span =
                |at: Span, place: &dyn Fn(u32) -> u32| Span::new(place(at.start), place(at.end));
            for &number in numbers {
                let candidate = &self.chosen[index][number];
                sheet.fixed.push(Fixed {
                    code: candidate.code,
                    message: candidate.message.clone(),
                    title: candidate.title.clone(),
                    at: span(candidate.at, &back),
                });
            }
            let forward = forward(&edits);
            for refused in &mut sheet.refused {
                refused.at = span(refused.at, &forward);
            }
            sheet.patch = sheet.patch.then(&edits);
            sheet.text = apply(&sheet.text, &edits);
        }
        any
    }
}
