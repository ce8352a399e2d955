//! The text of the table.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use symbi_analysis::stdlib::{Function, FunctionFacts};
use symbi_analysis::{ParamTy, Stdlib, Ty};

use super::names;

const HEAD: &str = "\
//! The functions of the standard library: made by `tests/it/table.rs` from the
//! declarations in `stdlib/`, which holds it to them. `UPDATE_LIBRARY=1` writes
//! it anew; what is changed here by hand is lost.

use super::declared::{Default, Does, Function, Param, Ty};

/// What a declaration is done by, one for each that is no other name of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Native {
";

const MIDDLE: &str = "}

/// Every function, by name; those of one name in the order in which they are
/// tried. Laid out here, since the formatter would take thousands of lines.
#[rustfmt::skip]
pub static FUNCTIONS: &[Function] = &[
";

/// The whole file.
pub fn file() -> String {
    let library = Stdlib::get();
    // By name and first parameter: what is done by what.
    let mut natives = BTreeMap::new();
    let mut text = HEAD.to_owned();
    for (name, all) in library.functions.iter() {
        let own = all
            .iter()
            .filter(|function| function.facts.same_as.is_none());
        for (function, native) in own.zip(names::of(all)) {
            let summary = library.declarations[function.facts.declaration].summary();
            let _ = writeln!(text, "    /// {summary}\n    {native},");
            let before = natives.insert(native_key(name, function), native);
            assert_eq!(before, None, "{name}");
        }
    }
    text.push_str(MIDDLE);
    for (name, all) in library.functions.iter() {
        for function in all {
            let doer = function.facts.same_as.as_deref().unwrap_or(name);
            let native = &natives[&native_key(doer, function)];
            row(&mut text, name, function, native);
        }
    }
    text.push_str("];\n");
    text
}

/// The name of a function with the types of what it takes.
fn native_key(name: &str, function: &Function) -> String {
    let types: Vec<String> = function
        .signature
        .params
        .iter()
        .map(|param| ty(&param.ty))
        .collect();
    format!("{name}({})", types.join(", "))
}

fn row(text: &mut String, name: &str, function: &Function, native: &str) {
    let (signature, facts) = (&function.signature, &function.facts);
    let mut params: Vec<String> = signature
        .params
        .iter()
        .map(|one| param(one, facts))
        .collect();
    if let (Some(name), Some(each)) = (&facts.rest, &signature.rest) {
        let holds = match facts.may_hold_secrets.contains(name) {
            true => ".holding_secrets()",
            false => "",
        };
        params.push(format!("Param::rest({name:?}, &{}){holds}", ty(each)));
    }
    let does = match &facts.effect {
        Some(effect) => format!("Does::Effect({effect:?})"),
        None if facts.journalled => "Does::Journalled".to_owned(),
        None => "Does::Value".to_owned(),
    };
    assert!(
        facts.effect.is_none() || !facts.journalled,
        "{name} is both"
    );
    let _ = writeln!(
        text,
        "    Function {{\n        name: {name:?}, native: Native::{native}, does: {does},\n        \
         method: {}, property: {}, updates: {},",
        facts.method, facts.property, facts.updates
    );
    let line = format!("        params: &[{}],", params.join(", "));
    if line.chars().count() <= 110 {
        let _ = writeln!(text, "{line}");
    } else {
        let _ = writeln!(
            text,
            "        params: &[\n            {},\n        ],",
            params.join(",\n            ")
        );
    }
    let _ = writeln!(text, "        result: &{},\n    }},", ty(&signature.result));
}

fn param(param: &ParamTy, facts: &FunctionFacts) -> String {
    let mut text = format!("Param::of({:?}, &{})", &*param.name, ty(&param.ty));
    if let Some((_, written)) = facts.defaults.iter().find(|(name, _)| *name == param.name) {
        let _ = write!(text, ".or(Default::{})", default(written));
    }
    if facts.may_hold_secrets.contains(&param.name) {
        text.push_str(".holding_secrets()");
    }
    text
}

fn default(written: &str) -> String {
    let number = written.replace('_', "").parse::<i64>();
    match (written, number) {
        ("null", _) => "Null".to_owned(),
        ("{}", _) => "Record".to_owned(),
        (_, Ok(_)) => format!("Int({written})"),
        // Nothing in it means something else in Rust.
        (text, _) if text.starts_with('"') && !text.contains('\\') => format!("Text({text})"),
        (other, _) => panic!("a default of `{other}` needs a variant of `Default`"),
    }
}

fn ty(of: &Ty) -> String {
    match of {
        Ty::Any => "Ty::Any".to_owned(),
        Ty::Null => "Ty::Null".to_owned(),
        Ty::Never => "Ty::Never".to_owned(),
        Ty::String => "Ty::String".to_owned(),
        Ty::Int => "Ty::Int".to_owned(),
        Ty::Float => "Ty::Float".to_owned(),
        Ty::Bool => "Ty::Bool".to_owned(),
        Ty::Duration => "Ty::Duration".to_owned(),
        Ty::Size => "Ty::Size".to_owned(),
        Ty::Time => "Ty::Time".to_owned(),
        Ty::Json => "Ty::Json".to_owned(),
        Ty::Error => "Ty::Error".to_owned(),
        Ty::Secret(inner) => format!("Ty::Secret(&{})", ty(inner)),
        Ty::Array(inner) => format!("Ty::Array(&{})", ty(inner)),
        Ty::Map(key, value) => format!("Ty::Map(&{}, &{})", ty(key), ty(value)),
        Ty::Set(inner) => format!("Ty::Set(&{})", ty(inner)),
        Ty::Option(inner) => format!("Ty::Option(&{})", ty(inner)),
        Ty::Function(function) => {
            let params: Vec<String> = function
                .params
                .iter()
                .map(|one| format!("&{}", ty(one)))
                .collect();
            let result = ty(&function.result);
            format!(
                "Ty::Function {{ params: &[{}], result: &{result} }}",
                params.join(", ")
            )
        }
        Ty::Parameter(name) => format!("Ty::Param({:?})", &**name),
        Ty::Result(..) | Ty::Record(_) | Ty::Struct(_) | Ty::Opaque(_) => {
            panic!("the type {of} needs a variant of `Ty`")
        }
    }
}
