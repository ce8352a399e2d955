//! The data that is read, with its places.

use symbi_diagnostics::{Level, Span};
use symbi_project::{
    Argument, ArgumentType, CustomTypes, DefaultValue, Manifest, Parsed, ProjectFile, Spanned, Tier,
};

use crate::types;

/// The text of a place.
fn at(text: &str, span: Span) -> &str {
    &text[span.range()]
}

#[test]
fn a_project_file_with_every_key() {
    let text = include_str!("../data/project/everything.toml");
    let Parsed { data, diagnostics } = ProjectFile::parse(text);
    assert_eq!(diagnostics, []);

    let levels: Vec<(&str, Option<Level>, &str)> = data
        .check
        .levels
        .iter()
        .map(|level| (level.code.id, level.level, at(text, level.at)))
        .collect();
    let expected = [
        ("B0703", None, "B0703"),
        ("B0704", Some(Level::Warning), "b0704"),
    ];
    assert_eq!(levels, expected);
    for (id, off) in [("B0703", true), ("B0704", false), ("B0707", false)] {
        assert_eq!(
            data.check.is_off(symbi_diagnostics::find(id).unwrap()),
            off,
            "{id}"
        );
    }
    let hints = data.check.hints.unwrap();
    assert_eq!((hints.value, at(text, hints.at)), (true, "true"));

    let tier = data.sandbox.tier.unwrap();
    assert_eq!(
        (tier.value, at(text, tier.at)),
        (Tier::Firecracker, "\"Firecracker\"")
    );
    let minimum = data.sandbox.minimum.unwrap();
    assert_eq!(
        (minimum.value, at(text, minimum.at)),
        (Tier::Gvisor, "\"tier2\"")
    );

    let waivers: Vec<(&str, &str, &str, &str)> = data
        .policy
        .waive
        .iter()
        .map(|waiver| {
            let name = &waiver.name;
            (
                waiver.code.id,
                &*name.value,
                at(text, name.at),
                at(text, waiver.at),
            )
        })
        .collect();
    let expected = [
        (
            "B0703",
            "colour",
            "\"colour\"",
            "{ code = \"B0703\", name = \"colour\" }",
        ),
        (
            "B0704",
            "théâtre",
            "\"théâtre\"",
            "{ code = \"B0704\", name = \"théâtre\" }",
        ),
    ];
    assert_eq!(waivers, expected);
}

#[test]
fn an_empty_project_file_says_nothing() {
    let parsed = ProjectFile::parse("");
    assert_eq!(
        (parsed.data, parsed.diagnostics),
        (ProjectFile::default(), vec![])
    );
}

#[test]
fn tables_may_be_written_with_dots() {
    let text = include_str!("../data/project/dotted.toml");
    let Parsed { data, diagnostics } = ProjectFile::parse(text);
    assert_eq!(diagnostics, []);
    assert_eq!(data.sandbox.tier.unwrap().value, Tier::Gvisor);
    let minimum = data.sandbox.minimum.unwrap();
    assert_eq!(
        (minimum.value, at(text, minimum.at)),
        (Tier::Docker, "'docker'")
    );
    assert!(!data.check.hints.unwrap().value);
    assert_eq!(data.check.levels.len(), 1);
}

#[test]
fn escapes_are_read() {
    let text = "[policy]\nwaive = [{ code = \"B0703\", name = \"a\\\"b\\u00e9\" }]\n";
    let data = ProjectFile::parse(text).data;
    assert_eq!(data.policy.waive[0].name.value, "a\"bé");
}

