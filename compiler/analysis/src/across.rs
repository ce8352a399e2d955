//! What is found by comparing the items of a file with each other and with the
//! other files of the project.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use symbi_diagnostics::{Diagnostic, across as codes, blocks};
use symbi_syntax::Place;

use crate::assemble::FilePlace;
use crate::blocks::is_managed;
use crate::declaration::{Declaration, Kind};
use crate::duplicates::duplicate;
use crate::exports::stem;
use crate::policies::merged;
use crate::program::{FileId, Program};

/// Compares the declarations of a file, in their order, with each other and
/// with the program.
pub(crate) fn across(
    program: &dyn Program,
    path: &str,
    declarations: &[Arc<Declaration>],
) -> Vec<Diagnostic<FilePlace>> {
    let mut reports = Vec::new();
    let mut first: HashMap<(Kind, &str), u32> = HashMap::new();
    let mut agents = 0;
    let mut metadata = HashMap::new();
    let mut attributes = HashMap::new();
    for (index, declaration) in declarations.iter().enumerate() {
        let item = index as u32;
        agents += u32::from(matches!(**declaration, Declaration::Agent(_)));
        paths(program, item, declaration, &mut reports);
        match &**declaration {
            Declaration::Metadata(entries) => {
                reports.extend(given_before("metadata", &mut metadata, item, entries));
            }
            Declaration::With(entries) => {
                reports.extend(given_before("with", &mut attributes, item, entries));
            }
            _ => {}
        }
        let Some((kind, name)) = declaration.named() else {
            continue;
        };
        match first.get(&(kind, &**name)) {
            None => {
                first.insert((kind, name), item);
                if kind == Kind::Agent {
                    shared_name(program, name, item, &mut reports);
                }
            }
            Some(&first) => reports.extend(again(kind, name, item, first)),
        }
    }
    if agents > 0
        && let Some(&(item, _)) = metadata.get("permission_mode")
    {
        reports.extend(idle_mode(declarations, item));
    }
    if agents == 1 {
        shared_stem(program, path, declarations, &mut reports);
    }
    reports
}

/// Where an item of a kind has its name: right after its word.
fn name_of(item: u32) -> FilePlace {
    FilePlace {
        item,
        place: Place::Tokens(1, 1),
    }
}

fn again(kind: Kind, name: &str, second: u32, first: u32) -> Option<Diagnostic<FilePlace>> {
    match kind {
        Kind::Agent | Kind::Function | Kind::Type => {
            Some(duplicate(kind, name, name_of(second), name_of(first)))
        }
        Kind::Policy => Some(merged(name, name_of(second), name_of(first), "file")),
        Kind::Memory | Kind::Channel | Kind::Webhook | Kind::Schedule => {
            let word = kind.word();
            Some(
                Diagnostic::new(
                    &codes::N0250,
                    name_of(second),
                    format!("there is a second {word} `{name}` in this file"),
                )
                .note(name_of(first), "the first one is here")
                .help(format!("give each {word} a name of its own")),
            )
        }
    }
}

/// Keys that an earlier block of the same kind has given: such blocks are one
/// in several parts.
fn given_before<'d>(
    block: &str,
    given: &mut HashMap<&'d str, (u32, &'d str)>,
    item: u32,
    entries: &'d BTreeMap<Arc<str>, Arc<str>>,
) -> Vec<Diagnostic<FilePlace>> {
    let word = |item| FilePlace {
        item,
        place: Place::Tokens(0, 0),
    };
    let mut reports = Vec::new();
    for (key, value) in entries {
        let Some((first, known)) = given.get(&**key) else {
            given.insert(key, (item, value));
            continue;
        };
        let report = match **known == **value {
            true => Diagnostic::new(
                &blocks::B0707,
                word(item),
                format!("an earlier `{block}` has given `{key}` the same value"),
            ),
            false => Diagnostic::new(
                &blocks::B0706,
                word(item),
                format!("an earlier `{block}` has given `{key}` another value"),
            ),
        };
        reports.push(
            report
                .note(word(*first), "the earlier one")
                .help(format!("keep one of the two `{key}`")),
        );
    }
    reports
}

/// `permission_mode` for all agents of a file, of which none has a managed
/// driver.
fn idle_mode(declarations: &[Arc<Declaration>], item: u32) -> Option<Diagnostic<FilePlace>> {
    let shared = crate::declaration::metadata(declarations.iter().map(|one| &**one));
    let shared = shared.get("executor");
    let read = declarations.iter().any(|one| match &**one {
        Declaration::Agent(agent) => {
            let executor = agent.executor.as_ref().or(shared);
            executor.is_some_and(|word| is_managed(word))
        }
        _ => false,
    });
    (!read).then(|| {
        Diagnostic::new(
            &blocks::B0715,
            FilePlace {
                item,
                place: Place::Tokens(0, 0),
            },
            "only a managed driver reads `permission_mode`, and no agent of this file has one",
        )
        .help("leave it out, or name a driver such as `executor = \"claude_code\"`")
    })
}

