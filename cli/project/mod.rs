//! Which sources belong together, and what stands beside them.
//!
//! The project of a file is the nearest folder upwards that holds a
//! `symbiont.toml`, with all sources below it that git does not ignore. Files
//! without such a folder that are checked together are one project; a text
//! that is no file is a project of its own. The files of a project that nobody
//! asked about are read for their declarations, and nothing is said about
//! them.

mod beside;
mod groups;
mod resident;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use symbi_analysis::{Admission, OneShot, Settings, Summary};
use symbi_diagnostics::Diagnostic;
use symbi_ir::{Module, Tool};

use crate::sources::{self, Problem, Source};
use crate::{Stop, parallel};
use groups::{Group, Roots, groups, others, shown};

pub use beside::{Beside, folders as folders_beside, is_policy, run_with, stands_beside};
pub use groups::roots;
pub use resident::{Program, Resident};

/// The name of the file that makes a folder a project.
pub const PROJECT_FILE: &str = "symbiont.toml";

/// Trees of so many bytes of text are kept between the two looks at a file;
/// beyond, a file is parsed again when its turn has come.
const KEPT_TREES: usize = 8 << 20;

/// What sources are called in a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    /// As the user knows them.
    Given,
    /// By their path from the root of their project, with `/` between its
    /// parts: the same wherever the project lies.
    FromRoot,
}

/// The projects of some sources, ready to be checked.
pub struct Projects {
    programs: Vec<OneShot>,
    /// The root of each, the tools as a compiled program has them, and what the
    /// project decides.
    roots: Vec<(Option<PathBuf>, Vec<Tool>, Settings)>,
    /// For each source, its program and its place in it.
    places: Vec<Result<(usize, usize), Problem>>,
    /// Project files and manifests, in the order of their projects.
    pub beside: Vec<Beside>,
    /// How many files were read for their declarations only.
    pub read_besides: usize,
    /// Bytes of text whose trees are kept, over all projects.
    kept: AtomicUsize,
}

impl Projects {
    /// Reads the sources and what belongs to them.
    pub fn load(requested: &[Source], hints: bool) -> Result<Self, Stop> {
        Self::load_as(requested, hints, Naming::Given)
    }

    /// Reads the sources and what belongs to them, and names the sources so.
    pub fn load_as(requested: &[Source], hints: bool, naming: Naming) -> Result<Self, Stop> {
        let mut roots = Roots::default();
        let mut projects = Projects {
            programs: Vec::new(),
            roots: Vec::new(),
            places: requested.iter().map(|_| Err(Problem::Missing)).collect(),
            beside: Vec::new(),
            read_besides: 0,
            kept: AtomicUsize::new(0),
        };
        for (group, members) in groups(requested, &mut roots) {
            projects.add(requested, &group, &members, (hints, naming), &mut roots)?;
        }
        Ok(projects)
    }

