//! What stands beside the sources of a project: `symbiont.toml`, the manifests
//! of its tools, their custom types, and the folders of its policies.

use std::path::{Path, PathBuf};

use symbi_analysis::{
    POLICY_FOLDERS, PolicyText, Settings, Text, Tools, read_answering, read_manifests,
    read_policy_folder, read_project_file,
};
use symbi_diagnostics::Diagnostic;
use symbi_ir::Tool;

use super::PROJECT_FILE;
use crate::sources::{self, Problem};

/// A file that is no source, and what there is to say about it.
pub struct Beside {
    /// Where it lies.
    pub file: PathBuf,
    kind: Kind,
    /// The name on one line, safe to print.
    pub name: String,
    /// The name for programs.
    pub path: String,
    /// Its text, or why there is none.
    pub text: Result<String, Problem>,
    /// Reports about it.
    pub reports: Vec<Diagnostic>,
}

/// What a file beside the sources is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Project,
    Types,
    Manifest,
    /// The first policy of a folder that is not read.
    Policy,
    /// The first policy of those for a route that lets no agent answer.
    Answering,
    /// Nothing here reads it, or it cannot be read.
    Other,
}

/// All that was found.
#[derive(Default)]
pub struct Found {
    pub files: Vec<Beside>,
    pub settings: Settings,
    pub tools: Tools,
    /// The tools as a compiled program has them.
    pub contracts: Vec<Tool>,
}

/// Where the manifests of a project are, below its folder.
const MANIFESTS: &str = "tools";

/// How the name of a manifest ends.
const MANIFEST: &str = ".clad.toml";

/// Where its policies are, and how the name of one ends.
const POLICIES: &str = "policies";
const POLICY: &str = ".cedar";

/// The file with custom types of arguments.
const TYPES: &str = "toolclad.toml";

/// The folders of a project in which something is read besides sources.
pub fn folders(root: &Path) -> Vec<PathBuf> {
    let policies = root.join(POLICIES);
    let mut folders = listed(&policies).0;
    folders.extend([root.join(MANIFESTS), policies]);
    folders.retain(|folder| folder.is_dir());
    folders
}

/// Whether a file of this name may be read besides sources.
pub fn stands_beside(name: &str) -> bool {
    let whole = [PROJECT_FILE, TYPES, MANIFESTS, POLICIES];
    whole.contains(&name) || name.ends_with(MANIFEST) || name.ends_with(POLICY)
}

/// What could not be read, and why.
type Unread = (PathBuf, Problem);

/// The files beside the sources that a program runs with, by their paths from
/// the root of the project: manifests of tools, their types, and the policies
/// of the folders that are read.
pub fn run_with(root: &Path) -> Result<Vec<(String, Vec<u8>)>, Unread> {
    let named = |folder: &str, end: &str| -> Result<Vec<String>, Unread> {
        let (paths, unlisted) = listed(&root.join(folder));
        if let Some(unlisted) = unlisted
            && let Err(problem) = unlisted.text
        {
            return Err((unlisted.file, problem));
        }
        let names = paths.iter().filter_map(|path| path.file_name()?.to_str());
        let names = names.filter(|name| name.ends_with(end));
        Ok(names.map(|name| format!("{folder}/{name}")).collect())
    };
    let mut paths = named(MANIFESTS, MANIFEST)?;
    paths.extend(named(POLICIES, POLICY)?);
    for folder in POLICY_FOLDERS {
        paths.extend(named(&format!("{POLICIES}/{folder}"), POLICY)?);
    }
    if root.join(TYPES).exists() {
        paths.push(TYPES.to_owned());
    }
    paths.sort();
    let read = paths.into_iter().map(|path| {
        let file = root.join(&path);
        match sources::bytes(&file) {
            Ok(bytes) => Ok((path, bytes)),
            Err(problem) => Err((file, problem)),
        }
    });
    read.collect()
}

/// Whether such a file is a policy of Cedar.
pub fn is_policy(path: &str) -> bool {
    path.ends_with(POLICY)
}

/// Reads what stands in a project's folder.
pub fn read(root: &Path, hints: bool) -> Found {
    let project = file(&root.join(PROJECT_FILE), Kind::Project);
    let types = root.join(TYPES);
    let types = types.exists().then(|| file(&types, Kind::Types));
    let (manifests, unlisted) = manifests(&root.join(MANIFESTS));
    let policies = policies(&root.join(POLICIES));
    let files = std::iter::once(project)
        .chain(types)
        .chain(unlisted)
        .chain(manifests)
        .chain(policies);
    let mut found = Found {
        files: files.collect(),
        ..Found::default()
    };
    found.read_texts();
    // Nothing else looks at what policies say, so that they are read only then.
    if hints || found.settings.hints {
        let told = answering(&root.join(POLICIES));
        let shown = |beside: &Beside| {
            let mut reports = beside.reports.iter();
            reports.all(|report| !found.settings.off.contains(report.code.id))
        };
        let told: Vec<Beside> = told.into_iter().filter(shown).collect();
        found.files.extend(told);
    }
    found
}

