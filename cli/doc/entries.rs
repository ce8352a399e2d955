//! What is said about one name on one page.

use symbi_analysis::Stdlib;
use symbi_analysis::stdlib::{
    Effect, Function, Group, Obligation, Reads, Several, StdlibDeclaration, StdlibKind,
};

use super::library::{place_of, subjects};
use super::model::{Block, Inline, Place, Text};

/// A declaration with its place among all.
type Placed = (usize, &'static StdlibDeclaration);

/// What stands under a name: each declaration of it, then where else it is.
/// `prose` makes text of documentation.
pub fn blocks(declared: &[Placed], prose: impl Fn(&str) -> Text) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (place, one) in declared {
        if matches!(
            one.kind,
            StdlibKind::Function | StdlibKind::Guard | StdlibKind::Effect
        ) {
            blocks.push(Block::Signature(signature(one)));
        }
        blocks.extend(documentation(&one.docs(), &prose));
        let facts = facts(*place, one);
        if !facts.is_empty() {
            blocks.push(Block::List(facts));
        }
    }
    if let Some((_, one)) = declared.first()
        && one.kind == StdlibKind::Function
    {
        let here = place_of(one);
        let others: Vec<(Place, &str)> = subjects(one.name, StdlibKind::Function)
            .into_iter()
            .filter(|place| *place != here)
            .map(|place| (place, place.subject))
            .collect();
        if !others.is_empty() {
            let text = Text::parse("Others of this name: ").links(&others);
            blocks.push(Block::Paragraph(text.and(".")));
        }
    }
    blocks
}

/// The table at the head of a page of obligations.
pub fn overview(declared: &[Placed]) -> Option<Block> {
    let rows: Vec<Vec<Text>> = declared
        .iter()
        .filter_map(|(_, one)| {
            let row = obligation(one)?;
            Some(vec![
                Text::default().link(place_of(one), one.name),
                takes(row),
                Text::parse(several(row)),
                enforced(row),
            ])
        })
        .collect();
    let head = vec!["name", "takes", "where several apply", "enforced"];
    (!rows.is_empty()).then_some(Block::Table(head, rows))
}

/// A declaration as it is written, without what the facts say.
fn signature(declared: &StdlibDeclaration) -> String {
    let text = declared.text();
    let text = text.split_once(" {\n").map_or(text, |(head, _)| head);
    let text = text.trim_end_matches(';');
    // Behind `extern function`.
    let mut words = text.splitn(3, ' ');
    words.nth(2).unwrap_or(text).to_owned()
}

/// Documentation: paragraphs, and fences with examples.
fn documentation(docs: &str, prose: impl Fn(&str) -> Text) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (at, part) in docs.split("```").enumerate() {
        if at % 2 == 1 {
            let code = part.strip_prefix("symbi\n").unwrap_or(part);
            blocks.push(Block::Example(code.trim_end().to_owned()));
            continue;
        }
        let paragraphs = part.split("\n\n").map(str::trim);
        // The fence behind it says so.
        let paragraphs = paragraphs.filter(|text| !text.is_empty() && *text != "Example:");
        blocks.extend(paragraphs.map(|text| Block::Paragraph(prose(text))));
    }
    blocks
}

fn facts(place: usize, declared: &StdlibDeclaration) -> Vec<Text> {
    let library = Stdlib::get();
    let name = declared.name;
    match declared.kind {
        StdlibKind::Function | StdlibKind::Guard => {
            let table = match declared.kind {
                StdlibKind::Guard => &library.guards,
                _ => &library.functions,
            };
            let all = table.get(name).map_or(&[][..], Vec::as_slice);
            let function = all.iter().find(|one| one.facts.declaration == place);
            function.map_or_else(Vec::new, |function| of_function(declared, function))
        }
        StdlibKind::Effect => library
            .effects
            .get(name)
            .map_or_else(Vec::new, |effect| of_effect(name, effect)),
        StdlibKind::Group => library
            .groups
            .get(name)
            .map_or_else(Vec::new, |group| vec![members(group)]),
        StdlibKind::Obligation | StdlibKind::Audit => {
            obligation(declared).map_or_else(Vec::new, |row| {
                vec![
                    Text::parse("It takes ").then(takes(row)).and("."),
                    Text::parse("Where several apply: ")
                        .and(several(row))
                        .and("."),
                    match row.enforced {
                        Some(_) => Text::parse("Enforced: ").then(enforced(row)).and("."),
                        None if declared.kind == StdlibKind::Audit => {
                            Text::parse("Not enforced yet, which is a warning.")
                        }
                        None => Text::parse(
                            "Not enforced yet: an agent that demands it may not run unless the project waives it.",
                        ),
                    },
                ]
            })
        }
    }
}

