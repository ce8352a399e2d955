//! `explain`, `completions`, help, the version and usage errors.

use std::collections::BTreeSet;

use crate::support::{Place, run};

const SHELLS: [&str; 5] = ["bash", "zsh", "fish", "elvish", "powershell"];

#[test]
fn the_version_names_the_language_edition() {
    let version = concat!(
        "symbi ",
        env!("CARGO_PKG_VERSION"),
        " (language edition 2026)\n"
    );
    for flag in ["--version", "-V"] {
        let run = Place::new().line(flag);
        assert_eq!(
            (run.stdout.as_str(), run.stderr.as_str(), run.code),
            (version, "", 0)
        );
    }
}

#[test]
fn explain_prints_the_page_in_either_case() {
    let place = Place::new();
    let page = place.line("explain S0107");
    assert!(page.stdout.starts_with("# S0107: "), "{page:?}");
    assert_eq!((page.stderr.as_str(), page.code), ("", 0));
    assert_eq!(place.line("explain s0107"), page);
}

#[test]
fn explain_alone_lists_every_code() {
    let run = Place::new().line("explain");
    let codes: Vec<&str> = run.stdout.lines().map(|line| &line[..5]).collect();
    assert!(
        codes.is_sorted() && codes.contains(&"S0107") && codes.len() > 50,
        "{codes:?}"
    );
    assert!(run.stdout.contains("\nS0107  error    a missing `;`\n"));
    assert!(run.stdout.contains("\nS0161  warning  a stray `;`\n"));
    assert_eq!((run.stderr.as_str(), run.code), ("", 0));
    for code in codes {
        let page = Place::new().line(&format!("explain {code}"));
        assert!(page.stdout.starts_with(&format!("# {code}: ")), "{page:?}");
    }
}

#[test]
fn explain_guesses_what_was_meant() {
    let list = "`symbi explain` without a code lists them all";
    for (wanted, guess) in [
        ("E0107", "; did you mean `S0107`? "),
        ("107", "; did you mean `S0107`? "),
        ("everything", "; "),
        ("\u{1b}[2J", "; "),
    ] {
        let run = Place::new().symbi(["explain", wanted]);
        let shown = wanted.replace('\u{1b}', "\\u{1b}");
        assert_eq!(
            run.stderr,
            format!("error: there is no code `{shown}`{guess}{list}\n")
        );
        assert_eq!((run.stdout.as_str(), run.code), ("", 2));
    }
    // Which codes are near depends on the codes there are.
    let run = Place::new().line("explain S0I07");
    assert!(
        run.stderr.contains("did you mean") && run.stderr.contains("`S0107`"),
        "{run:?}"
    );
}

#[test]
fn every_shell_has_a_script_with_every_command() {
    for shell in SHELLS {
        let run = Place::new().line(&format!("completions {shell}"));
        for word in [
            "dsl",
            "fmt",
            "stdin-name",
            "explain",
            "completions",
            "check",
            "deny-warnings",
            "outline",
        ] {
            assert!(run.stdout.contains(word), "{shell} {word}");
        }
        assert_eq!((run.stderr.as_str(), run.code), ("", 0), "{shell}");
    }
}

#[test]
fn the_shells_accept_their_scripts() {
    for (shell, check) in [("bash", "-n"), ("zsh", "-n"), ("fish", "--no-execute")] {
        let place = Place::new();
        place.write("script", place.line(&format!("completions {shell}")).stdout);
        let run = run(place.command_at(shell).args([check, "script"]));
        assert_eq!((run.stderr.as_str(), run.code), ("", 0), "{shell}");
    }
}

#[test]
fn bash_completes_a_flag() {
    let place = Place::new();
    place.write("script", place.line("completions bash").stdout);
    let ask = "source ./script; COMP_WORDS=(symbi dsl --ch); COMP_CWORD=2; \
               _symbi symbi --ch dsl; echo \"${COMPREPLY[@]}\"";
    let run = run(place.command_at("bash").args(["-c", ask]));
    assert_eq!(
        (run.stdout.as_str(), run.stderr.as_str()),
        ("--check\n", "")
    );
}

