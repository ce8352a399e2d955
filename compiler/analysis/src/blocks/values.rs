//! One value against the type that its key wants.

use symbi_diagnostics::{Edit, blocks as codes};
use symbi_mini::host_port::HostPort;
use symbi_mini::{host_port, json_path, tool_pattern};
use symbi_project::Tier;
use symbi_syntax::ast::{AstNode, Expr};
use symbi_syntax::{Place, SyntaxKind};

use super::cx::{Cx, any_of, at_value, instead, quoted, wrong_type};
use super::keys::{EXECUTORS, Key, Value};
use super::numbers::{self, as_bool, as_int, as_number, as_size};
use super::plain::{Plain, computed_part, mini_report, plain};
use super::{durations, references, schedules, secrets};
use crate::suggest::nearest;

/// Checks the value of a key that the block knows.
pub(super) fn check(cx: &mut Cx<'_>, key: &Key, value: Expr<'_>) {
    let found = plain(value);
    if is_next_key(value) || (key.value != Value::Input && !written_out(cx, value)) {
        return;
    }
    let name = key.name;
    match key.value {
        Value::Any | Value::Input | Value::Unenforced => {}
        Value::String => match found.word() {
            Some(_) => {}
            None => text_wanted(cx, name, value, &found),
        },
        Value::Bool => numbers::boolean(cx, name, value, &found),
        Value::Int(least) => numbers::int(cx, name, value, &found, least),
        Value::Float => numbers::number(
            cx,
            name,
            value,
            &found,
            |number| number > 0.0,
            "more than 0",
        ),
        Value::Number => {
            numbers::number(cx, name, value, &found, |number| number >= 0.0, "0 or more")
        }
        Value::Weight => numbers::weight(cx, name, value, &found),
        Value::Duration => durations::duration(cx, name, value, &found),
        Value::Timeout => durations::timeout(cx, name, value, &found),
        Value::Size => numbers::size_value(cx, name, value, &found),
        Value::Words(words) => word_of(cx, name, value, &found, words),
        Value::Array => match found {
            Plain::Array(_) => {}
            _ => list_wanted(cx, name, value, &found),
        },
        Value::Tools => tools(cx, name, value, &found),
        Value::Version => version(cx, name, value, &found),
        Value::Executor => executor(cx, name, value, &found),
        Value::Tier => tier(cx, name, value, &found),
        Value::Memory => references::memory(cx, name, value, &found),
        Value::Network => network(cx, name, value, &found),
        Value::Cron => schedules::cron(cx, name, value, &found),
        Value::Time | Value::Zone => schedules::clock_value(cx, key, value, &found),
        Value::Agent | Value::Policy => match found.word() {
            // Where it leads is asked with the block around it at hand.
            Some(_) => {}
            None => {
                let what = match key.value {
                    Value::Policy => "the name of a policy",
                    _ => "the name of an agent",
                };
                cx.wrong_type(name, value, &found, what);
            }
        },
        Value::Deliver => schedules::deliver(cx, name, value, &found),
        Value::Address | Value::Folder => match found.word() {
            Some(_) => {}
            None => cx.wrong_type(name, value, &found, "a path in quotes"),
        },
        Value::Secret => secrets::secret_value(cx, name, value, &found),
        Value::JsonPath => match &found {
            Plain::Text(text) => {
                if let Err(error) = json_path::parse(text) {
                    cx.report(mini_report(&codes::B0744, value, error));
                }
            }
            _ => cx.wrong_type(
                name,
                value,
                &found,
                "a path in quotes, such as `\"$.action\"`",
            ),
        },
        Value::Block => {
            cx.wrong_type(name, value, &found, &format!("a block: `{name} {{ … }}`"));
        }
        Value::BlockOrArray => match found {
            Plain::Array(_) => {}
            _ => {
                let wanted = format!("a block, `{name} {{ … }}`, or a list of names");
                cx.wrong_type(name, value, &found, &wanted);
            }
        },
    }
}

/// Whether what was read as a value is the next key, because the value is
/// missing: `cron: timezone: "UTC"`. That has been reported.
fn is_next_key(value: Expr<'_>) -> bool {
    let node = value.node();
    let next = node.item().token_kind(node.tokens().end);
    matches!(next, SyntaxKind::Colon | SyntaxKind::Eq)
}

/// Whether a value can be read without running anything; reports it if not.
pub(super) fn written_out(cx: &mut Cx<'_>, value: Expr<'_>) -> bool {
    let Some(part) = computed_part(value) else {
        return true;
    };
    cx.report(
        at_value(
            &codes::B0709,
            part,
            "a value in a block is written out, not computed",
        )
        .label("this would have to be computed")
        .help("write a literal, a name, a list or a record, or compute the value in a body"),
    );
    false
}

