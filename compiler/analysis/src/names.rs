//! The names that a file declares at its top level.

use std::sync::Arc;

use crate::declaration::{Declaration, Kind};

/// Names in order of kind and name, each with the items that declare it, the
/// first in the file first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names(Vec<(Kind, Arc<str>, u32)>);

impl Names {
    /// The names of declarations in the order of the file.
    pub fn of<'d>(declarations: impl Iterator<Item = &'d Declaration>) -> Self {
        let mut names: Vec<_> = declarations
            .enumerate()
            .filter_map(|(item, declaration)| {
                let (kind, name) = declaration.named()?;
                Some((kind, name.clone(), item as u32))
            })
            .collect();
        names.sort();
        Names(names)
    }

    /// The first item that declares a name.
    pub fn first(&self, kind: Kind, name: &str) -> Option<u32> {
        let at = self
            .0
            .partition_point(|(k, n, _)| (*k, &**n) < (kind, name));
        let (k, n, item) = self.0.get(at)?;
        (*k == kind && **n == *name).then_some(*item)
    }

    /// All names of a kind, in order; nothing if they are more than `most`.
    pub fn few(&self, kind: Kind, most: usize) -> Vec<Arc<str>> {
        let from = self.0.partition_point(|(k, _, _)| *k < kind);
        let to = self.0.partition_point(|(k, _, _)| *k <= kind);
        if to - from > most {
            return Vec::new();
        }
        let of_kind = self.0[from..to].iter();
        let mut names: Vec<Arc<str>> = of_kind.map(|(_, name, _)| name.clone()).collect();
        names.dedup();
        names
    }
}
