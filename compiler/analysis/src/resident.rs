//! A program that stays: files come, change and go, and only what an edit
//! concerns is checked again.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use salsa::{Durability, EventKind, Setter};
use symbi_diagnostics::Diagnostic;
use symbi_ir::Module;
use symbi_syntax::Decoded;

use crate::admission::Admission;
use crate::assemble::{Checked, assemble, assemble_hidden};
use crate::db::{Db, SourceText, Workspace, admitted, checked, compared, lowered, parsed};
use crate::lowering;
use crate::program::FileId;
use crate::settings::{Sandbox, Settings, Tools};

/// The database itself. `storage` stays the last field: what it owns is dropped
/// after what refers to it.
#[salsa::db]
#[derive(Clone)]
struct Database {
    slots: Arc<RwLock<Vec<SourceText>>>,
    storage: salsa::Storage<Self>,
}

#[salsa::db]
impl salsa::Database for Database {}

#[salsa::db]
impl Db for Database {
    fn slot(&self, file: FileId) -> Option<SourceText> {
        let slots = self.slots.read().unwrap_or_else(PoisonError::into_inner);
        slots.get(file.0 as usize).copied()
    }
}

/// What the database did since it was last asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// The queries that were executed, by their names, sorted.
    pub executed: Vec<String>,
    /// How many remembered answers were found to hold still.
    pub validated: u64,
}

/// What is counted while the database works.
#[derive(Debug, Default)]
struct Counter {
    /// Names are kept only when someone wants to see them.
    names: Mutex<Option<Vec<String>>>,
    validated: AtomicU64,
}

/// A program that stays.
pub struct Analysis {
    files: BTreeMap<Arc<str>, SourceText>,
    /// Slots whose file is gone.
    free: Vec<SourceText>,
    settings: Arc<Settings>,
    counter: Arc<Counter>,
    workspace: Workspace,
    db: Database,
}

impl Default for Analysis {
    fn default() -> Self {
        Self::new()
    }
}

