//! `symbi doc --stdlib`: text on stdout, pages in a folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::support::{Place, run};

fn doc(line: &str) -> (String, String, i32) {
    let run = Place::new().line(&format!("doc --stdlib {line}"));
    (run.stdout, run.stderr, run.code)
}

/// What is printed where all goes well.
fn printed(line: &str) -> String {
    let (stdout, stderr, code) = doc(line);
    assert_eq!((stderr.as_str(), code), ("", 0), "{line}");
    stdout
}

#[test]
fn a_name_is_shown_with_all_that_is_declared() {
    assert_eq!(
        printed("http_request").lines().take(13).collect::<Vec<_>>(),
        [
            "# http_request",
            "",
            "## Requests to other machines",
            "",
            "```text",
            "http_request(",
            "    url: String,",
            "    method: String = \"GET\",",
            "    headers: Any = {},",
            "    body: Any = null,",
            "    timeout: Duration? = null,",
            ") -> JSON",
            "```",
        ]
    );
    assert_eq!(
        printed("push"),
        "# push\n\n\
         ## Lists\n\n\
         ```text\npush<T>(self: Array<T>, value: T) -> Null\n```\n\n\
         Puts an element at the end of the list on the left.\n\n\
         ```symbi\nlet list = [1]; list.push(2); list // => [1, 2]\n```\n\n\
         - It changes the place on its left, which has to be one that can be assigned to.\n"
    );
    let told = [
        ("append", "- Another name of `push`."),
        (
            "now",
            "- Journalled: what it gives is on record, and a run that is resumed or replayed gets the same. No policy \
             is asked about it.",
        ),
        (
            "length",
            "- It may be read without parentheses: `value.length`.",
        ),
        (
            "http_request",
            "- A Secret may stand in `headers` and `body`.",
        ),
        (
            "http_request",
            "- It is an effect: policies are asked about `http_request`. They see `url`, `method`, `headers`, `body` \
             and `timeout`.",
        ),
        (
            "http_request",
            "- Rules about `network_access` are about it too.",
        ),
        (
            "ask",
            "- It is an effect: policies are asked about `delegate::{agent}`, where the value of `agent` stands in \
             the braces. They see `name` and `input`, as `delegate` says.",
        ),
        (
            "slice",
            "Raises `out_of_range` if a place is negative or the end comes before the start.",
        ),
        ("slice", "Others of this name: `lists`."),
        ("upper", "- The guards of rules may call it: `guards`."),
        (
            "codex",
            "- Its names are `claude_code`, `codex`, `kimi`, `grok` and `hermes`.",
        ),
        (
            "network",
            "- Its members: `http_request`, `send`, `publish`.",
        ),
        ("list_agents", "list_agents()"),
        (
            "log_level",
            "- Where several apply: the one that is listed first holds.",
        ),
        ("agentpin_algorithm", "- It takes `\"ES256\"`."),
        ("retention_days", "- It takes a whole number above 0."),
    ];
    for (name, line) in told {
        let text = printed(name);
        assert!(text.lines().any(|known| known == line), "{line}\n{text}");
    }
    for (name, signatures) in [("get", 4), ("sum", 3), ("min", 4), ("memory_read", 2)] {
        let text = printed(name);
        assert_eq!(text.matches("```text\n").count(), signatures, "{text}");
    }
}

#[test]
fn every_obligation_and_key_of_audit_says_whether_it_is_enforced() {
    for page in ["obligations", "audit"] {
        let text = printed(page);
        let entries: Vec<&str> = text.split("\n## ").skip(1).collect();
        assert!(entries.len() >= 4, "{page}");
        for entry in entries {
            let enforced = |line: &&str| {
                line.starts_with("- Enforced: `") || line.starts_with("- Not enforced yet")
            };
            assert_eq!(entry.lines().filter(enforced).count(), 1, "{entry}");
        }
    }
}