#[test]
fn a_wrong_floor_is_no_floor_and_an_error() {
    let parsed = ProjectFile::parse("[sandbox]\nminimum = \"gvisr\"\ntier = \"docker\"\n");
    assert!(parsed.has_errors());
    assert_eq!(parsed.data.sandbox.minimum, None);
    assert_eq!(parsed.data.sandbox.tier.unwrap().value, Tier::Docker);
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

fn argument<'m>(manifest: &'m Manifest, name: &str) -> &'m Argument {
    let found = manifest.arguments.iter().find(|a| a.name.value == name);
    found.unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn a_manifest_with_every_key() {
    let text = include_str!("../data/manifest/everything.toml");
    let parsed = Manifest::parse_with(text, "tools/scan.clad.toml", types());
    assert_eq!(parsed.diagnostics, []);
    let manifest = parsed.data;
    let name = manifest.name.as_ref().unwrap();
    assert_eq!((&*name.value, at(text, name.at)), ("scan", "\"scan\""));
    assert_eq!(manifest.description, "Looks for open ports");

    let order: Vec<(&str, Option<u32>, ArgumentType)> = manifest
        .arguments
        .iter()
        .map(|a| {
            let position = a.position.as_ref().map(|position| position.value);
            (&*a.name.value, position, a.ty().unwrap())
        })
        .collect();
    let expected = [
        ("target", Some(1), ArgumentType::ScopeTarget),
        ("mode", Some(2), ArgumentType::Enum),
        ("rate", Some(3), ArgumentType::Integer),
        ("ratio", Some(4), ArgumentType::Number),
        ("port", Some(5), ArgumentType::Port),
        ("quick", Some(6), ArgumentType::Boolean),
        ("proto", Some(7), ArgumentType::Enum),
        ("label", Some(8), ArgumentType::String),
        ("page", Some(9), ArgumentType::Url),
        ("extra", None, ArgumentType::LiteralText),
    ];
    assert_eq!(order, expected);

    let target = argument(&manifest, "target");
    assert!(target.required);
    assert_eq!(target.description, "What to look at");
    assert_eq!(at(text, target.name.at), "target");
    assert_eq!(target.default, None);
    let mode = argument(&manifest, "mode");
    assert!(!mode.required);
    assert_eq!(mode.allowed(), ["", "ping", "größer"]);
    let proto = argument(&manifest, "proto");
    assert_eq!(proto.custom.as_deref(), Some("protocol"));
    assert_eq!(proto.allowed(), ["ssh", "ftp", "http"]);

    let defaults = [
        ("mode", DefaultValue::Text(String::new()), "\"\""),
        ("rate", DefaultValue::Text("1000".to_owned()), "\"1000\""),
        ("ratio", DefaultValue::Float(0.5), "0.5"),
        ("port", DefaultValue::Integer(4430), "4430"),
        ("quick", DefaultValue::Boolean(true), "true"),
    ];
    for (name, value, written) in defaults {
        let Spanned {
            value: found,
            at: place,
        } = argument(&manifest, name).default.clone().unwrap();
        assert_eq!((found, at(text, place)), (value, written), "{name}");
    }
}

#[test]
fn after_an_error_an_argument_is_still_there_without_a_type() {
    let text = "[tool]\nname = \"a\"\n[args.x]\ntype = \"nothing\"\nrequired = true\n";
    let parsed = Manifest::parse(text, "tools/a.clad.toml");
    assert!(parsed.has_errors());
    let x = argument(&parsed.data, "x");
    assert_eq!((x.ty(), x.required), (None, true));
}

#[test]
fn the_name_of_the_file_is_no_name_of_the_tool() {
    let parsed = Manifest::parse("[tool]\n", "tools/scan.clad.toml");
    assert_eq!(parsed.data.name, None);
    let help = parsed.diagnostics[0].help.as_deref();
    assert_eq!(help, Some("write `name = \"scan\"` below `[tool]`"));
    let parsed = Manifest::parse("", "tools/what is this.clad.toml");
    let help = parsed.diagnostics[0].help.as_deref();
    assert_eq!(
        help,
        Some("write `[tool]`, and below it `name = \"read_file\"`")
    );
}

#[test]
fn custom_types_are_followed_to_what_they_are_made_from() {
    let types = types();
    let expected: [(&str, ArgumentType, &[&str]); 4] = [
        (
            "named_protocol",
            ArgumentType::Enum,
            &["ssh", "ftp", "http"],
        ),
        ("protocol", ArgumentType::Enum, &["ssh", "ftp", "http"]),
        ("rate", ArgumentType::Integer, &[]),
        ("secure_protocol", ArgumentType::Enum, &["ssh"]),
    ];
    let names: Vec<&str> = types.names().collect();
    assert_eq!(names, expected.map(|(name, ..)| name));
    for (name, base, allowed) in expected {
        let found = types.get(name).unwrap();
        assert_eq!(
            (found.base(), found.allowed()),
            (Some(base), &*strings(allowed)),
            "{name}"
        );
    }
    assert_eq!(types.get("url"), None);
}