/// An agent of this name stands in another file too.
fn shared_name(
    program: &dyn Program,
    name: &Arc<str>,
    item: u32,
    reports: &mut Vec<Diagnostic<FilePlace>>,
) {
    let others = others(program, name);
    if others.first.is_empty() {
        return;
    }
    reports.push(
        Diagnostic::new(
            &codes::K0820,
            name_of(item),
            format!("`{name}` leads to an agent of {} too", others.words()),
        )
        .label("no run can select this agent by this name")
        .help("rename one of them: a name that leads to several agents selects none"),
    );
}

/// The stem of a file with one agent leads to another agent too.
fn shared_stem(
    program: &dyn Program,
    path: &str,
    declarations: &[Arc<Declaration>],
    reports: &mut Vec<Diagnostic<FilePlace>>,
) {
    let found =
        declarations
            .iter()
            .enumerate()
            .find_map(|(index, declaration)| match &**declaration {
                Declaration::Agent(agent) => Some((index as u32, agent.name.clone()?)),
                _ => None,
            });
    let (Some((item, name)), Some(stem)) = (found, stem(path)) else {
        return;
    };
    if name == stem {
        return;
    }
    let others = others(program, &stem);
    if others.first.is_empty() {
        return;
    }
    reports.push(
        Diagnostic::new(
            &codes::K0821,
            name_of(item),
            format!(
                "`{name}` cannot be called `{stem}` after its file: that name leads to an agent of \
                 {} too",
                others.words()
            ),
        )
        .help(format!("rename the file, or always write `{name}`")),
    );
}

/// The other files in which a name leads to an agent.
fn others(program: &dyn Program, name: &str) -> Others {
    let entries = program.agent_entries(name);
    let files = entries.first.iter().map(|entry| entry.file);
    Others::of(program, files, entries.count)
}

/// The names of the first few other files, in order, and how many there are.
struct Others {
    first: Vec<Arc<str>>,
    count: usize,
}

impl Others {
    /// Of the first few files, the own one among them or not, and the number
    /// of all, the own one counted.
    fn of(program: &dyn Program, files: impl Iterator<Item = FileId>, count: usize) -> Self {
        let own = program.file();
        let mut first: Vec<Arc<str>> = files
            .filter(|file| *file != own)
            .map(|file| program.file_name(file))
            .collect();
        first.dedup();
        Others {
            first,
            count: count.saturating_sub(1),
        }
    }

    /// `a`, `a` and `b`, `a` and 2 other files.
    fn words(&self) -> String {
        match (&*self.first, self.count) {
            ([], _) => String::new(),
            ([one], _) | ([one, ..], 1) => format!("`{one}`"),
            ([one, two, ..], 2) => format!("`{one}` and `{two}`"),
            ([one, ..], count) => format!("`{one}` and {} other files", count - 1),
        }
    }
}

/// Two webhooks of a project with one path.
fn paths(
    program: &dyn Program,
    item: u32,
    declaration: &Declaration,
    reports: &mut Vec<Diagnostic<FilePlace>>,
) {
    let paths: &[Arc<str>] = match declaration {
        Declaration::Agent(agent) => &agent.webhook_paths,
        Declaration::Block {
            path: Some(path), ..
        } => std::slice::from_ref(path),
        _ => return,
    };
    for (index, path) in paths.iter().enumerate() {
        // Sorted: the second of two equal ones is reported with the first.
        if index > 0 && paths[index - 1] == *path {
            continue;
        }
        let files = program.webhook_files(path);
        if files.count < 2 {
            continue;
        }
        let others = Others::of(program, files.first.iter().copied(), files.count);
        let message = match &*others.first {
            [] => format!("two webhooks of this file have the path `{path}`"),
            _ => format!("a webhook of {} has the path `{path}` too", others.words()),
        };
        reports.push(
            Diagnostic::new(
                &codes::K0822,
                FilePlace {
                    item,
                    place: Place::Tokens(
                        0,
                        u32::from(matches!(declaration, Declaration::Agent(_))),
                    ),
                },
                message,
            )
            .label("each webhook needs a path of its own")
            .help("change one of the paths: a request can wake one webhook only"),
        );
    }
}
