//! Where Cedar decides, an agent needs its permit to answer, too
//! (language.md section 4, step 4).
//!
//! Cedar's own parser is not asked: what is looked for is whether anybody has
//! thought of `respond`, and for that its words are enough.

use symbi_diagnostics::{Diagnostic, Span, across as codes};

use crate::beside::POLICY_FOLDERS;

/// A policy of a project.
#[derive(Clone, Copy, Debug)]
pub struct PolicyText<'t> {
    /// The folder below `policies/` in which it lies, if any.
    pub folder: Option<&'t str>,
    /// What it says.
    pub text: &'t str,
}

/// The routes, by their folders, that have policies of which none lets an agent
/// answer: the number of the first such policy, and a report about it. Policies
/// that hold on all routes are told once.
pub fn read_answering(policies: &[PolicyText<'_>]) -> Vec<(usize, Diagnostic)> {
    let first = |folder: Option<&str>| policies.iter().position(|it| it.folder == folder);
    let permits = |folder: Option<&str>| {
        let mut inside = policies.iter().filter(|it| it.folder == folder);
        inside.any(|it| mentions_answer(it.text))
    };
    if permits(None) {
        return Vec::new();
    }
    let silent = POLICY_FOLDERS
        .iter()
        .copied()
        .filter(|folder| !permits(Some(folder)));
    match first(None) {
        Some(shared) => {
            let silent: Vec<&str> = silent.collect();
            let whose = match silent.len() {
                0 => return Vec::new(),
                all if all == POLICY_FOLDERS.len() => "any route".to_owned(),
                _ => format!("the routes of `{}`", silent.join("`, `")),
            };
            vec![(shared, report(&whose))]
        }
        None => silent
            .filter_map(|folder| {
                Some((
                    first(Some(folder))?,
                    report(&format!("the routes of `{folder}`")),
                ))
            })
            .collect(),
    }
}

fn report(whose: &str) -> Diagnostic {
    let message = format!("no policy for {whose} permits `respond`, which an answer needs");
    Diagnostic::new(&codes::K0827, Span::at(0), message)
        .help("write `permit(principal, action == Action::\"respond\", resource);`")
}

/// Whether a policy names the action `respond`, or permits something without
/// saying which action. Comments and strings are told from the rest.
fn mentions_answer(text: &str) -> bool {
    let mut recent = [""; 3];
    // How many brackets are open since the last `permit`, if its head is.
    let mut head: Option<u32> = None;
    let tokens = Tokens { rest: text };
    for token in tokens {
        let [_, before, last] = recent;
        if [before, last, token] == ["Action", "::", "\"respond\""] {
            return true;
        }
        head = match (head, token) {
            (None, "(") if last == "permit" => Some(1),
            (Some(1), "," | ")") if last == "action" => return true,
            (Some(open), "(" | "[") => Some(open.saturating_add(1)),
            (Some(1), ")") => None,
            (Some(open), ")" | "]") => Some(open.saturating_sub(1)),
            (head, _) => head,
        };
        recent = [before, last, token];
    }
    false
}

/// The words, strings and signs of a policy.
struct Tokens<'t> {
    rest: &'t str,
}

impl<'t> Iterator for Tokens<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        loop {
            self.rest = self.rest.trim_start();
            let Some(comment) = self.rest.strip_prefix("//") else {
                break;
            };
            let end = comment.find(['\n', '\r']).unwrap_or(comment.len());
            self.rest = &comment[end..];
        }
        let first = self.rest.chars().next()?;
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let end = if first == '"' {
            string_end(self.rest)
        } else if is_word(first) {
            self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len())
        } else if self.rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        let (token, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(token)
    }
}

/// Where a string ends that begins here; an open one takes the rest.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_thought_of_where_its_action_stands_or_none() {
        let table = [
            ("", false),
            (
                "permit(principal, action == Action::\"respond\", resource);",
                true,
            ),
            (
                "permit (principal, action in [Action :: \"respond\"], resource);",
                true,
            ),
            (
                "permit(principal, action == Action::\"tool_call::x\", resource);",
                false,
            ),
            // Anything at all.
            ("permit(principal, action, resource);", true),
            (
                "permit(principal in Group::\"(a\", action, resource) when { x };",
                true,
            ),
            ("forbid(principal, action, resource);", false),
            (
                "forbid(principal, action, resource);\npermit(principal, action, resource);",
                true,
            ),
            // What no policy says.
            (
                "// Action::\"respond\"\nforbid(principal, action, resource);",
                false,
            ),
            ("// \"\npermit(principal, action, resource);", true),
            ("@note(\"permit(principal, action, resource)\")", false),
            (
                "@note(\"\\\" // é\") permit(principal, action, resource);",
                true,
            ),
            (
                "permit(principal, action == Action::\"respond_twice\", resource);",
                false,
            ),
            (
                "permit(principal, action == Action::\"x\", resource) when { f(action, 1) };",
                false,
            ),
            ("\"open Action::\"respond", false),
        ];
        for (text, expected) in table {
            assert_eq!(mentions_answer(text), expected, "{text}");
        }
    }

    #[test]
    fn each_route_is_told_once_and_all_of_them_in_one() {
        const WITH: &str = "permit(principal, action, resource);";
        const WITHOUT: &str = "forbid(principal, action, resource);";
        /// Folders with what a policy in them says; the policies told about, and
        /// for what.
        type Row = (
            &'static [(&'static str, &'static str)],
            &'static [(usize, &'static str)],
        );
        let table: [Row; 6] = [
            (&[], &[]),
            (&[("", WITHOUT), ("", WITHOUT)], &[(0, "any route")]),
            (
                &[("", WITHOUT), ("run", WITH)],
                &[(
                    0,
                    "the routes of `http-input`, `schedule`, `coordinator`, `mcp-server`, `managed-cli`",
                )],
            ),
            (&[("", WITH), ("run", WITHOUT)], &[]),
            (
                &[
                    ("run", WITH),
                    ("run", WITHOUT),
                    ("schedule", WITHOUT),
                    ("schedule", WITHOUT),
                ],
                &[(2, "the routes of `schedule`")],
            ),
            (&[("attic", WITHOUT)], &[]),
        ];
        for (policies, expected) in table {
            let policies: Vec<PolicyText<'_>> = policies
                .iter()
                .map(|&(folder, text)| PolicyText {
                    folder: (!folder.is_empty()).then_some(folder),
                    text,
                })
                .collect();
            let told: Vec<(usize, String)> = read_answering(&policies)
                .into_iter()
                .map(|(at, report)| (at, report.message))
                .collect();
            let expected: Vec<(usize, String)> = expected
                .iter()
                .map(|(at, whose)| (*at, report(whose).message))
                .collect();
            assert_eq!(told, expected, "{policies:?}");
        }
    }
}