fn of_function(declared: &StdlibDeclaration, function: &Function) -> Vec<Text> {
    let library = Stdlib::get();
    let facts = &function.facts;
    let mut all = Vec::new();
    if let Some(other) = &facts.same_as {
        // On this page, if it is here.
        let here = place_of(declared).subject;
        let mut places = subjects(other, declared.kind).into_iter();
        let first = places.next();
        if let Some(place) = places.find(|place| place.subject == here).or(first) {
            let text = Text::parse("Another name of ").link(place, other);
            all.push(text.and("."));
        }
    }
    if let Some(name) = &facts.effect {
        all.extend(effect_told(name));
    }
    if facts.journalled {
        all.push(Text::parse(
            "Journalled: what it gives is on record, and a run that is resumed or replayed gets the same. No policy \
             is asked about it.",
        ));
    }
    if facts.property {
        all.push(Text::parse(&format!(
            "It may be read without parentheses: `value.{}`.",
            declared.name
        )));
    }
    if facts.updates {
        all.push(Text::parse(
            "It changes the place on its left, which has to be one that can be assigned to.",
        ));
    }
    if !facts.may_hold_secrets.is_empty() {
        let names = facts.may_hold_secrets.iter();
        let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
        all.push(Text::parse(&format!(
            "A Secret may stand in {}.",
            names.join(" and ")
        )));
    }
    let guards = library
        .guards
        .get(declared.name)
        .map_or(&[][..], Vec::as_slice);
    let alike = |guard: &Function| guard.signature.params == function.signature.params;
    if declared.kind == StdlibKind::Function && guards.iter().any(alike) {
        let place = subjects(declared.name, StdlibKind::Guard);
        let text = Text::parse("The guards of rules may call it: ");
        let places: Vec<(Place, &str)> =
            place.iter().map(|place| (*place, place.subject)).collect();
        all.push(text.links(&places).and("."));
    }
    all
}

/// What policies are asked about a function that is an effect.
fn effect_told(name: &str) -> Option<Text> {
    let (declared, effect) = effect_of(name)?;
    let text = Text::parse("It is an effect: policies are asked about ");
    let places = subjects(declared, StdlibKind::Effect);
    let text = match (places.first(), parameter(name)) {
        (Some(place), None) => text.link(*place, name),
        (_, None) => text.and(&format!("`{name}`")),
        (_, Some(param)) => {
            let what = match param.split_once('.') {
                None => format!("the value of `{param}`"),
                Some((list, field)) => format!("the `{field}` of each element of `{list}`"),
            };
            text.and(&format!("`{name}`, where {what} stands in the braces"))
        }
    };
    let seen = effect.params.iter().map(|(name, _)| format!("`{name}`"));
    let seen: Vec<String> = seen.collect();
    let text = match seen.as_slice() {
        [] => text,
        _ => text.and(&format!(". They see {}", listed(&seen))),
    };
    Some(match (places.first(), parameter(name)) {
        (Some(place), Some(_)) => text.and(", as ").link(*place, declared).and(" says."),
        _ => text.and("."),
    })
}

/// The parameter in the braces of an effect's name.
fn parameter(name: &str) -> Option<&str> {
    let (_, rest) = name.split_once('{')?;
    rest.split_once('}').map(|(param, _)| param)
}

/// The declaration of an effect: of `delegate::{agent}` the one whose names
/// have that form, of `{tool}` the one of that word.
fn effect_of(name: &str) -> Option<(&'static str, &'static Effect)> {
    let effects = &Stdlib::get().effects;
    let word = match (name.split_once("::"), parameter(name)) {
        (Some((kind, _)), _) => kind,
        (None, Some(param)) => param,
        (None, None) => name,
    };
    effects.iter().find(|(declared, _)| *declared == word)
}

fn of_effect(name: &str, effect: &Effect) -> Vec<Text> {
    let library = Stdlib::get();
    let mut all = Vec::new();
    if let Some(form) = effect.named.as_deref().filter(|form| form.contains("::")) {
        all.push(Text::parse(&format!("Its names have the form `{form}`.")));
    }
    if !effect.one_of.is_empty() {
        all.push(Text::parse(&format!(
            "Its names are {}.",
            code(&effect.one_of)
        )));
    }
    if !effect.selectors.is_empty() {
        let (patterns, own) = match effect.selectors.len() {
            1 => ("The call pattern", "matches it by any name; its"),
            _ => ("The call patterns", "match it by any name; their"),
        };
        all.push(Text::parse(&format!(
            "{patterns} {} {own} one argument is the record of these parameters.",
            code(&effect.selectors)
        )));
    }
    if !effect.covers.is_empty() {
        let text = Text::parse("It is a pattern: a rule about it is about ");
        all.push(text.links(&effect_links(&effect.covers)).and("."));
    }
    let patterns: Vec<(Place, &str)> = library
        .effects
        .iter()
        .filter(|(_, other)| other.covers.iter().any(|covered| **covered == *name))
        .flat_map(|(other, _)| places(other, StdlibKind::Effect))
        .collect();
    if !patterns.is_empty() {
        let text = Text::parse("Rules about ").links(&patterns);
        all.push(text.and(" are about it too."));
    }
    if effect.monitoring {
        all.push(Text::parse(
            "A tool that watches a program: every program has it, and no list of capabilities hides it.",
        ));
    }
    let groups: Vec<(Place, &str)> = library
        .groups
        .iter()
        .filter(|(_, group)| group.members.iter().any(|member| **member == *name))
        .flat_map(|(group, _)| places(group, StdlibKind::Group))
        .collect();
    if !groups.is_empty() {
        let word = if groups.len() == 1 { "group" } else { "groups" };
        let text = Text::parse(&format!("In the {word} ")).links(&groups);
        all.push(text.and("."));
    }
    let mut functions: Vec<(Place, &str)> = Vec::new();
    for (function, overloads) in library.functions.iter() {
        let is_it = |one: &Function| {
            let effect = one.facts.effect.as_deref().and_then(effect_of);
            effect.is_some_and(|(declared, _)| declared == name)
        };
        if overloads.iter().any(is_it) {
            functions.extend(places(function, StdlibKind::Function));
        }
    }
    if !functions.is_empty() {
        let text = Text::parse("What a program calls: ").links(&functions);
        all.push(text.and("."));
    }
    all
}

