//! `dsl --check --fix`: what is mended, what is left alone, and what becomes of
//! the files. That no fix makes anything worse is held by `fix_corpus.rs`.

use crate::support::{GOOD, Place, Run};

/// Two problems whose fixes stand in one place, and a third elsewhere.
const BROKEN: &str = "function f(x: int) -> int {\n    let y = 10_\n    return x + y\n}\n";
const MENDED: &str = "function f(x: int) -> int {\n    let y = 10;\n    return x + y;\n}\n";

fn said(run: &Run) -> (&str, &str, i32) {
    (&run.stdout, &run.stderr, run.code)
}

#[test]
fn files_are_mended_in_place_and_then_checked() {
    let place = Place::new();
    place
        .write("a/broken.symbi", BROKEN)
        .write("a/good.symbi", GOOD)
        .write("a/typo.symbi", "metadata { autor = \"Ann\" } agent {}\n");
    let run = place.line("dsl --check --fix --format short a");
    assert_eq!(
        said(&run),
        (
            "a/broken.symbi  FIXED 3 problems\n\
             a/typo.symbi    FIXED 1 problem\n\
             a/broken.symbi  OK\n\
             a/good.symbi    OK\n\
             a/typo.symbi    FAILED 1:29 S0124 this agent has no name\n",
            "a/typo.symbi:1:29: error[S0124]: this agent has no name\n\
             fixed 4 problems in 2 files\n",
            1
        )
    );
    assert_eq!(place.text("a/broken.symbi"), MENDED);
    assert_eq!(
        place.text("a/typo.symbi"),
        "metadata { author = \"Ann\" } agent {}\n"
    );
    assert_eq!(
        place.names("a"),
        ["broken.symbi", "good.symbi", "typo.symbi"]
    );
    // Once more there is nothing to do.
    let again = place.line("dsl --check --fix a/broken.symbi");
    assert_eq!(said(&again), ("a/broken.symbi  OK\n", "fixed nothing\n", 0));
    let quiet = place.line("dsl --check --fix -q a/good.symbi");
    assert_eq!(said(&quiet), ("a/good.symbi  OK\n", "", 0));
}

#[test]
fn a_dry_run_shows_what_would_change_and_fails() {
    let place = Place::new();
    place.write("x.symbi", BROKEN).write("good.symbi", GOOD);
    let run = place.line("dsl --check --fix --dry-run .");
    assert_eq!(
        said(&run),
        (
            "--- x.symbi\n+++ x.symbi\n@@ -1,4 +1,4 @@\n function f(x: int) -> int {\n\
             -    let y = 10_\n-    return x + y\n+    let y = 10;\n+    return x + y;\n }\n",
            "would fix 3 problems in 1 file\n",
            1
        )
    );
    assert_eq!(place.text("x.symbi"), BROKEN);
    let fine = place.line("dsl --check --fix --dry-run good.symbi");
    assert_eq!(said(&fine), ("", "nothing to fix\n", 0));
    // What would be left counts too.
    place.write("x.symbi", "agent {}\n");
    let left = place.line("dsl --check --fix --dry-run x.symbi");
    assert_eq!(said(&left), ("", "nothing to fix; 1 error left\n", 1));
    let gone = place.line("dsl --check --fix --dry-run -q gone.symbi");
    let told = "error: gone.symbi: no such file or folder\n";
    assert_eq!(said(&gone), ("", told, 2));
}

#[test]
fn stdin_goes_to_stdout_mended() {
    let place = Place::new();
    let run = place.fed("dsl --check --fix -", BROKEN.as_bytes());
    assert_eq!(said(&run), (MENDED, "", 0));
    let run = place.fed("dsl --check --fix --format short -", b"agent  {}\n");
    let told = "<stdin>:1:1: error[S0124]: this agent has no name\n";
    assert_eq!(said(&run), ("agent  {}\n", told, 1));
    // Bytes that are no text stay what they are.
    let mut command = place.command();
    let bytes = b"// \xff\nfunction f() { g() }\n";
    place.write("bytes", bytes);
    command.args(["dsl", "--check", "--fix", "-q", "-"]);
    let shell = format!(
        "{:?} dsl --check --fix -q - < bytes > out",
        command.get_program()
    );
    let mut command = place.command_at("sh");
    assert_eq!(crate::support::run(command.args(["-c", &shell])).code, 1);
    assert_eq!(place.read("out"), bytes);
    let diff = place.fed("dsl --check --fix --dry-run -q -", b"let");
    assert_eq!(said(&diff), ("", "", 1));
}

