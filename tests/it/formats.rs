//! `symbi dsl --check --format …` and `symbi fmt --check --format …` as other
//! programs read them: one document on stdout, nothing but trouble on stderr,
//! and the exit codes of every other format.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::{GOOD, Place, Run, run, run_fed};

/// One error, S0107, after the `1`.
const MISSING: &str = "function f() { let a = 1 }\n";
/// One warning, S0161.
const STRAY: &str = "function g() { let a = 1;; }\n";

const DOCUMENTS: [&str; 4] = ["json", "sarif", "gitlab", "junit"];

fn place() -> Place {
    let place = Place::new();
    place
        .write("agents/deploy.symbi", GOOD)
        .write("agents/review.symbi", format!("// é🦀\r\n{MISSING}{STRAY}"))
        .write("x.symbi", STRAY);
    place
}

fn check(place: &Place, format: &str, rest: &str) -> Run {
    place.line(&format!("dsl --check --format {format} {rest}"))
}

/// What a document says, format by format: for each source that it names, the
/// codes, `unreadable` for what could not be read. JSON and JUnit name all
/// sources, the others only those with something to say.
fn told(format: &str, document: &str) -> Vec<(String, String)> {
    let json = || -> Value { serde_json::from_str(document).unwrap() };
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let pairs: Vec<(String, String)> = match format {
        "json" => list(&json()["files"])
            .iter()
            .flat_map(|file| {
                let path = word(&file["path"]);
                let mut codes: Vec<String> = list(&file["diagnostics"])
                    .iter()
                    .map(|report| word(&report["code"]))
                    .collect();
                if file["status"] == "unreadable" {
                    codes.push("unreadable".to_owned());
                }
                codes.into_iter().map(move |code| (path.clone(), code))
            })
            .collect(),
        "sarif" => {
            let json = json();
            let run = &json["runs"][0];
            let results = list(&run["results"]);
            let trouble = list(&run["invocations"][0]["toolExecutionNotifications"]);
            let name = |value: &Value| {
                word(&value["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])
            };
            results
                .iter()
                .map(|result| (name(result), word(&result["ruleId"])))
                .chain(trouble.iter().map(|it| (name(it), "unreadable".to_owned())))
                .collect()
        }
        "gitlab" => list(&json())
            .iter()
            .map(|issue| (word(&issue["location"]["path"]), word(&issue["check_name"])))
            .collect(),
        _ => cases(document)
            .into_iter()
            .flat_map(|case| {
                case.codes
                    .into_iter()
                    .map(move |code| (case.name.clone(), code))
            })
            .collect(),
    };
    pairs
}

/// A test case as a parser of XML sees it.
#[derive(Debug)]
struct TestCase {
    name: String,
    failure: String,
    output: String,
    codes: Vec<String>,
}

/// The cases of a JUnit document, read by Python; its counts must be right.
fn cases(document: &str) -> Vec<TestCase> {
    const READ: &str = "
import sys, json, xml.etree.ElementTree as tree
suites = tree.fromstring(sys.stdin.buffer.read())
assert suites.tag == 'testsuites' and len(suites) == 1
suite = suites[0]
cases = suite.findall('testcase')
for counted in (suites, suite):
    assert counted.get('tests') == str(len(cases))
    assert counted.get('failures') == str(len(suite.findall('testcase/failure')))
    assert counted.get('errors') == str(len(suite.findall('testcase/error')))
    assert counted.get('time') is None and counted.get('timestamp') is None
text = lambda case, tag: ''.join(e.text or '' for e in case.findall(tag))
print(json.dumps([[c.get('name'), text(c, 'failure'), text(c, 'system-out'),
    [e.get('type') for e in c.findall('error')]] for c in cases]))
";
    let mut python = Command::new("python3");
    python.args(["-c", READ]).stdin(Stdio::piped());
    let read = run_fed(&mut python, document.as_bytes());
    assert_eq!((read.stderr.as_str(), read.code), ("", 0), "{document}");
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    let json = read.json();
    let cases = json.as_array().unwrap().iter().map(|case| {
        let (failure, output) = (word(&case[1]), word(&case[2]));
        let mut codes: Vec<String> = format!("{failure}{output}")
            .lines()
            .filter_map(|line| Some(line.split_once("]: ")?.0.rsplit_once('[')?.1.to_owned()))
            .collect();
        codes.extend(case[3].as_array().unwrap().iter().map(word));
        TestCase {
            name: word(&case[0]),
            failure,
            output,
            codes,
        }
    });
    cases.collect()
}

/// The validator of the standard's schema.
fn sarif_complaints(document: &str) -> Vec<String> {
    const SCHEMA: &str = include_str!("../../compiler/diagnostics/tests/schemas/sarif-2.1.0.json");
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let validator = jsonschema::draft7::options()
        .should_validate_formats(true)
        .build(&schema)
        .unwrap();
    let document = serde_json::from_str(document).unwrap();
    let errors = validator.iter_errors(&document);
    errors.map(|error| error.to_string()).collect()
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |&(name, code): &(&str, &str)| (name.to_owned(), code.to_owned());
    pairs.iter().map(owned).collect()
}

#[test]
fn each_document_says_the_same_and_ends_the_same() {
    let place = place();
    let all = [
        ("agents/review.symbi", "S0107"),
        ("agents/review.symbi", "S0161"),
        ("x.symbi", "S0161"),
    ];
    let table = [
        ("agents x.symbi", 1, &all[..]),
        ("agents/deploy.symbi", 0, &[]),
        ("x.symbi", 0, &all[2..]),
        ("x.symbi --deny-warnings", 1, &all[2..]),
    ];
    for (arguments, code, expected) in table {
        let human = check(&place, "human", arguments);
        assert_eq!(human.code, code, "{arguments}");
        for format in DOCUMENTS {
            let run = check(&place, format, arguments);
            assert_eq!((&*run.stderr, run.code), ("", code), "{format} {arguments}");
            assert_eq!(
                told(format, &run.stdout),
                pairs(expected),
                "{format} {arguments}"
            );
            assert!(run.stdout.ends_with(['}', ']', '>', '\n']));
            // Nothing is left to be silent about, and nothing to be coloured.
            let quiet = check(&place, format, &format!("{arguments} -q --color always"));
            assert_eq!(quiet, run, "{format} {arguments}");
        }
    }
}

#[test]
fn what_cannot_be_read_is_in_every_document_and_on_stderr() {
    let place = place();
    place.folder("docs");
    let arguments = "x.symbi nope.symbi docs";
    let reason = "no .symbi or .dsl file in this folder (hidden and ignored ones do not count)";
    for format in DOCUMENTS {
        let run = check(&place, format, arguments);
        assert_eq!(
            run.stderr,
            format!("error: nope.symbi: no such file or folder\nerror: docs: {reason}\n"),
            "{format}"
        );
        assert_eq!(run.code, 2, "{format}");
        assert_eq!(
            told(format, &run.stdout),
            pairs(&[
                ("x.symbi", "S0161"),
                ("nope.symbi", "unreadable"),
                ("docs", "unreadable")
            ]),
            "{format}"
        );
    }
    let sarif = check(&place, "sarif", arguments);
    let invocation = &sarif.json()["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    assert_eq!(invocation["exitCode"], 2);
    let first = &invocation["toolExecutionNotifications"][0];
    assert_eq!(
        first["message"]["text"],
        "nope.symbi: no such file or folder"
    );
    assert_eq!(first["level"], "error");
}

#[test]
fn without_anything_to_read_there_is_no_document() {
    let place = place();
    for format in ["json", "sarif", "gitlab", "junit", "github"] {
        let run = check(&place, format, "");
        assert_eq!((&*run.stdout, run.code), ("", 2), "{format}");
        assert!(run.stderr.contains("nothing to read"), "{}", run.stderr);
    }
}

#[test]
fn files_beside_the_sources_are_in_every_document() {
    let place = place();
    place
        .write("p/symbiont.toml", "[check]\nalow = []\n")
        .write("p/agents/a.symbi", GOOD);
    let short = place.line("dsl --check --format short p");
    let (named, _) = short.stderr.split_once(':').unwrap();
    assert_eq!(named, "p/symbiont.toml", "{short:?}");
    let code = short.stderr.split(['[', ']']).nth(1).unwrap();
    for format in DOCUMENTS {
        let run = check(&place, format, "p");
        assert_eq!(
            told(format, &run.stdout),
            pairs(&[("p/symbiont.toml", code)]),
            "{format}"
        );
    }
}

#[test]
fn files_above_the_working_folder_are_the_same_on_every_machine() {
    let place = place();
    place
        .write("p/symbiont.toml", "[check]\nalow = []\n")
        .write("p/tools/x.clad.toml", "")
        .write("p/.gitignore", "secret/\n")
        .write("p/secret/b.symbi", "agent b { }\n")
        .write("p/shared/c.symbi", "agent c { }\n")
        .write(
            "p/agents/a.symbi",
            "schedule s { cron: \"0 9 * * *\", agent: b }\nschedule t { cron: \"0 9 * * *\", agent: c }\n",
        );
    let below = |format: &str| {
        let mut command = place.command();
        command.current_dir(place.path("p/agents"));
        run(command.args(["dsl", "--check", "--format", format, "a.symbi"]))
    };
    let beside = ["../symbiont.toml", "../tools/x.clad.toml", "a.symbi"];
    for format in DOCUMENTS {
        let run = below(format);
        let told: Vec<String> = told(format, &run.stdout)
            .into_iter()
            .map(|(path, _)| path)
            .collect();
        let mut names: Vec<&str> = told.iter().map(String::as_str).collect();
        names.dedup();
        assert_eq!(names, beside, "{format}: {run:?}");
        assert!(
            !run.stdout.contains(place.path("p").to_str().unwrap()),
            "{run:?}"
        );
    }
    let sarif = below("sarif").json();
    let place_of = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(
        place_of["artifactLocation"],
        json!({"uri": "../symbiont.toml", "uriBaseId": "%SRCROOT%"})
    );
    let files = below("json").json()["files"].clone();
    assert_eq!(files[0]["path"], "../symbiont.toml");
    // What is ignored above is ignored from below, too, and the rest is read.
    for format in ["human", "short", "github"] {
        let run = below(format);
        for name in beside {
            assert!(run.stdout.contains(name), "{format}: {run:?}");
        }
        let all = format!("{}{}", run.stdout, run.stderr);
        assert!(all.contains("`b`") && !all.contains("`c`"), "{run:?}");
        assert!(!all.contains(place.path("p").to_str().unwrap()), "{run:?}");
    }
}

#[test]
fn texts_and_stdin_are_no_files() {
    let place = Place::new();
    let with = |format: &str| {
        let mut command = place.command();
        let words = [
            "dsl", "--check", "--format", format, "-", "-c", MISSING, "-c", MISSING,
        ];
        command.args(words).stdin(Stdio::piped());
        run_fed(&mut command, STRAY.as_bytes())
    };
    let labels = [
        ("<stdin>", "S0161"),
        ("<inline>", "S0107"),
        ("<inline 2>", "S0107"),
    ];
    for format in DOCUMENTS {
        let run = with(format);
        assert_eq!((&*run.stderr, run.code), ("", 1), "{format}");
        let expected = match format {
            "sarif" => labels.map(|(name, code)| {
                let uri = name
                    .replace('<', "%3C")
                    .replace('>', "%3E")
                    .replace(' ', "%20");
                (uri, code.to_owned())
            }),
            _ => labels.map(|(name, code)| (name.to_owned(), code.to_owned())),
        };
        assert_eq!(told(format, &run.stdout), expected, "{format}");
    }
    let sarif = with("sarif").json();
    let at = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(at["artifactLocation"].get("uriBaseId"), None);
    assert_eq!(
        at["artifactLocation"]["description"]["text"],
        "<stdin>, a text that is no file"
    );
    let github = with("github");
    let commands: Vec<&str> = github
        .stdout
        .lines()
        .filter(|l| l.starts_with("::"))
        .collect();
    assert_eq!(commands.len(), 3);
    assert!(
        commands[0].starts_with("::warning title=S0161%3A ")
            && commands[0].contains("::<stdin>:1:26: "),
        "{}",
        commands[0]
    );
}

#[test]
fn sarif_keeps_to_its_schema_and_shows_no_folder_of_this_machine() {
    let place = place();
    let folder = place.path(".").canonicalize().unwrap();
    let folder = folder.to_str().unwrap();
    place
        .write("agents/a b%20c:é.symbi", MISSING)
        .write("in/y.symbi", MISSING);
    let absolute = format!("{folder}/x.symbi");
    for arguments in [
        "agents x.symbi nope",
        "./agents",
        "in/../x.symbi",
        &absolute,
    ] {
        let run = check(&place, "sarif", arguments);
        assert_eq!(sarif_complaints(&run.stdout), [""; 0], "{arguments}");
        assert!(!run.stdout.contains(folder), "{arguments}");
    }
    let uris = |arguments: &str| -> Vec<String> {
        let told = told("sarif", &check(&place, "sarif", arguments).stdout);
        told.into_iter().map(|(uri, _)| uri).collect()
    };
    assert_eq!(
        uris("./agents//"),
        [
            "agents/a%20b%2520c%3A%C3%A9.symbi",
            "agents/review.symbi",
            "agents/review.symbi"
        ]
    );
    assert_eq!(uris("in/../x.symbi"), ["x.symbi"]);
    assert_eq!(uris(&absolute), ["x.symbi"]);
}

#[test]
fn places_are_those_of_the_short_format() {
    let place = Place::new();
    // A byte order mark, a tab, an astral character, CRLF, and a lone CR.
    let text =
        "\u{FEFF}// 🦀\r\n\tfunction f() { let a = \"é🦀\" }\r// x\rfunction g() { let b = 1 }";
    place.write("x.symbi", text);
    let short = place.line("dsl --check --format short x.symbi");
    let places: Vec<(u64, u64)> = short
        .stderr
        .lines()
        .map(|line| {
            let mut parts = line.split(':').skip(1).map(|part| part.parse().unwrap());
            (parts.next().unwrap(), parts.next().unwrap())
        })
        .take(2)
        .collect();
    assert_eq!(places, [(2, 29), (4, 25)], "{short:?}");
    let sarif = check(&place, "sarif", "x.symbi").json();
    let gitlab = check(&place, "gitlab", "x.symbi").json();
    let github = check(&place, "github", "x.symbi").stdout;
    for (number, (line, column)) in places.into_iter().enumerate() {
        let result = &sarif["runs"][0]["results"][number];
        let region = &result["locations"][0]["physicalLocation"]["region"];
        assert_eq!(
            (&region["startLine"], &region["startColumn"]),
            (&json!(line), &json!(column))
        );
        assert_eq!(gitlab[number]["location"]["lines"]["begin"], line);
        let at = format!(",line={line},col={column},");
        assert_eq!(github.matches(&at).count(), 1, "{at} {github}");
    }
}

#[test]
fn documents_do_not_depend_on_how_many_threads_there_are() {
    let place = Place::new();
    for number in 0..300 {
        let text = if number % 3 == 0 { GOOD } else { MISSING };
        place.write(format!("in/{number}.symbi"), text);
    }
    for format in ["sarif", "gitlab", "junit", "github"] {
        let with = |threads: &str| {
            let mut command = place.command();
            let words = ["dsl", "--check", "--format", format, "in"];
            run(command.args(words).env("RAYON_NUM_THREADS", threads))
        };
        let one = with("1");
        assert_eq!(one.code, 1);
        assert_eq!(with("7"), one, "{format}");
    }
}

#[test]
fn a_fingerprint_is_the_same_after_lines_are_added_above() {
    let place = Place::new();
    let prints = |format: &str| -> Vec<String> {
        let json = check(&place, format, "x.symbi").json();
        let list = if format == "sarif" {
            &json["runs"][0]["results"]
        } else {
            &json
        };
        let list = list.as_array().unwrap().iter();
        list.map(|it| match format {
            "sarif" => it["partialFingerprints"].to_string(),
            _ => it["fingerprint"].to_string(),
        })
        .collect()
    };
    let twice = format!("{MISSING}{MISSING}");
    for format in ["sarif", "gitlab"] {
        place.write("x.symbi", &twice);
        let before = prints(format);
        place.write(
            "x.symbi",
            format!("// new\n\n{}", twice.replace('\n', "\r\n")),
        );
        let after = prints(format);
        assert_eq!(before, after, "{format}");
        assert_ne!(before[0], before[1], "{format}");
        place.write("x.symbi", twice.replace('1', "2"));
        assert_ne!(prints(format)[0], before[0], "{format}");
    }
}

#[test]
fn denied_warnings_are_failures_of_their_case() {
    let place = place();
    let line = "x.symbi:1:26: warning[S0161]: ";
    let case = |arguments: &str| cases(&check(&place, "junit", arguments).stdout).remove(0);
    let fine = case("x.symbi");
    assert!(
        fine.failure.is_empty() && fine.output.starts_with(line),
        "{fine:?}"
    );
    let denied = case("x.symbi --deny-warnings");
    assert!(
        denied.output.is_empty() && denied.failure.starts_with(line),
        "{denied:?}"
    );
}

#[test]
fn hints_are_the_least_in_every_format() {
    let place = Place::new();
    place.write("x.symbi", "function f() { let unread = 1; }\n");
    let of = |format: &str| check(&place, format, "x.symbi --hints --deny-warnings");
    let sarif = of("sarif");
    assert_eq!(sarif.code, 0);
    assert_eq!(sarif.json()["runs"][0]["results"][0]["level"], "note");
    assert_eq!(of("gitlab").json()[0]["severity"], "info");
    assert!(of("github").stdout.contains("\n::notice file=x.symbi,"));
    let case = cases(&of("junit").stdout).remove(0);
    assert!(
        case.failure.is_empty() && case.output.contains("N0240"),
        "{case:?}"
    );
}

#[test]
fn commands_follow_the_line_of_their_source() {
    let place = place();
    let run = check(&place, "github", "agents x.symbi nope");
    assert_eq!(run.stderr, "error: nope: no such file or folder\n");
    assert_eq!(run.code, 2);
    let heads: Vec<&str> = run
        .stdout
        .lines()
        .map(|line| line.split_once(",col=").map_or(line, |(head, _)| head))
        .map(|line| line.split_once(" S0107").map_or(line, |(head, _)| head))
        .collect();
    assert_eq!(
        heads,
        [
            "agents/deploy.symbi  OK",
            "agents/review.symbi  FAILED 2:25",
            "::error file=agents/review.symbi,line=2",
            "::warning file=agents/review.symbi,line=3",
            "x.symbi              OK (1 warning)",
            "::warning file=x.symbi,line=1",
            "nope                 UNREADABLE no such file or folder",
            "::error file=nope,title=unreadable::no such file or folder",
        ]
    );
    let quiet = check(&place, "github", "-q agents x.symbi nope");
    assert_eq!(quiet.stdout.matches("::").count(), 0, "{}", quiet.stdout);
    assert_eq!(quiet.code, 2);
}

#[cfg(unix)]
#[test]
fn nothing_but_a_command_looks_like_one() {
    let place = Place::new();
    place
        .write("::error::x.symbi", GOOD)
        .write(
            "::add-mask::y\n::warning::z.symbi",
            "agent ##[error] ::stop:: { }\n",
        )
        .write("##[group].symbi", "");
    let run = check(&place, "github", ". ::nope ##[nope");
    for line in run.stdout.lines().chain(run.stderr.lines()) {
        let command = line.starts_with("::error file=") || line.starts_with("::warning file=");
        let safe = !line.trim_start().starts_with("::") && !line.contains("##[");
        assert!(command || safe, "{line}");
    }
    assert!(
        run.stdout.contains("\\u{3a}:error::x.symbi"),
        "{}",
        run.stdout
    );
    assert!(
        run.stderr.contains("error: #\\u{23}[nope: "),
        "{}",
        run.stderr
    );
    // The path itself comes back from its escapes.
    let escaped = "::error file=%3A%3Aadd-mask%3A%3Ay%0A%3A%3Awarning%3A%3Az.symbi,line=1,";
    assert!(run.stdout.contains(escaped), "{}", run.stdout);
}

#[test]
fn formats_of_checks_want_a_check() {
    let place = place();
    for format in ["sarif", "github", "gitlab", "junit"] {
        for line in [
            "dsl x.symbi",
            "fmt x.symbi",
            "fmt --diff x.symbi",
            "fmt --check --diff x.symbi",
        ] {
            let run = place.line(&format!("{line} --format {format}"));
            assert_eq!((&*run.stdout, run.code), ("", 2), "{line} {format}");
            let told = "this format says what a check finds: add --check";
            assert!(run.stderr.contains(told), "{}", run.stderr);
        }
    }
    assert_eq!(place.text("x.symbi"), STRAY);
}

#[test]
fn the_formatter_says_what_is_not_formatted_in_every_format() {
    let place = Place::new();
    place
        .write("good.symbi", "agent a {}\n")
        .write("wide.symbi", "agent  a {}\n")
        .write("bad.symbi", MISSING);
    for format in DOCUMENTS {
        let run = place.line(&format!("fmt --check --format {format} . nope"));
        assert_eq!(
            run.stderr, "error: nope: no such file or folder\n",
            "{format}"
        );
        assert_eq!(run.code, 2, "{format}");
        assert_eq!(
            told(format, &run.stdout),
            pairs(&[
                ("bad.symbi", "S0107"),
                ("wide.symbi", "F1001"),
                ("nope", "unreadable")
            ]),
            "{format}"
        );
    }
    let run = place.line("fmt --check --format sarif wide.symbi");
    assert_eq!(sarif_complaints(&run.stdout), [""; 0]);
    let changes = &run.json()["runs"][0]["results"][0]["fixes"][0]["artifactChanges"];
    assert_eq!(
        changes[0]["replacements"],
        json!([{
            "deletedRegion": {"startLine": 1, "startColumn": 6, "endLine": 1, "endColumn": 8},
            "insertedContent": {"text": " "},
        }])
    );
    let run = place.line("fmt --check --format github wide.symbi");
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines[0], "wide.symbi  WOULD CHANGE 1:7");
    assert!(
        lines[1].starts_with("::error file=wide.symbi,line=1,col=7,"),
        "{}",
        lines[1]
    );
    let run = place.fed(
        "fmt --check --format sarif --stdin --stdin-name a/b.symbi",
        b"agent  a {}\n",
    );
    assert_eq!(told("sarif", &run.stdout), pairs(&[("a/b.symbi", "F1001")]));
}

#[test]
fn help_names_every_format_once_in_its_list() {
    let place = Place::new();
    for command in ["dsl", "fmt"] {
        let help = place.line(&format!("{command} --help")).stdout;
        let (_, list) = help.split_once("\nFormats:\n").unwrap();
        let (list, _) = list.split_once("\n\n").unwrap();
        let names: Vec<&str> = list
            .lines()
            .filter_map(|line| line.strip_prefix("  "))
            .filter(|line| !line.starts_with(' '))
            .map(|line| line.split(' ').next().unwrap())
            .collect();
        assert_eq!(
            names,
            [
                "human", "short", "github", "json", "sarif", "gitlab", "junit"
            ],
            "{command}"
        );
        let possible = format!("possible values: {}]", names.join(", "));
        let short = place.line(&format!("{command} -h")).stdout;
        let words: Vec<&str> = short.split_whitespace().collect();
        assert!(words.join(" ").contains(&possible), "{short}");
    }
}
