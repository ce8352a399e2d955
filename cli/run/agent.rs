//! Which agent of which program is meant.

use std::path::{Path, PathBuf};

use symbi_host::run::source_of;
use symbi_ir::{Agent, Module, Program};
use symbi_journal::{Journals, PublicKey, RunId};

use crate::project::PROJECT_FILE;

/// Which agent of which program is meant.
pub struct Wanted {
    /// The folder, file or bundle of the program.
    pub program: PathBuf,
    /// The same from the root of the project, for journals.
    pub source: String,
    /// The file of the agent, from the root.
    file: Option<String>,
    /// The agent.
    name: Option<String>,
}

/// The project that is run in: the nearest folder upwards that holds a
/// `symbiont.toml`, else this one.
pub fn project() -> PathBuf {
    let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    let kept = here
        .ancestors()
        .find(|folder| folder.join(".symbiont").is_dir());
    let kept = kept.map(Path::to_owned);
    root_of(&here).or(kept).unwrap_or(here)
}

fn root_of(path: &Path) -> Option<PathBuf> {
    let root = path
        .ancestors()
        .find(|folder| folder.join(PROJECT_FILE).is_file())?;
    Some(root.to_owned())
}

impl Wanted {
    /// What a person has named: nothing, an agent, a file, a file and an agent,
    /// a folder, or a bundle.
    pub fn of(project: &Path, given: &str, named: Option<&str>) -> Result<Self, String> {
        let (path, hash) = match given.rsplit_once('#') {
            Some((path, name)) => (path, Some(name)),
            None => (given, None),
        };
        let name = match (hash, named) {
            (Some(one), Some(two)) if one != two => {
                return Err(format!(
                    "`{given}` names the agent `{one}`, and --agent names `{two}`"
                ));
            }
            (one, two) => one.or(two).map(str::to_owned),
        };
        let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let shown = |path: &Path| {
            let own = real(path);
            let inside = own.strip_prefix(real(project)).map(Path::to_owned);
            let text = inside.unwrap_or(own).to_string_lossy().replace('\\', "/");
            if text.is_empty() {
                ".".to_owned()
            } else {
                text
            }
        };
        let file = Path::new(path);
        if !path.is_empty() && file.is_dir() {
            return Ok(Wanted {
                program: file.to_owned(),
                source: shown(file),
                file: None,
                name,
            });
        }
        if !path.is_empty() && file.is_file() {
            let is_source = file
                .extension()
                .is_some_and(|end| end == "symbi" || end == "dsl");
            let root = root_of(&real(file)).filter(|_| is_source);
            return Ok(match root {
                // The agents of the project know each other.
                Some(root) => {
                    let own = real(file);
                    let inside = own.strip_prefix(&root).unwrap_or(&own);
                    Wanted {
                        source: shown(&root),
                        file: Some(inside.to_string_lossy().replace('\\', "/")),
                        program: root,
                        name,
                    }
                }
                None => Wanted {
                    program: file.to_owned(),
                    source: shown(file),
                    file: None,
                    name,
                },
            });
        }
        let looks_like_file =
            path.contains('/') || path.ends_with(".symbi") || path.ends_with(".symbib");
        if hash.is_some() || looks_like_file {
            return Err(format!("there is no file {path}"));
        }
        let agent = Some(path)
            .filter(|path| !path.is_empty())
            .map(str::to_owned);
        Ok(Wanted {
            program: project.to_owned(),
            source: ".".to_owned(),
            file: None,
            name: name.or(agent),
        })
    }

    /// The agent.
    pub fn agent<'p>(&self, program: &'p Program) -> Result<(&'p Module, &'p Agent), String> {
        let in_file =
            |module: &Module| self.file.as_ref().is_none_or(|file| *module.path == **file);
        let of_file = program.agents().filter(|(module, _)| in_file(module));
        let all: Vec<(&Module, &Agent)> =
            of_file.map(|(module, agent)| (&**module, agent)).collect();
        let place = match &self.file {
            Some(file) => format!("`{file}`"),
            None => "this program".to_owned(),
        };
        let listed = || {
            let names: Vec<String> = all
                .iter()
                .map(|(module, agent)| format!("  {}#{}", module.path, agent.name()))
                .collect();
            names.join("\n")
        };
        let Some(name) = &self.name else {
            return match &*all {
                [only] => Ok(*only),
                [] => Err(format!("there is no agent in {place}")),
                _ => Err(format!(
                    "there are several agents in {place}: say which\n{}",
                    listed()
                )),
            };
        };
        let mut found = all.iter().filter(|(_, agent)| **agent.name() == **name);
        match (found.next(), found.next()) {
            (Some(found), None) => Ok(*found),
            (Some((one, _)), Some((two, _))) => Err(format!(
                "there are several agents `{name}`: say which, such as {}#{name} or {}#{name}",
                one.path, two.path
            )),
            (None, _) => {
                let names: Vec<&str> = all.iter().map(|(_, agent)| &**agent.name()).collect();
                Err(match symbi_analysis::nearest(name, names.iter().copied()) {
                    Some(near) => {
                        format!("there is no agent `{name}` in {place}: did you mean `{near}`?")
                    }
                    None if all.is_empty() => format!("there is no agent in {place}"),
                    None => format!(
                        "there is no agent `{name}` in {place}: there are\n{}",
                        listed()
                    ),
                })
            }
        }
    }
}

/// A run by its name, the beginning of it, or `last`; and what its program was
/// read from.
pub fn resumed(project: &Path, wanted: &str) -> Result<(RunId, String), String> {
    let journals = Journals::in_project(project);
    let mut runs = journals.runs().map_err(|error| error.to_string())?;
    // Names of later runs sort behind those of earlier ones.
    runs.sort_by(|one, two| one.as_str().cmp(two.as_str()));
    let run = crate::audit::find(&runs, wanted)?;
    let key = PublicKey::of_project(project).map_err(|error| error.to_string())?;
    let source = source_of(&journals, &run, key).map_err(|error| error.to_string())?;
    Ok((run, source_path(project, &source)))
}

/// What a journal names, from here.
fn source_path(project: &Path, source: &str) -> String {
    project.join(source).to_string_lossy().into_owned()
}
