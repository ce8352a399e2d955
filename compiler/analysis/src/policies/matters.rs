//! Rules that can never matter: what one rule says, another one says already,
//! or takes back. Found by comparing rules with each other: an effect that
//! would show the difference is looked for among the names in the policy, the
//! effects of the language, and one of each kind that nothing names.

use std::collections::{BTreeSet, HashMap};

use symbi_diagnostics::{Diagnostic, policies as codes};
use symbi_policy::{Action, Expr, Kind, Op, Rule, Selector, Verb};
use symbi_syntax::Place;
use symbi_syntax::ast::PolicyDef;

use super::check::{Cx, head};
use super::lower::Lowered;
use super::outcomes::{Outcomes, operands, outcomes};
use super::selectors::is_known;
use super::vocabulary::{builtins, is_effect, kind_of_effect};

/// With how many rules about many effects each rule is compared, and with how
/// many about its own: more would cost a large policy their product.
const COMPARED: usize = 64;

/// What is looked at to tell two rules apart: an effect of a name, or one of a
/// kind that no rule names.
#[derive(Clone, Debug)]
struct Sample<'l> {
    name: Option<&'l str>,
    kind: Kind,
}

/// A rule, and what is known of it before anything is asked.
pub(super) struct Ruled<'l> {
    pub rule: &'l Rule,
    /// What its guard can come to, if it has one.
    pub outcomes: Option<Outcomes>,
    /// The operands of the `&&` of its guard; none without one.
    conditions: Vec<&'l Expr>,
    /// It applies to all that it selects.
    pub always: bool,
    /// It is never decided.
    pub undecided: bool,
    /// Its own guard, tail or selector lets it do nothing, which has been told.
    pub idle: bool,
}

/// Checks the allows and denies of a policy.
pub(super) fn check(
    cx: &mut Cx<'_>,
    policy: PolicyDef<'_>,
    lowered: &Lowered,
    rules: &[Ruled<'_>],
) {
    let table = Table::new(rules);
    let samples: Vec<Vec<Sample<'_>>> = rules
        .iter()
        .map(|ruled| samples(cx, &ruled.rule.selector))
        .collect();
    let mut dead: Vec<Option<Vec<usize>>> = Vec::with_capacity(rules.len());
    for (at, ruled) in rules.iter().enumerate() {
        let is_allow = ruled.rule.verb == Verb::Allow && !ruled.idle && !ruled.undecided;
        dead.push(match is_allow && !samples[at].is_empty() {
            true => table.killers(at, &samples[at]),
            false => None,
        });
    }
    let permits = |at: usize| {
        let ruled = &rules[at];
        ruled.rule.verb == Verb::Allow && !ruled.idle && !ruled.undecided && dead[at].is_none()
    };
    let allows = rules.iter().any(|ruled| ruled.rule.verb == Verb::Allow);
    let says_nothing = rules.iter().any(|ruled| {
        ruled.rule.verb == Verb::Allow && matches!(ruled.rule.selector, Selector::None)
    });
    let taken_back = dead.iter().any(Option::is_some);
    if allows && !(0..rules.len()).any(permits) && (taken_back || says_nothing) {
        let killers: BTreeSet<usize> = dead.iter().flatten().flatten().copied().collect();
        permits_nothing(cx, policy, lowered, &killers, taken_back);
        return;
    }
    for (at, killers) in dead.iter().enumerate() {
        if let Some(killers) = killers {
            taken(cx, lowered, at, killers, &samples[at], rules);
        }
    }
    for (at, ruled) in rules.iter().enumerate() {
        let compared = !ruled.idle && !ruled.undecided && dead[at].is_none();
        if compared
            && !samples[at].is_empty()
            && let Some(other) = table.repeats(at, &samples, &dead)
        {
            repeated(cx, lowered, at, other, ruled.rule.verb);
        }
    }
}

/// What is known of a rule.
pub(super) fn ruled(rule: &Rule) -> Ruled<'_> {
    let found = rule.guard.as_ref().map(|guard| match guard.fits() {
        true => outcomes(guard.expr()),
        false => outcomes(&Expr::Unknown),
    });
    let undecided = found.as_ref().is_some_and(|found| found.is_undecided());
    let never = found.as_ref().is_some_and(|found| found.is_never_true());
    let always = found.as_ref().is_none_or(|found| found.is_true());
    let denies = rule.verb == Verb::Deny;
    let nothing = match rule.selector {
        Selector::None => true,
        Selector::Other => !denies,
        Selector::All | Selector::Action(_) => false,
    };
    Ruled {
        conditions: match &rule.guard {
            Some(guard) => operands(Op::And, guard.expr()),
            None => Vec::new(),
        },
        always: always || (denies && rule.tail),
        undecided: undecided && !rule.tail,
        idle: nothing || (rule.tail && !denies) || (never && !undecided && !rule.tail),
        outcomes: found,
        rule,
    }
}