fn text_wanted(cx: &mut Cx<'_>, name: &str, value: Expr<'_>, found: &Plain<'_>) {
    if matches!(found, Plain::Unread | Plain::Computed) {
        return;
    }
    let report = wrong_type(name, value, found, "text");
    cx.report(match found {
        Plain::Int(_) | Plain::Float(_) | Plain::Duration(_) | Plain::Size(_) | Plain::Bool(_) => {
            report.fix("put it in quotes", in_quotes(value))
        }
        _ => report.help("write text in quotes"),
    });
}

fn in_quotes(value: Expr<'_>) -> Vec<Edit<Place>> {
    let node = value.node();
    let text: String = node
        .tokens()
        .map(|token| node.item().token_text(token))
        .collect();
    instead(value, format!("\"{text}\""))
}

fn list_wanted(cx: &mut Cx<'_>, name: &str, value: Expr<'_>, found: &Plain<'_>) {
    if matches!(found, Plain::Unread | Plain::Computed) {
        return;
    }
    let report = wrong_type(name, value, found, "a list");
    cx.report(match found {
        // Whether one thing is meant or several, only its author knows.
        Plain::Text(text) if text.contains(',') => match listed(text) {
            Some(list) => report.maybe_fix("make it a list", instead(value, list)),
            None => report.help("write a list, such as `[\"a\", \"b\"]`"),
        },
        Plain::Text(_) | Plain::Word(_) => {
            let tokens = value.node().tokens();
            let edit = |at, text: &str| Edit {
                at,
                text: text.to_owned(),
            };
            report.fix(
                "make it a list",
                vec![
                    edit(Place::Before(tokens.start), "["),
                    edit(Place::After(tokens.end.saturating_sub(1)), "]"),
                ],
            )
        }
        _ => report.help("write a list, such as `[\"a\", \"b\"]`"),
    });
}

/// A list of the things that stand between commas, if they are plain.
fn listed(text: &str) -> Option<String> {
    let plain = |part: &&str| !part.is_empty() && !part.contains(['"', '\\', '\n', '\r']);
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let all = parts.iter().all(plain);
    all.then(|| format!("[\"{}\"]", parts.join("\", \"")))
}

/// One of a few words, in quotes or not.
pub(crate) fn as_word_of(found: &Plain<'_>, words: &[&'static str]) -> Option<&'static str> {
    let word = found.word()?;
    words.iter().find(|known| **known == word).copied()
}

/// One of a few words.
pub(super) fn word_of(
    cx: &mut Cx<'_>,
    name: &str,
    value: Expr<'_>,
    found: &Plain<'_>,
    words: &[&'static str],
) {
    let Some(word) = found.word() else {
        cx.wrong_type(name, value, found, &any_of(words));
        return;
    };
    if as_word_of(found, words).is_some() {
        return;
    }
    let report = at_value(
        &codes::B0710,
        value,
        format!("`{name}` cannot be {}", quoted(word)),
    );
    let lower = word.to_ascii_lowercase();
    let edits = |known: &str| instead(value, requoted(value, known));
    let title = |known: &str| format!("write `{}`", requoted(value, known));
    let did_you_mean = |known: &str| format!("did you mean `{known}`?");
    if let Some(known) = words.iter().find(|known| **known == lower) {
        let report = report.help(did_you_mean(known));
        cx.report(report.fix(title(known), edits(known)));
        return;
    }
    // Words are apart enough that a slip is likely, and near enough that
    // another thing may be meant: `gitlab` is no slip in `github`.
    cx.report(match nearest(word, words.iter().copied()) {
        Some(known) => report
            .help(format!(
                "did you mean `{known}`? It can be {}",
                any_of(words)
            ))
            .maybe_fix(title(known), edits(known)),
        None => report.help(format!("write {}", any_of(words))),
    });
}

/// A word as the value it replaces is written: in quotes or not.
pub(super) fn requoted(value: Expr<'_>, word: &str) -> String {
    let node = value.node();
    match node.item().token_text(node.tokens().start).starts_with('"') {
        true => format!("\"{word}\""),
        false => word.to_owned(),
    }
}

/// The tools of a list, or of a text with commas between them, as their small
/// language writes each. One that cannot be read is none.
pub(crate) fn as_tools(found: &Plain<'_>) -> Option<Vec<String>> {
    let listed = |found: &Plain<'_>| match found {
        Plain::Text(text) => {
            let patterns = tool_pattern::parse(text).map(|list| list.patterns);
            let patterns = patterns.unwrap_or_default().into_iter();
            patterns.map(|pattern| pattern.to_string()).collect()
        }
        Plain::Word(word) => vec![word.clone()],
        _ => Vec::new(),
    };
    match found {
        Plain::Text(_) | Plain::Word(_) => Some(listed(found)),
        Plain::Array(array) => {
            let elements = array.elements();
            Some(elements.flat_map(|one| listed(&plain(one))).collect())
        }
        _ => None,
    }
}

