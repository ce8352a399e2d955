//! How what a declaration is done by is called: the function's name, and what
//! tells several of one name apart.

use symbi_analysis::stdlib::Function;
use symbi_analysis::{Signature, Ty};

/// A name for each of the functions of one name that is no other name of one,
/// in their order.
pub fn of(all: &[Function]) -> Vec<String> {
    let own: Vec<&Signature> = all
        .iter()
        .filter(|function| function.facts.same_as.is_none())
        .map(|function| &*function.signature)
        .collect();
    let name = |at: usize| match own.as_slice() {
        [only] => camel(&only.name),
        many => camel(&many[at].name) + &apart(many, at),
    };
    (0..own.len()).map(name).collect()
}

/// What tells one of several apart: the type of its first parameter, or of that
/// one's elements; where an earlier one has the same, also a parameter that it
/// lacks. `Any` tells nothing: a parameter alone then.
fn apart(many: &[&Signature], at: usize) -> String {
    let first = |signature: &Signature| signature.params.first().map(|param| param.ty.clone());
    let one = many[at];
    let Some(ty) = first(one) else {
        return String::new();
    };
    if ty == Ty::Any {
        return camel(added(one, many[0]).unwrap_or(&one.params[0].name));
    }
    let shared = |word: &dyn Fn(&Ty) -> String| {
        many.iter()
            .enumerate()
            .filter_map(|(other, signature)| Some((other, first(signature)?)))
            .find(|(other, theirs)| *other != at && word(theirs) == word(&ty))
            .map(|(other, _)| other)
    };
    let inner = |ty: &Ty| match ty {
        Ty::Array(element) => head(element),
        other => head(other),
    };
    match (shared(&head), shared(&inner)) {
        (None, _) => head(&ty),
        (_, None) => inner(&ty),
        (Some(earlier), _) if earlier < at => {
            let param = added(one, many[earlier]).expect("a parameter that tells them apart");
            head(&ty) + &camel(param)
        }
        _ => head(&ty),
    }
}

/// The first parameter that an earlier one lacks.
fn added<'s>(one: &'s Signature, earlier: &Signature) -> Option<&'s str> {
    let has = |name: &str| earlier.params.iter().any(|param| *param.name == *name);
    let mut names = one.params.iter().map(|param| &*param.name);
    names.find(|name| !has(name))
}

fn head(ty: &Ty) -> String {
    let word = match ty {
        Ty::Any => "Any",
        Ty::String => "String",
        Ty::Int => "Int",
        Ty::Float => "Float",
        Ty::Bool => "Bool",
        Ty::Duration => "Duration",
        Ty::Size => "Size",
        Ty::Time => "Time",
        Ty::Json => "Json",
        Ty::Error => "Error",
        Ty::Secret(_) => "Secret",
        Ty::Array(_) => "Array",
        Ty::Map(..) => "Map",
        Ty::Set(_) => "Set",
        Ty::Option(_) => "Option",
        Ty::Parameter(name) => name,
        other => panic!("a first parameter of the type {other} tells nothing apart"),
    };
    word.to_owned()
}

fn camel(name: &str) -> String {
    name.split('_')
        .map(|word| match word.split_at_checked(1) {
            Some((first, rest)) => first.to_uppercase() + rest,
            None => String::new(),
        })
        .collect()
}

#[test]
fn names_are_made_of_words() {
    let table = [
        ("abs", "Abs"),
        ("round_to", "RoundTo"),
        ("hash_sha256", "HashSha256"),
    ];
    for (name, expected) in table {
        assert_eq!(camel(name), expected);
    }
}
