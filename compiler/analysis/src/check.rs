//! The checks of one item.

use symbi_syntax::Item;

use crate::findings::Findings;
use crate::program::Program;
use crate::{blocks, bodies, policies};

/// Everything there is to say about an item, apart from its syntax.
pub fn check_item(program: &dyn Program, item: &Item) -> Findings {
    let mut findings = Findings::default();
    if let Some(top) = item.top_item() {
        blocks::check(program, top, &mut findings);
        bodies::check(program, top, &mut findings);
        policies::check(program, top, &mut findings);
    }
    findings
}