fn tools(cx: &mut Cx<'_>, name: &str, value: Expr<'_>, found: &Plain<'_>) {
    match found {
        Plain::Text(_) if names_no_tool(found) => {}
        Plain::Text(text) => {
            if let Err(error) = tool_pattern::parse(text) {
                cx.report(mini_report(&codes::B0714, value, error));
            }
        }
        Plain::Word(_) => {}
        Plain::Array(array) => {
            for element in array.elements() {
                match plain(element) {
                    Plain::Text(text) => {
                        if let Err(error) = tool_pattern::parse(&text) {
                            cx.report(mini_report(&codes::B0714, element, error));
                        }
                    }
                    Plain::Word(_) => {}
                    other => cx.wrong_type(name, element, &other, "the names of tools"),
                }
            }
        }
        _ => cx.wrong_type(name, value, found, "the names of tools"),
    }
}

/// Whether a list of tools names none.
pub(super) fn names_no_tool(found: &Plain<'_>) -> bool {
    match found {
        Plain::Text(text) => text.split(',').all(|name| name.trim().is_empty()),
        Plain::Array(array) => array.elements().next().is_none(),
        _ => false,
    }
}

fn version(cx: &mut Cx<'_>, name: &str, value: Expr<'_>, found: &Plain<'_>) {
    let text = match found {
        Plain::Text(text) | Plain::Word(text) => text,
        Plain::Int(number) if *number >= 0 => return version_in_quotes(cx, value),
        Plain::Float(number) if *number >= 0.0 => return version_in_quotes(cx, value),
        _ => return text_wanted(cx, name, value, found),
    };
    if is_version(text) {
        return;
    }
    let report = at_value(
        &codes::B0716,
        value,
        format!("{} is not a version that can be compared", quoted(text)),
    );
    let plain = text.trim().trim_start_matches(['v', 'V']);
    cx.report(match is_version(plain) {
        true => report.fix(
            format!("write `\"{plain}\"`"),
            instead(value, format!("\"{plain}\"")),
        ),
        false => report.help("write one to three numbers, such as `\"1.2.0\"` or `\"1.2.0-beta\"`"),
    });
}

fn version_in_quotes(cx: &mut Cx<'_>, value: Expr<'_>) {
    cx.report(
        at_value(&codes::B0716, value, "a version is text, not a number")
            .label("as a number, 1.10 and 1.1 are the same")
            .fix("put it in quotes", in_quotes(value)),
    );
}

/// One to three numbers, and perhaps what semantic versioning puts behind
/// them.
fn is_version(text: &str) -> bool {
    let (numbers, tail) = match text.find(['-', '+']) {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let parts: Vec<&str> = numbers.split('.').collect();
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let tail_fits = tail.is_empty()
        || (tail.len() > 1
            && !tail.ends_with(['.', '+', '-'])
            && tail[1..]
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b".-+".contains(&byte)));
    parts.len() <= 3 && parts.iter().all(is_number) && tail_fits
}

fn executor(cx: &mut Cx<'_>, name: &str, value: Expr<'_>, found: &Plain<'_>) {
    let Some(word) = found.word() else {
        cx.wrong_type(name, value, found, "the name of an executor");
        return;
    };
    if as_word_of(found, EXECUTORS).is_some() {
        return;
    }
    let report = at_value(
        &codes::B0712,
        value,
        format!(
            "{} runs no agents here: the agent is refused on every route",
            quoted(word)
        ),
    );
    cx.report(match nearest(word, EXECUTORS.iter().copied()) {
        Some(known) => report.help(format!("did you mean `{known}`?")).fix(
            format!("write `{}`", requoted(value, known)),
            instead(value, requoted(value, known)),
        ),
        None => report.help(format!("write {}", any_of(EXECUTORS))),
    });
}

/// A sandbox tier by any of its names.
pub(crate) fn as_tier(found: &Plain<'_>) -> Option<Tier> {
    Tier::parse(found.word()?)
}

