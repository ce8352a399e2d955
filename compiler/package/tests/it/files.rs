//! The files of a program: all that it names, as they were, and no others.

use symbi_bundle::Limits;
use symbi_ir::Program;
use symbi_package::{Package, PackageError, read, write};

use crate::programs::{MANIFEST, POLICY, SOURCE, one_agent, with_cedar};

const TOOL: (&str, &str) = ("tools/count.clad.toml", MANIFEST);
const CEDAR: (&str, &str) = ("policies/run/a.cedar", POLICY);
const TYPES: (&str, &str) = ("toolclad.toml", "");
const GREET: (&str, &str) = ("sources/greet.symbi", SOURCE);

fn files(files: &[(&str, &str)]) -> Vec<(String, Vec<u8>)> {
    files
        .iter()
        .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()))
        .collect()
}

fn packed(program: &Program, given: &[(&str, &str)]) -> Result<Package, PackageError> {
    let bytes = write(program, &files(given), "symbi test", None)?;
    let bundle = symbi_bundle::read(&bytes, &Limits::default())?;
    read(bundle)
}

#[test]
fn a_program_comes_back_with_its_files() {
    let table: &[(Program, &[(&str, &str)])] = &[
        (one_agent(), &[]),
        (one_agent(), &[GREET]),
        (with_cedar(), &[TOOL, CEDAR]),
        (with_cedar(), &[GREET, TYPES, CEDAR, TOOL]),
    ];
    for (program, given) in table {
        let package = packed(program, given).expect("a bundle");
        assert_eq!(package.program, *program);
        assert_eq!(package.bundle.entries().len(), given.len() + 1);
        let source = given.contains(&GREET).then_some(SOURCE);
        assert_eq!(package.source("greet.symbi"), source);
    }
}

#[test]
fn the_order_of_files_makes_no_difference() {
    let given = [GREET, TYPES, CEDAR, TOOL];
    let mut turned = given;
    turned.reverse();
    let write = |given: &[(&str, &str)]| write(&with_cedar(), &files(given), "symbi test", None);
    assert_eq!(
        write(&given).expect("bytes"),
        write(&turned).expect("bytes")
    );
}

#[test]
fn files_that_do_not_belong_to_a_program_are_refused_by_name() {
    type Files = &'static [(&'static str, &'static str)];
    let table: &[(Program, Files, &str)] = &[
        (
            with_cedar(),
            &[TOOL],
            "`policies/run/a.cedar` is not in the bundle",
        ),
        (
            with_cedar(),
            &[CEDAR],
            "`tools/count.clad.toml` is not in the bundle",
        ),
        (
            with_cedar(),
            &[CEDAR, (TOOL.0, "[other]")],
            "`tools/count.clad.toml` is not the file",
        ),
        (
            with_cedar(),
            &[TOOL, (CEDAR.0, "")],
            "`policies/run/a.cedar` is not the file",
        ),
        (
            one_agent(),
            &[TOOL],
            "nothing in the program names `tools/count.clad.toml`",
        ),
        (
            one_agent(),
            &[("sources/other.symbi", "")],
            "nothing in the program names `sources/other.symbi`",
        ),
        (
            one_agent(),
            &[(GREET.0, "agent other { }")],
            "`sources/greet.symbi` is not the file",
        ),
    ];
    for (program, given, expected) in table {
        let error = packed(program, given).expect_err(expected).to_string();
        assert!(error.starts_with(expected), "{error}, not {expected}");
    }
}

/// A bundle that the first build of version 1 wrote. It is never written again:
/// a change that does not read it needs another version.
#[test]
fn a_kept_bundle_of_version_1_is_read() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/v1.symbib");
    let bundle = symbi_bundle::read_file(&file, &Limits::default()).expect("a bundle");
    let package = read(bundle).expect("a program");
    let agents: Vec<&str> = package
        .program
        .agents()
        .map(|(_, agent)| &**agent.name())
        .collect();
    assert_eq!(agents, ["worker", "helper", "refused"]);
    let paths: Vec<&str> = package.bundle.entries().map(|entry| entry.path).collect();
    assert_eq!(
        paths,
        [
            "policies/run/all.cedar",
            "program.symbir",
            "tools/tally.clad.toml"
        ]
    );
    // What is written from it is the same program with the same files.
    let others = package.bundle.entries();
    let others: Vec<(String, Vec<u8>)> = others
        .filter(|entry| entry.path != symbi_package::PROGRAM)
        .map(|entry| (entry.path.to_owned(), entry.bytes.to_vec()))
        .collect();
    let again = write(&package.program, &others, package.bundle.toolchain(), None);
    let again = symbi_bundle::read(&again.expect("bytes"), &Limits::default());
    assert_eq!(again.expect("a bundle").digest(), package.bundle.digest());
}
