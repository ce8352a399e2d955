//! Names of effects, groups and patterns, as the decision knows them.

use std::sync::{Arc, LazyLock};

use symbi_policy::{Action, Kind, Kinds, Shape, Verb};

use crate::program::Program;
use crate::stdlib::{Group, Stdlib};

/// The effects of the standard library that have one name each, in the order of
/// their names.
static BUILTINS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let effects = Stdlib::get().effects.iter();
    effects
        .filter(|(_, effect)| effect.named.is_none() && effect.covers.is_empty())
        .map(|(name, _)| name)
        .collect()
});

/// The kind of an effect of the standard library.
pub fn builtin(name: &str) -> Option<Kind> {
    let at = BUILTINS.binary_search(&name).ok()?;
    u8::try_from(at).ok().map(Kind::Builtin)
}

/// The effects of the standard library that have one name each, with their
/// kinds.
pub fn builtins() -> impl Iterator<Item = (&'static str, Kind)> {
    let numbered = BUILTINS.iter().zip(0u8..);
    numbered.map(|(name, number)| (*name, Kind::Builtin(number)))
}

/// The kinds of effects that no list of capabilities hides.
static EXEMPT: LazyLock<Kinds> = LazyLock::new(|| {
    let effects = Stdlib::get().effects.iter();
    let monitoring = effects.filter(|(_, effect)| effect.monitoring);
    Kinds::of(monitoring.map(|(name, _)| kind_of_effect(name, false)))
});

/// The kinds of effects that no list of capabilities hides.
pub fn exempt() -> Kinds {
    *EXEMPT
}

/// Whether there is an effect of this name, apart from what bodies call.
pub fn is_effect(program: &dyn Program, name: &str) -> bool {
    builtin(name).is_some()
        || program.tool(name).is_some()
        || kind_of_effect(name, false) == Kind::Driver
}

/// The kind of the effect of a name, which is that of a tool of the program or
/// not; what nothing declares is an external action.
pub fn kind_of_effect(name: &str, tool: bool) -> Kind {
    if let Some(kind) = builtin(name) {
        return kind;
    }
    if tool {
        return Kind::Tool;
    }
    if name.starts_with("delegate::") {
        return Kind::Delegate;
    }
    let driver = Stdlib::get().effects.get("driver");
    match driver.is_some_and(|driver| driver.one_of.iter().any(|known| **known == *name)) {
        true => Kind::Driver,
        false => Kind::Action,
    }
}

/// The names of the parameters of an effect of the standard library.
pub fn params_of(name: &str) -> Vec<Box<str>> {
    let effect = Stdlib::get().effects.get(name);
    let params = effect.map_or(&[][..], |effect| effect.params.as_slice());
    params.iter().map(|(name, _)| (**name).into()).collect()
}

/// The kinds that a row of the effects stands for.
fn kinds_of_row(stdlib: &Stdlib, name: &str) -> Kinds {
    let Some(effect) = stdlib.effects.get(name) else {
        return Kinds::NONE;
    };
    let covered = effect.covers.iter().map(|name| kinds_of_row(stdlib, name));
    let own = match effect.named.as_deref() {
        Some("TOOL") => Some(Kind::Tool),
        Some("ACTION") => Some(Kind::Action),
        Some("DRIVER") => Some(Kind::Driver),
        Some(_) => Some(Kind::Delegate),
        None if effect.covers.is_empty() => builtin(name),
        None => None,
    };
    covered.fold(Kinds::of(own), Kinds::and)
}

/// The groups of the standard library, with the kinds in them.
static GROUPS: LazyLock<Vec<(&'static str, Kinds)>> = LazyLock::new(|| {
    let stdlib = Stdlib::get();
    let kinds = |group: &Group| {
        let members = group.members.iter();
        members
            .map(|member| kinds_of_row(stdlib, member))
            .fold(Kinds::NONE, Kinds::and)
    };
    let groups = stdlib.groups.iter();
    groups.map(|(name, group)| (name, kinds(group))).collect()
});

/// The kinds in the group of a name; none if there is no such group.
pub fn group(stdlib: &Stdlib, name: &str) -> Kinds {
    // The names cost nothing; what is in a group has to be read.
    if !stdlib.groups.contains_key(name) {
        return Kinds::NONE;
    }
    let found = GROUPS.iter().find(|(own, _)| *own == name);
    found.map_or(Kinds::NONE, |(_, kinds)| *kinds)
}

/// The effects over which there are patterns, with the record that is the
/// argument of each.
const PATTERNS: [(&str, Shape); 3] = [
    ("tool", Shape::Tool),
    ("delegate", Shape::Delegate),
    ("network_access", Shape::Network),
];

/// The names of patterns, with the kinds that each is over.
static PATTERN_NAMES: LazyLock<Vec<(Arc<str>, Kinds, Shape)>> = LazyLock::new(|| {
    let stdlib = Stdlib::get();
    let mut names = Vec::new();
    for (row, shape) in PATTERNS {
        let effect = stdlib.effects.get(row);
        for name in effect.into_iter().flat_map(|effect| &effect.selectors) {
            names.push((name.clone(), kinds_of_row(stdlib, row), shape));
        }
    }
    names
});

/// The kinds that a pattern such as `invoke_tool` is over, and the record that
/// its argument is.
pub fn pattern(name: &str) -> Option<(Kinds, Shape)> {
    let mut names = PATTERN_NAMES.iter();
    let (_, kinds, shape) = names.find(|(own, ..)| **own == *name)?;
    Some((*kinds, *shape))
}

/// The names that rules may have, apart from tools, agents and what bodies
/// call.
pub fn names() -> &'static [Arc<str>] {
    static NAMES: LazyLock<Vec<Arc<str>>> = LazyLock::new(|| {
        let stdlib = Stdlib::get();
        let mut names: Vec<Arc<str>> = stdlib.groups.keys().cloned().collect();
        for (name, effect) in stdlib.effects.iter() {
            names.extend(effect.selectors.iter().chain(&effect.one_of).cloned());
            names.extend(builtin(name).map(|_| Arc::from(name)));
        }
        names
    });
    &NAMES
}

/// What a name in a rule of this verb means, without tests of arguments. In an
/// allow a tool of the project hides the group of its name.
pub fn action(program: &dyn Program, verb: Verb, name: &str) -> Action {
    let stdlib = program.stdlib();
    if let Some((kinds, shape)) = pattern(name) {
        let mut action = Action::new(name, kinds);
        action.record = Some(shape);
        return action;
    }
    let hidden = verb == Verb::Allow && program.tool(name).is_some();
    let kinds = match hidden {
        true => Kinds::NONE,
        false => group(stdlib, name),
    };
    Action::new(name, kinds)
}