fn tier(cx: &mut Cx<'_>, name: &str, value: Expr<'_>, found: &Plain<'_>) {
    let Some(word) = found.word() else {
        cx.wrong_type(name, value, found, "the name of a sandbox tier");
        return;
    };
    if as_tier(found).is_some() {
        return;
    }
    let report = at_value(
        &codes::B0711,
        value,
        format!("{} is not a sandbox tier", quoted(word)),
    );
    cx.report(match nearest(&word.to_ascii_lowercase(), Tier::WORDS) {
        Some(known) => report.help(format!("did you mean `{known}`?")).fix(
            format!("write `{}`", requoted(value, known)),
            instead(value, requoted(value, known)),
        ),
        None => report
            .help("the tiers are `docker`, `gvisor`, `firecracker`, `e2b`, `landlock` and `none`"),
    });
}

/// What `network_policy` says.
pub(crate) enum Reached {
    /// `deny_all`.
    Nothing,
    /// `allow_all`.
    Everything,
    /// These places.
    Places(Vec<HostPort>),
}

/// Where an agent may connect to; `None` for what cannot be read. A place that
/// cannot be read is none.
pub(crate) fn as_network(found: &Plain<'_>) -> Option<Reached> {
    if let Plain::Array(array) = found {
        let elements = array.elements();
        let places = elements.filter_map(|one| host_port::parse(plain(one).word()?).ok());
        return Some(Reached::Places(places.collect()));
    }
    match found.word()? {
        "deny_all" => Some(Reached::Nothing),
        "allow_all" => Some(Reached::Everything),
        _ => None,
    }
}

fn network(cx: &mut Cx<'_>, name: &str, value: Expr<'_>, found: &Plain<'_>) {
    if let Some(word) = found.word() {
        if as_network(found).is_some() {
            return;
        }
        let report = at_value(
            &codes::B0726,
            value,
            format!("`{name}` cannot be {}", quoted(word)),
        );
        cx.report(match nearest(word, ["deny_all", "allow_all"]) {
            Some(known) => report.help(format!("did you mean `{known}`?")).fix(
                format!("write `{}`", requoted(value, known)),
                instead(value, requoted(value, known)),
            ),
            None if host_port::parse(word).is_ok() => report
                .help("places that may be reached stand in a list")
                .fix("make it a list", instead(value, format!("[\"{word}\"]"))),
            None => report.help(
                "write `deny_all`, `allow_all`, or a list such as `[\"api.example.com:443\"]`",
            ),
        });
        return;
    }
    let Plain::Array(array) = found else {
        let wanted = "`deny_all`, `allow_all` or a list of places";
        cx.wrong_type(name, value, found, wanted);
        return;
    };
    for element in array.elements() {
        let found = plain(element);
        match found.word() {
            Some(text) => {
                if let Err(error) = host_port::parse(text) {
                    cx.report(mini_report(&codes::B0726, element, error));
                }
            }
            None => cx.wrong_type(
                name,
                element,
                &found,
                "places such as `\"api.example.com:443\"`",
            ),
        }
    }
}

/// What a value means where its key is known: equal for equal meanings.
pub(super) fn typed_meaning(key: &Key, value: Expr<'_>) -> String {
    let found = plain(value);
    let typed = match key.value {
        Value::Duration | Value::Timeout => durations::nanos(&found).map(|n| n.to_string()),
        Value::Size => as_size(&found).map(|bytes| bytes.to_string()),
        Value::Bool => as_bool(&found).map(|value| value.to_string()),
        Value::Int(_) => as_int(&found).map(|value| value.to_string()),
        Value::Float | Value::Number | Value::Weight => {
            as_number(&found).map(|value| value.to_string())
        }
        Value::Tier => as_tier(&found).map(|tier| tier.as_str().to_owned()),
        _ => None,
    };
    typed.unwrap_or_else(|| super::plain::meaning(value))
}

#[cfg(test)]
mod tests {
    use super::is_version;

    #[test]
    fn versions_have_one_to_three_numbers_and_a_tail() {
        for text in [
            "1",
            "1.0",
            "1.2.3",
            "10.20.30",
            "1.2.3-beta.1",
            "1.0+build",
            "1.0-a-b+c",
        ] {
            assert!(is_version(text), "{text}");
        }
        for text in [
            "", "v1", "1.", "1.2.3.4", "latest", "1.x", "1.0-", "1.0-ä", "-1",
        ] {
            assert!(!is_version(text), "{text}");
        }
    }
}