/// What a selector is about, as few effects as tell it apart from others.
fn samples<'l>(cx: &Cx<'_>, selector: &'l Selector) -> Vec<Sample<'l>> {
    let kinds = match selector {
        Selector::None => return Vec::new(),
        Selector::All | Selector::Other => None,
        Selector::Action(action) => Some(action),
    };
    let mut found = Vec::new();
    if let Some(action) = kinds {
        let of_many = action.record.is_some() || !action.kinds.is_empty();
        // The name of a group is seldom that of an effect too.
        // One that does not exist has been reported.
        if !of_many && !is_known(cx, &action.name) {
            return Vec::new();
        }
        if !of_many || is_effect(cx.program, &action.name) {
            found.push(Sample {
                name: Some(&action.name),
                kind: kind_of_effect(&action.name, cx.program.tool(&action.name).is_some()),
            });
        }
    }
    let has = |kind| kinds.is_none_or(|action: &Action| action.kinds.has(kind));
    for kind in [Kind::Tool, Kind::Action, Kind::Delegate, Kind::Driver] {
        if has(kind) {
            found.push(Sample { name: None, kind });
        }
    }
    for (name, kind) in builtins() {
        if has(kind) {
            found.push(Sample {
                name: Some(name),
                kind,
            });
        }
    }
    found
}

/// The rules, found by what they are about.
struct Table<'r, 'l> {
    rules: &'r [Ruled<'l>],
    by_name: HashMap<&'l str, Vec<usize>>,
    /// Those about effects of several names.
    wide: Vec<usize>,
}

impl<'r, 'l> Table<'r, 'l> {
    fn new(rules: &'r [Ruled<'l>]) -> Self {
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut wide = Vec::new();
        for (at, ruled) in rules.iter().enumerate() {
            match &ruled.rule.selector {
                Selector::Action(action) => {
                    let own = by_name.entry(&action.name).or_default();
                    if own.len() < COMPARED {
                        own.push(at);
                    }
                    if !action.kinds.is_empty() && wide.len() < COMPARED {
                        wide.push(at);
                    }
                }
                Selector::All | Selector::Other if wide.len() < COMPARED => wide.push(at),
                _ => {}
            }
        }
        Table {
            rules,
            by_name,
            wide,
        }
    }

    /// The rules that may be about an effect.
    fn about(&self, sample: &Sample<'_>) -> impl Iterator<Item = usize> {
        let named = sample.name.and_then(|name| self.by_name.get(name));
        let named = named.into_iter().flatten().copied();
        named.chain(self.wide.iter().copied())
    }

    /// Whether a rule is about an effect whenever another one is.
    fn covers(&self, at: usize, sample: &Sample<'_>, other: usize) -> bool {
        let rule = self.rules[at].rule;
        match &rule.selector {
            Selector::All => true,
            Selector::Other => rule.verb == Verb::Deny,
            Selector::None => false,
            Selector::Action(action) => {
                let named = sample.name.is_some_and(|name| *name == *action.name);
                (named || action.kinds.has(sample.kind))
                    && asks_no_more(action, &self.rules[other].rule.selector)
            }
        }
    }

    /// The rules that take back all that an allow permits.
    fn killers(&self, at: usize, samples: &[Sample<'_>]) -> Option<Vec<usize>> {
        let kills = |other: usize, sample: &Sample<'_>| {
            let (one, two) = (&self.rules[other], &self.rules[at]);
            let denies = match one.rule.verb {
                Verb::Deny => !one.idle && (one.always || one.undecided || implied(two, one)),
                // One that is never decided denies too.
                Verb::Allow => one.undecided,
            };
            other != at && denies && self.covers(other, sample, at)
        };
        let mut found = Vec::new();
        for sample in samples {
            found.push(self.about(sample).find(|other| kills(*other, sample))?);
        }
        Some(found)
    }

    /// A rule that does all that another one of its verb does.
    fn repeats(
        &self,
        at: usize,
        samples: &[Vec<Sample<'_>>],
        dead: &[Option<Vec<usize>>],
    ) -> Option<usize> {
        let own = &samples[at];
        let does_as_much = |other: usize, at: usize, own: &[Sample<'_>]| {
            let (one, two) = (&self.rules[other], &self.rules[at]);
            one.rule.verb == two.rule.verb
                && !one.idle
                && !one.undecided
                && dead[other].is_none()
                && (one.always || one.rule.guard == two.rule.guard)
                && own.iter().all(|sample| self.covers(other, sample, at))
        };
        let candidates: BTreeSet<usize> = own
            .first()
            .into_iter()
            .flat_map(|first| self.about(first))
            .collect();
        candidates.into_iter().find(|other| {
            *other != at
                && does_as_much(*other, at, own)
                // Of two that do the same, the first is the one to keep.
                && (*other < at || !does_as_much(at, *other, &samples[*other]))
        })
    }
}