#[test]
fn a_page_has_the_name_of_its_file() {
    let strings = printed("strings");
    assert!(strings.starts_with("# Strings\n\nA character is a Unicode scalar"));
    assert!(strings.contains("\n## slice\n"));
    assert_eq!(printed("strings.symbi"), strings);
    // A declaration comes before a page of its name.
    assert!(printed("log").starts_with("# log\n"));
    assert!(printed("log.symbi").starts_with("# What a run tells people\n"));
}

#[test]
fn without_a_name_everything_is_shown() {
    let all = printed("");
    assert!(all.starts_with("# The standard library\n"));
    for heading in [
        "\n## Strings\n",
        "\n### slice\n",
        "\n## Lists\n",
        "\n### retention_days\n",
    ] {
        assert!(all.contains(heading), "{heading}");
    }
    assert_eq!(printed("--format markdown"), all);
}

#[test]
fn what_was_meant_is_guessed() {
    let all = "`symbi doc --stdlib` without a name shows all\n";
    for (wanted, shown, guess) in [
        ("slise", "slise", " did you mean `slice`?"),
        ("string", "string", " did you mean `strings`?"),
        ("memory_raed", "memory_raed", " did you mean `memory_read`?"),
        (
            "human_aproval",
            "human_aproval",
            " did you mean `human_approval`?",
        ),
        ("completely_else", "completely_else", ""),
        ("", "", ""),
        ("\u{1b}[2J", "\\u{1b}[2J", ""),
        ("../../etc/passwd", "../../etc/passwd", ""),
    ] {
        let run = Place::new().symbi(["doc", "--stdlib", wanted]);
        let error =
            format!("error: the standard library has nothing called `{shown}`;{guess} {all}");
        assert_eq!((run.stderr, run.stdout.as_str(), run.code), (error, "", 2));
    }
    #[cfg(unix)]
    {
        let odd: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(b"sl\xffce");
        let words = ["doc".as_ref(), "--stdlib".as_ref(), odd];
        let run = Place::new().symbi(words);
        assert_eq!((run.stdout.as_str(), run.code), ("", 2));
    }
}

#[test]
fn what_cannot_be_meant_is_a_usage_error() {
    let place = Place::new();
    for (line, words) in [
        ("doc", "Show the documentation"),
        ("doc slice", "--stdlib"),
        ("doc --stdlib slice lines", "lines"),
        ("doc --stdlib --format pdf", "markdown, html"),
        ("doc --stdlib slice -o out", "cannot be used with"),
    ] {
        let run = place.line(line);
        assert!(run.stderr.contains(words), "{run:?}");
        assert_eq!((run.stdout.as_str(), run.code), ("", 2), "{line}");
    }
    assert_eq!(place.names("."), [""; 0]);
}

#[test]
fn headings_stand_out_in_colour() {
    let text = printed("now --color always");
    assert!(text.starts_with("\x1b[1m# now\x1b[0m\n"), "{text}");
    let html = printed("now --color always --format html");
    assert!(!html.contains('\x1b'));
}

/// The tags of a document, each a name, or one with `/` before it, and its
/// attributes. No text of ours has `<` or `>` that is none.
fn tags(html: &str) -> Vec<(String, BTreeMap<String, String>)> {
    let body = html.split("<style>").next().unwrap().to_owned()
        + "<style>"
        + html.split_once("</style>").unwrap().1.trim_start();
    let mut tags = Vec::new();
    for part in body.split('<').skip(1) {
        let (tag, text) = part.split_once('>').expect("an end of the tag");
        assert!(!text.contains('>'), "{text}");
        let (name, rest) = tag.split_once(' ').unwrap_or((tag, ""));
        let attributes = rest.split("\" ").filter_map(|one| {
            let (key, value) = one.split_once("=\"")?;
            Some((key.to_owned(), value.trim_end_matches('"').to_owned()))
        });
        tags.push((name.to_owned(), attributes.collect()));
    }
    tags
}

