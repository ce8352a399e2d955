//! Files that belong together: `symbiont.toml`, tools, names across files.

use crate::support::Place;

const SCHEDULE: &str = "schedule s { cron: \"0 9 * * *\" agent: \"reporter\" }\n";

/// A project whose schedule starts an agent of another file.
fn project() -> Place {
    let place = Place::new();
    place
        .write("symbiont.toml", "# A project.\n")
        .write("agents/reporter.symbi", "agent reporter { }\n")
        .write("plans/daily.symbi", SCHEDULE);
    place
}

#[test]
fn a_file_has_the_same_verdict_alone_and_with_its_project() {
    let place = project();
    let all = place.line("dsl --check .");
    assert_eq!(
        (all.code, &*all.stdout, &*all.stderr),
        (
            0,
            "agents/reporter.symbi  OK\nplans/daily.symbi      OK\n",
            ""
        )
    );
    let alone = place.line("dsl --check plans/daily.symbi");
    assert_eq!(
        (alone.code, &*alone.stdout, &*alone.stderr),
        (0, "plans/daily.symbi  OK\n", "")
    );
}

#[test]
fn without_a_project_file_only_what_is_named_belongs_together() {
    let place = project();
    std::fs::remove_file(place.path("symbiont.toml")).unwrap();
    let together = place.line("dsl --check agents plans");
    assert!(
        together.stdout.ends_with("plans/daily.symbi      OK\n"),
        "{together:?}"
    );
    let alone = place.line("dsl --check --format short plans/daily.symbi");
    assert_eq!(alone.stdout, "plans/daily.symbi  OK (1 warning)\n");
    assert!(
        alone
            .stderr
            .starts_with("plans/daily.symbi:1:39: warning[K0801]: "),
        "{alone:?}"
    );
    assert_eq!(alone.code, 0);
    let denied = place.line("dsl --check -q --deny-warnings plans/daily.symbi");
    assert_eq!(denied.code, 1);
    assert!(denied.stdout.contains("FAILED 1:39 K0801"), "{denied:?}");
}

#[test]
fn a_slip_in_a_name_of_another_file_is_mended_by_the_fix() {
    let place = project();
    place.write(
        "plans/daily.symbi",
        SCHEDULE.replace("reporter", "reportor"),
    );
    let run = place.line("dsl --check plans");
    assert_eq!(run.stdout, "plans/daily.symbi  OK (1 warning)\n");
    assert!(run.stderr.contains("warning[K0801]"), "{run:?}");
    assert!(run.stderr.contains("`reporter`"), "{run:?}");
}

#[test]
fn projects_in_projects_are_projects_of_their_own() {
    let place = project();
    place
        .write("inner/symbiont.toml", "")
        .write("inner/reporter.symbi", "agent reporter { }\n")
        .write("inner/plan.symbi", SCHEDULE);
    let run = place.line("dsl --check .");
    assert_eq!(
        run.stdout,
        "agents/reporter.symbi  OK\ninner/plan.symbi       OK\ninner/reporter.symbi   OK\n\
         plans/daily.symbi      OK\n"
    );
    assert_eq!((run.code, &*run.stderr), (0, ""));
}

#[test]
fn texts_are_programs_of_their_own() {
    let place = project();
    let run = place.fed(
        "dsl --check -q - agents",
        b"agent reporter { } agent x { }\n",
    );
    assert_eq!(
        run.stdout,
        "<stdin>                OK\nagents/reporter.symbi  OK\n"
    );
}

#[test]
fn levels_of_the_project_file_lower_warnings_and_nothing_else() {
    let place = project();
    place
        .write("symbiont.toml", "[check]\nK0801 = \"off\"\n")
        .write("plans/daily.symbi", SCHEDULE.replace("reporter", "nobody"));
    let run = place.line("dsl --check --deny-warnings plans");
    assert_eq!(
        (run.code, &*run.stdout, &*run.stderr),
        (0, "plans/daily.symbi  OK\n", "")
    );

    place.write("symbiont.toml", "[check]\nN0201 = \"off\"\n");
    let run = place.line("dsl --check -q plans agents");
    assert_eq!(run.code, 1);
    assert!(run.stdout.starts_with("symbiont.toml"), "{run:?}");
    assert!(run.stdout.contains("FAILED 2:1 B0786"), "{run:?}");
}

#[test]
fn a_project_file_that_cannot_be_read_fails_with_its_own_place() {
    let place = project();
    place.write("symbiont.toml", "[sandbox]\ntier = gvisor\n");
    let run = place.line("dsl --check --format short agents");
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.starts_with("symbiont.toml:2:8: error[B0780]: "),
        "{run:?}"
    );
    assert!(
        run.stdout.contains("agents/reporter.symbi  OK\n"),
        "{run:?}"
    );

    place.write("symbiont.toml", b"[sandbox]\n# caf\xe9\n");
    let run = place.line("dsl --check agents");
    assert_eq!(run.code, 2);
    assert!(
        run.stderr
            .starts_with("error: symbiont.toml: byte 15 is not valid UTF-8"),
        "{run:?}"
    );
    let json = place.line("dsl --check --json agents");
    assert_eq!(json.code, 2);
    assert!(json.stdout.contains("\"unreadable\": 1"), "{json:?}");
}

