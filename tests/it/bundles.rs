//! `symbi build` and `symbi bundle`.

use std::process::Command;

use crate::support::{Place, Run};

const AGENT: &str = "\
agent deploy(service: String) {
    policy p {
        allow: restart(s) if s == service
    }
    with timeout = 30s { restart(service); return send(\"#ops\", \"done\"); }
}
";

const MANIFEST: &str = "\
[tool]
name = \"restart\"
description = \"Restarts a service.\"
binary = \"restart\"

[args.service]
type = \"string\"
position = 1
required = true
pattern = \"^[a-z]+$\"

[command]
exec = [\"restart\", \"{service}\"]
";

/// A project in a folder.
fn project(place: &Place, folder: &str) {
    let inside = |name: &str| format!("{folder}/{name}");
    place
        .write(inside("symbiont.toml"), "")
        .write(inside("agents/deploy.symbi"), AGENT)
        .write(inside("agents/other.symbi"), "agent other { }\n")
        .write(inside("tools/restart.clad.toml"), MANIFEST)
        .write(
            inside("policies/run/a.cedar"),
            "permit(principal, action, resource);\n",
        );
}

fn place() -> Place {
    let place = Place::new();
    project(&place, "p");
    place
}

/// A pair of keys, made by another program.
fn keys(place: &Place, name: &str) {
    let run = |arguments: &str| {
        let mut command = Command::new("openssl");
        command
            .args(arguments.split(' '))
            .current_dir(place.path("."));
        let done = command.output().expect("openssl");
        assert!(done.status.success(), "{done:?}");
    };
    run(&format!(
        "ecparam -name prime256v1 -genkey -noout -out {name}.pem"
    ));
    run(&format!("pkey -in {name}.pem -pubout -out {name}.pub"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::Permissions::from_mode(0o600);
        std::fs::set_permissions(place.path(format!("{name}.pem")), mode).expect("a mode");
    }
}

fn ok(run: Run) -> String {
    assert_eq!((run.code, &*run.stderr), (0, ""), "{run:?}");
    run.stdout
}

#[test]
fn a_project_becomes_one_file() {
    let place = place();
    let said = ok(place.line("build p -o fleet.symbib"));
    let bytes = place.read("fleet.symbib").len();
    assert_eq!(
        said,
        format!("fleet.symbib: 2 agents, 1 tool, {bytes} bytes\n")
    );
    let inspected = ok(place.line("bundle inspect fleet.symbib"));
    let lines: Vec<&str> = inspected.lines().collect();
    assert_eq!(lines[2], "signed by  nobody");
    assert!(
        lines[4].starts_with("  policies/run/a.cedar  "),
        "{inspected}"
    );
    assert!(lines[5].starts_with("  program.symbir  "), "{inspected}");
    assert!(
        lines[6].starts_with("  tools/restart.clad.toml  "),
        "{inspected}"
    );
    assert_eq!(
        &lines[7..],
        [
            "agents",
            "  deploy  executable, in docker, network none, from agents/deploy.symbi",
            "    runs on: run http schedule delegate mcp",
            "  other  conversational, in docker, network none, from agents/other.symbi",
            "    runs on: run http schedule delegate chat mcp",
            "tool restart  tools/restart.clad.toml",
        ]
    );
    let verified = ok(place.line("bundle verify fleet.symbib"));
    let digest = lines[0].strip_prefix("digest     ").expect("a digest");
    assert_eq!(verified, format!("fleet.symbib  OK {digest}, not signed\n"));
}

/// Two versions of a project, and what is said of them.
#[test]
fn what_grew_from_one_bundle_to_another_is_told_and_fails() {
    let place = place();
    ok(place.line("build p -o one.symbib"));
    let same = place.line("bundle diff one.symbib one.symbib");
    assert_eq!(ok(same), "nothing grew, and nothing was lost\n");
    let wider = AGENT.replace("if s == service", "").replace("30s", "1m");
    place.write("p/agents/deploy.symbi", wider);
    place.write(
        "p/agents/other.symbi",
        "agent other { with { sandbox = gvisor } }\n",
    );
    ok(place.line("build p -o two.symbib"));
    let grown = place.line("bundle diff one.symbib two.symbib");
    assert_eq!(
        (grown.code, &*grown.stderr, &*grown.stdout),
        (
            5,
            "",
            "+ `timeout` of `deploy` went from 30s to 1m (agents/deploy.symbi:1:7)\n\
             + `deploy` may now `restart` (agents/deploy.symbi:1:7)\n\
             - the sandbox of `other` went from docker to gvisor (agents/other.symbi:1:7)\n"
        )
    );
    // The other way round what grew is what was lost.
    let lost = place.line("bundle diff two.symbib one.symbib --json");
    assert_eq!(lost.code, 5, "{lost:?}");
    let document: serde_json::Value = serde_json::from_str(&lost.stdout).expect("JSON");
    assert_eq!(document["grown"][0]["about"], "sandbox");
    assert_eq!(document["grown"][0]["agent"], "other");
    assert_eq!(document["lost"][1]["about"], "rule");
    assert_eq!(document["lost"][1]["certain"], true);
    assert_eq!(document["lost"][1]["at"]["line"], 1);
    // A project may stand for its bundle.
    let sources = place.line("bundle diff one.symbib p");
    assert_eq!((sources.code, &*sources.stdout), (5, &*grown.stdout));
}

/// The same bytes in two folders, in two zones, and however the files are found.
#[test]
fn the_same_sources_give_the_same_bytes_anywhere() {
    let place = place();
    project(&place, "deep/er/elsewhere");
    ok(place.line("build p -o one.symbib"));
    let one = place.read("one.symbib");
    let mut command = place.command();
    command
        .args(["build", ".", "-o", "two.symbib"])
        .current_dir(place.path("deep/er/elsewhere"))
        .env("TZ", "Pacific/Kiritimati")
        .env("LC_ALL", "de_DE.UTF-8");
    let done = command.output().expect("symbi");
    assert!(done.status.success(), "{done:?}");
    assert_eq!(one, place.read("deep/er/elsewhere/two.symbib"));
    ok(place.line("build p/agents/other.symbi p/agents/deploy.symbi p -o three.symbib"));
    assert_eq!(one, place.read("three.symbib"));
    let mut absolute = place.command();
    absolute
        .args(["build", "-o", "four.symbib"])
        .arg(place.path("p"))
        .env("TZ", "America/New_York");
    assert!(absolute.output().expect("symbi").status.success());
    assert_eq!(one, place.read("four.symbib"));
}

#[test]
fn a_source_is_in_it_only_if_it_is_asked_for() {
    let place = place();
    ok(place.line("build p -o plain.symbib"));
    ok(place.line("build p -o with.symbib --include-source"));
    ok(place.line("bundle extract plain.symbib plain"));
    ok(place.line("bundle extract with.symbib with"));
    assert_eq!(
        place.names("plain"),
        ["manifest.json", "policies", "program.symbir", "tools"]
    );
    assert_eq!(place.text("with/sources/agents/deploy.symbi"), AGENT);
    let program = place.read("plain/program.symbir");
    assert_eq!(
        program,
        place.read("with/program.symbir"),
        "the program is the same"
    );
    let needle = b"allow: restart";
    assert!(
        program.windows(needle.len()).all(|part| part != needle),
        "no source text"
    );
}

#[test]
fn a_bundle_is_signed_by_one_key_and_verified_with_its_other_half() {
    let place = place();
    keys(&place, "ours");
    keys(&place, "theirs");
    let said = ok(place.line("build p -o signed.symbib --sign ours.pem"));
    assert!(said.ends_with(" bytes, signed\n"), "{said}");
    let good = ok(place.line("bundle verify signed.symbib --key ours.pub"));
    assert!(good.ends_with(", signed by this key\n"), "{good}");
    let table = [
        ("signed.symbib --key theirs.pub", 1, "error[I0921]"),
        ("signed.symbib --key ours.pem", 1, "error[I0917]"),
        ("signed.symbib --key p/symbiont.toml", 1, "error[I0915]"),
        ("signed.symbib --key none.pub", 2, "error[I0923]"),
    ];
    for (arguments, code, error) in table {
        let run = place.line(&format!("bundle verify {arguments}"));
        assert_eq!((run.code, &*run.stdout), (code, ""), "{arguments}: {run:?}");
        assert!(run.stderr.contains(error), "{arguments}: {}", run.stderr);
    }
    ok(place.line("build p -o plain.symbib"));
    let run = place.line("bundle verify plain.symbib --key ours.pub");
    assert!(
        run.code == 1 && run.stderr.contains("error[I0920]"),
        "{run:?}"
    );
    let run = place.line("build p -o other.symbib --sign ours.pub");
    assert!(
        run.code == 1 && run.stderr.contains("error[I0917]"),
        "{run:?}"
    );
    assert!(!place.path("other.symbib").exists());
}

#[test]
fn what_has_an_error_is_not_built_and_nothing_is_written() {
    let table: &[(&str, &str, &str)] = &[
        (
            "agents/deploy.symbi",
            "agent a { with { return 1 + ; } }",
            "FAILED 1:29",
        ),
        (
            "tools/restart.clad.toml",
            "[tool]\nname = 1\n",
            "FAILED 1:2",
        ),
        (
            "symbiont.toml",
            "[sandbox]\ntier = \"nowhere\"\n",
            "FAILED 2:8",
        ),
        (
            "policies/runs/a.cedar",
            "permit(principal, action, resource);",
            "FAILED 1:1",
        ),
    ];
    for (file, text, expected) in table {
        let place = place();
        place.write("fleet.symbib", "as it was");
        place.write(format!("p/{file}"), text);
        let run = place.line("build p -o fleet.symbib");
        assert_eq!((run.code, &*run.stdout), (1, ""), "{file}: {run:?}");
        let first = run.stderr.lines().next().unwrap_or_default();
        assert!(
            first.starts_with(&format!("p/{file}  {expected}")),
            "{}",
            run.stderr
        );
        assert!(
            run.stderr
                .ends_with("fleet.symbib is not written: mend what is said above\n"),
            "{}",
            run.stderr
        );
        assert_eq!(place.text("fleet.symbib"), "as it was", "{file}");
    }
}

#[test]
fn what_cannot_be_built_or_written_is_told() {
    let place = place();
    place.folder("empty").folder("there");
    project(&place, "q");
    let table = [
        (
            "build empty -o x.symbib",
            "empty: no .symbi or .dsl file in this folder",
        ),
        ("build missing -o x.symbib", "missing: "),
        (
            "build p q -o x.symbib",
            "these sources are of several projects",
        ),
        ("build p -o there", "there: it is a folder"),
        (
            "build p -o no/such/x.symbib",
            "no/such/x.symbib: no file can be made in its folder",
        ),
        ("build p", "required arguments were not provided"),
    ];
    for (line, expected) in table {
        let run = place.line(line);
        assert_eq!(run.code, 2, "{line}: {run:?}");
        assert!(run.stderr.contains(expected), "{line}: {}", run.stderr);
    }
    assert!(!place.path("x.symbib").exists());
}

#[test]
fn what_is_no_bundle_is_refused_by_name_by_each_command() {
    let place = place();
    ok(place.line("build p -o good.symbib"));
    let good = place.read("good.symbib");
    place.write("empty.symbib", "");
    place.write("text.symbib", "agent a { }");
    place.write("cut.symbib", &good[..good.len() / 2]);
    let mut longer = good.clone();
    longer.extend_from_slice(b"more");
    place.write("longer.symbib", longer);
    let mut flipped = good.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    place.write("flipped.symbib", flipped);
    let table = [
        ("empty", "error[I0902]"),
        ("text", "error[I0902]"),
        ("cut", "error[I0901]"),
        ("longer", "error[I09"),
        ("flipped", "error[I09"),
    ];
    for (name, error) in table {
        for command in ["inspect", "verify", "extract", "diff"] {
            let more = match command {
                "extract" => " out",
                "diff" => " good.symbib",
                _ => "",
            };
            let run = place.line(&format!("bundle {command} {name}.symbib{more}"));
            assert_eq!(
                (run.code, &*run.stdout),
                (1, ""),
                "{command} {name}: {run:?}"
            );
            assert!(
                run.stderr.contains(error),
                "{command} {name}: {}",
                run.stderr
            );
            assert!(!place.path("out").exists(), "{command} {name}");
        }
    }
    let run = place.line("bundle inspect none.symbib");
    assert!(
        run.code == 2 && run.stderr.contains("error[I0923]"),
        "{run:?}"
    );
}

#[test]
fn a_folder_that_is_there_is_left_alone() {
    let place = place();
    ok(place.line("build p -o good.symbib"));
    place.write("out/mine", "kept");
    let run = place.line("bundle extract good.symbib out");
    assert!(
        run.code == 2 && run.stderr.contains("it is not empty"),
        "{run:?}"
    );
    assert_eq!(place.names("out"), ["mine"]);
}

#[test]
fn a_bundle_that_other_files_were_put_into_is_refused() {
    let place = place();
    ok(place.line("build p -o good.symbib"));
    ok(place.line("bundle extract good.symbib out"));
    let document: serde_json::Value =
        serde_json::from_str(&ok(place.line("bundle inspect good.symbib --json"))).expect("JSON");
    let paths: Vec<&str> = document["files"]
        .as_array()
        .expect("files")
        .iter()
        .map(|file| file["path"].as_str().expect("a path"))
        .collect();
    assert_eq!(
        paths,
        [
            "policies/run/a.cedar",
            "program.symbir",
            "tools/restart.clad.toml"
        ]
    );
    // What is unpacked is what was put in, byte for byte.
    assert_eq!(place.text("out/tools/restart.clad.toml"), MANIFEST);
    assert_eq!(document["agents"][0]["name"], "deploy");
    assert_eq!(document["agents"][0]["kind"], "executable");
    assert_eq!(document["version"], 1);
}

/// Each project of the examples becomes a bundle, the same twice, which says
/// nothing grew beside itself.
#[test]
fn every_example_is_built() {
    let place = Place::new();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the examples") {
        let project = entry.expect("an entry").path();
        if !project.is_dir() {
            continue;
        }
        count += 1;
        let build = |name: &str| {
            let mut command = place.command();
            command.arg("build").arg(&project).args(["-q", "-o", name]);
            let done = command.output().expect("symbi");
            assert!(done.status.success(), "{}: {done:?}", project.display());
            place.read(name)
        };
        assert_eq!(
            build("one.symbib"),
            build("two.symbib"),
            "{}",
            project.display()
        );
        let same = place.line("bundle diff one.symbib two.symbib");
        assert_eq!(ok(same), "nothing grew, and nothing was lost\n");
        assert!(ok(place.line("bundle verify one.symbib")).contains("  OK "));
    }
    assert!(count >= 14, "{count} examples");
}
