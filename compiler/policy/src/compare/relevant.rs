//! What of some policies one effect meets, in a form in which two that say the
//! same are the same.

use crate::compare::Candidate;
use crate::effect::{Effect, Kind};
use crate::rules::{Action, Block, Policies, Requirement, Rule, Selector, Verb};
use crate::value::Record;

/// The rules and requirements that are about an effect of this name and kind,
/// whatever its arguments, and whether the ceiling covers it.
pub(super) fn relevant(policies: &Policies, candidate: &Candidate) -> Policies {
    let none = Record::default();
    let kind = candidate.kind.unwrap_or(Kind::Action);
    let effect = Effect::new(&candidate.name, kind, &none);
    let meets = |selector: &Selector, verb| match selector {
        Selector::Action(action) => named(action, &effect),
        other => other.matches(verb, &effect),
    };
    let mut blocks: Vec<Block> = Vec::new();
    for block in &policies.blocks {
        let rules = block.rules.iter();
        let rules = rules.filter(|rule| meets(&rule.selector, rule.verb));
        let mut kept = Block::default();
        for rule in rules {
            let rule = plain(rule);
            if !kept.rules.contains(&rule) {
                kept.rules.push(rule);
            }
        }
        for one in &block.requirements {
            let selectors = one.selectors.iter();
            let about: Vec<Selector> = selectors
                .filter(|selector| meets(selector, Verb::Deny))
                .cloned()
                .collect();
            if about.is_empty() && !one.selectors.is_empty() {
                continue;
            }
            let requirement = Requirement {
                selectors: match one.selectors.is_empty() {
                    true => Vec::new(),
                    false => about,
                },
                ..one.clone()
            };
            if !kept.requirements.contains(&requirement) {
                kept.requirements.push(requirement);
            }
        }
        // A block that allows other things denies this one.
        if block.allows() && !kept.allows() {
            kept.rules.push(Rule {
                verb: Verb::Allow,
                selector: Selector::None,
                guard: None,
                tail: false,
            });
        }
        if !kept.rules.is_empty() || !kept.requirements.is_empty() {
            blocks.push(kept);
        }
    }
    let covered = policies
        .ceiling
        .as_ref()
        .is_none_or(|ceiling| ceiling.covers(&effect));
    Policies {
        ceiling: (!covered).then(Default::default),
        blocks,
    }
}

/// Whether an action is about effects of this name or kind.
fn named(action: &Action, effect: &Effect<'_>) -> bool {
    action.kinds.has(effect.kind) || *action.name == *effect.name
}

/// A rule without what makes no difference for an effect that it is about: a
/// name without arguments means it as `true` does.
fn plain(rule: &Rule) -> Rule {
    let mut rule = rule.clone();
    if let Selector::Action(action) = &rule.selector
        && action.tests.is_empty()
    {
        rule.selector = Selector::All;
    }
    if rule.selector == Selector::Other {
        rule.selector = match rule.verb {
            Verb::Deny => Selector::All,
            Verb::Allow => Selector::None,
        };
    }
    if rule.tail {
        rule.guard = None;
        if rule.verb == Verb::Allow {
            rule.selector = Selector::None;
        }
        rule.tail = false;
    }
    rule
}

/// Whether two say the same, whatever the order of their parts.
pub(super) fn same(old: &Policies, new: &Policies) -> bool {
    old.ceiling.is_some() == new.ceiling.is_some()
        && old.blocks.iter().all(|block| has(new, block))
        && new.blocks.iter().all(|block| has(old, block))
}

fn has(policies: &Policies, wanted: &Block) -> bool {
    let within = |one: &Block, other: &Block| {
        one.rules.iter().all(|rule| other.rules.contains(rule))
            && one
                .requirements
                .iter()
                .all(|requirement| other.requirements.contains(requirement))
    };
    let mut blocks = policies.blocks.iter();
    blocks.any(|block| within(block, wanted) && within(wanted, block))
}
