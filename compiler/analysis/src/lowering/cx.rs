//! What lowering has at hand.

use symbi_ir::Span;
use symbi_syntax::Place;

use crate::program::Program;

/// The program around an item, and how its places are written down. An item is
/// lowered without knowing where it stands, so a place in it is told by tokens
/// until its file is put together.
#[derive(Clone, Copy)]
pub(crate) struct Lowering<'p> {
    /// The program.
    pub program: &'p dyn Program,
    /// A place of the item.
    pub span: &'p dyn Fn(Place) -> Span,
}