/// Holds a document to what every browser expects; gives its ids and links.
fn document(html: &str) -> (BTreeSet<String>, Vec<String>) {
    assert!(html.starts_with("<!doctype html>\n<html lang=\"en\">\n"));
    assert!(html.ends_with("</html>\n"));
    let (mut open, mut ids, mut links) = (Vec::new(), BTreeSet::new(), Vec::new());
    for (name, attributes) in tags(html) {
        if let Some(id) = attributes.get("id") {
            assert!(ids.insert(id.clone()), "{id} twice");
        }
        links.extend(attributes.get("href").cloned());
        assert!(!attributes.contains_key("src"), "nothing is loaded");
        match name.strip_prefix('/') {
            // `style` was cut out.
            _ if ["!doctype", "meta", "style"].contains(&name.as_str()) => {}
            Some(closed) => assert_eq!(open.pop().as_deref(), Some(closed)),
            None => open.push(name),
        }
    }
    assert_eq!(open, [""; 0]);
    for entity in html.split('&').skip(1) {
        let known = ["amp;", "lt;", "gt;", "quot;"];
        assert!(known.iter().any(|one| entity.starts_with(one)), "{entity}");
    }
    (ids, links)
}

#[test]
fn html_is_whole_and_its_links_lead_somewhere() {
    let (ids, links) = document(&printed("--format html"));
    for id in [
        "strings.symbi",
        "strings.slice",
        "lists.slice",
        "audit.log_level",
    ] {
        assert!(ids.contains(id), "{id}");
    }
    assert!(links.len() > 500, "{}", links.len());
    for link in links {
        assert!(ids.contains(link.strip_prefix('#').unwrap()), "{link}");
    }
    for name in ["slice", "strings"] {
        let html = printed(&format!("{name} --format html"));
        assert_eq!(document(&html).1, [""; 0]);
        assert!(html.contains("strip_prefix") == (name == "strings"));
    }
    let get = printed("get --format html");
    assert!(get.contains("<code>get&lt;T&gt;(self: Array&lt;T&gt;, place: int) -&gt; T?</code>"));
    assert!(get.contains(
        "[&quot;a&quot;, &quot;b&quot;].get(1) <span class=\"result\">// =&gt; &quot;b&quot;</span>"
    ));
}

#[test]
fn pages_of_html_lead_to_each_other() {
    let place = Place::new();
    let run = place.line("doc --stdlib --format html -o a/site");
    let names = place.names("a/site");
    let told = format!("a/site: {} pages\n", names.len());
    assert_eq!((run.stdout, run.stderr.as_str(), run.code), (told, "", 0));
    let read = |name: &String| {
        (
            name.clone(),
            document(&place.text(format!("a/site/{name}"))),
        )
    };
    let pages: BTreeMap<String, _> = names.iter().map(read).collect();
    assert!(pages.contains_key("index.html") && pages.contains_key("strings.html"));
    for (name, (_, links)) in &pages {
        assert!(links.len() > 20, "{name}");
        for link in links {
            let (file, id) = link.split_once('#').unwrap_or((link, ""));
            let (ids, _) = &pages[file];
            assert!(id.is_empty() || ids.contains(id), "{name}: {link}");
        }
    }
    assert!(
        place
            .text("a/site/lists.html")
            .contains("Another name of <a href=\"lists.html#push\"><code>push</code></a>.")
    );
}

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_pages_of_the_repository_are_what_the_declarations_say() {
    let place = Place::new();
    assert_eq!(place.line("doc --stdlib -o out").code, 0);
    let folder = repository().join("docs/stdlib");
    let there = std::fs::read_dir(&folder).unwrap();
    let mut there: Vec<String> = there
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    there.sort();
    assert_eq!(there, place.names("out"));
    for name in there {
        let old = std::fs::read_to_string(folder.join(&name)).unwrap();
        let new = place.text(format!("out/{name}"));
        assert!(
            old == new,
            "docs/stdlib/{name} is old: `symbi doc --stdlib -o docs/stdlib` writes it"
        );
    }
}

