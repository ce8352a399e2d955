//! Which facts guards look at: to show why something was decided.

use crate::decide::{Because, Decider, Facts, RuleId};
use crate::effect::Effect;
use crate::guard::{Expr, Guard, Root};
use crate::rules::{Demand, Requirement};
use crate::value::Value;

/// A fact that a guard looks at.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// How the guard names it: `context.region`.
    pub path: String,
    /// What it is; `None` if it is missing, or larger than what is decided
    /// about.
    pub value: Option<Value>,
}

impl Decider {
    /// The facts that the rules and requirements about an effect look at, each
    /// once, in the order of the rules. A guard may stop before it has looked at
    /// all of them.
    pub fn looks(&self, effect: &Effect<'_>, facts: &Facts<'_>) -> Vec<Look> {
        each_look(self.guards(effect), effect, facts)
    }

    /// The facts that the guards of one rule or requirement look at: of the one
    /// that cannot be decided, if that is why.
    pub fn looks_of(&self, because: Because, effect: &Effect<'_>, facts: &Facts<'_>) -> Vec<Look> {
        match because {
            Because::Undecidable(id) => {
                let guard = self.rule(id).and_then(|rule| rule.guard.as_ref());
                each_look(guard.into_iter(), effect, facts)
            }
            Because::UndecidableRequirement(id) => {
                let guards = self.requirement(id).into_iter().flat_map(guards_of);
                each_look(guards, effect, facts)
            }
            _ => Vec::new(),
        }
    }

    /// The guards of the rules and requirements about an effect.
    fn guards<'d>(&'d self, effect: &'d Effect<'_>) -> impl Iterator<Item = &'d Guard> {
        let blocks = self.policies().blocks.iter();
        blocks.flat_map(move |block| {
            let rules = block.rules.iter();
            let rules = rules.filter(move |rule| rule.selector.matches(rule.verb, effect));
            let requirements = block.requirements.iter().flat_map(guards_of);
            rules
                .filter_map(|rule| rule.guard.as_ref())
                .chain(requirements)
        })
    }

    /// The allows and denies that are about an effect, whether their guards hold
    /// or not, in their order.
    pub fn about(&self, effect: &Effect<'_>) -> Vec<RuleId> {
        let mut found = Vec::new();
        for (block, own) in self.policies().blocks.iter().enumerate() {
            for (rule, one) in own.rules.iter().enumerate() {
                if one.selector.matches(one.verb, effect) {
                    found.push(RuleId { block, rule });
                }
            }
        }
        found
    }
}

/// The guards of a requirement.
fn guards_of(requirement: &Requirement) -> impl Iterator<Item = &Guard> {
    let demanded = match &requirement.demand {
        Demand::Guard(guard) => Some(guard),
        _ => None,
    };
    requirement.condition.iter().chain(demanded)
}

/// What guards look at, each fact once.
fn each_look<'g>(
    guards: impl Iterator<Item = &'g Guard>,
    effect: &Effect<'_>,
    facts: &Facts<'_>,
) -> Vec<Look> {
    let mut looks: Vec<Look> = Vec::new();
    for guard in guards {
        for (path, expr) in paths(guard.expr()) {
            if looks.iter().all(|look| look.path != path) {
                let value = guard.look(expr, effect, facts);
                looks.push(Look { path, value });
            }
        }
    }
    looks
}

/// The paths in a guard, each as it is written.
fn paths(expr: &Expr) -> Vec<(String, &Expr)> {
    let mut found = Vec::new();
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        match expr {
            Expr::Path(root, fields) => {
                let root = match root {
                    Root::Principal => "principal",
                    Root::Invocation => "invocation",
                    Root::Context => "context",
                    Root::Now => "now",
                    Root::Argument(name, _) | Root::Parameter(name) => name,
                    // Only its fields are facts, and each has a path of its own.
                    Root::Record(_) => "call",
                };
                let fields = fields.iter().map(|field| format!(".{field}"));
                found.push((format!("{root}{}", fields.collect::<String>()), expr));
            }
            Expr::Literal(_) | Expr::Unknown => {}
            Expr::List(parts) | Expr::Call(_, parts) => open.extend(parts.iter().rev()),
            Expr::Field(part, _) | Expr::Not(part) | Expr::Minus(part) => open.push(part),
            Expr::Index(one, two) | Expr::Binary(_, one, two) => open.extend([&**two, &**one]),
        }
    }
    found
}
