//! The data that is read, with its places.

use symbi_diagnostics::{Level, Span};
use symbi_project::manifest::{
    Backend, Engine, Format, Hash, Launch, Method, Mode, Part, RiskTier,
};
use symbi_project::{
    Argument, ArgumentType, CustomTypes, DefaultValue, Given, Manifest, Parsed, ProjectFile,
    Spanned, Tier, check_value,
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
fn what_a_tool_is_and_how_it_is_run() {
    let text = include_str!("../data/manifest/everything.toml");
    let manifest = Manifest::parse_with(text, "tools/scan.clad.toml", types()).data;
    let tool = &manifest.tool;
    assert_eq!(tool.mode.value, Mode::Oneshot);
    assert_eq!(tool.timeout_seconds.value, 600);
    assert_eq!(at(text, tool.timeout_seconds.at.unwrap()), "600");
    assert_eq!(tool.risk_tier.value, RiskTier::Medium);
    assert!(tool.human_approval.value && tool.network_egress.value);
    assert_eq!(tool.limits.nproc.as_ref().unwrap().value, 64);
    assert_eq!(tool.limits.fsize_bytes.as_ref().unwrap().value, 10_485_760);
    let cedar = tool.cedar.as_ref().unwrap();
    assert_eq!(
        (&*cedar.resource.value, &*cedar.action.value),
        ("Tool::Scan", "scan")
    );
    assert!(!tool.evidence.as_ref().unwrap().capture.value);

    let Some(Backend::Command(command)) = &manifest.backend else {
        panic!("{:?}", manifest.backend);
    };
    assert!(command.end_of_options);
    let Launch::Exec(words) = &command.launch else {
        panic!("{:?}", command.launch);
    };
    let text_part = |part: &str| Part::Text(part.to_owned());
    let argument_part = |part: &str| Part::Argument(part.to_owned());
    let parts: Vec<Vec<Part>> = words.iter().map(|word| word.parts.clone()).collect();
    let expected = [
        vec![text_part("/usr/bin/nmap")],
        vec![Part::Flags("mode".to_owned())],
        vec![text_part("--rate="), argument_part("rate")],
        vec![text_part("--ratio")],
        vec![argument_part("ratio")],
        vec![text_part("-w")],
        vec![text_part("%{code}")],
        vec![Part::Conditional("port".to_owned())],
        vec![Part::Flags("quick".to_owned())],
        vec![
            argument_part("proto"),
            text_part(":"),
            argument_part("label"),
        ],
        vec![argument_part("page")],
        vec![Part::Default("tries".to_owned())],
        vec![Part::ScanId],
        vec![argument_part("extra")],
        vec![argument_part("target")],
    ];
    assert_eq!(parts, expected);
    assert_eq!(at(text, words[2].at), "\"--rate={rate}\"");
    let flags: Vec<(&str, Vec<&str>)> = command.mappings[0]
        .flags
        .iter()
        .map(|(value, words)| (&*value.value, words.iter().map(String::as_str).collect()))
        .collect();
    let expected = [
        ("", vec![]),
        ("ping", vec!["-sn", "-PE"]),
        ("größer", vec!["--size", "very large"]),
    ];
    assert_eq!(flags, expected);
    let port = &command.conditionals[0];
    let value = |port: &'static str, mode: &'static str| {
        move |name: &str| if name == "port" { port } else { mode }
    };
    assert!(port.when.holds(value("80", "ping")));
    assert!(!port.when.holds(value("", "ping")) && !port.when.holds(value("80", "")));
    let words: Vec<Vec<Part>> = port.words.iter().map(|word| word.parts.clone()).collect();
    let expected = [
        vec![text_part("-p")],
        vec![argument_part("port")],
        vec![text_part("--key")],
        vec![Part::Secret("scan_key".to_owned())],
    ];
    assert_eq!(words, expected);
    assert_eq!(manifest.filesystem.max_file_bytes.value, 65536);
    assert_eq!(manifest.output.format.value, Format::Json);
    assert_eq!(manifest.output.max_bytes.value, 4096);
    let schema = manifest.output.schema.unwrap();
    assert_eq!(schema["properties"]["hosts"]["items"]["maxLength"], 253);
}

#[test]
fn what_a_manifest_does_not_say_has_its_default() {
    let text =
        "[tool]\nname = \"nmap_scan\"\ncedar = {}\nevidence = {}\n[command]\nexec = [\"nmap\"]\n";
    let parsed = Manifest::parse(text, "tools/a.clad.toml");
    assert_eq!(parsed.diagnostics, []);
    let manifest = parsed.data;
    let tool = manifest.tool;
    assert_eq!((tool.mode.value, tool.mode.at), (Mode::Oneshot, None));
    assert_eq!(tool.timeout_seconds.value, 30);
    assert_eq!(tool.risk_tier.value, RiskTier::Low);
    assert!(!tool.human_approval.value && !tool.network_egress.value);
    assert!(!tool.allow_interpreter.value);
    let cedar = tool.cedar.unwrap();
    assert_eq!(&*cedar.resource.value, "Tool::NmapScan");
    assert_eq!(&*cedar.action.value, "execute_tool");
    let evidence = tool.evidence.unwrap();
    assert_eq!(
        (evidence.capture.value, evidence.hash.value),
        (true, Hash::Sha256)
    );
    let output = manifest.output;
    assert_eq!(
        (output.format.value, output.max_bytes.value),
        (Format::Text, 8 << 20)
    );
    assert!(output.envelope.value && output.parser.is_none() && output.schema.is_none());
}

#[test]
fn requests_servers_and_sessions() {
    let read = |text: &str| {
        let parsed = Manifest::parse(text, "tools/a.clad.toml");
        assert_eq!(parsed.diagnostics, [], "{text}");
        parsed.data.backend.unwrap()
    };
    let head = "[tool]\nname = \"a\"\n[args.x]\ntype = \"integer\"\n";
    let text = format!(
        "{head}[http]\nmethod = \"POST\"\nurl = \"https://example.com/{{x}}\"\n\
         headers = {{ Accept = \"*/*\" }}\nbody_template = '{{\"a\": {{x}}}}'\nerror_status = [404]\n"
    );
    let Backend::Http(http) = read(&text) else {
        panic!("no request");
    };
    assert_eq!(http.method.value, Method::Post);
    let x = Part::Argument("x".to_owned());
    assert_eq!(
        http.url.parts,
        [Part::Text("https://example.com/".to_owned()), x.clone()]
    );
    let body = [
        Part::Text("{\"a\": ".to_owned()),
        x,
        Part::Text("}".to_owned()),
    ];
    assert_eq!(http.body.unwrap().parts, body);
    assert_eq!((http.headers.len(), http.error_status[0].value), (1, 404));

    let text = format!("{head}[mcp]\nserver = \"s\"\ntool = \"t\"\nfield_map = {{ x = \"y\" }}\n");
    let Backend::Mcp(mcp) = read(&text) else {
        panic!("no server");
    };
    assert_eq!((&*mcp.server.value, &*mcp.tool.value), ("s", "t"));
    assert_eq!(
        (&*mcp.field_map[0].0.value, &*mcp.field_map[0].1.value),
        ("x", "y")
    );

    let Backend::Session(session) = read(include_str!("../data/manifest/session_fine.toml")) else {
        panic!("no session");
    };
    assert_eq!(session.startup, ["psql", "-q", "-d", "my data"]);
    assert!(session.ready.matches("data=> "));
    assert_eq!(session.session_timeout_seconds.value, 1800);
    assert_eq!(session.max_interactions.value, 100);
    let query = &session.commands[0];
    assert!(query.pattern.as_ref().unwrap().matches("SELECT a FROM b"));
    assert!(!query.pattern.as_ref().unwrap().matches("SELECT a FROM b;"));
    assert_eq!(query.arguments[0].ty(), Some(ArgumentType::String));

    let Backend::Browser(browser) = read(include_str!("../data/manifest/browser_fine.toml")) else {
        panic!("no browser");
    };
    assert_eq!(browser.engine.value, Engine::CdpDirect);
    assert_eq!(
        browser.commands[0].arguments[0].ty(),
        Some(ArgumentType::Url)
    );
    assert_eq!(
        (browser.max_interactions.value, browser.headless.value),
        (200, true)
    );
}

#[test]
fn limits_of_types_are_inherited() {
    let types = "[types.name]\nbase = \"string\"\npattern = \"[a-z]+\"\n\
                 [types.short]\nbase = \"name\"\npattern = \".{1,3}\"\n";
    let types = CustomTypes::parse(types);
    assert_eq!(types.diagnostics, []);
    let text = format!("[args.x]\ntype = \"short\"\npattern = \"a.*\"\ndefault = \"abc\"\n{RUN}");
    let parsed = Manifest::parse_with(&text, "tools/a.clad.toml", &types.data);
    assert_eq!(parsed.diagnostics, []);
    let rules = parsed.data.arguments[0].rules.clone().unwrap();
    let fits = |text: &str| check_value(&rules, Given::Text(text)).is_ok();
    let table = [
        ("abc", true),
        ("a", true),
        ("abcd", false),
        ("aB", false),
        ("bc", false),
    ];
    for (text, expected) in table {
        assert_eq!(fits(text), expected, "{text}");
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