/// As those who read repositories in a browser make them.
#[test]
fn pages_of_markdown_lead_to_each_other() {
    let place = Place::new();
    assert_eq!(place.line("doc --stdlib -o out").code, 0);
    let text = |name: &str| place.text(format!("out/{name}"));
    let mut count = 0;
    for name in place.names("out") {
        let page = text(&name);
        let headings: Vec<&str> = page
            .lines()
            .filter(|line| line.starts_with("## "))
            .collect();
        let distinct: BTreeSet<&&str> = headings.iter().collect();
        assert_eq!(distinct.len(), headings.len(), "{name}");
        for link in page.split("](").skip(1) {
            let link = link.split(')').next().unwrap();
            let (file, id) = link.split_once('#').unwrap_or((link, ""));
            let heading = format!("\n## {id}\n");
            assert!(id.is_empty() || text(file).contains(&heading), "{link}");
            assert!(!text(file).is_empty());
            count += 1;
        }
    }
    assert!(count > 500, "{count}");
}

#[test]
fn pages_that_were_made_before_are_replaced() {
    let place = Place::new();
    assert_eq!(place.line("doc --stdlib -o out").code, 0);
    let first = place.text("out/lists.md");
    place.write("out/lists.md", first.replace("push", "shove"));
    place.write("out/mine.md", "mine\n");
    assert_eq!(place.line("doc --stdlib -o out").code, 0);
    assert_eq!(place.text("out/lists.md"), first);
    assert_eq!(place.text("out/mine.md"), "mine\n");
    // Nothing is left over on the way.
    assert!(!place.names("out").iter().any(|name| name.starts_with('.')));
}

#[test]
fn what_others_made_is_not_replaced() {
    let place = Place::new();
    place.write("out/time.md", "# My time\n");
    let run = place.line("doc --stdlib -o out");
    let error = "error: out/time.md: this file is there already and was not made by `symbi doc`; give another folder, \
                 or move it away\n";
    assert_eq!(
        (run.stderr.as_str(), run.stdout.as_str(), run.code),
        (error, "", 2)
    );
    assert_eq!(place.names("out"), ["time.md"]);
    assert_eq!(place.text("out/time.md"), "# My time\n");
    // Pages in the other format have other names.
    assert_eq!(place.line("doc --stdlib --format html -o out").code, 0);
}

#[test]
fn a_folder_that_is_none_is_told() {
    let place = Place::new();
    place.write("file", "").folder("out/lists.md");
    for (folder, error) in [
        ("file", "file: this is a file; give the name of a folder"),
        ("file/in", "file/in: a part of this path is not a folder"),
        (
            "out",
            "out/lists.md: this file is there already and was not made by `symbi doc`; give another folder, or move \
             it away",
        ),
    ] {
        let run = place.line(&format!("doc --stdlib -o {folder}"));
        let error = format!("error: {error}\n");
        assert_eq!((run.stderr, run.stdout.as_str(), run.code), (error, "", 2));
    }
}

#[cfg(unix)]
#[test]
fn folders_that_nobody_may_write_and_odd_files_are_told() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    place.folder("shut");
    let rights = std::fs::Permissions::from_mode(0o555);
    std::fs::set_permissions(place.path("shut"), rights).unwrap();
    for (folder, error) in [
        (
            "shut",
            "shut/README.md: no file can be made in its folder: permission denied",
        ),
        ("shut/new", "shut/new: permission denied"),
    ] {
        let run = run(place.as_nobody().args(["doc", "--stdlib", "-o", folder]));
        let error = format!("error: {error}\n");
        assert_eq!((run.stderr, run.stdout.as_str(), run.code), (error, "", 2));
    }
    // Opening the pipe would wait for ever; a link that leads nowhere would be
    // followed.
    for odd in ["pipe", "link"] {
        let place = Place::new();
        place.folder("out");
        match odd {
            "pipe" => place.pipe("out/maps.md"),
            _ => place.link("nowhere", "out/maps.md"),
        };
        let run = place.line("doc --stdlib -o out");
        assert!(
            run.stderr
                .starts_with("error: out/maps.md: this file is there"),
            "{run:?}"
        );
        assert_eq!(
            (place.names("out"), run.code),
            (vec!["maps.md".to_owned()], 2)
        );
    }
}