#[test]
fn texts_that_are_no_files_are_shown_only() {
    let place = Place::new();
    let text = "function f() { g() ; let a = 1 }";
    let run = place.symbi(["dsl", "--check", "--fix", "--dry-run", "-q", "-c", text]);
    assert_eq!(run.code, 1);
    assert!(
        run.stdout
            .contains("\n+function f() { g() ; let a = 1; }\n"),
        "{run:?}"
    );
    place.write("x.symbi", BROKEN);
    let table: [(&[&str], &str); 7] = [
        (&["--check", "--fix", "-c", "x"], "a text from -c is none"),
        (&["--check", "--fix", "-", "x.symbi"], "name files or stdin"),
        (&["--check", "--fix", "--json", "-"], "both want stdout"),
        (
            &["--check", "--fix", "--route", "run", "x.symbi"],
            "--route",
        ),
        (&["--fix", "x.symbi"], "--check"),
        (&["--check", "--dry-run", "x.symbi"], "--fix"),
        (&["--check", "--fix", "--tree", "x.symbi"], "--tree"),
    ];
    for (arguments, words) in table {
        let run = place.symbi(["dsl"].iter().chain(arguments));
        assert_eq!((run.code, &*run.stdout), (2, ""), "{arguments:?}");
        assert!(run.stderr.contains(words), "{arguments:?}: {}", run.stderr);
        assert_eq!(place.text("x.symbi"), BROKEN);
    }
}

#[test]
fn marks_and_line_ends_are_kept() {
    let place = Place::new();
    let with = |text: &str| format!("\u{feff}{}", text.replace('\n', "\r\n"));
    place.write("x.symbi", with(BROKEN));
    assert_eq!(place.line("dsl --check --fix x.symbi").code, 0);
    assert_eq!(place.text("x.symbi"), with(MENDED));
}

#[test]
fn what_a_person_should_look_at_and_what_is_allowed_stays() {
    let place = Place::new();
    for text in [
        // Seconds or milliseconds?
        "agent a { with { timeout = 300000 } }\n",
        // One thing or two?
        "metadata { tags = \"mail, nightly\" }\n",
        "// symbi: allow(S0106)\nmetadata { pattern = \"\\d\" }\n",
        // A hint says what could be left out.
        "function f(x: int) -> int {\n    let y = 1;\n    return x;\n}\n",
    ] {
        place.write("x.symbi", text);
        let run = place.line("dsl --check --fix --hints x.symbi");
        assert!(run.stderr.ends_with("fixed nothing\n"), "{run:?}");
        assert_eq!(place.text("x.symbi"), text);
    }
    let text = "metadata { pattern = \"\\d\" }\n";
    place.write("p/symbiont.toml", "[check]\nS0106 = \"off\"\n");
    place.write("p/x.symbi", text);
    assert_eq!(place.line("dsl --check --fix p").stderr, "fixed nothing\n");
    assert_eq!(place.text("p/x.symbi"), text);
    place.write("p/symbiont.toml", "");
    place.line("dsl --check --fix p");
    assert_eq!(
        place.text("p/x.symbi"),
        "metadata { pattern = \"\\\\d\" }\n"
    );
}

#[test]
fn a_fix_that_would_make_another_file_worse_is_taken_back_and_named() {
    let place = Place::new();
    place
        .write("a.symbi", "agent \"x\" {}\nfunction f() { g() }\n")
        .write("b.symbi", "agent \"x\" {}\n")
        .write("c.symbi", "agent \"y\" {}\n");
    let run = place.line("dsl --check --fix -q .");
    assert_eq!(
        place.text("a.symbi"),
        "agent \"x\" {}\nfunction f() { g() }\n"
    );
    let run2 = place.line("dsl --check --fix --format short .");
    assert_eq!(place.text("b.symbi"), "agent \"x\" {}\n");
    assert_eq!(place.text("c.symbi"), "agent y {}\n");
    assert!(
        run.stdout.starts_with("c.symbi  FIXED 1 problem\n"),
        "{run:?}"
    );
    let told = "note: b.symbi:1:7: the fix of S0124 (write `x`) is left out: \
                it would lead to K0820 `x` leads to an agent of `a.symbi` too\n";
    assert!(run2.stderr.contains(told), "{run2:?}");
}

