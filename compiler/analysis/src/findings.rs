//! What the checks of an item have to say.

use symbi_diagnostics::Diagnostic;
use symbi_syntax::ast::Name;
use symbi_syntax::{NodeRef, Place};

/// The reports about one item, in places relative to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// Reports.
    pub reports: Vec<Diagnostic<Place>>,
    /// Reports that are given once for several places.
    pub repeated: Vec<Repeated>,
}

/// A report that holds for several places and is given at the first of them:
/// the first where no comment allows it, which only the whole file shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeated {
    /// What has one report: a name, a type.
    pub key: String,
    /// It has one report in the whole file, not one an item.
    pub in_file: bool,
    /// The report at one of the places.
    pub report: Diagnostic<Place>,
    /// The other places.
    pub also: Vec<Place>,
}

/// A report about one place as it is given about another: what it marks and
/// what it replaces move along.
pub(crate) fn moved<P: Copy + PartialEq>(report: &Diagnostic<P>, to: P) -> Diagnostic<P> {
    let mut report = report.clone();
    let from = std::mem::replace(&mut report.primary.at, to);
    let edits = report.fix.iter_mut().flat_map(|fix| &mut fix.edits);
    for edit in edits.filter(|edit| edit.at == from) {
        edit.at = to;
    }
    report
}

impl Findings {
    /// A report.
    pub fn report(&mut self, report: Diagnostic<Place>) {
        self.reports.push(report);
    }
}

/// All tokens of a node. A node without tokens stands after the one before it.
pub fn at_node(node: NodeRef<'_>) -> Place {
    let tokens = node.tokens();
    match tokens.is_empty() {
        true => Place::After(tokens.start.saturating_sub(1)),
        false => Place::Tokens(tokens.start, tokens.end - 1),
    }
}

/// One token.
pub fn at_token(token: u32) -> Place {
    Place::Tokens(token, token)
}

/// The tokens of a name.
pub fn at_name(name: Name<'_>) -> Place {
    let tokens = name.tokens();
    Place::Tokens(tokens.start, tokens.end - 1)
}
