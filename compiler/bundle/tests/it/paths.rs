//! Which paths an entry may have.

use symbi_bundle::{Limits, PathProblem, check_path, read, write};

use crate::TOOLCHAIN;
use crate::recipe::follow;
use PathProblem::{
    Absolute, Backslash, Character, Device, Dots, Empty, EmptyPart, Ending, Indivisible, Reserved,
    TooLong, Unseen,
};

const WRONG: &[(&str, PathProblem)] = &[
    ("", Empty),
    ("/", Absolute),
    ("/etc/passwd", Absolute),
    ("//server/share", Absolute),
    (".", Dots),
    ("..", Dots),
    ("../a", Dots),
    ("a/../b", Dots),
    ("a/..", Dots),
    ("./a", Dots),
    ("a/./b", Dots),
    ("a//b", EmptyPart),
    ("a/", EmptyPart),
    ("..\\a", Backslash),
    ("a\\b", Backslash),
    ("C:/a", Character(':')),
    ("c:a", Character(':')),
    ("a:stream", Character(':')),
    ("a?", Character('?')),
    ("a*b", Character('*')),
    ("<a>", Character('<')),
    ("a|b", Character('|')),
    ("a\"b", Character('"')),
    ("a\0b", Unseen('\0')),
    ("a\nb", Unseen('\n')),
    ("a\x1b[2J", Unseen('\x1b')),
    ("a\x7f", Unseen('\x7f')),
    ("a\u{85}", Unseen('\u{85}')),
    ("a\u{202e}b", Unseen('\u{202e}')),
    ("a\u{200b}b", Unseen('\u{200b}')),
    ("\u{feff}a", Unseen('\u{feff}')),
    ("...", Ending),
    ("a./b", Ending),
    ("a.", Ending),
    ("a /b", Ending),
    (" ", Ending),
    ("nul", Device),
    ("a/NUL", Device),
    ("con.txt", Device),
    ("Aux/b", Device),
    ("prn .txt", Device),
    ("com1", Device),
    ("LPT9.tar.gz", Device),
    ("COM²", Device),
    ("conin$", Device),
    ("manifest.json", Reserved),
    ("Signature.JSON", Reserved),
];

const RIGHT: &[&str] = &[
    "a",
    "program.symbir",
    "sources/main.symbi",
    ".symbi/config",
    "..a/b..c",
    " a",
    "größe/日本語.symbi",
    "com",
    "com0",
    "com10",
    "console",
    "nullable/aux1",
    "sources/manifest.json",
    "a b/c$d~e#f%g&h'i(j)k+l,m;n=o@p[q]r^s`t{u}v!",
];

#[test]
fn what_leads_elsewhere_somewhere_is_refused() {
    for (path, problem) in WRONG {
        assert_eq!(check_path(path), Err(*problem), "{path:?}");
        let found = write(&[(path, "")], TOOLCHAIN, None).map_err(|error| error.kind());
        assert_eq!(found, Err("bad-path"), "{path:?}");
    }
    for path in RIGHT {
        assert_eq!(check_path(path), Ok(()), "{path:?}");
        let bundle = write(&[(path, "text")], TOOLCHAIN, None).unwrap();
        let bundle = read(&bundle, &Limits::default()).unwrap();
        assert_eq!(bundle.get(path), Some(b"text".as_slice()), "{path:?}");
    }
}

#[test]
fn such_a_path_is_refused_in_a_bundle_of_others_too() {
    let mut kinds = Vec::new();
    for (path, _) in WRONG {
        // What a line of a recipe, a header or JSON does not hold as it is.
        if path.contains(['\n', '\0', '"', '\\', '\x1b']) || path.trim() != *path {
            continue;
        }
        let listed = follow(&format!("entry {path}")).map_err(|error| error.kind());
        assert_eq!(listed, Err("bad-path"), "{path:?}");
        // Beside the manifest.
        let stored = follow(&format!("stored {path}")).map_err(|error| error.kind());
        kinds.push(stored.unwrap_err());
    }
    assert_eq!(kinds.len(), 39);
    // Names of the bundle itself: one is none of it in these letters.
    let others: Vec<&str> = kinds
        .into_iter()
        .filter(|kind| *kind != "bad-path")
        .collect();
    assert_eq!(others, ["duplicate-entry", "unlisted-entry"]);
}

#[test]
fn long_paths_are_divided_or_refused() {
    let part = |length: usize| "x".repeat(length);
    for (path, expected) in [
        (part(100), Ok(())),
        (part(101), Err(Indivisible)),
        (format!("{}/{}", part(100), part(100)), Ok(())),
        (format!("{}/{}", part(155), part(99)), Ok(())),
        (format!("{}/{}", part(154), part(100)), Ok(())),
        (format!("{}/{}", part(156), part(90)), Err(Indivisible)),
        (format!("{}/{}", part(100), part(101)), Err(Indivisible)),
        (format!("{}/{}/{}", part(50), part(80), part(80)), Ok(())),
        (format!("{}/{}", part(155), part(100)), Err(TooLong)),
        ("é".repeat(50), Ok(())),
        ("é".repeat(51), Err(Indivisible)),
    ] {
        assert_eq!(check_path(&path), expected, "{path}");
        let written = write(&[(&path, "text")], TOOLCHAIN, None);
        assert_eq!(written.is_ok(), expected.is_ok(), "{path}");
        if let Ok(bytes) = written {
            let bundle = read(&bytes, &Limits::default()).unwrap();
            assert_eq!(bundle.get(&path), Some(b"text".as_slice()));
        }
    }
}

#[test]
fn no_two_entries_are_one_file_somewhere() {
    for (paths, kind) in [
        (["a", "a"], Some("duplicate-entry")),
        (["a", "A"], Some("duplicate-entry")),
        (["Tools/x", "tools/X"], Some("duplicate-entry")),
        (["a", "a/b"], Some("file-and-folder")),
        (["A", "a/b"], Some("file-and-folder")),
        (["a/b", "A"], Some("file-and-folder")),
        (["a/b/c/d", "a/B"], Some("file-and-folder")),
        (["a/b", "A/c"], None),
        (["a", "ab"], None),
        (["a-b", "a/b"], None),
    ] {
        let entries = paths.map(|path| (path, ""));
        let written = write(&entries, TOOLCHAIN, None).map_err(|error| error.kind());
        assert_eq!(written.err(), kind, "{paths:?}");
        let [one, two] = paths;
        let recipe = format!("entry {one}\nentry {two}");
        let read = follow(&recipe).map_err(|error| error.kind());
        assert_eq!(read.err(), kind, "{paths:?}");
    }
}
