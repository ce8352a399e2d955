//! The standard library: that all of it is read, that it keeps its own rules,
//! and that the examples call nothing unannounced.

mod calls;
mod documentation;
mod policies;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use symbi_analysis::stdlib::{FunctionFacts, SOURCES, StdlibDeclaration, StdlibKind};
use symbi_analysis::{FunctionTy, Signature, Stdlib, Ty};
use symbi_syntax::ast::TopItem;
use symbi_syntax::{File, ParseOptions};

use crate::support::repository;

fn stdlib() -> &'static Stdlib {
    Stdlib::get()
}

fn of_kind(kind: StdlibKind) -> impl Iterator<Item = &'static StdlibDeclaration> {
    stdlib()
        .declarations
        .iter()
        .filter(move |declared| declared.kind == kind)
}

fn place(declared: &StdlibDeclaration) -> String {
    format!("{}:{} {}", declared.file(), declared.line(), declared.name)
}

/// All functions, each with its declaration.
fn functions() -> Vec<(&'static Signature, &'static FunctionFacts)> {
    stdlib()
        .functions
        .keys()
        .flat_map(|name| stdlib().overloads(name))
        .map(|(signature, facts)| (&**signature, facts))
        .collect()
}

#[test]
fn the_files_are_those_of_the_folder_and_of_its_table() {
    let folder = repository().join("stdlib");
    let mut there: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "README.md")
        .collect();
    there.sort();
    let mut embedded: Vec<&str> = SOURCES.iter().map(|source| source.name).collect();
    embedded.sort();
    assert_eq!(there, embedded);
    for source in SOURCES {
        let text = std::fs::read_to_string(folder.join(source.name)).unwrap();
        assert_eq!(source.text, text, "{}", source.name);
    }
    let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let rows: Vec<&str> = readme
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once(".symbi` |"))
        .map(|(name, _)| name)
        .collect();
    let names: Vec<&str> = SOURCES
        .iter()
        .map(|source| source.name.trim_end_matches(".symbi"))
        .collect();
    assert_eq!(rows, names, "the table has the order of the list of files");
}

#[test]
fn nothing_is_left_out() {
    let library = stdlib();
    for declared in &library.declarations {
        let name = declared.name;
        let read = match declared.kind {
            StdlibKind::Function => library.functions.get(name).is_some(),
            StdlibKind::Guard => library.guards.get(name).is_some(),
            StdlibKind::Effect => library.effects.get(name).is_some(),
            StdlibKind::Group => library.groups.get(name).is_some(),
            StdlibKind::Obligation => library.obligations.get(name).is_some(),
            StdlibKind::Audit => library.audit.get(name).is_some(),
        };
        assert!(read, "{}", place(declared));
        let audit = declared.kind == StdlibKind::Audit;
        assert_eq!(audit, declared.file() == "audit.symbi", "{name}");
    }
    let functions: usize = library.functions.values().map(Vec::len).sum();
    let guards: usize = library.guards.values().map(Vec::len).sum();
    let rest = [
        library.effects.values().count(),
        library.groups.values().count(),
        library.obligations.values().count(),
        library.audit.values().count(),
    ];
    let read = functions + guards + rest.iter().sum::<usize>();
    assert_eq!(read, library.declarations.len());
}

/// The places come from the layout of the files: they have to be what the
/// parser finds.
#[test]
fn the_index_is_what_the_parser_finds() {
    let mut found = stdlib().declarations.iter();
    for (number, source) in SOURCES.iter().enumerate() {
        let file = File::parse_with(source.text, ParseOptions { stdlib: true });
        assert_eq!(file.diagnostics(), [], "{}", source.name);
        for placed in file.items() {
            let declared = found.next().unwrap();
            let Some(TopItem::Extern(external)) = placed.item.top_item() else {
                panic!("{} has another item", place(declared));
            };
            assert_eq!(declared.source, number);
            assert_eq!(declared.name, external.name().unwrap().text());
            let kind = match &*external.declares().unwrap().text() {
                "function" => StdlibKind::Function,
                "effect" => StdlibKind::Effect,
                "group" => StdlibKind::Group,
                "guard" => StdlibKind::Guard,
                _ if source.name == "audit.symbi" => StdlibKind::Audit,
                _ => StdlibKind::Obligation,
            };
            assert_eq!(declared.kind, kind, "{}", place(declared));
            let span = placed.span.start as usize..placed.span.end as usize;
            assert_eq!(declared.start..declared.end, span, "{}", place(declared));
        }
    }
    assert_eq!(found.next(), None);
}

