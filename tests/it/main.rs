//! End-to-end tests of the shipped binary: arguments, files and streams in;
//! stdout, stderr and the exit code out. They know nothing of the crates inside,
//! but for the one that verifies journals.
//!
//! Where a new test goes:
//!
//! | about | file |
//! |---|---|
//! | verdicts, reports, formats for people | `check.rs` |
//! | formats for other programs: SARIF, GitHub, GitLab, JUnit | `formats.rs` |
//! | which files are found, and in which order | `discovery.rs` |
//! | what cannot be read | `bad_input.rs` |
//! | outline, tree and tokens | `show.rs` |
//! | `explain`, `completions`, help, usage errors | `commands.rs` |
//! | `dsl --check --fix`: what is mended, and what becomes of the files | `fix.rs` |
//! | that no fix makes anything worse | `fix_corpus.rs` |
//! | `dsl --check --watch`: what is seen of the disk, and how it is told | `watch.rs` |
//! | `fmt`: its options, verdicts and formats | `fmt.rs` |
//! | `fmt`: what becomes of the files it writes, and of those it cannot | `fmt_writing.rs` |
//! | `fmt`: the repository's examples and the pages of its codes | `fmt_examples.rs` |
//! | `build`, `bundle inspect`, `verify`, `diff` and `extract` | `bundles.rs` |
//! | `policy why` | `policy.rs` |
//! | `run`: the examples, to their results | `runs.rs` |
//! | `cron next` | `cron.rs` |
//! | `doc --stdlib`, and the pages in `docs/stdlib/` | `doc.rs` |
//! | colours, pipes, full disks | `streams.rs` |

// A test that fails says so by panicking, in the functions it calls too.
#![allow(clippy::unwrap_used)]

mod bad_input;
mod bundles;
mod check;
mod commands;
mod cron;
mod discovery;
mod doc;
mod fix;
mod fix_corpus;
mod fmt;
mod fmt_examples;
#[cfg(unix)]
mod fmt_writing;
mod formats;
mod policy;
mod project;
mod routes;
mod run;
mod runs;
mod show;
mod streams;
mod support;
mod watch;
