//! The standard library: what the declarations in `stdlib/` are done by.
//!
//! `declared` has the types of the table, `table` its rows, so that nothing is
//! parsed at run time; `call` has which function does which, `each` those that
//! call others. The rows are generated: `tests/it/table.rs` says how, and
//! holds them to the declarations.

mod arguments;
mod call;
mod declared;
mod each;
mod encoding;
mod errors;
pub mod hashing;
pub mod json;
mod lists;
mod maps;
mod math;
mod order;
mod paths;
mod sets;
mod site;
mod sizes;
mod strings;
mod table;
mod takes;
#[cfg(test)]
mod testing;
mod texts;
mod time;

pub(crate) use arguments::weigh;
pub use call::{call, is_asked};
pub use declared::{Default, Does, Function, Param, Ty};
pub use each::{Args, Each, Next};
pub use hashing::{hmac_sha256_hex, is_hmac_sha256, is_same_secret};
pub use site::{Candidate, Site};
pub use table::{FUNCTIONS, Native};
pub use takes::takes;

use crate::meter::Meter;
use crate::raise::Failure;
use crate::value::Value;

/// What a function of the library may use.
pub struct Cx<'m> {
    /// Steps and memory: each function asks for what it takes before it changes
    /// anything, because the machine may do the whole step once more.
    pub meter: &'m mut Meter,
}

/// What a function of the library gives.
pub type Given = Result<Value, Failure>;

/// The functions of a name, in the order in which they are tried; none if the
/// library has no such name.
pub fn named(name: &str) -> &'static [Function] {
    let start = FUNCTIONS.partition_point(|function| function.name < name);
    let rest = FUNCTIONS.get(start..).unwrap_or_default();
    let count = rest.partition_point(|function| function.name == name);
    rest.get(..count).unwrap_or_default()
}

/// The place of the first function of a name in [`FUNCTIONS`].
pub fn number(name: &str) -> Option<u32> {
    let start = FUNCTIONS.partition_point(|function| function.name < name);
    let is = FUNCTIONS.get(start)?.name == name;
    is.then_some(start as u32)
}

/// Whether a function needs the text of a secret, which only the host has.
pub fn needs_secret(native: Native) -> bool {
    matches!(
        native,
        Native::HmacSha256 | Native::VerifyHmacSha256 | Native::VerifySecret
    )
}