#[test]
fn calls_of_tools_are_checked_against_their_manifests() {
    let place = project();
    let manifest = "[tool]\nname = \"restart\"\nversion = \"1.0.0\"\ndescription = \"Restarts\"\n\
                    binary = \"systemctl\"\n\n[args.service]\nposition = 1\ntype = \"string\"\n\
                    required = true\n\n[args.times]\nposition = 2\ntype = \"integer\"\nmax = 5\n\n\
                    [command]\nexec = [\"systemctl\", \"restart\", \"{service}\", \"{times}\"]\n";
    let agent = |call: &str| format!("agent fixer {{ with {{ {call}; }} }}\n");
    place
        .write("tools/restart.clad.toml", manifest)
        .write("agents/fixer.symbi", agent("restart(\"web\", 2)"));
    let run = place.line("dsl --check agents/fixer.symbi");
    assert_eq!(
        (run.code, &*run.stdout, &*run.stderr),
        (0, "agents/fixer.symbi  OK\n", "")
    );
    place.write("agents/fixer.symbi", agent("restart(\"web\", \"twice\")"));
    let run = place.line("dsl --check -q agents/fixer.symbi");
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("FAILED 1:37 T0"), "{run:?}");
    place.write("agents/fixer.symbi", agent("restart(\"web\", 6)"));
    let run = place.line("dsl --check -q agents/fixer.symbi");
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("FAILED 1:37 T0319"), "{run:?}");
    place.write("agents/fixer.symbi", agent("restrat(\"web\")"));
    let run = place.line("dsl --check agents/fixer.symbi");
    assert_eq!(run.code, 0);
    assert!(run.stderr.contains("`restart`"), "{run:?}");

    let unused = manifest.replace(", \"{times}\"", "");
    place.write("tools/restart.clad.toml", unused);
    let run = place.line("dsl --check --format short agents/fixer.symbi");
    assert!(run.stderr.contains("K0871"), "{run:?}");
    place.write("symbiont.toml", "[check]\nK0871 = \"off\"\n");
    let run = place.line("dsl --check --format short agents/fixer.symbi");
    assert!(!run.stderr.contains("K0871"), "{run:?}");
    place.write("symbiont.toml", "");
    place.write("tools/restart.clad.toml", manifest);
    place.write("tools/again.clad.toml", manifest);
    let run = place.line("dsl --check -q agents/reporter.symbi");
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("K0824"), "{run:?}");
    place.write("tools/again.clad.toml", "[tool\n");
    let run = place.line("dsl --check --format short agents/reporter.symbi");
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.starts_with("tools/again.clad.toml:1:"),
        "{run:?}"
    );
}

#[test]
fn policies_that_nothing_reads_are_told() {
    let place = project();
    let forbid = "forbid (principal, action, resource);\n";
    place
        .write("policies/all.cedar", forbid)
        .write("policies/schedule/night.cedar", forbid)
        .write("policies/attic/readme.md", "kept\n");
    let run = place.line("dsl --check --deny-warnings agents/reporter.symbi");
    assert_eq!(run.code, 0, "{run:?}");

    place.write("policies/attic/old.cedar", forbid);
    let run = place.line("dsl --check --format short agents/reporter.symbi");
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(
        run.stderr,
        "policies/attic/old.cedar:1:1: warning[K0826]: nothing reads the policies in the folder \
         `attic`\n"
    );
    place.write("symbiont.toml", "[check]\nK0826 = \"off\"\n");
    let run = place.line("dsl --check --deny-warnings agents/reporter.symbi");
    assert_eq!((run.code, &*run.stderr), (0, ""), "{run:?}");
    place.write("policies/schedul/night.cedar", forbid);
    let run = place.line("dsl --check agents/reporter.symbi");
    assert_eq!(run.code, 1, "{run:?}");
    let line = "policies/schedul/night.cedar  FAILED 1:1 K0825 nothing reads the policies in the \
                folder `schedul`";
    assert!(run.stdout.contains(line), "{run:?}");
    assert!(
        run.stderr.contains("rename the folder to `schedule`"),
        "{run:?}"
    );
}

