//! Policies that permit nothing together: each by itself permits something, and
//! no effect passes all that govern one agent.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use symbi_diagnostics::{Diagnostic, policies as codes};
use symbi_policy::{Effect, Kind, Kinds, Record, Rule, Selector, Verb};
use symbi_syntax::ast::{AgentItem, AstNode, TopItem};
use symbi_syntax::{Item, Place};

use super::called::called;
use super::check::head;
use super::lower::{Scope, ceiling, constraints, policy};
use super::matters::ruled;
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

/// What the policies of an item may permit.
pub(crate) fn scopes(program: &dyn Program, item: &Item) -> Scopes {
    let mut found = Scopes::default();
    match item.top_item() {
        Some(TopItem::Policy(written)) => {
            let params = program.agent_params();
            let scope = Scope {
                program,
                is_param: &|name| params.contains_key(name),
            };
            let lowered = policy(scope, written);
            found.add(lowered.name, head(written), &lowered.block.rules);
        }
        Some(TopItem::Agent(agent)) => {
            let has_policy = agent
                .items()
                .any(|item| matches!(item, AgentItem::Policy(_)));
            if !has_policy {
                return found;
            }
            let Some(name) = agent.name() else {
                return found;
            };
            let params = super::check::Params::of(agent);
            let scope = Scope {
                program,
                is_param: &|name| params.has(name),
            };
            found.agent = Some((Arc::from(&*name.text()), at_name(name)));
            for item in agent.items() {
                match item {
                    AgentItem::Policy(written) => {
                        let lowered = policy(scope, written);
                        found.add(lowered.name, head(written), &lowered.block.rules);
                    }
                    AgentItem::Constraints(block) => {
                        let lowered = constraints(scope, block);
                        let at = at_name(name);
                        found.add(None, at, &lowered.block.rules);
                    }
                    AgentItem::Capabilities(list) if found.covered.is_none() => {
                        // Few lists name what only a call explains.
                        let uses = OnceCell::new();
                        let used = |name: &str| {
                            let uses = uses.get_or_init(|| called(agent.node()));
                            uses.contains(name)
                        };
                        let ceiling = ceiling(scope, list, &used);
                        found.covered = ceiling.map(|ceiling| {
                            let none = Record::default();
                            let is_covered =
                                |name: &str, kind| ceiling.covers(&Effect::new(name, kind, &none));
                            let entries = ceiling.entries.iter();
                            let open = [Kind::Tool, Kind::Action, Kind::Delegate, Kind::Driver];
                            let known = builtins();
                            let open = open.map(|kind| ("", kind));
                            Covered {
                                names: entries.map(|entry| entry.name.clone()).collect(),
                                kinds: known
                                    .chain(open)
                                    .filter(|(name, kind)| is_covered(name, *kind))
                                    .map(|(_, kind)| kind)
                                    .collect(),
                            }
                        });
                    }
                    _ => {}
                }
            }
        }
        _ => {}
    }
    found
}

impl Scopes {
    fn add(&mut self, name: Option<Arc<str>>, at: Place, rules: &[Rule]) {
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
    fn add(&mut self, rules: &[Rule]) {
        let reach = self;
        for rule in rules {
            let ruled = ruled(rule);
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