#[test]
fn places_and_texts_are_those_of_the_declarations() {
    for declared in &stdlib().declarations {
        let source = SOURCES[declared.source];
        assert_eq!(declared.file(), source.name);
        let line = source.text.lines().nth(declared.line() - 1).unwrap();
        assert!(line.starts_with("extern "), "{}", place(declared));
        assert!(
            declared.text().starts_with(line.trim_end()),
            "{}",
            place(declared)
        );
        let end = declared.text().chars().last();
        assert!(matches!(end, Some(';' | '}')), "{}", place(declared));
    }
    let slice = of_kind(StdlibKind::Function)
        .find(|declared| declared.name == "slice")
        .unwrap();
    assert_eq!(
        slice.text(),
        "extern function slice(self: String, start: int, end: int? = null) -> String;"
    );
    assert_eq!(
        slice.docs(),
        "The characters from one place up to another, which is not included. Without an end, all that\n\
         follow. Places past the end are taken as the end.\n\
         \n\
         Raises `out_of_range` if a place is negative or the end comes before the start.\n\
         \n\
         Example:\n\
         ```symbi\n\
         \"banana\".slice(1, 3) // => \"an\"\n\
         \"banana\".slice(4) // => \"na\"\n\
         ```"
    );
    assert_eq!(
        slice.summary(),
        "The characters from one place up to another, which is not included."
    );
}

#[test]
fn each_file_says_what_it_is_about() {
    for source in SOURCES {
        let about = source.about();
        let first = about.split("\n\n").next().unwrap_or_default();
        assert!(first.ends_with('.'), "{}: {first:?}", source.name);
    }
    assert_eq!(SOURCES[0].subject(), "strings");
    assert_eq!(
        SOURCES[0].about(),
        "Strings. A character is a Unicode scalar, and places are counted in characters from 0.\n\
         Nothing here changes a string: each function gives a new one."
    );
    let audit = SOURCES.last().unwrap().about();
    assert_eq!(
        audit.split_once("\n\n"),
        Some((
            "Keys of `audit`: what is put on record, and for how long.",
            "A row is read like one of `obligations.symbi`; `verb: audit` tells that it belongs here."
        ))
    );
}

#[test]
fn names_are_plain_and_none_is_declared_twice_but_functions_and_guards() {
    let mut seen = BTreeSet::new();
    for declared in &stdlib().declarations {
        let mut chars = declared.name.chars();
        assert!(
            chars.next().is_some_and(|c| c.is_ascii_lowercase())
                && chars.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'),
            "{}",
            place(declared)
        );
        let first = seen.insert((declared.kind, declared.name));
        assert!(
            first || matches!(declared.kind, StdlibKind::Function | StdlibKind::Guard),
            "{} is there twice",
            place(declared)
        );
    }
}

/// How many arguments a function takes.
fn arity(signature: &Signature) -> std::ops::RangeInclusive<usize> {
    let least = signature.params.iter().filter(|p| !p.optional).count();
    match signature.rest {
        Some(_) => least..=usize::MAX,
        None => least..=signature.params.len(),
    }
}

fn tell_apart(a: &Signature, b: &Signature) -> bool {
    let firsts = (a.params.first(), b.params.first());
    if let (Some(a), Some(b)) = firsts
        && without_parameters(&a.ty) != without_parameters(&b.ty)
    {
        return true;
    }
    let (a, b) = (arity(a), arity(b));
    a.end() < b.start() || b.end() < a.start()
}

/// A type with `Any` for its type parameters: `Array<T>` and `Array<U>` are
/// one.
fn without_parameters(ty: &Ty) -> Ty {
    match ty {
        Ty::Parameter(_) => Ty::Any,
        Ty::Array(inner) => Ty::Array(without_parameters(inner).into()),
        Ty::Set(inner) => Ty::Set(without_parameters(inner).into()),
        Ty::Option(inner) => Ty::Option(without_parameters(inner).into()),
        Ty::Map(key, value) => Ty::Map(
            without_parameters(key).into(),
            without_parameters(value).into(),
        ),
        other => other.clone(),
    }
}

#[test]
fn functions_of_one_name_can_be_told_apart() {
    for table in [&stdlib().functions, &stdlib().guards] {
        for (name, all) in table.iter() {
            for (at, a) in all.iter().enumerate() {
                for b in &all[at + 1..] {
                    let apart = tell_apart(&a.signature, &b.signature);
                    assert!(apart, "{name}: {a:?} and {b:?}");
                }
            }
        }
    }
}

#[test]
fn types_are_read_as_they_are_written() {
    let one = |name: &str| stdlib().functions.get(name).unwrap()[0].signature.clone();
    let t = || Ty::Parameter("T".into());
    let u = || Ty::Parameter("U".into());
    let map = one("map");
    assert_eq!(map.type_params, ["T".into(), "U".into()]);
    assert_eq!(map.params[0].ty, Ty::Array(t().into()));
    let lambda = FunctionTy {
        params: vec![t()],
        result: u(),
    };
    assert_eq!(map.params[1].ty, Ty::Function(lambda.into()));
    assert_eq!(map.result, Ty::Array(u().into()));

    let format = one("format");
    assert_eq!((format.params.len(), &format.rest), (1, &Some(Ty::Any)));
    let (_, facts) = stdlib().overloads("format").next().unwrap();
    assert_eq!(facts.rest.as_deref(), Some("values"));
    assert!(!facts.method);

    let search = one("memory_search");
    let params: Vec<(&str, bool)> = search
        .params
        .iter()
        .map(|param| (&*param.name, param.optional))
        .collect();
    assert_eq!(
        params,
        [("query", false), ("limit", true), ("memory", true)]
    );
    assert_eq!(search.result, Ty::Array(Ty::Json.into()));

    let (_, facts) = stdlib().overloads("reason").next().unwrap();
    let defaults: Vec<(&str, &str)> = facts
        .defaults
        .iter()
        .map(|(name, written)| (&**name, &**written))
        .collect();
    assert_eq!(
        defaults,
        [
            ("max_iterations", "10"),
            ("max_tokens", "100_000"),
            ("model", "null"),
            ("temperature", "null"),
        ]
    );

    let call = one("llm_call");
    assert_eq!(call.params[1].ty, Ty::Option(Ty::String.into()));
    assert_eq!(one("error").result, Ty::Never);
    assert_eq!(one("log").result, Ty::Null);
    assert_eq!(one("secret_read").result, Ty::Secret(Ty::String.into()));
    assert_eq!(stdlib().methods("min").count(), 1);
    assert_eq!(stdlib().methods("now").count(), 0);
    assert_eq!(stdlib().methods("nothing").count(), 0);
}