#[test]
fn a_route_on_which_no_policy_permits_to_answer_is_a_hint() {
    let place = project();
    let permit =
        |action: &str| format!("permit (principal, action == Action::\"{action}\", resource);\n");
    place
        .write("policies/run/a.cedar", permit("tool_call::x"))
        .write("policies/run/b.cedar", permit("tool_call::y"));
    let line = "dsl --check --format short agents/reporter.symbi";
    assert_eq!(place.line(line).stderr, "");
    let hints = place.line(&format!("{line} --hints --deny-warnings"));
    assert_eq!(hints.code, 0, "{hints:?}");
    assert!(
        hints.stderr.contains(
            "policies/run/a.cedar:1:1: hint[K0827]: no policy for the routes of `run` permits \
             `respond`, which an answer needs\n"
        ),
        "{hints:?}"
    );
    place.write("policies/run/b.cedar", permit("respond"));
    let hints = place.line(&format!("{line} --hints"));
    assert!(!hints.stderr.contains("K0827"), "{hints:?}");
    place
        .write("policies/all.cedar", permit("tool_call::x"))
        .write("symbiont.toml", "[check]\nK0827 = \"off\"\nhints = true\n");
    assert!(!place.line(line).stderr.contains("K0827"));
    place.write("symbiont.toml", "[check]\nhints = true\n");
    let hints = place.line(line);
    assert!(
        hints.stderr.contains(
            "policies/all.cedar:1:1: hint[K0827]: no policy for the routes of `http-input`, "
        ),
        "{hints:?}"
    );
}

#[test]
fn hints_are_shown_only_when_they_are_asked_for_and_never_fail() {
    let place = Place::new();
    place.write("x.symbi", "function f() { let unused = 1; return 2; }\n");
    let plain = place.line("dsl --check --deny-warnings x.symbi");
    assert_eq!(
        (plain.code, &*plain.stdout, &*plain.stderr),
        (0, "x.symbi  OK\n", "")
    );
    let hints = place.line("dsl --check --hints --deny-warnings --format short x.symbi");
    assert_eq!((hints.code, &*hints.stdout), (0, "x.symbi  OK\n"));
    assert!(hints.stderr.contains("`unused`"), "{hints:?}");
    let json = place.line("dsl --check --hints --json x.symbi");
    assert!(json.stdout.contains("\"level\": \"hint\""), "{json:?}");
    assert!(json.stdout.contains("\"warnings\": 0"), "{json:?}");
    place
        .write("symbiont.toml", "[check]\nhints = true\n")
        .write("y.symbi", "");
    let by_file = place.line("dsl --check --format short x.symbi");
    assert_eq!(by_file.stderr, hints.stderr);
}

#[test]
fn an_allow_comment_lowers_a_warning_and_is_reported_when_it_lowers_none() {
    let place = project();
    place.write(
        "plans/daily.symbi",
        format!(
            "// symbi: allow(K0801)\n{}\n// symbi: allow(K0801)\n{}",
            SCHEDULE.replace("reporter", "nobody"),
            SCHEDULE.replace("schedule s", "schedule t")
        ),
    );
    let run = place.line("dsl --check --format short plans");
    assert_eq!(run.stdout, "plans/daily.symbi  OK (1 warning)\n");
    assert!(
        run.stderr
            .starts_with("plans/daily.symbi:4:17: warning[N0290]: "),
        "{run:?}"
    );
}

#[test]
fn stats_say_how_much_was_checked() {
    let place = project();
    let run = place.line("dsl --check --stats plans");
    assert_eq!(run.stdout, "plans/daily.symbi  OK\n");
    let expected = format!("checked 1 files, {} bytes, and read 1 more", SCHEDULE.len());
    assert!(run.stderr.starts_with(&expected), "{run:?}");
    assert!(run.stderr.contains(" ms ("), "{run:?}");
}

#[cfg(unix)]
#[test]
fn links_that_lead_in_circles_are_no_files_of_a_project() {
    let place = project();
    place
        .link("..", "agents/up")
        .link("here.symbi", "agents/here.symbi");
    let run = place.line("dsl --check plans");
    assert_eq!(
        (run.code, &*run.stdout, &*run.stderr),
        (0, "plans/daily.symbi  OK\n", "")
    );
    let run = place.line("dsl --check .");
    assert_eq!(run.code, 2);
    assert!(
        run.stdout.contains("agents/here.symbi      UNREADABLE"),
        "{run:?}"
    );
}

#[test]
fn ten_thousand_files_are_one_project() {
    let place = Place::new();
    place.write("symbiont.toml", "");
    for file in 0..10_000 {
        let next = (file + 1) % 10_000;
        place.write(
            format!("agents/{:02}/a{file}.symbi", file % 100),
            format!(
                "agent agent{file}(x: int) {{ with {{ agent{next}(x); }} }}\n\
                 schedule s {{ cron: \"0 9 * * *\" agent: \"agent{next}\" input: {{ x: 1 }} }}\n"
            ),
        );
    }
    let run = place.line("dsl --check .");
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines.len(), 10_000);
    let odd: Vec<_> = lines
        .iter()
        .filter(|line| !line.ends_with("  OK"))
        .take(3)
        .collect();
    assert!(
        odd.is_empty(),
        "{odd:?} {}",
        &run.stderr[..run.stderr.len().min(500)]
    );
    assert_eq!(run.code, 0);
}
