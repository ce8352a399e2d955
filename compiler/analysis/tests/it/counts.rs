//! What an edit costs, counted in queries that are executed. These numbers do
//! not depend on the machine, so they are tests and no benches.

use symbi_analysis::{Analysis, Route, Text, read_manifests};
use symbi_syntax::decode;

const FILES: usize = 1000;

fn text(file: usize) -> String {
    let before = file.checked_sub(1).unwrap_or(FILES - 1);
    format!(
        "// file {file}\n\
         type Order{file} = {{ id: int, note: String }}\n\
         function total{file}(a: int, b: int) -> int {{\n    let sum = a + b;\n    return sum;\n}}\n\
         function twice{file}(a: int) -> int {{\n    return total{file}(a, a);\n}}\n\
         function other{file}(a: int) -> int {{\n    return a;\n}}\n\
         agent agent{file}(id: int) -> int {{\n    with sandbox = \"docker\" {{\n        \
         agent{before}(1);\n        return twice{file}(id);\n    }}\n}}\n\
         memory notes{file} {{ store markdown }}\n"
    )
}

fn path(file: usize) -> String {
    format!("agents/file{file}.symbi")
}

fn set(analysis: &mut Analysis, file: usize, text: String) {
    analysis.set_file(&path(file), decode(text.into_bytes()));
}

fn workspace() -> Analysis {
    let mut analysis = Analysis::new();
    for file in 0..FILES {
        set(&mut analysis, file, text(file));
    }
    check_all(&analysis);
    analysis.record_work();
    analysis
}

fn check_all(analysis: &Analysis) {
    for file in 0..FILES {
        let reports = analysis.diagnostics(&path(file)).expect("a known file");
        let errors: Vec<_> = reports.iter().filter(|report| report.is_error()).collect();
        assert!(errors.is_empty(), "{errors:?}");
    }
}

/// What is executed to tell about the edited file, and about all others after
/// that.
fn executed(analysis: &mut Analysis, file: usize, text: String) -> (Vec<String>, Vec<String>) {
    set(analysis, file, text);
    let _ = analysis.take_work();
    let _ = analysis.diagnostics(&path(file));
    let own = analysis.take_work().executed;
    for file in 0..FILES {
        let _ = analysis.diagnostics(&path(file));
    }
    (own, analysis.take_work().executed)
}

fn count(executed: &[String], query: &str) -> usize {
    executed.iter().filter(|name| *name == query).count()
}

#[test]
fn an_edit_costs_what_it_concerns() {
    let mut analysis = workspace();
    assert!(analysis.open_file(&path(7)));
    assert!(!analysis.open_file("nowhere.symbi"));
    check_all(&analysis);

    // One character in a body: the file's items, what the edited one declares,
    // and its check.
    let edited = text(7).replace("return sum;", "return sum + 1;");
    let (own, others) = executed(&mut analysis, 7, edited.clone());
    assert_eq!(own, ["checked", "declaration", "parsed"]);
    assert_eq!(others, [] as [&str; 0]);

    // A comment, and lines before everything: nothing but the items.
    let commented = edited.replace("let sum", "/* the sum of both */ let sum");
    for moved in [commented.clone(), format!("\n// a line\n\n{commented}")] {
        let (own, others) = executed(&mut analysis, 7, moved);
        assert_eq!(own, ["parsed"]);
        assert_eq!(others, [] as [&str; 0]);
    }

    // The same text again: nothing at all.
    let (own, others) = executed(&mut analysis, 7, format!("\n// a line\n\n{commented}"));
    assert_eq!((own.len(), others.len()), (0, 0));

    // The signature of a function: its own check and that of its one user.
    let (own, others) = executed(
        &mut analysis,
        7,
        commented.replace(
            "total7(a: int, b: int)",
            "total7(a: int, b: int, c: int = 0)",
        ),
    );
    assert_eq!(count(&own, "checked"), 2, "{own:?}");
    assert!(own.len() <= 10, "{own:?}");
    assert_eq!(others, [] as [&str; 0]);

    // The signature of an agent: its own check, and that of the agent of
    // another file that delegates to it.
    let (own, others) = executed(
        &mut analysis,
        7,
        commented.replace("agent7(id: int)", "agent7(id: int, dry: bool = false)"),
    );
    assert!(count(&own, "checked") <= 3, "{own:?}");
    assert!(own.len() <= 12, "{own:?}");
    assert_eq!(others, ["checked"]);

    // A new name: those who asked for names of its shard, and no others.
    let (own, others) = executed(
        &mut analysis,
        7,
        commented.replace("function other7", "function renamed7"),
    );
    assert!(own.len() <= 20, "{own:?}");
    assert!(others.len() <= 5, "{others:?}");
}