fn named(keep: impl Fn(&FunctionFacts) -> bool) -> Vec<&'static str> {
    let names: BTreeSet<&str> = functions()
        .into_iter()
        .filter(|(_, facts)| keep(facts))
        .map(|(signature, _)| &*signature.name)
        .collect();
    names.into_iter().collect()
}

#[test]
fn what_functions_do_is_what_the_contract_says() {
    // Section 2.6.
    assert_eq!(
        named(|facts| facts.updates),
        ["append", "insert", "push", "remove", "sort"]
    );
    assert_eq!(named(|facts| facts.property), ["length"]);
    assert_eq!(
        named(|facts| facts.journalled),
        [
            "audit_log",
            "generate_id",
            "log",
            "now",
            "print",
            "random",
            "sleep",
            "time_since"
        ]
    );
    assert_eq!(
        named(|facts| facts.same_as.is_some()),
        ["append", "hash", "len"]
    );
    assert_eq!(
        named(|facts| facts.effect.is_some()),
        [
            "ask",
            "delegate",
            "http_request",
            "llm_call",
            "memory_read",
            "memory_search",
            "memory_write",
            "parallel",
            "publish",
            "race",
            "reason",
            "secret_read",
            "send",
            "send_to",
            "tool_call"
        ]
    );
}

#[test]
fn another_name_is_of_a_function_alike() {
    for (signature, facts) in functions() {
        let Some(other) = &facts.same_as else {
            continue;
        };
        let alike = stdlib().overloads(other).any(|(of, of_facts)| {
            of.params == signature.params
                && of.result == signature.result
                && of.rest == signature.rest
                && of_facts.updates == facts.updates
                && of_facts.same_as.is_none()
        });
        assert!(alike, "{} is no other name of {other}", signature.name);
    }
}

#[test]
fn functions_that_are_effects_lead_to_one() {
    for (signature, facts) in functions() {
        let name = &signature.name;
        let Some(effect) = &facts.effect else {
            assert!(
                !stdlib().effects.contains_key(name),
                "{name} has the name of an effect and is none"
            );
            continue;
        };
        if let Some(declared) = stdlib().effects.get(effect) {
            let seen: BTreeSet<&str> = declared.params.iter().map(|(name, _)| &**name).collect();
            for param in &signature.params {
                assert!(
                    seen.contains(&*param.name),
                    "{name}: policies of {effect} do not see `{}`",
                    param.name
                );
            }
            continue;
        }
        // `delegate::{tasks.agent}`: the rest is the form of an effect.
        let (form, param) = match effect.split_once('{') {
            Some((before, param)) => (before, param.trim_end_matches('}')),
            None => panic!("{name}: there is no effect {effect}"),
        };
        let param = param.split('.').next().unwrap();
        assert!(signature.params.iter().any(|p| *p.name == *param), "{name}");
        let forms = ["delegate::", ""];
        assert!(forms.contains(&form), "{name}: {effect}");
    }
    for (signature, facts) in functions() {
        for param in &facts.may_hold_secrets {
            let mut params = signature.params.iter().map(|param| &param.name);
            let known = params.any(|name| name == param) || facts.rest.as_ref() == Some(param);
            assert!(known, "{}: {param}", signature.name);
        }
    }
}

#[test]
fn the_files_are_formatted() {
    for source in SOURCES {
        let file = File::parse_with(source.text, ParseOptions { stdlib: true });
        let formatted = symbi_syntax::format::format(&file).unwrap();
        assert_eq!(formatted, source.text, "{}", source.name);
    }
}

/// One line a declaration: where it is, how it is written, its first sentence.
#[test]
fn index() {
    let mut index = String::new();
    for declared in &stdlib().declarations {
        let text: Vec<&str> = declared.text().split_whitespace().collect();
        let text = text.join(" ").replace(",)", ")").replace(", )", ")");
        let text = text.replace("( ", "(");
        writeln!(
            index,
            "{} {text}\n    {}",
            declared.file(),
            declared.summary()
        )
        .unwrap();
    }
    insta::assert_snapshot!(index);
}
