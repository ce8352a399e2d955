//! The pages of the standard library: one for each file of `stdlib/`, with all
//! that it declares in its order.

use symbi_analysis::Stdlib;
use symbi_analysis::stdlib::{SOURCES, StdlibDeclaration, StdlibKind, StdlibSource};

use super::entries;
use super::model::{Block, Entry, Inline, Page, Place, Text};

/// The title of all of it.
pub const TITLE: &str = "The standard library";

/// Every page.
pub fn pages() -> Vec<Page> {
    SOURCES.iter().map(page).collect()
}

/// What stands before all pages: what there is, how to read it, and where each
/// function is.
pub fn index(pages: &[Page]) -> Vec<Block> {
    let mut blocks: Vec<Block> = READING.iter().map(|text| paragraph(text)).collect();
    blocks.push(Block::List(
        SIGNS.iter().map(|text| Text::parse(text)).collect(),
    ));
    let rows = pages.iter().map(|page| {
        let place = Place {
            subject: page.subject,
            name: None,
        };
        vec![
            Text::default().link(place, page.subject),
            page.title.clone(),
        ]
    });
    blocks.push(Block::Table(vec!["page", "about"], rows.collect()));
    blocks.push(paragraph("Every function:"));
    let library = Stdlib::get();
    let rows = library.functions.keys().map(|name| {
        let places: Vec<(Place, &str)> = subjects(name, StdlibKind::Function)
            .into_iter()
            .map(|place| (place, place.subject))
            .collect();
        vec![
            Text(vec![Inline::Code(name.to_string())]),
            Text::default().links(&places),
        ]
    });
    blocks.push(Block::Table(vec!["function", "page"], rows.collect()));
    blocks
}

const READING: [&str; 2] = [
    "What the language has built in: functions, the effects that policies are asked about, groups of them, what \
     guards may call, what `require` may demand, and the keys of `audit`. No import is needed.",
    "A function stands with its parameters, their types, and what it gives:",
];

const SIGNS: [&str; 6] = [
    "What begins with `self` is a method too: `text.upper()` and `upper(text)` are the same.",
    "A parameter with a value behind `=` may be left out, and has this value then. `Rest<T>` takes all arguments that \
     are left.",
    "`T?` is a `T` or `null`. `T`, `U`, `K` and `V` stand for any type, the same one wherever they stand. `Null` is \
     the type of `null`, `Never` that of what always raises.",
    "Where several functions have one name, a call means the first that takes all its arguments.",
    "What raises gives an error whose kind is named; `catch (KIND e)` takes it.",
    "Behind `// =>` stands what a line of an example gives.",
];

fn paragraph(text: &str) -> Block {
    Block::Paragraph(Text::parse(text))
}

/// The declarations of a file, in its order.
fn declared_in(source: &StdlibSource) -> Vec<(usize, &'static StdlibDeclaration)> {
    let all = Stdlib::get().declarations.iter().enumerate();
    all.filter(|(_, declared)| declared.file() == source.name)
        .collect()
}

