//! Which files are found, under which names, in which order.

use crate::support::{GOOD, Place};

/// The first words of the verdict lines.
fn names(place: &Place, line: &str) -> Vec<String> {
    let run = place.line(line);
    assert_eq!((run.stderr.as_str(), run.code), ("", 0), "{line}");
    run.stdout
        .lines()
        .map(|line| {
            line.strip_suffix("OK")
                .expect("all are fine")
                .trim_end()
                .to_owned()
        })
        .collect()
}

#[test]
fn a_folder_is_searched_by_extension_and_sorted_by_path() {
    let place = Place::new();
    for name in [
        "a/z.symbi",
        "a/b/y.dsl",
        "a/b-c/x.symbi",
        "a/b.symbi",
        "a/c/d/e/f.symbi",
    ] {
        place.write(name, GOOD);
    }
    place
        .write("a/notes.txt", "not ours")
        .write("a/symbi", "not ours")
        .folder("a/g.symbi");
    let expected = [
        "a/b/y.dsl",
        "a/b-c/x.symbi",
        "a/b.symbi",
        "a/c/d/e/f.symbi",
        "a/z.symbi",
    ];
    assert_eq!(names(&place, "dsl --check a"), expected);
    assert_eq!(names(&place, "dsl --check a/"), expected);
}

#[test]
fn the_working_folder_needs_no_prefix() {
    let place = Place::new();
    place.write("x.symbi", GOOD).write("a/y.symbi", GOOD);
    assert_eq!(names(&place, "dsl --check ."), ["a/y.symbi", "x.symbi"]);
    assert_eq!(names(&place, "dsl --check ./x.symbi"), ["./x.symbi"]);
}

#[test]
fn a_named_file_is_checked_whatever_its_extension() {
    let place = Place::new();
    place
        .write("notes.txt", GOOD)
        .write("none", GOOD)
        .write(".hidden.symbi", GOOD);
    assert_eq!(
        names(&place, "dsl --check notes.txt -f none .hidden.symbi"),
        ["notes.txt", "none", ".hidden.symbi"]
    );
}

#[test]
fn sources_come_in_the_order_of_the_arguments() {
    let place = Place::new();
    place
        .write("a/1.symbi", GOOD)
        .write("a/2.symbi", GOOD)
        .write("b.symbi", GOOD);
    let run = place.fed("dsl --check -c // b.symbi - a -f c -c //", GOOD.as_bytes());
    assert_eq!(
        run.lines(),
        [
            "<inline> OK",
            "b.symbi OK",
            "<stdin> OK",
            "a/1.symbi OK",
            "a/2.symbi OK",
            "c UNREADABLE no such file or folder",
            "<inline 2> OK",
        ]
    );
}

#[test]
fn gitignore_is_obeyed_outside_a_repository() {
    let place = Place::new();
    place
        .write(".gitignore", "build/\n*.tmp.symbi\n[\n")
        .write("agents/.gitignore", "!keep.tmp.symbi\nlocal.symbi\n");
    for name in [
        "agents/a.symbi",
        "agents/a.tmp.symbi",
        "agents/keep.tmp.symbi",
        "agents/local.symbi",
        "agents/build/b.symbi",
        "other/local.symbi",
    ] {
        place.write(name, GOOD);
    }
    // The folder above has its say too, as in git.
    assert_eq!(
        names(&place, "dsl --check agents"),
        ["agents/a.symbi", "agents/keep.tmp.symbi"]
    );
    assert_eq!(
        names(&place, "dsl --check ."),
        [
            "agents/a.symbi",
            "agents/keep.tmp.symbi",
            "other/local.symbi"
        ]
    );
    // Naming is asking for it.
    assert_eq!(
        names(&place, "dsl --check agents/local.symbi agents/build"),
        ["agents/local.symbi", "agents/build/b.symbi"]
    );
}

#[test]
fn hidden_files_count_only_when_named() {
    let place = Place::new();
    place
        .write("a/.h.symbi", GOOD)
        .write("a/.git/x.symbi", GOOD)
        .write("a/x.symbi", GOOD);
    assert_eq!(names(&place, "dsl --check a"), ["a/x.symbi"]);
    assert_eq!(names(&place, "dsl --check a/.git"), ["a/.git/x.symbi"]);
}

#[test]
fn files_of_search_tools_do_not_decide() {
    let place = Place::new();
    place
        .write("a/.ignore", "x.symbi")
        .write("a/.rgignore", "x.symbi")
        .write("a/x.symbi", GOOD);
    assert_eq!(names(&place, "dsl --check a"), ["a/x.symbi"]);
}

#[test]
fn a_file_reached_twice_is_checked_where_it_is_reached_first() {
    let place = Place::new();
    place.write("a/x.symbi", GOOD).write("a/y.symbi", GOOD);
    assert_eq!(
        names(&place, "dsl --check a/y.symbi a a"),
        ["a/y.symbi", "a/x.symbi"]
    );
    assert_eq!(
        names(&place, "dsl --check a -f a/../a/x.symbi"),
        ["a/x.symbi", "a/y.symbi"]
    );
    let run = place.fed("dsl --check - -", GOOD.as_bytes());
    assert_eq!(run.lines(), ["<stdin> OK"]);
}

#[cfg(unix)]
#[test]
fn links_to_files_are_followed_and_links_to_folders_are_not() {
    let place = Place::new();
    place
        .write("a/x.symbi", GOOD)
        .write("b/y.symbi", GOOD)
        .write("z.symbi", GOOD);
    // Round in circles, and sideways.
    place
        .link("..", "a/up")
        .link("../b", "a/b.symbi")
        .link("../a", "b/a");
    place
        .link("../z.symbi", "a/z.symbi")
        .link("x.symbi", "a/again.symbi")
        .link("a", "link");
    assert_eq!(
        names(&place, "dsl --check a"),
        ["a/again.symbi", "a/z.symbi"]
    );
    // A link that is named is followed.
    assert_eq!(
        names(&place, "dsl --check link"),
        ["link/again.symbi", "link/z.symbi"]
    );
    assert_eq!(
        names(&place, "dsl --check a link z.symbi"),
        ["a/again.symbi", "a/z.symbi"]
    );
}

#[cfg(unix)]
#[test]
fn a_second_hard_link_is_a_file_of_its_own() {
    let place = Place::new();
    place.write("a/x.symbi", GOOD);
    std::fs::hard_link(place.path("a/x.symbi"), place.path("a/y.symbi")).unwrap();
    assert_eq!(names(&place, "dsl --check a"), ["a/x.symbi", "a/y.symbi"]);
}

#[test]
fn thousands_of_files_are_each_checked_once_in_order() {
    let place = Place::new();
    let expected: Vec<String> = (0..3000)
        .map(|n| format!("many/{:02}/{n:04}.symbi", n / 100))
        .collect();
    for name in &expected {
        place.write(name, GOOD);
    }
    assert_eq!(names(&place, "dsl --check many"), expected);
}
