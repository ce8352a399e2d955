//! Policies and rules.

use super::items::Entry;
use super::{Expr, Name, NestedBlock, child, children, choice, item_name, views};
use crate::kind::SyntaxKind as K;
use crate::tree::NodeRef;

views! {
    /// `policy name { … }`.
    PolicyDef;
    /// `allow: selector tail if guard`.
    Rule;
}

choice! {
    /// What may stand in a policy.
    PolicyMember {
        /// A rule.
        Rule(Rule),
        /// A setting.
        Entry(Entry),
        /// A nested block.
        Block(NestedBlock),
    }
}

/// What a rule does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verb {
    /// `allow`.
    Allow,
    /// `deny`.
    Deny,
    /// `require`.
    Require,
    /// `audit`.
    Audit,
}

impl<'i> PolicyDef<'i> {
    /// Its name.
    pub fn name(self) -> Option<Name<'i>> {
        item_name(self.0)
    }

    /// Its rules, settings and nested blocks, in order.
    pub fn members(self) -> impl Iterator<Item = PolicyMember<'i>> {
        self.0.child(K::PolicyBody).into_iter().flat_map(children)
    }

    /// Its rules.
    pub fn rules(self) -> impl Iterator<Item = Rule<'i>> {
        self.members().filter_map(|member| match member {
            PolicyMember::Rule(rule) => Some(rule),
            _ => None,
        })
    }
}

impl<'i> Rule<'i> {
    /// Its verb; `None` for a word that is no verb (reported).
    pub fn verb(self) -> Option<Verb> {
        match self.0.item().token_kind(self.0.tokens().start) {
            K::AllowKw => Some(Verb::Allow),
            K::DenyKw => Some(Verb::Deny),
            K::RequireKw => Some(Verb::Require),
            K::AuditKw => Some(Verb::Audit),
            _ => None,
        }
    }

    /// What it is about.
    pub fn selector(self) -> Option<Expr<'i>> {
        child(self.0)
    }

    /// The condition after `if`.
    pub fn guard(self) -> Option<Expr<'i>> {
        child(self.0.child(K::RuleGuard)?)
    }

    /// The words after its selector or guard.
    pub fn tails(self) -> impl Iterator<Item = NodeRef<'i>> {
        self.0
            .children()
            .filter(|child| child.kind() == K::RuleTail)
    }
}
