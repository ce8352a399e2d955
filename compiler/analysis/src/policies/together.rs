//! Policies that permit nothing together: each by itself permits something, and
//! no effect passes all that govern one agent.

use std::collections::BTreeSet;
use std::sync::Arc;

use symbi_diagnostics::{Diagnostic, policies as codes};
use symbi_policy::{Ceiling, Effect, Kind, Kinds, Record, Selector, Verb};
use symbi_syntax::Place;
use symbi_syntax::ast::Name;

use super::matters::Ruled;
use super::vocabulary::{builtins, is_effect, kind_of_effect};
use crate::assemble::FilePlace;
use crate::findings::at_name;
use crate::program::Program;

/// How many effects are asked about in one file: more would cost a file with
/// many agents and many policies their product.
const ASKED: usize = 500_000;

/// What the policies of one item may permit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scopes {
    /// Its policies: one at the top level, or those of an agent. Those of one
    /// name are one.
    blocks: Vec<Named>,
    /// For an agent, where its name stands.
    agent: Option<(Arc<str>, Place)>,
    /// What its capabilities cover, if they are a ceiling.
    covered: Option<Covered>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Named {
    name: Option<Arc<str>>,
    at: Place,
    reach: Reach,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Covered {
    names: BTreeSet<Arc<str>>,
    /// One for each kind of which an effect of any name is covered.
    kinds: Vec<Kind>,
}

impl Covered {
    fn of(ceiling: &Ceiling) -> Self {
        let none = Record::default();
        let is_covered = |name: &str, kind| ceiling.covers(&Effect::new(name, kind, &none));
        let open = [Kind::Tool, Kind::Action, Kind::Delegate, Kind::Driver];
        let open = open.map(|kind| ("", kind));
        Covered {
            names: (ceiling.entries.iter())
                .map(|entry| entry.name.clone())
                .collect(),
            kinds: builtins()
                .chain(open)
                .filter(|(name, kind)| is_covered(name, *kind))
                .map(|(_, kind)| kind)
                .collect(),
        }
    }
}

impl Scopes {
    /// Those of an agent without policies yet.
    pub(super) fn of_agent(name: Name<'_>) -> Self {
        Scopes {
            agent: Some((Arc::from(&*name.text()), at_name(name))),
            ..Scopes::default()
        }
    }

    /// Whether a list of capabilities that is a ceiling is known.
    pub(super) fn is_covered(&self) -> bool {
        self.covered.is_some()
    }

    /// Keeps them to a list of capabilities.
    pub(super) fn cover(&mut self, ceiling: &Ceiling) {
        self.covered = Some(Covered::of(ceiling));
    }

    /// Adds the rules of a policy.
    pub(super) fn add(&mut self, name: Option<Arc<str>>, at: Place, rules: &[Ruled<'_>]) {
        let same = self
            .blocks
            .iter_mut()
            .find(|block| name.is_some() && block.name == name);
        match same {
            Some(block) => block.reach.add(rules),
            None => {
                let mut reach = Reach::default();
                reach.add(rules);
                self.blocks.push(Named { name, at, reach });
            }
        }
    }
}

/// The policies at the top level of a file, against which its agents are held
/// one after the other.
pub(crate) struct Together<'s> {
    shared: Vec<(u32, &'s Named)>,
    left: usize,
}

impl<'s> Together<'s> {
    /// Those of these items.
    pub(crate) fn new(scopes: impl Iterator<Item = (u32, &'s Scopes)>) -> Self {
        let tops = scopes.filter(|(_, scope)| scope.agent.is_none());
        Together {
            shared: tops
                .flat_map(|(item, scope)| scope.blocks.iter().map(move |block| (item, block)))
                .collect(),
            left: ASKED,
        }
    }

    /// Whether the agent of an item may do nothing.
    pub(crate) fn agent(
        &mut self,
        program: &dyn Program,
        item: u32,
        scope: &Scopes,
    ) -> Option<Diagnostic<FilePlace>> {
        let (name, at) = scope.agent.as_ref()?;
        let own = scope.blocks.iter().map(|block| (item, block));
        let blocks: Vec<(u32, &Named)> = self.shared.iter().copied().chain(own).collect();
        let told = nothing(program, &blocks, scope.covered.as_ref(), &mut self.left)?;
        let place = |item: u32, place: Place| FilePlace { item, place };
        let message = match told {
            Nothing::Blocks => format!(
                "the policies that govern `{name}` permit nothing together, though each of them \
                 permits something"
            ),
            Nothing::Ceiling => format!(
                "the policies that govern `{name}` permit nothing that its capabilities cover"
            ),
        };
        let mut report = Diagnostic::new(&codes::P0432, place(item, *at), message);
        let restricting = blocks.iter().filter(|(_, block)| block.reach.restricts);
        for (item, block) in restricting.take(3) {
            report = report.note(
                place(*item, block.at),
                format!("this one {}", block.reach.permits_in_words()),
            );
        }
        Some(report.help("each policy has to permit: put the allows into one, or widen one"))
    }
}

enum Nothing {
    Blocks,
    Ceiling,
}

/// Whether no effect passes all blocks, though each of them lets some pass.
fn nothing(
    program: &dyn Program,
    blocks: &[(u32, &Named)],
    covered: Option<&Covered>,
    left: &mut usize,
) -> Option<Nothing> {
    let restricting = blocks
        .iter()
        .filter(|(_, block)| block.reach.restricts)
        .count();
    if restricting == 0 || (restricting < 2 && blocks.len() < 2 && covered.is_none()) {
        return None;
    }
    let mut alone = vec![false; blocks.len()];
    let mut passed = false;
    let ask = |name: Option<&str>, kind: Kind, alone: &mut [bool], passed: &mut bool| -> bool {
        let mut all = true;
        for ((_, block), alone) in blocks.iter().zip(alone) {
            let permits = block.reach.permits(name, kind);
            *alone |= permits;
            all &= permits;
        }
        *passed |= all;
        all && covered.is_none_or(|covered| {
            covered.kinds.contains(&kind) || name.is_some_and(|name| covered.names.contains(name))
        })
    };
    let mut spend = |alone: usize| match left.checked_sub(alone) {
        Some(rest) => {
            *left = rest;
            true
        }
        None => false,
    };
    for (name, kind) in builtins() {
        if !spend(blocks.len()) || ask(Some(name), kind, &mut alone, &mut passed) {
            return None;
        }
    }
    for kind in [Kind::Tool, Kind::Action, Kind::Delegate, Kind::Driver] {
        if ask(None, kind, &mut alone, &mut passed) {
            return None;
        }
    }
    let names = blocks.iter().flat_map(|(_, block)| block.reach.names());
    let names = names.chain(covered.into_iter().flat_map(|covered| &covered.names));
    for name in names {
        let groups = &program.stdlib().groups;
        if groups.contains_key(name) && !is_effect(program, name) {
            continue;
        }
        let kind = kind_of_effect(name, program.tool(name).is_some());
        if !spend(blocks.len()) || ask(Some(name), kind, &mut alone, &mut passed) {
            return None;
        }
    }
    match (alone.iter().all(|permits| *permits), passed) {
        // One that permits nothing by itself has been reported.
        (false, _) => None,
        (true, true) => Some(Nothing::Ceiling),
        (true, false) => Some(Nothing::Blocks),
    }
}

/// What the policies of one scope may permit, without their guards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Reach {
    /// It has an allow, one of which must match.
    restricts: bool,
    allows: Effects,
    denies: Effects,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Effects {
    all: bool,
    kinds: Kinds,
    names: BTreeSet<Arc<str>>,
}

impl Effects {
    fn add(&mut self, selector: &Selector, verb: Verb) {
        match selector {
            Selector::All => self.all = true,
            Selector::Other => self.all |= verb == Verb::Deny,
            Selector::None => {}
            Selector::Action(action) => {
                self.kinds = self.kinds.and(action.kinds);
                self.names.insert(action.name.clone());
            }
        }
    }

    fn has(&self, name: Option<&str>, kind: Kind) -> bool {
        self.all || self.kinds.has(kind) || name.is_some_and(|name| self.names.contains(name))
    }
}

impl Reach {
    fn add(&mut self, rules: &[Ruled<'_>]) {
        let reach = self;
        for ruled in rules {
            let rule = ruled.rule;
            match rule.verb {
                Verb::Allow => {
                    reach.restricts = true;
                    if ruled.undecided && tests_nothing(&rule.selector) {
                        reach.denies.add(&rule.selector, rule.verb);
                    } else if !ruled.idle && !ruled.undecided {
                        reach.allows.add(&rule.selector, rule.verb);
                    }
                }
                Verb::Deny => {
                    let always = ruled.always || ruled.undecided;
                    if always && !ruled.idle && tests_nothing(&rule.selector) {
                        reach.denies.add(&rule.selector, rule.verb);
                    }
                }
            }
        }
    }

    /// Whether an effect may be permitted; of no name, any of the kind.
    fn permits(&self, name: Option<&str>, kind: Kind) -> bool {
        (!self.restricts || self.allows.has(name, kind)) && !self.denies.has(name, kind)
    }

    /// The names in it.
    fn names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.allows.names.iter().chain(&self.denies.names)
    }

    /// What it permits, as a message says it: `permits `a` and `b` only`.
    fn permits_in_words(&self) -> String {
        let names: Vec<&Arc<str>> = self.allows.names.iter().take(4).collect();
        match (self.allows.all, &*names) {
            (true, _) | (_, []) => "permits what it does not deny".to_owned(),
            (false, [only]) => format!("permits `{only}` only"),
            (false, several) if several.len() == self.allows.names.len() => {
                let names: Vec<String> = several.iter().map(|name| format!("`{name}`")).collect();
                format!("permits {} only", names.join(", "))
            }
            (false, several) => format!("permits `{}` and others only", several[0]),
        }
    }
}

fn tests_nothing(selector: &Selector) -> bool {
    match selector {
        Selector::Action(action) => action.tests.is_empty(),
        _ => true,
    }
}
