//! What a person means by a name: a page, or what has that name on any page.

use symbi_analysis::Stdlib;

use super::model::{Entry, Page};

/// What was found.
#[derive(Debug)]
pub enum Found<'p> {
    /// A page.
    Page(&'p Page),
    /// Entries of one name.
    Name(String, Vec<(&'p Page, &'p Entry)>),
}

/// What a name means. A declaration comes before a page of its name, which can
/// be written as its file is called: `log.symbi`. A call pattern and a name
/// that an effect may have lead to the effect.
pub fn find<'p>(pages: &'p [Page], wanted: &str) -> Option<Found<'p>> {
    let wanted = wanted.trim();
    let entries = |name: &str| -> Vec<(&'p Page, &'p Entry)> {
        let of_page = |page: &'p Page| {
            let named = page.entries.iter().filter(|entry| entry.name == name);
            let named: Vec<_> = named.map(|entry| (page, entry)).collect();
            named
        };
        pages.iter().flat_map(of_page).collect()
    };
    let found = entries(wanted);
    if !found.is_empty() {
        return Some(Found::Name(wanted.to_owned(), found));
    }
    let subject = wanted.strip_suffix(".symbi").unwrap_or(wanted);
    if let Some(page) = pages.iter().find(|page| page.subject == subject) {
        return Some(Found::Page(page));
    }
    let effect = effect_named(wanted)?;
    Some(Found::Name(effect.to_owned(), entries(effect)))
}

/// The effect that has a call pattern or a name.
fn effect_named(wanted: &str) -> Option<&'static str> {
    let kind = wanted.split_once("::").map(|(kind, _)| kind);
    let mut effects = Stdlib::get().effects.iter();
    let found = effects.find(|(_, effect)| {
        let mut names = effect.selectors.iter().chain(&effect.one_of);
        let form = effect
            .named
            .as_deref()
            .and_then(|form| form.split_once("::"));
        names.any(|name| **name == *wanted) || form.is_some_and(|(known, _)| Some(known) == kind)
    });
    found.map(|(name, _)| name)
}

/// The name that was probably meant.
pub fn near<'p>(pages: &'p [Page], wanted: &str) -> Option<&'p str> {
    let names = pages.iter().flat_map(|page| {
        let entries = page.entries.iter().map(|entry| entry.name);
        entries.chain([page.subject])
    });
    symbi_analysis::nearest(wanted.trim(), names)
}

#[cfg(test)]
mod tests {
    use super::super::library;
    use super::*;

    #[test]
    fn names_lead_to_entries_and_pages() {
        let pages = library::pages();
        let found = |wanted: &str| match find(&pages, wanted) {
            Some(Found::Page(page)) => format!("page {}", page.subject),
            Some(Found::Name(name, found)) => {
                let subjects: Vec<&str> = found.iter().map(|(page, _)| page.subject).collect();
                format!("{name} in {}", subjects.join(", "))
            }
            None => "nothing".to_owned(),
        };
        let table = [
            ("slice", "slice in strings, lists"),
            (
                "length",
                "length in strings, lists, maps, sets, json, guards",
            ),
            ("memory_read", "memory_read in memory, effects"),
            ("human_approval", "human_approval in obligations"),
            ("read", "read in groups"),
            ("log_level", "log_level in audit"),
            ("strings", "page strings"),
            ("strings.symbi", "page strings"),
            ("log", "log in log"),
            ("log.symbi", "page log"),
            ("web_request", "network_access in effects"),
            ("codex", "driver in effects"),
            ("delegate::reviewer", "delegate in agents, effects"),
            (" slice ", "slice in strings, lists"),
            ("", "nothing"),
            ("Map::new", "nothing"),
            ("slices", "nothing"),
        ];
        for (wanted, expected) in table {
            assert_eq!(found(wanted), expected, "{wanted:?}");
        }
    }
}
