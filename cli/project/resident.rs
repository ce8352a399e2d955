//! Projects that stay in memory while their texts change, for what checks the
//! same files again and again.
//!
//! The verdicts are those of [`Projects`](super::Projects): the same files are
//! read, in the same groups, and the same checks answer.

use std::collections::{BTreeMap, HashMap};
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use symbi_analysis::{Analysis, Settings};
use symbi_diagnostics::Diagnostic;
use symbi_syntax::Decoded;

use super::beside::{self, Beside, Found};
use super::groups::{Group, Roots, groups, others, shown};
use crate::parallel;
use crate::sources::{Problem, Source};

/// The projects of some sources.
#[derive(Default)]
pub struct Resident {
    programs: BTreeMap<Group, Program>,
    /// For each source its group and its place in it.
    places: Vec<(Group, usize)>,
}

/// One project: its files, and what stands beside them.
pub struct Program {
    analysis: Analysis,
    members: Vec<Member>,
    found: Found,
    hints: bool,
}

/// A file of a project.
pub struct Member {
    /// Which of the requested sources it is; `None` if nobody asked about it.
    pub source: Option<usize>,
    /// The file that it is, if it is one.
    pub file: Option<PathBuf>,
    /// What it holds, or why that is not known.
    pub text: Result<Decoded, Problem>,
    /// What the analysis calls it.
    key: Arc<str>,
    /// What the system said about the file before it was read.
    stamp: Option<Stamp>,
    /// Whether that, or the text, is another one than before.
    fresh: bool,
}

/// Tells whether a file may have been written since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<std::time::SystemTime>,
    /// Device, number, and when anything of it was changed last.
    #[cfg(unix)]
    node: (u64, u64, i64, i64),
}

impl Stamp {
    fn of(path: &Path) -> Option<Self> {
        std::fs::metadata(path).ok().map(|it| Self::new(&it))
    }

    fn new(metadata: &Metadata) -> Self {
        Stamp {
            length: metadata.len(),
            modified: metadata.modified().ok(),
            #[cfg(unix)]
            node: {
                use std::os::unix::fs::MetadataExt;
                let (second, rest) = (metadata.ctime(), metadata.ctime_nsec());
                (metadata.dev(), metadata.ino(), second, rest)
            },
        }
    }
}

impl Resident {
    /// Reads the sources and what belongs to them, as they are now. Files that
    /// the system says are the same, and for which `written` does not hold, are
    /// not read again.
    pub fn read(&mut self, requested: &[Source], hints: bool, written: &dyn Fn(&Path) -> bool) {
        let mut roots = Roots::default();
        let mut before = std::mem::take(&mut self.programs);
        let nowhere = (Group::Loose, usize::MAX);
        self.places = vec![nowhere; requested.len()];
        for (group, numbers) in groups(requested, &mut roots) {
            let (others, found) = match &group {
                Group::Root(root) => (
                    others(requested, &numbers, root, &mut roots),
                    beside::read(&shown(root), hints),
                ),
                Group::Loose | Group::Alone(_) => (Vec::new(), Found::default()),
            };
            let asked = numbers
                .iter()
                .map(|&number| (&requested[number], Some(number)));
            let sources: Vec<(&Source, Option<usize>)> = asked
                .chain(others.iter().map(|source| (source, None)))
                .collect();
            for (place, &number) in numbers.iter().enumerate() {
                self.places[number] = (group.clone(), place);
            }
            let mut program = before.remove(&group).unwrap_or_else(|| Program {
                analysis: Analysis::new(),
                members: Vec::new(),
                found: Found::default(),
                hints,
            });
            program.read(&sources, written);
            program.found = found;
            program.set_surroundings();
            self.programs.insert(group, program);
        }
    }

    /// Its projects.
    pub fn programs(&self) -> impl Iterator<Item = &Program> {
        self.programs.values()
    }

    /// Its projects, to be changed.
    pub fn programs_mut(&mut self) -> impl Iterator<Item = &mut Program> {
        self.programs.values_mut()
    }

    /// Whether a source was read because it may have changed.
    pub fn is_fresh(&self, source: usize) -> bool {
        let (group, place) = &self.places[source];
        let program = self.programs.get(group);
        let member = program.and_then(|program| program.members.get(*place));
        member.is_some_and(|member| member.fresh)
    }

