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

#[test]
fn help_documents_every_flag_of_dsl() {
    let place = Place::new();
    let help = place.line("dsl --help");
    assert_eq!((help.stderr.as_str(), help.code), ("", 0));
    // Every flag that the binary takes, as it tells the shell.
    let script = place.line("completions bash").stdout;
    let flags: BTreeSet<&str> = script
        .lines()
        .skip_while(|line| line.trim() != "symbi__subcmd__dsl)" && line.trim() != "symbi__dsl)")
        .find_map(|line| line.trim().strip_prefix("opts=\"")?.strip_suffix('"'))
        .expect("the flags of dsl")
        .split_whitespace()
        .filter(|word| word.starts_with('-'))
        .collect();
    assert!(
        flags.contains("--check") && flags.contains("-f"),
        "{flags:?}"
    );
    for flag in flags {
        let documented = help.stdout.lines().any(|line| {
            let words: Vec<&str> = line.trim().split([' ', ',']).collect();
            line.starts_with("  ") && words.iter().take(3).any(|word| *word == flag)
        });
        assert!(documented, "{flag}");
    }
    for part in [
        "Examples:",
        "Exit codes:",
        "UNREADABLE",
        ".gitignore",
        "json ",
    ] {
        assert!(help.stdout.contains(part), "{part}");
    }
}

#[test]
fn help_is_on_stdout_and_fits_a_terminal() {
    for line in [
        "--help",
        "help",
        "help dsl",
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
        ("dsl --check --format xml x", "human, short, json"),
        ("dsl --deny-warnings x", "--check"),
        ("dsl --json --format short x", "cannot be used with"),
        ("dsl -f", "<FILE>"),
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