/// Every flag that a command takes, as the binary tells the shell.
fn flags(script: &str, command: &str) -> BTreeSet<String> {
    let heads = [
        format!("symbi__subcmd__{command})"),
        format!("symbi__{command})"),
    ];
    script
        .lines()
        .skip_while(|line| !heads.iter().any(|head| line.trim() == head))
        .find_map(|line| line.trim().strip_prefix("opts=\"")?.strip_suffix('"'))
        .expect("the flags of the command")
        .split_whitespace()
        .filter(|word| word.starts_with('-'))
        .map(str::to_owned)
        .collect()
}

#[test]
fn help_documents_every_flag() {
    let place = Place::new();
    let script = place.line("completions bash").stdout;
    for (command, known, parts) in [
        ("dsl", "-f", [".gitignore", "UNREADABLE"]),
        ("fmt", "--stdin-name", ["hard links", "WOULD CHANGE 12:5"]),
    ] {
        let help = place.line(&format!("{command} --help"));
        assert_eq!((help.stderr.as_str(), help.code), ("", 0));
        let flags = flags(&script, command);
        assert!(
            flags.contains("--check") && flags.contains(known),
            "{flags:?}"
        );
        for flag in flags {
            let documented = help.stdout.lines().any(|line| {
                let words: Vec<&str> = line.trim().split([' ', ',']).collect();
                line.starts_with("  ") && words.iter().take(3).any(|word| *word == flag)
            });
            assert!(documented, "{command} {flag}");
        }
        let common = ["Examples:", "Exit codes:", "json "];
        for part in common.into_iter().chain(parts) {
            assert!(help.stdout.contains(part), "{command} {part}");
        }
    }
}

#[test]
fn help_is_on_stdout_and_fits_a_terminal() {
    for line in [
        "--help",
        "help",
        "help dsl",
        "help fmt",
        "fmt -h",
        "dsl -h",
        "explain --help",
        "completions --help",
    ] {
        let run = Place::new().line(line);
        assert_eq!((run.stderr.as_str(), run.code), ("", 0), "{line}");
        assert!(run.stdout.contains("Usage: symbi"), "{line}");
        assert!(!run.stdout.contains('\x1b'), "{line}");
        for row in run.stdout.lines() {
            assert!(
                row.chars().count() <= 100 && row.trim_end() == row.trim_end_matches(' '),
                "{row}"
            );
        }
    }
}

#[test]
fn wrong_usage_is_told_on_stderr_with_a_way_out() {
    for (line, part) in [
        ("", "Usage: symbi"),
        ("dsl", "Usage: symbi dsl"),
        ("dsl --check", "nothing to read: name files or folders"),
        ("dsl --check -q", "nothing to read"),
        ("dsl --chek x", "'--check'"),
        ("dsl --check --tree x", "cannot be used with"),
        ("dsl --check --format xml x", "human, short, github, json"),
        ("dsl --format sarif x", "add --check"),
        ("dsl --deny-warnings x", "--check"),
        ("dsl --json --format short x", "cannot be used with"),
        ("dsl -f", "<FILE>"),
        ("fmt", "Usage: symbi fmt"),
        ("fmt --check", "nothing to format: name files or folders"),
        ("fmt - x.symbi", "name files or stdin"),
        ("fmt --stdin x.symbi", "name files or stdin"),
        ("fmt --stdin-name y x.symbi", "add --stdin"),
        ("fmt --stdin --format json", "add --check"),
        ("fmt --diff --format json x.symbi", "both want stdout"),
        ("fmt --format sarif x.symbi", "add --check"),
        ("fmt --lines 1-2 x y", "name one, and no folder"),
        ("fmt --lines 1-2 .", "name one, and no folder"),
        ("fmt --lines 9-2 x", "line 9 comes after line 2"),
        (
            "fmt --lines all x",
            "two line numbers, from 1, such as 10-25",
        ),
        ("completions tcsh", "bash, elvish, fish, powershell, zsh"),
        ("chek", "symbi --help"),
        ("dsl --check x --color purple", "auto, always, never"),
    ] {
        let run = Place::new().line(line);
        assert_eq!((run.stdout.as_str(), run.code), ("", 2), "{line}");
        assert!(
            run.stderr.contains(part) || part == "symbi --help",
            "{line}: {}",
            run.stderr
        );
        assert!(run.stderr.contains("--help"), "{line}: {}", run.stderr);
    }
}
