//! The tool's part of a log: who looked, and what the codes mean that the
//! results have. A rule is made of the page of its code.

use super::level;
use super::model::{Configuration, Driver, Help, Message, Properties, Rule, Tool};
use crate::Code;
use crate::render::json;

const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

pub(super) fn tool(tool: &json::Tool, codes: &[&'static Code]) -> Tool {
    Tool {
        driver: Driver {
            name: tool.name.clone(),
            version: tool.version.clone(),
            semantic_version: tool.version.clone(),
            information_uri: REPOSITORY,
            rules: codes.iter().map(|code| rule(code)).collect(),
            properties: [("edition", tool.edition.clone())].into(),
        },
    }
}

fn rule(code: &'static Code) -> Rule {
    let page = code.page.trim_end();
    let id = code.id;
    Rule {
        id,
        short_description: Message {
            text: code.title.to_owned(),
        },
        full_description: Message {
            text: meaning(page),
        },
        help: Help {
            text: plain(page),
            markdown: page,
        },
        help_uri: format!("{REPOSITORY}/blob/main/compiler/diagnostics/docs/{id}.md"),
        default_configuration: Configuration {
            level: level(code.level),
        },
        properties: Properties { tags: [family(id)] },
    }
}

/// The first paragraph below the heading, on one line.
fn meaning(page: &str) -> String {
    let lines = page.lines().skip(1).skip_while(|line| line.is_empty());
    let lines: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
    lines.join(" ")
}

/// The page without the signs of its heading and of its fences.
fn plain(page: &str) -> String {
    let lines = page.lines().filter(|line| !line.starts_with("```"));
    let lines: Vec<&str> = lines.map(|line| line.trim_start_matches("# ")).collect();
    lines.join("\n")
}

/// What the first letter of a code stands for.
fn family(id: &str) -> &'static str {
    match id.as_bytes().first() {
        Some(b'S') => "syntax",
        Some(b'N') => "names",
        Some(b'T') => "types",
        Some(b'P') => "policies",
        Some(b'C') => "schedules",
        Some(b'X') => "sandboxes",
        Some(b'B') => "blocks",
        Some(b'K') => "project",
        Some(b'I') => "bundles",
        Some(b'F') => "format",
        _ => "routes",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_makes_a_rule_that_code_scanning_takes() {
        for code in crate::all() {
            let rule = rule(code);
            // GitHub's limits.
            assert!(rule.full_description.text.len() <= 1024, "{}", code.id);
            assert!(rule.short_description.text.len() <= 1024, "{}", code.id);
            assert!(rule.full_description.text.len() > 20, "{}", code.id);
            assert!(
                !rule.full_description.text.starts_with("```"),
                "{}",
                code.id
            );
            assert!(!rule.help.text.contains("```"), "{}", code.id);
            assert!(rule.help.text.starts_with(code.id), "{}", code.id);
        }
    }

    #[test]
    fn every_family_has_its_word() {
        for code in crate::all() {
            let routes = family(code.id) == "routes";
            assert_eq!(routes, code.id.starts_with('R'), "{}", code.id);
        }
    }
}