#[test]
fn a_circle_of_types_is_one_error_and_leads_nowhere() {
    let text = "[types.a]\nbase = \"b\"\n[types.b]\nbase = \"c\"\n[types.c]\nbase = \"a\"\n\
                [types.d]\nbase = \"c\"\n";
    let parsed = CustomTypes::parse(text);
    let ids: Vec<&str> = parsed.diagnostics.iter().map(|d| d.code.id).collect();
    assert_eq!(ids, ["K0861"]);
    for name in ["a", "b", "c", "d"] {
        assert_eq!(parsed.data.get(name).unwrap().base(), None, "{name}");
    }
}

/// The rest of a manifest with an argument `x`.
const RUN: &str = "[tool]\nname = \"a\"\n[command]\nexec = [\"a\", \"{x}\"]\n";

#[test]
fn every_type_is_known_by_its_name() {
    assert_eq!(ArgumentType::ALL.len(), 17);
    for &ty in ArgumentType::ALL {
        assert_eq!(ArgumentType::parse(ty.as_str()), Some(ty));
        let limit = match ty {
            ArgumentType::Enum => "allowed = [\"a\"]",
            ArgumentType::RegexMatch => "pattern = \"a\"",
            _ => "",
        };
        let text = format!("[args.x]\ntype = \"{}\"\n{limit}\n{RUN}", ty.as_str());
        let parsed = Manifest::parse(&text, "tools/a.clad.toml");
        assert_eq!(parsed.diagnostics, [], "{text}");
        assert_eq!(parsed.data.arguments[0].ty(), Some(ty));
    }
    assert!(ArgumentType::ALL.is_sorted_by_key(|ty| ty.as_str()));
    assert_eq!(ArgumentType::parse("String"), None);
}

#[test]
fn a_default_is_a_value_that_a_call_could_give() {
    let table = [
        ("port", "0", false),
        ("port", "1", true),
        ("port", "\"65535\"", true),
        ("port", "65536", false),
        ("port", "-1", false),
        ("integer", "9223372036854775807", true),
        // An option, as many programs see it.
        ("integer", "-1", false),
        ("integer", "\"9223372036854775808\"", false),
        ("integer", "0x1f", true),
        ("integer", "1.0", false),
        ("number", "1", true),
        ("number", "1.5", true),
        ("number", "\"1.5\"", true),
        ("number", "inf", false),
        ("boolean", "\"true\"", true),
        ("boolean", "1", false),
        ("string", "1", true),
        ("duration", "\"1h30m\"", true),
    ];
    for (ty, default, fits) in table {
        let text = format!("[args.x]\ntype = \"{ty}\"\ndefault = {default}\n{RUN}");
        let parsed = Manifest::parse(&text, "tools/a.clad.toml");
        let ids: Vec<&str> = parsed.diagnostics.iter().map(|d| d.code.id).collect();
        let expected: &[&str] = if fits { &[] } else { &["K0859"] };
        assert_eq!(ids, expected, "{ty} = {default}");
    }
}

#[test]
fn a_hint_is_switched_off_and_not_raised() {
    let hint = symbi_diagnostics::all().find(|code| code.level == Level::Hint);
    let hint = hint.expect("the registry has hints");
    let off = ProjectFile::parse(&format!("[check]\n{} = \"off\"\n", hint.id));
    assert_eq!(off.diagnostics, []);
    assert!(off.data.check.is_off(hint));
    let raised = ProjectFile::parse(&format!("[check]\n{} = \"warning\"\n", hint.id));
    let ids: Vec<&str> = raised.diagnostics.iter().map(|d| d.code.id).collect();
    assert_eq!(ids, ["B0787"]);
}