#[test]
fn a_likeness_of_names_decides_no_policy() {
    let place = Place::new();
    for text in [
        "agent a { policy p { deny: delete(_) } }\n",
        "agent a { policy p { allow: http_requst } }\n",
        "agent a { policy p { allow: delegate(\"reportor\") } } agent reporter {}\n",
        "agent a { policy p { allow: delegate::reportor } } agent reporter {}\n",
        "agent a { policy p { allow: http_request(u) if u.url.start_with(\"x\") } }\n",
        "agent a { policy p { allow: http_request if contxt.open } }\n",
    ] {
        place.write("x.symbi", text);
        let run = place.line("dsl --check --fix -q x.symbi");
        assert!(!run.stdout.contains("FIXED"), "{run:?}");
        assert_eq!(place.text("x.symbi"), text);
    }
}

#[test]
fn no_comment_is_lost() {
    let place = Place::new();
    place.write(
        "x.symbi",
        "function f(xs: [/* why */ int], ys: [int]) {\n    return await /* later */ g(xs) // end\n}\n",
    );
    let run = place.line("dsl --check --fix --format short x.symbi");
    assert_eq!(
        place.text("x.symbi"),
        "function f(xs: [/* why */ int], ys: Array<int>) {\n    return  /* later */ g(xs); // end\n}\n"
    );
    let told = "note: x.symbi:1:16: the fix of S0170 (write `Array<int>`) is left out: \
                it would lose the comment `/* why */`\n";
    assert!(run.stderr.contains(told), "{run:?}");
}

#[test]
fn of_many_fixes_only_those_that_do_harm_are_taken_back() {
    let place = Place::new();
    // Where a statement begins with a slip, nobody asks what its names mean.
    let mut text = String::new();
    let mut expected = String::new();
    for n in 0..40 {
        let harmful = n % 10 == 3;
        let (before, after) = match harmful {
            true => (format!("retrun unknown{n};"), format!("retrun unknown{n};")),
            false => ("let a = 1".to_owned(), "let a = 1;".to_owned()),
        };
        text += &format!("function f{n}() {{ {before} }}\n");
        expected += &format!("function f{n}() {{ {after} }}\n");
    }
    place.write("x.symbi", &text);
    let run = place.line("dsl --check --fix x.symbi");
    assert_eq!(place.text("x.symbi"), expected);
    assert!(
        run.stdout.starts_with("x.symbi  FIXED 36 problems\n"),
        "{}",
        run.stdout
    );
    let notes = run.stderr.lines().filter(|line| line.starts_with("note: "));
    assert_eq!(notes.count(), 4, "{}", run.stderr);
}