    fn add(
        &mut self,
        requested: &[Source],
        group: &Group,
        members: &[usize],
        (hints, naming): (bool, Naming),
        roots: &mut Roots,
    ) -> Result<(), Stop> {
        let (others, found) = match group {
            Group::Root(root) => (
                others(requested, members, root, roots),
                beside::read(&shown(root), hints),
            ),
            Group::Loose | Group::Alone(_) => (Vec::new(), beside::Found::default()),
        };
        self.read_besides += others.len();
        let root = match (group, naming) {
            (_, Naming::Given) | (Group::Alone(_), _) => None,
            (Group::Root(root), _) => Some(root.clone()),
            (Group::Loose, _) => common(requested, members),
        };
        let name = |source: &Source| match source.file().zip(root.as_deref()) {
            Some((file, root)) => inside(root, file),
            None => source.name.clone(),
        };
        let kept = &self.kept;
        let read = |source: &Source, checked: bool| -> Result<Summary, Problem> {
            let decoded = symbi_syntax::decode(source.read()?);
            let size = decoded.text.len();
            let keep = checked && kept.fetch_add(size, Ordering::Relaxed) + size <= KEPT_TREES;
            Ok(Summary::new(name(source), decoded, keep))
        };
        let all: Vec<(&Source, Option<usize>)> = members
            .iter()
            .map(|&index| (&requested[index], Some(index)))
            .chain(others.iter().map(|source| (source, None)))
            .collect();
        let mut summaries = Vec::with_capacity(all.len());
        let program = self.programs.len();
        let mut order = all.iter();
        parallel::in_order(
            &all,
            |(source, index)| read(source, index.is_some()),
            |result| -> Result<(), Stop> {
                // A file that nobody asked about and that cannot be read
                // declares nothing.
                let index = order.next().and_then(|(_, index)| *index);
                match (result, index) {
                    (Ok(summary), index) => {
                        if let Some(index) = index {
                            self.places[index] = Ok((program, summaries.len()));
                        }
                        summaries.push(summary);
                    }
                    (Err(problem), Some(index)) => self.places[index] = Err(problem),
                    (Err(_), None) => {}
                }
                Ok(())
            },
        )?;
        let settings = Settings {
            hints: hints || found.settings.hints,
            ..found.settings
        };
        self.beside.extend(found.files);
        self.roots.push((root, found.contracts, settings.clone()));
        self.programs
            .push(OneShot::new(summaries, found.tools, settings));
        Ok(())
    }

    /// A source as a part of a program, with what there is to say about it.
    ///
    /// # Errors
    /// Why it could not be read.
    pub fn compile(&self, source: usize) -> Result<Compiled<'_>, Problem> {
        let (program, index) = self.places[source].clone()?;
        let program = &self.programs[program];
        let (reports, module) = program.compile(index);
        Ok(Compiled {
            summary: &program.files()[index],
            reports,
            module,
        })
    }

    /// The root of each project, the tools as a compiled program has them, and
    /// what the project decides.
    pub fn roots(&self) -> &[(Option<PathBuf>, Vec<Tool>, Settings)] {
        &self.roots
    }

    /// What there is to say about a source, with its text and, if it is asked
    /// for, on which routes its agents may run.
    ///
    /// # Errors
    /// Why it could not be read.
    pub fn check(&self, source: usize, admitted: bool) -> Result<Checked<'_>, Problem> {
        let (program, index) = self.places[source].clone()?;
        let program = &self.programs[program];
        let (reports, admission) = program.examine(index, admitted);
        Ok(Checked {
            summary: &program.files()[index],
            reports,
            admission,
        })
    }
}

/// The folder that all these files lie in.
fn common(requested: &[Source], members: &[usize]) -> Option<PathBuf> {
    let files = members.iter().filter_map(|at| requested.get(*at)?.file());
    let mut folders = files.map(|file| {
        let mut real = sources::real(file);
        real.pop();
        real
    });
    let first = folders.next()?;
    Some(folders.fold(first, |common, folder| {
        let shared = common.components().zip(folder.components());
        let shared = shared.take_while(|(one, two)| one == two);
        shared.map(|(one, _)| one).collect()
    }))
}

/// The path of a file from a folder that it lies in.
fn inside(root: &Path, file: &Path) -> String {
    let real = sources::real(file);
    let parts = real.strip_prefix(root).unwrap_or(&real).components();
    let parts = parts.map(|part| part.as_os_str().to_string_lossy().into_owned());
    parts.collect::<Vec<_>>().join("/")
}

/// A source as a part of a program.
pub struct Compiled<'p> {
    /// What it declares.
    pub summary: &'p Summary,
    /// What there is to say about it.
    pub reports: Vec<Diagnostic>,
    /// The part that it is.
    pub module: Option<Module>,
}

/// A source that was checked.
pub struct Checked<'p> {
    /// What it declares.
    pub summary: &'p Summary,
    /// What there is to say about it.
    pub reports: Vec<Diagnostic>,
    /// On which routes its agents may run, if that was asked for.
    pub admission: Option<Admission>,
}