/// Whether a selector asks nothing of arguments that the other does not.
fn asks_no_more(action: &Action, other: &Selector) -> bool {
    if action.tests.is_empty() {
        return true;
    }
    let Selector::Action(other) = other else {
        return false;
    };
    action.record == other.record
        && action.name == other.name
        && action.tests.iter().all(|test| other.tests.contains(test))
}

/// Whether a guard cannot be true without the other one being so.
fn implied(by: &Ruled<'_>, one: &Ruled<'_>) -> bool {
    !one.conditions.is_empty()
        && one.conditions.len() <= by.conditions.len()
        && one
            .conditions
            .iter()
            .all(|condition| by.conditions.contains(condition))
}

fn shown(sample: &Sample<'_>) -> String {
    match (sample.name, sample.kind) {
        (Some(name), _) => format!("`{name}`"),
        (None, Kind::Tool) => "any tool".to_owned(),
        (None, Kind::Delegate) => "any delegation".to_owned(),
        (None, Kind::Driver) => "any managed driver".to_owned(),
        (None, _) => "any external action".to_owned(),
    }
}

/// An allow of which denies take everything back.
fn taken(
    cx: &mut Cx<'_>,
    lowered: &Lowered,
    at: usize,
    killers: &[usize],
    samples: &[Sample<'_>],
    rules: &[Ruled<'_>],
) {
    let whole = alone(lowered, at);
    let mut report = Diagnostic::new(
        &codes::P0430,
        whole,
        "this permits nothing: what it allows is denied in this policy",
    );
    let mut told: BTreeSet<usize> = BTreeSet::new();
    for (killer, sample) in killers.iter().zip(samples) {
        if told.len() < 3 && told.insert(*killer) {
            let never = rules[*killer].undecided;
            let how = match never {
                true => "is denied here, by a guard that is never decided",
                false => "is denied here",
            };
            report = report.note(lowered.rules[*killer], format!("{} {how}", shown(sample)));
        }
    }
    cx.report(
        report.help("leave one of them out: the order of rules says nothing, and a deny wins"),
    );
}

/// The place of a rule, or of its selector if the rule has several.
fn alone(lowered: &Lowered, at: usize) -> Place {
    // The rules of one list stand side by side.
    let own = lowered.rules.get(at);
    let before = at.checked_sub(1).and_then(|at| lowered.rules.get(at));
    match before == own || lowered.rules.get(at + 1) == own {
        true => lowered.selectors[at],
        false => lowered.rules[at],
    }
}

fn repeated(cx: &mut Cx<'_>, lowered: &Lowered, at: usize, other: usize, verb: Verb) {
    let (message, note) = match verb {
        Verb::Allow => (
            "this permits nothing that is not permitted already",
            "all of it is permitted here",
        ),
        Verb::Deny => (
            "this denies nothing that is not denied already",
            "all of it is denied here",
        ),
    };
    let mut report = Diagnostic::new(&codes::P0430, alone(lowered, at), message);
    report = report.note(alone(lowered, other), note);
    cx.report(report.help("leave it out"));
}

fn permits_nothing(
    cx: &mut Cx<'_>,
    policy: PolicyDef<'_>,
    lowered: &Lowered,
    killers: &BTreeSet<usize>,
    taken_back: bool,
) {
    let message = match taken_back {
        true => "this policy permits nothing: its denies take back all that it allows",
        false => "this policy permits nothing: none of its rules allows anything",
    };
    let mut report = Diagnostic::new(&codes::P0431, head(policy), message);
    for killer in killers.iter().take(3) {
        report = report.note(lowered.rules[*killer], "this takes it back");
    }
    cx.report(report.help("write `deny: true` and nothing else if that is what was meant"));
}