#[test]
fn more_harmful_fixes_than_can_be_told_apart_are_all_left_out() {
    let place = Place::new();
    let text: String = (0..400)
        .map(|n| format!("function f{n}() {{ retrun unknown{n}; }}\n"))
        .collect();
    place.write("x.symbi", &text);
    let run = place.line("dsl --check --fix x.symbi");
    assert_eq!(place.text("x.symbi"), text);
    assert!(
        run.stderr.contains("it may be one of them"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.ends_with("fixed nothing\n"));
}

#[test]
fn only_what_is_named_is_changed() {
    let place = Place::new();
    let waiver = "[policy]\nwaive = [\"B0703 colour\"]\n";
    let other = "[policy]\nwaive = [{ code = \"B0703\", name = \"colour\" }]\n";
    place
        .write("p/symbiont.toml", waiver)
        .write("p/a.symbi", BROKEN)
        .write("p/b.symbi", BROKEN);
    place.line("dsl --check --fix p/a.symbi");
    assert_eq!(place.text("p/a.symbi"), MENDED);
    assert_eq!(place.text("p/b.symbi"), BROKEN);
    assert_eq!(place.text("p/symbiont.toml"), waiver);
    // What stands beside the sources of a folder that is named is in it.
    let run = place.line("dsl --check --fix p");
    assert_eq!(
        said(&run),
        (
            "p/symbiont.toml  FIXED 1 problem\n\
             p/b.symbi  FIXED 3 problems\n\
             p/a.symbi  OK\np/b.symbi  OK\n",
            "fixed 4 problems in 2 files\n",
            0
        )
    );
    assert_eq!(place.text("p/symbiont.toml"), other);
    assert_eq!(place.text("p/b.symbi"), MENDED);
}

#[test]
fn the_document_says_what_was_fixed() {
    let place = Place::new();
    place.write("x.symbi", BROKEN).write("y.symbi", GOOD);
    let schema = include_str!("../../docs/schemas/diagnostics-v1.schema.json");
    let schema: serde_json::Value = serde_json::from_str(schema).unwrap();
    for (line, written, code) in [
        ("dsl --check --fix --dry-run --json .", false, 1),
        ("dsl --check --fix --json .", true, 0),
    ] {
        let run = place.line(line);
        assert_eq!(
            (run.code, run.stderr.contains("FIXED")),
            (code, false),
            "{run:?}"
        );
        let document = run.json();
        assert!(jsonschema::is_valid(&schema, &document), "{document}");
        let fixes = document["fixes"].as_array().unwrap();
        assert_eq!(fixes.len(), 1);
        assert_eq!(fixes[0]["path"], "x.symbi");
        assert_eq!(fixes[0]["written"], written);
        let place_of = |fixed: &serde_json::Value| {
            let start = &fixed["span"]["start"];
            format!("{} {}:{}", fixed["code"], start["line"], start["column"])
        };
        let fixed: Vec<String> = fixes[0]["fixed"]
            .as_array()
            .unwrap()
            .iter()
            .map(place_of)
            .collect();
        // The second comes to light when the first is mended.
        let expected = ["\"S0109\" 2:13", "\"S0107\" 3:17", "\"S0107\" 2:16"];
        assert_eq!(fixed, expected);
        let mut text = BROKEN.to_owned();
        for edit in fixes[0]["edits"].as_array().unwrap().iter().rev() {
            let offset = |end: &str| edit["span"][end]["offset"].as_u64().unwrap() as usize;
            text.replace_range(
                offset("start")..offset("end"),
                edit["text"].as_str().unwrap(),
            );
        }
        assert_eq!(text, MENDED);
    }
    assert_eq!(place.text("x.symbi"), MENDED);
    let run = place.line("dsl --check --fix --json .");
    assert_eq!(run.json()["fixes"], serde_json::json!([]));
    assert!(
        place
            .line("dsl --check --json .")
            .json()
            .get("fixes")
            .is_none()
    );
}

#[cfg(unix)]
#[test]
fn files_are_replaced_as_the_formatter_replaces_them() {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    let place = Place::new();
    let mode = |name: &str, mode| {
        fs::set_permissions(place.path(name), Permissions::from_mode(mode)).unwrap();
    };
    place
        .write("f/mode.symbi", BROKEN)
        .write("target", BROKEN)
        .link("../target", "f/link.symbi");
    mode("f/mode.symbi", 0o4750);
    assert_eq!(place.line("dsl --check --fix f").code, 0);
    let now = fs::metadata(place.path("f/mode.symbi"))
        .unwrap()
        .permissions();
    assert_eq!(now.mode() & 0o7777, 0o4750);
    assert!(place.path("f/link.symbi").is_symlink());
    assert_eq!(place.text("target"), MENDED);
    assert_eq!(place.names("f"), ["link.symbi", "mode.symbi"]);

    place.write("x.symbi", BROKEN).write("y.symbi", BROKEN);
    mode("x.symbi", 0o444);
    fs::hard_link(place.path("y.symbi"), place.path("z")).unwrap();
    let run = place.line("dsl --check --fix --format short x.symbi y.symbi");
    assert_eq!(run.code, 2);
    let names = "it has 2 names (hard links), and a new file would have only one; to keep them, \
                 run `symbi dsl --check --fix - < FILE > NEW && cat NEW > FILE`";
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(
        lines[..2],
        [
            "x.symbi  UNWRITABLE it is read-only",
            &format!("y.symbi  UNWRITABLE {names}")
        ]
    );
    assert!(
        lines[2].starts_with("x.symbi  FAILED 2:13 S0109 "),
        "{run:?}"
    );
    let told = format!(
        "error: x.symbi: not written: it is read-only\nerror: y.symbi: not written: {names}\n"
    );
    assert!(run.stderr.starts_with(&told), "{run:?}");
    assert!(run.stderr.ends_with("fixed nothing\n"), "{run:?}");
    for name in ["x.symbi", "y.symbi", "z"] {
        assert_eq!(place.text(name), BROKEN);
    }
}
