//! How types stand to each other: what fits where, and what two have in common.
//!
//! Everything here errs on the side of silence: two types contradict each other
//! only if no value of the one can be a value of the other.

use std::sync::Arc;

use crate::ty::{RecordTy, Ty};

/// Types with more parts than this become `Any`: inferred types may nest with
/// every statement (`let b = [a, a];`), and every walk over one is bounded.
const LARGEST: u32 = 128;

/// Whether a value of one type may be used where the other is declared. An
/// Option or Result does for what it holds: whether it is null, or has failed,
/// is seen when the program runs.
pub(super) fn fits(from: &Ty, to: &Ty) -> bool {
    match (from, to) {
        (Ty::Function(_), Ty::Json) | (Ty::Json, Ty::Function(_)) => false,
        (Ty::Any | Ty::Never | Ty::Opaque(_) | Ty::Parameter(_) | Ty::Json, _)
        | (_, Ty::Any | Ty::Never | Ty::Opaque(_) | Ty::Parameter(_) | Ty::Json) => true,
        (Ty::Null, Ty::Null | Ty::Option(_)) => true,
        (Ty::Option(from), Ty::Option(to)) => fits(from, to),
        (Ty::Option(from), to) => *to == Ty::Null || fits(from, to),
        (from, Ty::Option(to)) => fits(from, to),
        (Ty::Result(from, _), Ty::Result(to, _)) => fits(from, to),
        (Ty::Result(from, _), to) => fits(from, to),
        (from, Ty::Result(to, _)) => fits(from, to),
        (Ty::Secret(from), Ty::Secret(to)) => fits(from, to),
        // That a secret leaves its place is a report of its own.
        (Ty::Secret(from), to) => fits(from, to),
        (from, Ty::Secret(to)) => fits(from, to),
        (Ty::Int, Ty::Float) => true,
        (Ty::Array(from), Ty::Array(to)) | (Ty::Set(from), Ty::Set(to)) => fits(from, to),
        (Ty::Map(key, value), Ty::Map(to_key, to_value)) => {
            fits(key, to_key) && fits(value, to_value)
        }
        (Ty::Record(from), Ty::Record(to)) => from.fields.iter().all(|(name, ty)| {
            let expected = to.fields.iter().find(|(known, _)| known == name);
            expected.is_none_or(|(_, expected)| fits(ty, expected))
        }),
        (Ty::Record(from), Ty::Map(key, value)) => {
            fits(&Ty::String, key) && from.fields.iter().all(|(_, ty)| fits(ty, value))
        }
        // Shapes are compared where they are written out, field by field.
        (Ty::Record(_) | Ty::Map(..), Ty::Record(_) | Ty::Struct(_) | Ty::Error)
        | (Ty::Struct(_) | Ty::Error, Ty::Record(_) | Ty::Map(..)) => true,
        (Ty::Struct(from), Ty::Struct(to)) => from == to || from.file != to.file,
        (Ty::Function(from), Ty::Function(to)) => {
            from.params.len() == to.params.len()
                && fits(&from.result, &to.result)
                && from
                    .params
                    .iter()
                    .zip(&to.params)
                    .all(|(from, to)| fits(to, from))
        }
        (from, to) => from == to,
    }
}

/// Whether asking if two values are equal can be answered with yes.
pub(super) fn comparable(left: &Ty, right: &Ty) -> bool {
    let (inner_left, inner_right) = (plain(left), plain(right));
    let sizes = |one: &Ty, other: &Ty| *one == Ty::Size && matches!(other, Ty::Int | Ty::Float);
    *left == Ty::Null
        || *right == Ty::Null
        || fits(left, right)
        || fits(right, left)
        || sizes(inner_left, inner_right)
        || sizes(inner_right, inner_left)
}

/// The type of a value once it is known to be there and no failure.
pub(super) fn plain(ty: &Ty) -> &Ty {
    let mut ty = ty;
    while let Ty::Option(inner) | Ty::Result(inner, _) = ty {
        ty = inner;
    }
    ty
}

/// Nothing is known of a value of this type.
pub(super) fn is_unknown(ty: &Ty) -> bool {
    matches!(
        plain(ty),
        Ty::Any | Ty::Json | Ty::Opaque(_) | Ty::Parameter(_) | Ty::Never | Ty::Null
    )
}

/// `Option` of a type, which is never doubled.
pub(super) fn option(inner: Ty) -> Ty {
    match inner {
        Ty::Any | Ty::Null | Ty::Option(_) => inner,
        Ty::Never => Ty::Null,
        inner => Ty::Option(Arc::new(bounded(inner))),
    }
}

/// A list of a type.
pub(super) fn array(element: Ty) -> Ty {
    Ty::Array(Arc::new(bounded(match element {
        Ty::Never => Ty::Any,
        element => element,
    })))
}

