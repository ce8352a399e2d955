//! What the standard library has, as the machine knows it: a table made from
//! the declarations in `stdlib/`, so that nothing is parsed at run time.
//!
//! `declared` has the types of the table, `table` its rows. The rows are
//! generated: `tests/it/table.rs` says how, and holds them to the declarations.

mod declared;
mod table;

pub use declared::{Default, Does, Function, Param, Ty};
pub use table::{FUNCTIONS, Native};

/// The functions of a name, in the order in which they are tried; none if the
/// library has no such name.
pub fn named(name: &str) -> &'static [Function] {
    let start = FUNCTIONS.partition_point(|function| function.name < name);
    let rest = FUNCTIONS.get(start..).unwrap_or_default();
    let count = rest.partition_point(|function| function.name == name);
    rest.get(..count).unwrap_or_default()
}
