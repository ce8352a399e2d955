//! Declarations of the standard library as data.

use std::sync::Arc;

use symbi_syntax::ast::{AstNode, BlockItem, Expr, ExternDef, TopItem, Type};
use symbi_syntax::{File, ParseOptions};

use super::types::resolve;
use super::{
    Effect, Function, FunctionFacts, Group, Obligation, Reads, Several, StdlibDeclaration,
};
use crate::declaration::word;
use crate::ty::{ParamTy, Signature, Ty};

/// A declaration of one name with its place among all.
type Placed = (usize, StdlibDeclaration);

/// Reads one declaration; `None` if there is anything odd about it.
fn read<T>(
    (place, declared): &Placed,
    make: impl FnOnce(usize, ExternDef<'_>) -> Option<T>,
) -> Option<T> {
    let file = File::parse_with(declared.text(), ParseOptions { stdlib: true });
    let [placed] = file.items() else {
        return None;
    };
    if !placed.item.problems().is_empty() {
        return None;
    }
    match placed.item.top_item()? {
        TopItem::Extern(external) => make(*place, external),
        _ => None,
    }
}

/// The functions or guards of one name.
pub(super) fn functions(declared: &[Placed]) -> Option<Vec<Function>> {
    declared.iter().map(|one| read(one, function)).collect()
}

/// An effect. Only functions and guards may be declared several times.
pub(super) fn effect(declared: &[Placed]) -> Option<Effect> {
    read(only(declared)?, effect_of)
}

/// A group.
pub(super) fn group(declared: &[Placed]) -> Option<Group> {
    read(only(declared)?, group_of)
}

/// An obligation, or a key of `audit`.
pub(super) fn obligation(declared: &[Placed]) -> Option<Obligation> {
    read(only(declared)?, obligation_of)
}

fn only(declared: &[Placed]) -> Option<&Placed> {
    match declared {
        [only] => Some(only),
        _ => None,
    }
}

fn function(declaration: usize, external: ExternDef<'_>) -> Option<Function> {
    let name: Arc<str> = Arc::from(&*external.name()?.text());
    let type_params: Vec<Arc<str>> = external
        .type_params()
        .map(|param| Arc::from(&*param.text()))
        .collect();
    let mut facts = FunctionFacts {
        declaration,
        ..FunctionFacts::default()
    };
    let mut rest = None;
    let mut params = Vec::new();
    for param in external.params() {
        // Nothing can follow what takes everything.
        if rest.is_some() {
            return None;
        }
        let name: Arc<str> = Arc::from(&*param.name()?.text());
        let written = param.type_()?;
        if let Some(inner) = rest_of(written) {
            rest = Some(resolve(inner, &type_params)?);
            facts.rest = Some(name);
            continue;
        }
        facts.method |= params.is_empty() && *name == *"self";
        if let Some(default) = param.default() {
            facts.defaults.push((name.clone(), written_as(default)));
        }
        params.push(ParamTy {
            name,
            ty: resolve(written, &type_params)?,
            optional: param.default().is_some(),
        });
    }
    for item in external.entries() {
        let (key, value) = entry(item)?;
        match &*key {
            "property" => facts.property = flag(value)?,
            "updates" => facts.updates = facts.method && word(value)? == "self",
            "journalled" => facts.journalled = flag(value)?,
            "effect" => facts.effect = Some(word(value)?.into()),
            "may_hold_secrets" => facts.may_hold_secrets = words(value)?,
            "same_as" => facts.same_as = Some(word(value)?.into()),
            _ => return None,
        }
    }
    let result = resolve(external.result()?, &type_params)?;
    let signature = Signature {
        name,
        type_params,
        params,
        rest,
        result,
    };
    Some(Function {
        signature: Arc::new(signature),
        facts,
    })
}

/// An expression as it is written, without the space between its tokens.
fn written_as(value: Expr<'_>) -> Arc<str> {
    let node = value.node();
    let text: String = node
        .tokens()
        .map(|token| node.item().token_text(token))
        .collect();
    text.into()
}

/// The `T` of `Rest<T>`.
fn rest_of(written: Type<'_>) -> Option<Type<'_>> {
    match written {
        Type::Named(named) if named.name() == "Rest" => named.arguments().next(),
        _ => None,
    }
}

fn effect_of(declaration: usize, external: ExternDef<'_>) -> Option<Effect> {
    let params: Vec<(Arc<str>, Ty)> = external
        .params()
        .map(|param| {
            let name = Arc::from(&*param.name()?.text());
            Some((name, resolve(param.type_()?, &[])?))
        })
        .collect::<Option<_>>()?;
    let mut effect = Effect {
        declaration,
        params,
        named: None,
        one_of: Vec::new(),
        selectors: Vec::new(),
        covers: Vec::new(),
        monitoring: false,
    };
    for item in external.entries() {
        let (key, value) = entry(item)?;
        match &*key {
            "named" => effect.named = Some(word(value)?.into()),
            "one_of" => effect.one_of = words(value)?,
            "selectors" => effect.selectors = words(value)?,
            "covers" => effect.covers = words(value)?,
            "monitoring" => effect.monitoring = flag(value)?,
            _ => return None,
        }
    }
    Some(effect)
}

fn group_of(declaration: usize, external: ExternDef<'_>) -> Option<Group> {
    let mut members = None;
    for item in external.entries() {
        let (key, value) = entry(item)?;
        match &*key {
            "members" => members = Some(words(value)?),
            _ => return None,
        }
    }
    Some(Group {
        declaration,
        members: members?,
    })
}

fn obligation_of(declaration: usize, external: ExternDef<'_>) -> Option<Obligation> {
    let mut reads = Vec::new();
    let mut one_of = Vec::new();
    let mut several = None;
    let mut enforced = None;
    for item in external.entries() {
        let (key, value) = entry(item)?;
        match &*key {
            "verb" => {}
            "reads" => {
                reads = words(value)?
                    .iter()
                    .map(|form| reads_of(form))
                    .collect::<Option<_>>()?;
            }
            "one_of" => one_of = words(value)?,
            "several" => {
                several = Some(match &*word(value)? {
                    "all" => Several::All,
                    "lowest" => Several::Lowest,
                    "highest" => Several::Highest,
                    _ => return None,
                });
            }
            "enforced" => enforced = Some(word(value)?),
            _ => return None,
        }
    }
    Some(Obligation {
        declaration,
        reads,
        one_of,
        several: several?,
        enforced: enforced.filter(|by| by != "planned").map(Arc::from),
    })
}

fn reads_of(form: &str) -> Option<Reads> {
    Some(match form {
        "flag" => Reads::Flag,
        "names" => Reads::Names,
        "count" => Reads::Count,
        "rate" => Reads::Rate,
        "duration" => Reads::Duration,
        "size" => Reads::Size,
        "tier" => Reads::Tier,
        "text" => Reads::Text,
        _ => return None,
    })
}

fn entry(item: BlockItem<'_>) -> Option<(String, Expr<'_>)> {
    match item {
        BlockItem::Entry(entry) => Some((entry.key()?, entry.value()?)),
        _ => None,
    }
}

fn flag(value: Expr<'_>) -> Option<bool> {
    match &*word(value)? {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

fn words(value: Expr<'_>) -> Option<Vec<Arc<str>>> {
    let Expr::Array(array) = value else {
        return None;
    };
    array
        .elements()
        .map(|element| word(element).map(Arc::from))
        .collect()
}