impl Found {
    /// What the texts say, as they are now: the settings, the tools, and what
    /// there is to say about each file.
    pub fn read_texts(&mut self) {
        self.settings = Settings::default();
        for beside in &mut self.files {
            if let (Kind::Project, Ok(text)) = (beside.kind, &beside.text) {
                (self.settings, beside.reports) = read_project_file(text);
            }
        }
        let of = |kind| move |beside: &&Beside| beside.kind == kind;
        let manifests = self.files.iter().filter(of(Kind::Manifest));
        let texts: Vec<Text<'_>> = manifests
            .map(|manifest| Text {
                path: &manifest.name,
                text: manifest.text.as_deref().unwrap_or(""),
            })
            .collect();
        let types = self.files.iter().find(of(Kind::Types));
        let types = types.and_then(|types| types.text.as_deref().ok());
        let read = read_manifests(&texts, types);
        self.tools = read.tools;
        self.contracts = read.contracts;
        for contract in &mut self.contracts {
            // As it is called from the root of the project.
            let name = contract.manifest.rsplit('/').next().unwrap_or_default();
            contract.manifest = format!("{MANIFESTS}/{name}").into();
        }
        let mut reports = read.reports.into_iter();
        let mut type_reports = Some(read.type_reports);
        for beside in &mut self.files {
            let said = match beside.kind {
                Kind::Manifest => reports.next(),
                Kind::Types => type_reports.take(),
                Kind::Policy => Some(unread(&beside.file).into_iter().collect()),
                // What is said about it does not change.
                Kind::Answering => continue,
                Kind::Project | Kind::Other => None,
            };
            if let Some(said) = said {
                beside.reports = said;
            }
            beside.reports.retain(|report| self.settings.shows(report));
        }
    }
}

/// The manifests in a folder, in the order of their paths; and the folder
/// itself, if it is there and cannot be listed.
fn manifests(folder: &Path) -> (Vec<Beside>, Option<Beside>) {
    let (mut paths, unlisted) = listed(folder);
    paths.retain(|path| path.to_string_lossy().ends_with(MANIFEST));
    let manifests = paths.iter().map(|path| file(path, Kind::Manifest));
    (manifests.collect(), unlisted)
}

/// The folders below that of the policies which hold some and are not read,
/// each by the first of its policies; and what cannot be listed.
fn policies(folder: &Path) -> Vec<Beside> {
    let (folders, unlisted) = listed(folder);
    let mut found: Vec<Beside> = unlisted.into_iter().collect();
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        if !is_unread(folder) {
            continue;
        }
        let (policies, unlisted) = listed(folder);
        let mut policies = policies.iter();
        let first = policies.find(|path| path.to_string_lossy().ends_with(POLICY));
        found.extend(unlisted);
        found.extend(first.map(|first| file(first, Kind::Policy)));
    }
    found
}

/// The first policy of each route on which none permits to answer. What cannot
/// be read says nothing here.
fn answering(folder: &Path) -> Vec<Beside> {
    let (entries, _) = listed(folder);
    let mut policies: Vec<(Option<String>, PathBuf)> = Vec::new();
    let is_policy = |path: &PathBuf| path.to_string_lossy().ends_with(POLICY);
    for entry in entries {
        if entry.is_dir() {
            let name = entry
                .file_name()
                .map(|name| name.to_string_lossy().into_owned());
            let inside = listed(&entry).0.into_iter().filter(is_policy);
            policies.extend(inside.map(|path| (name.clone(), path)));
        } else if is_policy(&entry) {
            policies.push((None, entry));
        }
    }
    let read: Vec<(Option<String>, Beside, String)> = policies
        .into_iter()
        .filter_map(|(folder, path)| {
            let policy = file(&path, Kind::Answering);
            let text = policy.text.clone().ok()?;
            Some((folder, policy, text))
        })
        .collect();
    let texts: Vec<PolicyText<'_>> = read
        .iter()
        .map(|(folder, _, text)| PolicyText {
            folder: folder.as_deref(),
            text,
        })
        .collect();
    let mut told = read_answering(&texts);
    let policies = read.into_iter().enumerate();
    policies
        .filter_map(|(index, (_, mut policy, _))| {
            let own = told.extract_if(.., |(at, _)| *at == index);
            policy.reports = own.map(|(_, report)| report).collect();
            (!policy.reports.is_empty()).then_some(policy)
        })
        .collect()
}

/// Whether nothing reads the policies in a folder.
fn is_unread(folder: &Path) -> bool {
    let name = folder.file_name().map(|name| name.to_string_lossy());
    name.is_some_and(|name| read_policy_folder(&name).is_some())
}

/// What there is to say about a policy in a folder that is not read.
fn unread(policy: &Path) -> Option<Diagnostic> {
    let name = policy.parent()?.file_name()?.to_string_lossy();
    read_policy_folder(&name)
}

/// What is in a folder, in order; and the folder itself, if it is there and
/// cannot be listed.
fn listed(folder: &Path) -> (Vec<PathBuf>, Option<Beside>) {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return (Vec::new(), None),
        Err(error) => {
            let problem = Problem::from_io(&error, folder);
            return (Vec::new(), Some(beside(folder, Kind::Other, Err(problem))));
        }
    };
    let mut paths: Vec<PathBuf> = Vec::new();
    let mut unlisted = None;
    for entry in entries {
        match entry {
            Ok(entry) => paths.push(entry.path()),
            Err(error) => {
                let problem = Problem::from_io(&error, folder);
                unlisted = Some(beside(folder, Kind::Other, Err(problem)));
            }
        }
    }
    paths.sort();
    (paths, unlisted)
}

fn file(path: &Path, kind: Kind) -> Beside {
    // Far larger ones are not read at all; the reader has its own limit, and
    // says so with a code.
    let text = sources::bytes(path).and_then(|bytes| {
        String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            Problem::System(format!(
                "byte {at} is not valid UTF-8; save the file as UTF-8"
            ))
        })
    });
    beside(path, kind, text)
}

fn beside(path: &Path, kind: Kind, text: Result<String, Problem>) -> Beside {
    // What is found in the working folder is named without `./`.
    let path = path.strip_prefix(".").unwrap_or(path);
    Beside {
        file: path.to_owned(),
        kind,
        name: sources::printable(path.as_os_str()),
        path: path.to_string_lossy().into_owned(),
        text,
        reports: Vec::new(),
    }
}