/// The entries that have declarations of this name and kind.
pub fn subjects(name: &str, kind: StdlibKind) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    for declared in &Stdlib::get().declarations {
        if declared.name != name || declared.kind != kind {
            continue;
        }
        let place = place_of(declared);
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

/// The entry of a declaration.
pub fn place_of(declared: &StdlibDeclaration) -> Place {
    let subject = SOURCES
        .get(declared.source)
        .map_or("", StdlibSource::subject);
    Place {
        subject,
        name: Some(declared.name),
    }
}

fn page(source: &StdlibSource) -> Page {
    let declared = declared_in(source);
    let mut names: Vec<&'static str> = Vec::new();
    for (_, one) in &declared {
        if !names.contains(&one.name) {
            names.push(one.name);
        }
    }
    let subject = source.subject();
    // The other paragraphs are for people who declare something.
    let about = source.about();
    let about = about.split("\n\n").next().unwrap_or_default();
    let (title, prose) = match about.split_once(". ").or_else(|| about.split_once(".\n")) {
        Some((title, prose)) => (title, prose),
        None => (about.trim_end_matches('.'), ""),
    };
    let mut intro = Vec::new();
    if !prose.is_empty() {
        // It begins behind the title: its lines are not as they were.
        let prose = prose.replace('\n', " ");
        intro.push(Block::Paragraph(linked(&prose, subject, &names, "")));
    }
    if let Some(table) = entries::overview(&declared) {
        intro.push(table);
    } else if names.len() > 1 {
        let places: Vec<(Place, &str)> = names
            .iter()
            .map(|name| (here(subject, name), *name))
            .collect();
        intro.push(Block::Paragraph(Text::default().links(&places)));
    }
    let entries = names
        .iter()
        .map(|name| {
            let own = declared.iter().filter(|(_, one)| one.name == *name);
            Entry {
                name,
                blocks: entries::blocks(&own.copied().collect::<Vec<_>>(), |prose| {
                    linked(prose, subject, &names, name)
                }),
            }
        })
        .collect();
    Page {
        subject,
        title: Text::parse(&title.replace('\n', " ")),
        intro,
        entries,
    }
}

fn here(subject: &'static str, name: &'static str) -> Place {
    Place {
        subject,
        name: Some(name),
    }
}

/// Prose whose code leads to the entries of the same page that it names. Words
/// such as `error` are often no functions: only what stands nearby is meant.
fn linked(prose: &str, subject: &'static str, names: &[&'static str], own: &str) -> Text {
    let mut text = Text::parse(prose);
    for part in &mut text.0 {
        if let Inline::Code(code) = part
            && code != own
            && let Some(name) = names.iter().find(|name| **name == *code)
        {
            *part = Inline::Link(here(subject, name), code.clone());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use symbi_analysis::Stdlib;

    use super::*;

    #[test]
    fn every_declaration_is_on_the_page_of_its_file() {
        let pages = pages();
        assert_eq!(pages.len(), SOURCES.len());
        let mut signatures = 0;
        for declared in &Stdlib::get().declarations {
            let place = place_of(declared);
            let page = pages.iter().find(|page| page.subject == place.subject);
            let entry = page.and_then(|page| page.entries.iter().find(|e| e.name == declared.name));
            assert!(entry.is_some(), "{}", declared.name);
        }
        for entry in pages.iter().flat_map(|page| &page.entries) {
            let is_signature = |block: &&Block| matches!(block, Block::Signature(_));
            signatures += entry.blocks.iter().filter(is_signature).count();
        }
        let typed = |kind| {
            matches!(
                kind,
                StdlibKind::Function | StdlibKind::Guard | StdlibKind::Effect
            )
        };
        let declared = Stdlib::get().declarations.iter();
        assert_eq!(signatures, declared.filter(|one| typed(one.kind)).count());
    }

    #[test]
    fn titles_are_the_first_sentences_of_the_files() {
        let title = |subject: &str| {
            let pages = pages();
            let page = pages.iter().find(|page| page.subject == subject).unwrap();
            page.title.words()
        };
        assert_eq!(title("strings"), "Strings");
        assert_eq!(title("json"), "JSON");
        assert_eq!(
            title("text"),
            "Longer texts: prompts, reports, what a tool printed"
        );
        assert_eq!(
            title("audit"),
            "Keys of audit: what is put on record, and for how long"
        );
    }

    /// What the formats need not know of is not there.
    #[test]
    fn documentation_has_no_marks_but_backticks() {
        for page in pages() {
            let blocks = page.entries.iter().flat_map(|entry| &entry.blocks);
            for block in blocks.chain(&page.intro) {
                let texts: Vec<&Text> = match block {
                    Block::Paragraph(text) => vec![text],
                    Block::List(texts) => texts.iter().collect(),
                    Block::Table(_, rows) => rows.iter().flatten().collect(),
                    Block::Signature(_) | Block::Example(_) => continue,
                };
                for part in texts.iter().flat_map(|text| &text.0) {
                    if let Inline::Plain(words) = part {
                        assert!(
                            !words.contains(['*', '_', '<', '[', '#', '|', '`', '\\', '&']),
                            "{}: {words:?}",
                            page.subject
                        );
                    }
                }
            }
        }
    }
}
