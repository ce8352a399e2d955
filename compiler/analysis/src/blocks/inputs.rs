//! The input of a schedule against the parameters of its agent.

use std::collections::BTreeMap;

use symbi_diagnostics::{Diagnostic, Edit, schedules as codes};
use symbi_syntax::Place;
use symbi_syntax::ast::{AstNode, Entry, Expr};

use super::cx::{Cx, any_of, quoted};
use super::entries::second;
use super::plain::{Plain, meaning, plain};
use super::references::Target;
use super::{durations, numbers, schedules};
use crate::bodies::{resolve_type, value_problems};
use crate::declaration::Param;
use crate::findings::{at_node, at_token};
use crate::suggest::nearest;
use crate::ty::Ty;

/// Checks the names of an input. `place` is where to say that there is none.
pub(super) fn check(
    cx: &mut Cx<'_>,
    input: Option<Entry<'_>>,
    target: Option<&Target>,
    place: Place,
) {
    let value = match input.map(|input| input.value()) {
        Some(None) => return,
        Some(Some(value)) => Some(value),
        None => None,
    };
    let found = value.map(plain);
    let Some(target) = target else {
        // Without an agent there are no parameters to compare with.
        return;
    };
    if target.talks {
        return;
    }
    let params: BTreeMap<&str, &Param> = target
        .params
        .iter()
        .map(|param| (&*param.name, param))
        .collect();
    let mut given: BTreeMap<String, Expr<'_>> = BTreeMap::new();
    let mut strange = false;
    match (&found, value) {
        (Some(Plain::Record(record)), _) => {
            for field in record.fields() {
                let (Some(key), Some(value)) = (field.key(), field.value()) else {
                    continue;
                };
                if let Some(first) = given.get(&key) {
                    let same = meaning(*first) == meaning(value);
                    let (at, first) = (at_node(value.node()), at_node(first.node()));
                    cx.report(second(&key, " in this input", at, first, same));
                    continue;
                }
                match params.get(&*key) {
                    Some(param) => typed(cx, target, param, value),
                    None => {
                        unknown(cx, target, &key, at_token(field.node().tokens().start));
                        strange = true;
                    }
                }
                given.insert(key, value);
            }
        }
        (Some(Plain::Unread), _) => return,
        // One parameter takes a bare value.
        (Some(_), Some(value)) if target.params.len() == 1 => {
            if let Some(param) = target.params.first() {
                typed(cx, target, param, value);
            }
            return;
        }
        (Some(Plain::Computed), _) => return,
        (Some(found), Some(value)) => {
            cx.report(schedules::no_record(value, found));
            return;
        }
        (_, _) => {}
    }
    let missing: Vec<&str> = target
        .params
        .iter()
        .filter(|param| !param.optional && !given.contains_key(&*param.name))
        .map(|param| &*param.name)
        .collect();
    // What is missing was perhaps given by another name.
    if missing.is_empty() || strange {
        return;
    }
    let at = input.map_or(place, super::entries::key_place);
    let missing = any_of(&missing).replace(" or ", " and ");
    let message = match input {
        Some(_) => format!("agent `{}` takes {missing} too", target.name),
        None => format!(
            "agent `{}` takes {missing}, and this schedule gives it no input",
            target.name
        ),
    };
    cx.report(
        Diagnostic::new(&codes::C0511, at, message)
            .label("the schedule starts nothing without it")
            .help("write each parameter that has no default: `input: { name: value }`"),
    );
}

/// A value against the type of its parameter, as the agent's file sees it.
fn typed(cx: &mut Cx<'_>, target: &Target, param: &Param, value: Expr<'_>) {
    let Some(written) = &param.ty else { return };
    let wanted = resolve_type(cx.program, target.file, Some(&target.name), written);
    for report in value_problems(cx.program, value, &wanted) {
        cx.report(report);
    }
}

/// Whether text holds a value of a type, as a value of a block may: `"5m"`
/// where a Duration is expected.
pub(crate) fn holds(text: &str, wanted: &Ty) -> bool {
    let text = Plain::Text(text.to_owned());
    match wanted {
        Ty::Duration => durations::nanos(&text).is_some(),
        Ty::Size => numbers::as_size(&text).is_some(),
        Ty::Int => numbers::as_int(&text).is_some(),
        Ty::Float => numbers::as_number(&text).is_some(),
        Ty::Bool => numbers::as_bool(&text).is_some(),
        _ => false,
    }
}

/// The most parameters among which a misspelt one is looked for.
const MOST: usize = 100;

/// Reports a name that the agent does not take.
fn unknown(cx: &mut Cx<'_>, target: &Target, key: &str, at: Place) {
    let names: Vec<&str> = target.params.iter().map(|param| &*param.name).collect();
    let report = Diagnostic::new(
        &codes::C0511,
        at,
        format!("agent `{}` takes no {}", target.name, quoted(key)),
    );
    cx.report(match nearest(key, names.iter().copied().take(MOST)) {
        Some(known) => report.help(format!("did you mean `{known}`?")).fix(
            format!("write `{known}`"),
            vec![Edit {
                at,
                text: known.to_owned(),
            }],
        ),
        None if names.is_empty() => report.help("it has no parameters"),
        None => {
            let shown = names.get(..8).unwrap_or(&names);
            report.help(format!(
                "it takes {}",
                any_of(shown).replace(" or ", " and ")
            ))
        }
    });
}