/// The first edit of a file that nobody has opened checks its items once more;
/// whether other files still hold is asked once each, not once an item.
#[test]
fn a_file_that_is_open_costs_no_questions_about_the_others() {
    let mut analysis = workspace();
    let edit = |analysis: &mut Analysis, text: String| {
        set(analysis, 7, text);
        let _ = analysis.take_work();
        let _ = analysis.diagnostics(&path(7));
        let work = analysis.take_work();
        (work.executed.len(), work.validated)
    };
    let with = |sum: &str| text(7).replace("return sum;", &format!("return sum + {sum};"));
    let (executed, _) = edit(&mut analysis, with("1"));
    assert!((4..=20).contains(&executed), "{executed}");
    let (executed, validated) = edit(&mut analysis, with("2"));
    assert_eq!(executed, 3);
    assert!(validated <= 1_100, "{validated}");
}

#[test]
fn a_new_file_and_one_that_goes_are_noticed_by_those_they_concern() {
    let mut analysis = workspace();
    analysis.set_file(
        "agents/more.symbi",
        decode(b"agent more { } agent agent3(id: int) { }".to_vec()),
    );
    let _ = analysis.take_work();
    let all = |analysis: &Analysis| -> Vec<String> {
        let mut found = Vec::new();
        for file in 0..FILES {
            for report in analysis.diagnostics(&path(file)).expect("a known file") {
                if report.code.id == "K0820" {
                    found.push(format!("{file} {}", report.message));
                }
            }
        }
        found
    };
    assert_eq!(
        all(&analysis),
        ["3 `agent3` leads to an agent of `agents/more.symbi` too"]
    );
    let executed = analysis.take_work().executed;
    // Those who asked for names of the two shards that changed.
    assert!(executed.len() <= 200, "{}: {executed:?}", executed.len());
    assert!(analysis.remove_file("agents/more.symbi"));
    assert!(!analysis.remove_file("agents/more.symbi"));
    assert_eq!(all(&analysis), [] as [&str; 0]);
}

#[test]
fn a_first_check_asks_twice_as_much_of_twice_the_files() {
    let executed = |files: usize| {
        let mut analysis = Analysis::new();
        analysis.record_work();
        for file in 0..files {
            set(&mut analysis, file, text(file));
        }
        for file in 0..files {
            let _ = analysis.diagnostics(&path(file));
        }
        analysis.take_work().executed.len()
    };
    let counts = [executed(50), executed(100), executed(200)];
    assert!(counts[0] > 50 * 6, "{counts:?}");
    for pair in counts.windows(2) {
        let ratio = pair[1] as f64 / pair[0] as f64;
        assert!((1.9..=2.3).contains(&ratio), "{counts:?}");
    }
}

/// A manifest that says the same elsewhere costs nothing, and one that says
/// something else costs the checks that ask for a tool.
#[test]
fn a_manifest_costs_what_calls_its_tool() {
    let manifest = |max: u32, above: &str| {
        format!(
            "{above}[tool]\nname = \"scan\"\n[args.rate]\ntype = \"integer\"\nmax = {max}\n\
             [command]\nexec = [\"scan\", \"{{rate}}\"]\n"
        )
    };
    let tools = |text: &str| {
        let path = "tools/scan.clad.toml";
        let read = read_manifests(&[Text { path, text }], None);
        assert_eq!(read.reports, [vec![]]);
        read.tools
    };
    let mut analysis = workspace();
    analysis.set_tools(tools(&manifest(5, "")));
    let calling = text(7).replace("return sum;", "scan(5);\n    return sum;");
    set(&mut analysis, 7, calling);
    check_all(&analysis);
    let _ = analysis.take_work();

    analysis.set_tools(tools(&manifest(5, "# a comment\n\n")));
    check_all(&analysis);
    assert_eq!(analysis.take_work().executed, [] as [&str; 0]);

    analysis.set_tools(tools(&manifest(4, "")));
    let reports = analysis.diagnostics(&path(7)).expect("a known file");
    let ids: Vec<&str> = reports.iter().map(|report| report.code.id).collect();
    assert_eq!(ids, ["T0319"]);
    let executed = analysis.take_work().executed;
    assert!(
        executed.iter().all(|query| query == "checked"),
        "{executed:?}"
    );
}