/// What a value is of which it is only known that it is of one of two types.
/// An int or a float is no float: where it is an int, an int is what it is, and
/// only types that are known contradict.
pub(super) fn join(left: Ty, right: Ty) -> Ty {
    if left == right {
        return left;
    }
    match (left, right) {
        (Ty::Never, other) | (other, Ty::Never) => other,
        (Ty::Null, other) | (other, Ty::Null) => option(other),
        (Ty::Option(left), right) => option(join(inner(left), unwrapped(right))),
        (left, Ty::Option(right)) => option(join(left, inner(right))),
        (Ty::Array(left), Ty::Array(right)) => array(join(inner(left), inner(right))),
        (Ty::Set(left), Ty::Set(right)) => Ty::Set(Arc::new(join(inner(left), inner(right)))),
        (Ty::Map(key, value), Ty::Map(other_key, other_value)) => Ty::Map(
            Arc::new(join(inner(key), inner(other_key))),
            Arc::new(join(inner(value), inner(other_value))),
        ),
        (Ty::Record(left), Ty::Record(right)) => {
            let mut fields = Vec::new();
            for (name, ty) in &left.fields {
                // Shapes that are equal have their fields in one order.
                let at = fields.len();
                let same = right.fields.get(at).filter(|(known, _)| known == name);
                let Some((_, other)) = same else {
                    break;
                };
                fields.push((name.clone(), bounded(join(ty.clone(), other.clone()))));
            }
            let open = left.open
                || right.open
                || fields.len() < left.fields.len()
                || fields.len() < right.fields.len();
            Ty::Record(Arc::new(RecordTy { fields, open }))
        }
        _ => Ty::Any,
    }
}

fn inner(ty: Arc<Ty>) -> Ty {
    Arc::unwrap_or_clone(ty)
}

fn unwrapped(ty: Ty) -> Ty {
    match ty {
        Ty::Option(inner) => Arc::unwrap_or_clone(inner),
        ty => ty,
    }
}

/// The type, or `Any` if it has too many parts.
pub(super) fn bounded(ty: Ty) -> Ty {
    let mut left = LARGEST;
    match is_small(&ty, &mut left) {
        true => ty,
        false => Ty::Any,
    }
}

fn is_small(ty: &Ty, left: &mut u32) -> bool {
    let Some(fewer) = left.checked_sub(1) else {
        return false;
    };
    *left = fewer;
    match ty {
        Ty::Secret(inner) | Ty::Array(inner) | Ty::Set(inner) | Ty::Option(inner) => {
            is_small(inner, left)
        }
        Ty::Map(one, two) | Ty::Result(one, two) => is_small(one, left) && is_small(two, left),
        Ty::Function(function) => {
            function.params.iter().all(|param| is_small(param, left))
                && is_small(&function.result, left)
        }
        Ty::Record(record) => record.fields.iter().all(|(_, ty)| is_small(ty, left)),
        _ => true,
    }
}

/// A type with its article, for a sentence: ``an `int` ``.
pub(super) fn a(ty: &Ty) -> String {
    match ty {
        Ty::Null => "`null`".to_owned(),
        Ty::Never => "no value".to_owned(),
        Ty::Record(_) => format!("a record `{ty}`"),
        Ty::Function(_) => format!("a function `{ty}`"),
        _ => {
            let text = ty.to_string();
            let vowel = text.starts_with(['A', 'E', 'I', 'O', 'a', 'e', 'i', 'o']);
            format!("{} `{text}`", if vowel { "an" } else { "a" })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(ty: Ty) -> Ty {
        Ty::Array(Arc::new(ty))
    }

    fn function() -> Ty {
        Ty::Function(Arc::new(crate::ty::FunctionTy {
            params: Vec::new(),
            result: Ty::Int,
        }))
    }

    #[test]
    fn only_contradictions_do_not_fit() {
        let table = [
            (Ty::Int, Ty::Float, true),
            (Ty::Float, Ty::Int, false),
            (Ty::Null, Ty::String, false),
            (Ty::Null, option(Ty::String), true),
            (Ty::Int, option(Ty::String), false),
            (option(Ty::Int), Ty::Int, true),
            (option(Ty::Int), Ty::String, false),
            (list(Ty::Any), list(Ty::Int), true),
            (list(Ty::String), list(Ty::Int), false),
            (list(Ty::Int), Ty::Int, false),
            (Ty::Json, Ty::Int, true),
            (Ty::Json, function(), false),
            (function(), Ty::Json, false),
            (Ty::Opaque("Foo".into()), Ty::Int, true),
        ];
        for (from, to, expected) in table {
            assert_eq!(fits(&from, &to), expected, "{from} -> {to}");
        }
    }

    #[test]
    fn a_join_holds_both() {
        let table = [
            (Ty::Int, Ty::Null, option(Ty::Int)),
            (Ty::Int, Ty::Float, Ty::Any),
            (Ty::Int, Ty::String, Ty::Any),
            (Ty::Never, Ty::String, Ty::String),
            (list(Ty::Int), list(Ty::String), list(Ty::Any)),
            (option(Ty::Int), Ty::Float, option(Ty::Any)),
        ];
        for (left, right, expected) in table {
            assert_eq!(
                join(left.clone(), right.clone()),
                expected,
                "{left} | {right}"
            );
            assert_eq!(join(right, left), expected);
        }
    }

    #[test]
    fn types_do_not_grow_without_end() {
        let mut ty = Ty::Int;
        for _ in 0..100_000 {
            ty = array(ty);
        }
        let mut left = LARGEST + 1;
        assert!(is_small(&ty, &mut left));
    }
}