impl Analysis {
    /// A program without files.
    pub fn new() -> Self {
        let counter = Arc::new(Counter::default());
        let counting = counter.clone();
        let storage = salsa::Storage::new(Some(Box::new(move |event| match event.kind {
            EventKind::WillExecute { database_key } => {
                let mut names = counting
                    .names
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner);
                if let Some(names) = &mut *names {
                    let name = format!("{database_key:?}");
                    names.push(name.split('(').next().unwrap_or(&name).to_owned());
                }
            }
            EventKind::DidValidateMemoizedValue { .. } => {
                counting.validated.fetch_add(1, Ordering::Relaxed);
            }
            _ => {}
        })));
        let db = Database {
            slots: Arc::default(),
            storage,
        };
        // What is seldom set is durable: after an edit of one file, the answers
        // about the others are not asked whether they still hold.
        let workspace = Workspace::builder(Vec::new(), Tools::default(), Sandbox::default())
            .durability(Durability::HIGH)
            .new(&db);
        Analysis {
            files: BTreeMap::new(),
            free: Vec::new(),
            settings: Arc::default(),
            counter,
            workspace,
            db,
        }
    }

    /// Gives a file this text, whether it was there before or not. Waits for
    /// snapshots to notice that they are out of date.
    pub fn set_file(&mut self, path: &str, source: Decoded) {
        self.set_files([(path, source)]);
    }

    /// Gives several files their texts, as [`set_file`](Self::set_file) does
    /// with one. What names all files is told once.
    pub fn set_files<'p>(&mut self, files: impl IntoIterator<Item = (&'p str, Decoded)>) {
        let mut new = false;
        for (path, source) in files {
            new |= self.give(path, source);
        }
        if new {
            self.list_files();
        }
    }

    /// Gives a file this text. Whether it was not there before.
    fn give(&mut self, path: &str, source: Decoded) -> bool {
        if let Some(slot) = self.files.get(path) {
            let slot = *slot;
            if *slot.source(&self.db) != source {
                // As `open_file` does: what was edited is likely edited again.
                slot.set_source(&mut self.db)
                    .with_durability(Durability::LOW)
                    .to(source);
            }
            return false;
        }
        let path: Arc<str> = path.into();
        let slot = match self.free.pop() {
            Some(slot) => {
                slot.set_path(&mut self.db).to(path.clone());
                slot.set_source(&mut self.db)
                    .with_durability(Durability::HIGH)
                    .to(source);
                slot
            }
            None => {
                let mut slots = self
                    .db
                    .slots
                    .write()
                    .unwrap_or_else(PoisonError::into_inner);
                let slot = SourceText::builder(slots.len() as u32, path.clone(), source)
                    .durability(Durability::HIGH)
                    .new(&self.db);
                slots.push(slot);
                slot
            }
        };
        self.files.insert(path, slot);
        true
    }

    /// Says that a file is going to be edited, as one that an editor has open:
    /// its items are checked once more, and then each edit asks only about what
    /// it touches. An edit of another file does the same with the edit.
    /// `false` if there is no such file.
    pub fn open_file(&mut self, path: &str) -> bool {
        let Some(slot) = self.files.get(path).copied() else {
            return false;
        };
        let source = slot.source(&self.db).clone();
        slot.set_source(&mut self.db)
            .with_durability(Durability::LOW)
            .to(source);
        true
    }

    /// Takes a file away. `false` if there was none.
    pub fn remove_file(&mut self, path: &str) -> bool {
        let Some(slot) = self.files.remove(path) else {
            return false;
        };
        slot.set_path(&mut self.db).to("".into());
        slot.set_source(&mut self.db)
            .to(symbi_syntax::decode(Vec::new()));
        self.free.push(slot);
        self.list_files();
        true
    }

    fn list_files(&mut self) {
        let files: Vec<SourceText> = self.files.values().copied().collect();
        self.workspace.set_files(&mut self.db).to(files);
    }

    /// Gives the project these tools.
    pub fn set_tools(&mut self, tools: Tools) {
        if *self.workspace.tools(&self.db) != tools {
            self.workspace.set_tools(&mut self.db).to(tools);
        }
    }

    /// Decides what is shown of what is found.
    pub fn set_settings(&mut self, settings: Settings) {
        if self.workspace.sandbox(&self.db) != settings.sandbox {
            self.workspace
                .set_sandbox(&mut self.db)
                .to(settings.sandbox);
        }
        self.settings = Arc::new(settings);
    }

    /// The paths of all files, sorted.
    pub fn paths(&self) -> impl Iterator<Item = &Arc<str>> {
        self.files.keys()
    }

    /// All there is to say about a file; `None` if there is no such file.
    pub fn diagnostics(&self, path: &str) -> Option<Vec<Diagnostic>> {
        Some(diagnostics(
            &self.db,
            *self.files.get(path)?,
            &self.settings,
        ))
    }

    /// On which routes the agents of a file may run; `None` if there is no such
    /// file.
    pub fn admission(&self, path: &str) -> Option<Admission> {
        let file = *self.files.get(path)?;
        let items = checked_items(&self.db, file);
        let problems = &parsed(&self.db, file).problems;
        let across = compared(&self.db, file);
        let reports = assemble_hidden(&file.source(&self.db).text, &items, problems, across);
        Some(admitted(&self.db, file, &items, &reports, &self.settings))
    }

    /// A file as a part of a program; `None` if there is no such file. What did
    /// not change is not lowered again.
    pub fn module(&self, path: &str) -> Option<Module> {
        let file = *self.files.get(path)?;
        let admission = self.admission(path)?;
        let items = &parsed(&self.db, file).items;
        let of = |item: &_| (&**lowered(&self.db, *item), item.place(&self.db));
        Some(lowering::module(&lowering::File {
            path,
            text: &file.source(&self.db).text,
            items: items.iter().map(of).collect(),
            admission: &admission,
        }))
    }

    /// The program as it is now, for another thread. A change of the program
    /// waits until all snapshots are dropped, and makes their questions unwind
    /// (see [`Snapshot::diagnostics`]).
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            files: self.files.clone(),
            settings: self.settings.clone(),
            db: self.db.clone(),
        }
    }

    /// Begins to keep the names of queries that are executed.
    pub fn record_work(&mut self) {
        let mut names = self
            .counter
            .names
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        names.get_or_insert_default();
    }

    /// What was done since this was last asked.
    pub fn take_work(&mut self) -> Work {
        let mut names = self
            .counter
            .names
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let mut executed = names.as_mut().map(std::mem::take).unwrap_or_default();
        executed.sort();
        Work {
            executed,
            validated: self.counter.validated.swap(0, Ordering::Relaxed),
        }
    }
}

/// The program as it was at one moment.
pub struct Snapshot {
    files: BTreeMap<Arc<str>, SourceText>,
    settings: Arc<Settings>,
    db: Database,
}

/// The program has changed while a question about it was being answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outdated;

impl Snapshot {
    /// All there is to say about a file; `None` if there is no such file.
    ///
    /// # Errors
    /// The program has changed in the meantime: drop the snapshot and ask the
    /// new one.
    pub fn diagnostics(&self, path: &str) -> Result<Option<Vec<Diagnostic>>, Outdated> {
        let Some(file) = self.files.get(path) else {
            return Ok(None);
        };
        let answer = std::panic::AssertUnwindSafe(|| diagnostics(&self.db, *file, &self.settings));
        salsa::Cancelled::catch(answer)
            .map(Some)
            .map_err(|_| Outdated)
    }
}

fn checked_items(db: &dyn Db, file: SourceText) -> Vec<Checked<'_>> {
    let items = parsed(db, file).items.iter();
    items
        .map(|item| Checked {
            item: item.tree(db),
            span: item.place(db),
            findings: &checked(db, *item).findings,
        })
        .collect()
}

fn diagnostics(db: &dyn Db, file: SourceText, settings: &Settings) -> Vec<Diagnostic> {
    let parsed = parsed(db, file);
    let items = checked_items(db, file);
    let across = compared(db, file);
    let mut reports = assemble(&file.source(db).text, &items, &parsed.problems, across);
    reports.retain(|report| settings.shows(report));
    reports
}
