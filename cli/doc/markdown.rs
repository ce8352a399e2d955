//! Pages as Markdown.

use super::MADE;
use super::library::TITLE;
use super::model::{Block, Entry, Inline, Page, Place, Text};
use super::write::FileText;

/// The name of the page that leads to the others: what a browser of
/// repositories shows for a folder.
const INDEX: &str = "README.md";

/// A file for each page, and one that leads to them.
pub fn files(index: &[Block], pages: &[Page]) -> Vec<FileText> {
    let linking = Writer { links: true };
    let head = format!("<!-- {MADE}. What is changed here is lost. -->\n\n");
    let mut files = vec![FileText {
        name: INDEX.to_owned(),
        text: format!("{head}# {TITLE}\n{}", linking.blocks(index)),
    }];
    files.extend(pages.iter().map(|page| FileText {
        name: format!("{}.md", page.subject),
        text: format!(
            "{head}{}\nBack to [the standard library]({INDEX}).\n",
            linking.page(page, 1)
        ),
    }));
    files
}

/// All pages one after the other.
pub fn whole(index: &[Block], pages: &[Page]) -> String {
    let plain = Writer { links: false };
    let mut text = format!("# {TITLE}\n{}", plain.blocks(index));
    for page in pages {
        text.push('\n');
        text.push_str(&plain.page(page, 2));
    }
    text
}

/// One page.
pub fn page(page: &Page) -> String {
    Writer { links: false }.page(page, 1)
}

/// One name: its entries on the pages where it is.
pub fn name(name: &str, found: &[(&Page, &Entry)]) -> String {
    let plain = Writer { links: false };
    let mut text = format!("# {name}\n");
    for (page, entry) in found {
        text.push_str(&format!(
            "\n## {}\n{}",
            plain.line(&page.title),
            plain.blocks(&entry.blocks)
        ));
    }
    text
}

/// How it is written: with links to other files, or without.
struct Writer {
    links: bool,
}

impl Writer {
    fn page(&self, page: &Page, level: usize) -> String {
        let marks = "#".repeat(level);
        let mut text = format!("{marks} {}\n", self.line(&page.title));
        text.push_str(&self.blocks(&page.intro));
        for entry in &page.entries {
            text.push_str(&format!("\n{marks}# {}\n", entry.name));
            text.push_str(&self.blocks(&entry.blocks));
        }
        text
    }

    /// Each block behind an empty line.
    fn blocks(&self, blocks: &[Block]) -> String {
        let blocks = blocks.iter().map(|block| match block {
            Block::Paragraph(text) => format!("\n{}\n", self.prose(text)),
            Block::Signature(code) => format!("\n```text\n{code}\n```\n"),
            Block::Example(code) => format!("\n```symbi\n{code}\n```\n"),
            Block::List(texts) => {
                let points = texts.iter().map(|text| format!("- {}\n", self.line(text)));
                format!("\n{}", points.collect::<String>())
            }
            Block::Table(head, rows) => self.table(head, rows),
        });
        blocks.collect()
    }

    fn table(&self, head: &[&str], rows: &[Vec<Text>]) -> String {
        let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut text = "\n".to_owned();
        text.push_str(&row(head.iter().map(|cell| (*cell).to_owned()).collect()));
        text.push_str(&format!("|{}\n", "---|".repeat(head.len())));
        for cells in rows {
            let cells = cells.iter().map(|cell| self.line(cell).replace('|', "\\|"));
            text.push_str(&row(cells.collect()));
        }
        text
    }

    fn line(&self, text: &Text) -> String {
        self.prose(text).replace('\n', " ")
    }

    fn prose(&self, text: &Text) -> String {
        let parts = text.0.iter().map(|part| match part {
            Inline::Plain(words) => words.clone(),
            Inline::Code(code) => format!("`{code}`"),
            Inline::Link(place, code) if self.links => {
                format!("[`{code}`]({})", target(*place))
            }
            Inline::Link(_, code) => format!("`{code}`"),
        });
        parts.collect()
    }
}

fn target(place: Place) -> String {
    match place.name {
        Some(name) => format!("{}.md#{name}", place.subject),
        None => format!("{}.md", place.subject),
    }
}
