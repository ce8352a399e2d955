//! What the tests here have in common.

use super::{Cx, Given, Native, call};
use crate::meter::Meter;
use crate::raise::Failure;
use crate::value::Value;

/// Runs with so many steps and so much memory.
pub(super) fn with<T>(fuel: u64, limit: usize, run: impl FnOnce(&mut Cx<'_>) -> T) -> T {
    let mut meter = Meter::new(fuel, limit);
    run(&mut Cx { meter: &mut meter })
}

/// What a function gives that has enough of all.
pub(super) fn given(native: Native, args: impl IntoIterator<Item = Value>) -> Given {
    let mut args: Vec<Value> = args.into_iter().collect();
    with(1 << 40, 1 << 30, |cx| call(native, cx, &mut args))
}

/// What it gives as text, or the kind of what it raises.
pub(super) fn shown(native: Native, args: impl IntoIterator<Item = Value>) -> String {
    match given(native, args) {
        Ok(value) => quoted(&value),
        Err(failure) => kind(&failure),
    }
}

/// A value as text; a text with its quotes.
pub(super) fn quoted(value: &Value) -> String {
    let list = Value::list(vec![value.clone()]).unwrap();
    let shown = crate::show::show(&list, usize::MAX).unwrap();
    shown[1..shown.len() - 1].to_owned()
}

/// The kind of what a failure raises, or what it lacks.
pub(super) fn kind(failure: &Failure) -> String {
    match failure {
        Failure::Raise(raise) => raise.kind.to_string(),
        Failure::Memory => "memory".to_owned(),
        Failure::Fuel => "fuel".to_owned(),
    }
}

/// A text.
pub(super) fn t(text: &str) -> Value {
    Value::from(text)
}

/// A whole number.
pub(super) fn i(number: i64) -> Value {
    Value::Int(number)
}

/// A float.
pub(super) fn f(number: f64) -> Value {
    Value::Float(number)
}

/// A list.
pub(super) fn list(items: impl IntoIterator<Item = Value>) -> Value {
    Value::list(items.into_iter().collect()).unwrap()
}

/// A list of whole numbers.
pub(super) fn ints(items: impl IntoIterator<Item = i64>) -> Value {
    list(items.into_iter().map(Value::Int))
}

/// A list of texts.
pub(super) fn texts<'t>(items: impl IntoIterator<Item = &'t str>) -> Value {
    list(items.into_iter().map(Value::from))
}

/// The steps that a function takes.
pub(super) fn steps(native: Native, args: impl IntoIterator<Item = Value>) -> u64 {
    let mut args: Vec<Value> = args.into_iter().collect();
    with(1 << 40, usize::MAX, |cx| {
        call(native, cx, &mut args).unwrap();
        (1 << 40) - cx.meter.fuel
    })
}
