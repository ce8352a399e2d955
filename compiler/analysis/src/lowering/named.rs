//! Names of blocks, and words in them.

use std::sync::Arc;

use symbi_syntax::ast::{BlockItem, Name};

use super::cx::Owner;
use crate::blocks::entries::Given;
use crate::blocks::naming;
use crate::blocks::plain::{Plain, plain};
use crate::blocks::values::as_word_of;
use crate::blocks::{Table, Value};

/// A block: its name, and what stands in it. One without a name has that of its
/// `name` entry, else that of its agent, else none, which is empty.
pub(super) fn block<'i>(
    table: &Table,
    name: Option<Name<'i>>,
    items: impl Iterator<Item = BlockItem<'i>>,
    owner: Option<&Owner>,
) -> (Arc<str>, Given<'i>) {
    let (items, naming) = naming::parts(name, items);
    let named = || {
        let found = plain(naming?.value()?);
        found.word().map(Arc::from)
    };
    let name = name
        .map(|name| Arc::from(&*name.text()))
        .or_else(named)
        .or_else(|| owner.map(|owner| owner.name.clone()))
        .unwrap_or_default();
    (name, Given::of(table, items.into_iter()))
}

/// The word of a key that takes one of a few; `None` where it is missing.
///
/// # Errors
/// It is another word, or none.
pub(super) fn one_of(
    table: &Table,
    given: &Given<'_>,
    key: &str,
) -> Result<Option<&'static str>, ()> {
    let Some(value) = given.value(key) else {
        return match given.has(key) {
            true => Err(()),
            false => Ok(None),
        };
    };
    match table.key(key).map(|key| key.value) {
        Some(Value::Words(words)) => as_word_of(&plain(value), words).map(Some).ok_or(()),
        _ => Err(()),
    }
}

/// The text of a key, written as a name or in quotes.
pub(super) fn text(given: &Given<'_>, key: &str) -> Option<Arc<str>> {
    let found = plain(given.value(key)?);
    found.word().map(Arc::from)
}

/// The texts of a list.
pub(super) fn texts(found: &Plain<'_>) -> Vec<Arc<str>> {
    let Plain::Array(array) = found else {
        return Vec::new();
    };
    let elements = array.elements();
    elements
        .filter_map(|element| plain(element).word().map(Arc::from))
        .collect()
}