    /// What there is to say about a source, with its text.
    ///
    /// # Errors
    /// Why it could not be read.
    pub fn check(&self, source: usize) -> Result<(Arc<str>, Vec<Diagnostic>), Problem> {
        let (group, place) = &self.places[source];
        let program = self.programs.get(group).ok_or(Problem::Missing)?;
        let member = program.members.get(*place).ok_or(Problem::Missing)?;
        let text = member.text.as_ref().map_err(Problem::clone)?.text.clone();
        Ok((text, program.reports(*place)))
    }
}

impl Program {
    fn read(&mut self, sources: &[(&Source, Option<usize>)], written: &dyn Fn(&Path) -> bool) {
        let mut before: HashMap<Arc<str>, Member> = std::mem::take(&mut self.members)
            .into_iter()
            .map(|member| (member.key.clone(), member))
            .collect();
        let mut stale: Vec<(usize, &Source)> = Vec::new();
        let mut members: Vec<Member> = Vec::with_capacity(sources.len());
        let mut keys: HashMap<Arc<str>, usize> = HashMap::new();
        for (index, (source, number)) in sources.iter().enumerate() {
            let file = source.file().map(Path::to_owned);
            let stamp = file.as_deref().and_then(Stamp::of);
            let key = unique(&source.name, &mut keys);
            let known = before.remove(&key).filter(|member| member.file == file);
            // Times are as coarse as the system has them, so what is known to
            // have been written is read whatever they say.
            let stands = known.as_ref().is_some_and(|member| {
                stamp.is_some() && member.stamp == stamp && member.text.is_ok()
            });
            if !stands || file.as_deref().is_some_and(written) {
                stale.push((index, source));
            }
            members.push(Member {
                source: *number,
                file,
                fresh: !stands,
                text: known.map_or(Err(Problem::Missing), |member| member.text),
                key,
                stamp,
            });
        }
        let mut order = stale.iter();
        let read = |(_, source): &(usize, &Source)| source.read().map(symbi_syntax::decode);
        let done = |text| -> Result<(), std::convert::Infallible> {
            if let Some((index, _)) = order.next() {
                let member = &mut members[*index];
                member.fresh |= member.text != text;
                member.text = text;
            }
            Ok(())
        };
        let Ok(()) = parallel::in_order(&stale, read, done);
        // What is gone, and what cannot be read any more.
        let mut gone: Vec<Arc<str>> = before.into_keys().collect();
        gone.sort();
        let read = members.iter().filter_map(|member| {
            let decoded = member.text.as_ref().ok()?;
            Some((&*member.key, decoded.clone()))
        });
        self.analysis.set_files(read);
        let unread = members.iter().filter(|member| member.text.is_err());
        gone.extend(unread.map(|member| member.key.clone()));
        for key in gone {
            self.analysis.remove_file(&key);
        }
        self.members = members;
    }

    fn set_surroundings(&mut self) {
        self.analysis.set_tools(self.found.tools.clone());
        self.analysis.set_settings(Settings {
            hints: self.hints || self.found.settings.hints,
            ..self.found.settings.clone()
        });
    }

    /// Its files: first those that were asked about.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// What stands beside them.
    pub fn beside(&self) -> &[Beside] {
        &self.found.files
    }

    /// All there is to say about a file.
    pub fn reports(&self, member: usize) -> Vec<Diagnostic> {
        let member = self.members.get(member);
        let reports = member.and_then(|member| self.analysis.diagnostics(&member.key));
        reports.unwrap_or_default()
    }

    /// Gives a file another text, here and not on the disk.
    pub fn set_text(&mut self, member: usize, text: &str) {
        let member = &mut self.members[member];
        let decoded = symbi_syntax::decode(text.as_bytes().to_vec());
        self.analysis.set_file(&member.key, decoded.clone());
        member.text = Ok(decoded);
    }

    /// Gives files beside the sources other texts, here and not on the disk.
    pub fn set_beside(&mut self, texts: impl IntoIterator<Item = (usize, String)>) {
        let mut any = false;
        for (index, text) in texts {
            self.found.files[index].text = Ok(text);
            any = true;
        }
        if any {
            self.found.read_texts();
            self.set_surroundings();
        }
    }
}

/// A name for the analysis: two paths may be printed in the same way.
fn unique(name: &str, known: &mut HashMap<Arc<str>, usize>) -> Arc<str> {
    let count = known.entry(name.into()).or_default();
    *count += 1;
    match count {
        1 => name.into(),
        count => format!("{name} ({count})").into(),
    }
}
