//! The checks of one item.

use symbi_syntax::Item;

use crate::findings::Findings;
use crate::policies::Scopes;
use crate::program::Program;
use crate::{blocks, bodies, policies};

/// Everything there is to say about an item, apart from its syntax, and what its
/// policies may permit, if it has some that hold for agents.
pub(crate) fn check_item(program: &dyn Program, item: &Item) -> (Findings, Option<Scopes>) {
    let mut findings = Findings::default();
    let mut scopes = None;
    if let Some(top) = item.top_item() {
        blocks::check(program, top, &mut findings);
        bodies::check(program, top, &mut findings);
        scopes = policies::check(program, top, &mut findings);
    }
    // They may be kept for as long as the program is.
    findings.reports.shrink_to_fit();
    findings.repeated.shrink_to_fit();
    (findings, scopes)
}