fn places(name: &'static str, kind: StdlibKind) -> Vec<(Place, &'static str)> {
    let places = subjects(name, kind).into_iter();
    places.map(|place| (place, name)).collect()
}

fn effect_links(names: &[std::sync::Arc<str>]) -> Vec<(Place, &str)> {
    let links = names.iter().flat_map(|name| {
        let places = subjects(name, StdlibKind::Effect).into_iter();
        places.map(move |place| (place, &**name))
    });
    links.collect()
}

fn members(group: &Group) -> Text {
    let text = Text::parse("Its members: ");
    text.links(&effect_links(&group.members)).and(".")
}

fn obligation(declared: &StdlibDeclaration) -> Option<&'static Obligation> {
    match declared.kind {
        StdlibKind::Obligation => Stdlib::get().obligations.get(declared.name),
        StdlibKind::Audit => Stdlib::get().audit.get(declared.name),
        _ => None,
    }
}

/// The values that a row reads.
fn takes(row: &Obligation) -> Text {
    if !row.one_of.is_empty() {
        let texts = row.one_of.iter().map(|text| format!("`\"{text}\"`"));
        return Text::parse(&either(&texts.collect::<Vec<_>>()));
    }
    let forms = row.reads.iter().map(|form| match form {
        Reads::Flag => "`true` or `false`",
        Reads::Names => "a list of names",
        Reads::Count => "a whole number above 0",
        Reads::Rate => "a rate such as `\"100/minute\"`",
        Reads::Duration => "a duration",
        Reads::Size => "a size",
        Reads::Tier => "a sandbox tier",
        Reads::Text => "a text",
    });
    let forms: Vec<&str> = forms.collect();
    Text::parse(&forms.join(", or "))
}

fn several(row: &Obligation) -> &'static str {
    match row.several {
        Several::Lowest if !row.one_of.is_empty() => "the one that is listed first holds",
        Several::All => "all of them hold",
        Several::Lowest => "the lowest holds",
        Several::Highest => "the highest holds",
    }
}

fn enforced(row: &Obligation) -> Text {
    match &row.enforced {
        Some(by) => Text(vec![Inline::Code(by.to_string())]),
        None => Text::parse("not yet"),
    }
}

fn code(names: &[std::sync::Arc<str>]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    listed(&names)
}

/// `a, b and c`.
fn listed(words: &[String]) -> String {
    joined(words, "and")
}

/// `a, b or c`.
fn either(words: &[String]) -> String {
    joined(words, "or")
}

fn joined(words: &[String], last_word: &str) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} {last_word} {last}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_that_is_an_effect_leads_to_it() {
        for (name, overloads) in Stdlib::get().functions.iter() {
            for effect in overloads
                .iter()
                .filter_map(|one| one.facts.effect.as_deref())
            {
                assert!(effect_told(effect).is_some(), "{name}: {effect}");
            }
        }
        let told = |name: &str| effect_told(name).unwrap().words();
        assert_eq!(
            told("memory_read"),
            "It is an effect: policies are asked about memory_read. They see title and memory."
        );
        assert_eq!(
            told("delegate::{tasks.agent}"),
            "It is an effect: policies are asked about delegate::{tasks.agent}, where the agent of each element of \
             tasks stands in the braces. They see name and input, as delegate says."
        );
        assert!(effect_told("nothing").is_none());
    }

    #[test]
    fn signatures_are_without_what_the_facts_say() {
        let of = |name: &str, kind: StdlibKind| {
            let all = Stdlib::get().declarations.iter();
            let mut all = all.filter(|one| one.name == name && one.kind == kind);
            signature(all.next().unwrap())
        };
        assert_eq!(of("now", StdlibKind::Function), "now() -> Time");
        assert_eq!(
            of("tool_call", StdlibKind::Function),
            "tool_call(tool: String, arguments: Any = {}) -> JSON"
        );
        assert_eq!(of("list_agents", StdlibKind::Effect), "list_agents()");
        assert!(of("reason", StdlibKind::Function).contains(",\n    user: Any,\n"));
    }
}
