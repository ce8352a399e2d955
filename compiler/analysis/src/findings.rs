//! What the checks of an item have to say.

use symbi_diagnostics::Diagnostic;
use symbi_syntax::ast::Name;
use symbi_syntax::{NodeRef, Place};

/// The reports about one item, in places relative to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// Reports.
    pub reports: Vec<Diagnostic<Place>>,
    /// Reports of which a file gives only the first with the same key, such as
    /// a type that is declared nowhere.
    pub once_a_file: Vec<(String, Diagnostic<Place>)>,
}

impl Findings {
    /// A report.
    pub fn report(&mut self, report: Diagnostic<Place>) {
        self.reports.push(report);
    }

    /// A report that the file gives once for this key.
    pub fn report_once(&mut self, key: impl Into<String>, report: Diagnostic<Place>) {
        let key = key.into();
        if self.once_a_file.iter().all(|(known, _)| *known != key) {
            self.once_a_file.push((key, report));
        }
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