#[test]
fn an_agent_follows_the_functions_that_it_calls_and_no_others() {
    let text = "function tells() {\n    publish(\"x\", 1);\n}\n\
                function other() -> int {\n    return 1;\n}\n\
                agent a {\n    capabilities = [\"send\", \"publish\"]\n    with timeout = 5s {\n        \
                send(\"x\", 1);\n        tells();\n    }\n}\n";
    let mut analysis = Analysis::new();
    set(&mut analysis, 0, text.to_owned());
    let reports = |analysis: &Analysis| -> Vec<String> {
        let reports = analysis.diagnostics(&path(0)).expect("a known file");
        let reports = reports.iter().filter(|report| !report.is_hint());
        reports.map(|report| report.code.id.to_owned()).collect()
    };
    assert_eq!(reports(&analysis), [""; 0]);
    assert!(analysis.open_file(&path(0)));
    assert_eq!(reports(&analysis), [""; 0]);
    analysis.record_work();

    set(&mut analysis, 0, text.replace("return 1", "return 2"));
    let _ = analysis.take_work();
    assert_eq!(reports(&analysis), [""; 0]);
    let work = analysis.take_work().executed;
    assert_eq!(count(&work, "checked"), 1, "{work:?}");

    // What a function calls is the agent's too.
    set(
        &mut analysis,
        0,
        text.replace("publish(\"x\"", "Mail::post(\"x\""),
    );
    assert_eq!(reports(&analysis), ["N0203", "P0451"]);
    set(&mut analysis, 0, text.to_owned());
    assert_eq!(reports(&analysis), [""; 0]);
}

/// Whom a block in a policy names is asked for where someone wants to see what
/// refuses an agent, and costs the checks of others nothing.
#[test]
fn a_policy_that_names_agents_of_other_files_costs_them_no_check() {
    let mut analysis = workspace();
    let naming = |named: &str, body: &str| {
        let block =
            format!("policy shared {{\n    allow: send\n    agent {named} {{ {body} }}\n}}\n");
        format!("{}{block}", text(7))
    };
    let refused = |analysis: &Analysis| -> Vec<usize> {
        let refused = |file: &usize| {
            let admission = analysis.admission(&path(*file)).expect("a known file");
            !admission.agents[0].is_admitted(Route::Run)
        };
        // File 7 has the policy, which governs its agent.
        (0..20).filter(|file| *file != 7).filter(refused).collect()
    };
    assert!(analysis.open_file(&path(7)));
    check_all(&analysis);
    let _ = executed(&mut analysis, 7, naming("nobody", "x: 1"));
    assert_eq!(refused(&analysis), [] as [usize; 0]);
    let (own, others) = executed(&mut analysis, 7, naming("agent3", "x: 1"));
    assert!(own.len() <= 12, "{own:?}");
    assert_eq!(others, [] as [&str; 0]);
    assert_eq!(refused(&analysis), [3]);

    // What the block holds concerns nobody.
    let (own, others) = executed(&mut analysis, 7, naming("agent3", "x: 2"));
    assert_eq!(count(&own, "checked"), 1, "{}", own.len());
    assert!(own.len() <= 6, "{}", own.len());
    assert_eq!(others, [] as [&str; 0]);

    // Another name: nothing else is checked again.
    let (own, others) = executed(&mut analysis, 7, naming("agent9", "x: 2"));
    assert!(own.len() <= 12, "{own:?}");
    assert_eq!(others, [] as [&str; 0]);
    assert_eq!(refused(&analysis), [9]);
}

/// What did not change is not lowered again: an edit in a body costs its own
/// item, an edit in a comment none, and a second look nothing at all.
#[test]
fn an_edit_lowers_the_item_that_it_touches() {
    let mut analysis = workspace();
    let lower = |analysis: &mut Analysis| {
        let _ = analysis.take_work();
        for file in 0..FILES {
            assert!(analysis.module(&path(file)).is_some());
        }
        count(&analysis.take_work().executed, "lowered")
    };
    let items = lower(&mut analysis);
    assert!(items >= FILES, "{items}");
    assert_eq!(lower(&mut analysis), 0);

    // As an editor does before it edits.
    assert!(analysis.open_file(&path(7)));
    let _ = lower(&mut analysis);
    let own = text(7);
    let edited = own.replacen("return ", "return 1 + ", 1);
    assert_ne!(edited, own);
    set(&mut analysis, 7, edited.clone());
    assert_eq!(lower(&mut analysis), 1);
    // Everything moves, and a comment stands in a body.
    set(
        &mut analysis,
        7,
        format!(
            "// moved\n\n{}",
            edited.replacen("return ", "/* why */ return ", 1)
        ),
    );
    assert_eq!(lower(&mut analysis), 0);
    let module = analysis.module(&path(7)).expect("a module");
    assert_eq!(module.lines.get(..3), Some(&[0, 9, 10][..]));
}
