//! Declarations by name, each read when it is first asked for.
//!
//! A check of one small file asks for few of the names. Reading all of them
//! would take longer than the check.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use super::StdlibDeclaration;

/// How the declarations of one name become data, each with its place among
/// all; `None` if one of them cannot be read.
pub(super) type Read<T> = fn(&[(usize, StdlibDeclaration)]) -> Option<T>;

/// What there is of one kind, by name.
pub struct Table<T> {
    rows: BTreeMap<&'static str, Row<T>>,
    read: Read<T>,
    names: OnceLock<Vec<Arc<str>>>,
}

struct Row<T> {
    declarations: Vec<(usize, StdlibDeclaration)>,
    value: OnceLock<Option<T>>,
}

impl<T> Table<T> {
    pub(super) fn new(read: Read<T>) -> Self {
        Table {
            rows: BTreeMap::new(),
            read,
            names: OnceLock::new(),
        }
    }

    /// Adds a declaration with its place among all.
    pub(super) fn add(&mut self, place: usize, declared: StdlibDeclaration) {
        let row = self.rows.entry(declared.name).or_insert_with(|| Row {
            declarations: Vec::new(),
            value: OnceLock::new(),
        });
        row.declarations.push((place, declared));
    }

    /// What a name stands for.
    pub fn get(&self, name: &str) -> Option<&T> {
        let row = self.rows.get(name)?;
        row.value
            .get_or_init(|| (self.read)(&row.declarations))
            .as_ref()
    }

    /// Whether there is a name. Reads nothing.
    pub fn contains_key(&self, name: &str) -> bool {
        self.rows.contains_key(name)
    }

    /// The names in order.
    pub fn keys(&self) -> std::slice::Iter<'_, Arc<str>> {
        let names = || self.rows.keys().map(|name| Arc::from(*name)).collect();
        self.names.get_or_init(names).iter()
    }

    /// Everything in the order of the names. Reads all of it.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &T)> {
        self.rows
            .keys()
            .filter_map(|name| Some((*name, self.get(name)?)))
    }

    /// Everything without its name. Reads all of it.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.iter().map(|(_, value)| value)
    }
}

impl<T> fmt::Debug for Table<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.rows.keys()).finish()
    }
}
