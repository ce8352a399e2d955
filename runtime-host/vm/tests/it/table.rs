//! The table of the library is what `stdlib/` declares. `UPDATE_LIBRARY=1`
//! writes it anew: read what has changed in it.

mod names;
mod rows;

use std::path::Path;

use symbi_vm::library::{Default, Does, FUNCTIONS, Function, Native, Ty, named};

#[test]
fn the_table_is_what_the_declarations_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/library/table.rs");
    let made = rows::file();
    if std::env::var_os("UPDATE_LIBRARY").is_some() {
        std::fs::write(&path, &made).expect("the table");
        return;
    }
    let there = std::fs::read_to_string(&path).expect("the table");
    let differs = there.lines().zip(made.lines()).find(|(a, b)| a != b);
    assert!(
        there == made,
        "the table is not what `stdlib/` declares, beginning at {differs:?}: `UPDATE_LIBRARY=1` writes it"
    );
}

fn natives(name: &str) -> Vec<Native> {
    named(name).iter().map(|function| function.native).collect()
}

#[test]
fn functions_are_found_by_name_in_the_order_in_which_they_are_tried() {
    assert!(FUNCTIONS.is_sorted_by_key(|function| function.name));
    assert_eq!(natives("abs"), [Native::AbsInt, Native::AbsFloat]);
    assert_eq!(
        natives("min"),
        [
            Native::MinArray,
            Native::MinInt,
            Native::MinFloat,
            Native::MinDuration
        ]
    );
    assert_eq!(
        natives("sum"),
        [Native::SumInt, Native::SumFloat, Native::SumDuration]
    );
    assert_eq!(
        natives("get"),
        [
            Native::GetArray,
            Native::GetArrayDefault,
            Native::GetMap,
            Native::GetMapDefault
        ]
    );
    assert_eq!(
        natives("memory_write"),
        [Native::MemoryWriteString, Native::MemoryWriteEntry]
    );
    assert_eq!(natives("zip"), [Native::Zip]);
    for nothing in ["", "a", "ab", "abss", "gett", "zzz", "é"] {
        assert_eq!(natives(nothing), [], "{nothing:?}");
    }
    let found: usize = {
        let mut names: Vec<&str> = FUNCTIONS.iter().map(|function| function.name).collect();
        names.dedup();
        names.iter().map(|name| named(name).len()).sum()
    };
    assert_eq!(found, FUNCTIONS.len());
}

#[test]
fn another_name_is_done_by_what_it_names() {
    assert_eq!(natives("len"), natives("length"));
    assert_eq!(natives("len").first(), Some(&Native::LengthString));
    assert_eq!(natives("append"), [Native::Push]);
    assert_eq!(natives("hash"), [Native::HashSha256]);
}

fn one(name: &str) -> &'static Function {
    named(name).first().expect("a function")
}

#[test]
fn a_row_has_what_the_declaration_says() {
    let slice = one("slice");
    assert_eq!(
        (slice.method, slice.property, slice.updates, slice.does),
        (true, false, false, Does::Value)
    );
    let params: Vec<_> = slice
        .params
        .iter()
        .map(|param| (param.name, *param.ty, param.default, param.rest))
        .collect();
    assert_eq!(
        params,
        [
            ("self", Ty::String, None, false),
            ("start", Ty::Int, None, false),
            ("end", Ty::Option(&Ty::Int), Some(Default::Null), false),
        ]
    );
    assert_eq!(*slice.result, Ty::String);
    assert!(one("length").property && !one("len").property);
    assert!(one("push").updates && one("append").updates && !one("sorted").updates);
    assert_eq!(one("now").does, Does::Journalled);
    assert_eq!(one("ask").does, Does::Effect("delegate::{agent}"));
    assert_eq!(one("race").does, Does::Effect("delegate::{tasks.agent}"));
    assert_eq!(one("reason").does, Does::Effect("model_call"));

    let [template, values] = one("format").params else {
        panic!("two parameters");
    };
    assert!(!template.rest && values.rest);
    assert_eq!((values.name, values.ty), ("values", &Ty::Any));

    let reduce = one("reduce");
    let u = &Ty::Param("U");
    let lambda = Ty::Function {
        params: &[&Ty::Param("U"), &Ty::Param("T")],
        result: &Ty::Param("U"),
    };
    let types: Vec<&Ty> = reduce.params.iter().map(|param| param.ty).collect();
    assert_eq!(types, [&Ty::Array(&Ty::Param("T")), &lambda, u]);
    assert_eq!(reduce.result, u);
    assert_eq!(one("first").result, &Ty::Option(&Ty::Param("T")));
}

#[test]
fn what_may_be_left_out_has_its_default() {
    let of = |name: &str, param: &str| {
        let found = one(name).params.iter().find(|known| known.name == param);
        found.expect("a parameter").default
    };
    assert_eq!(of("error", "kind"), Some(Default::Text("error")));
    assert_eq!(of("error", "details"), Some(Default::Record));
    assert_eq!(of("error", "message"), None);
    assert_eq!(of("reason", "max_tokens"), Some(Default::Int(100_000)));
    assert_eq!(of("to_json", "indent"), Some(Default::Int(0)));
    assert_eq!(of("truncate", "ending"), Some(Default::Text("…")));
    assert_eq!(of("join", "separator"), Some(Default::Text("")));
    assert_eq!(of("indent", "by"), Some(Default::Text("    ")));
    assert_eq!(of("delegate", "timeout"), Some(Default::Null));
}

#[test]
fn only_requests_and_what_prints_them_as_stars_may_hold_secrets() {
    let held: Vec<(&str, &str)> = FUNCTIONS
        .iter()
        .flat_map(|function| {
            let params = function
                .params
                .iter()
                .filter(|param| param.may_hold_secrets);
            params.map(|param| (function.name, param.name))
        })
        .collect();
    assert_eq!(
        held,
        [
            ("audit_log", "values"),
            ("http_request", "headers"),
            ("http_request", "body"),
            ("log", "values"),
            ("print", "values"),
            ("to_string", "value"),
        ]
    );
}
