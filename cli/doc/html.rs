//! Pages as HTML that needs no other file.

use super::MADE;
use super::library::TITLE;
use super::model::{Block, Entry, Inline, Page, Place, Text};
use super::write::FileText;

const STYLE: &str = include_str!("style.css");

/// The name of the page that leads to the others.
const INDEX: &str = "index.html";

/// A file for each page, and one that leads to them.
pub fn files(index: &[Block], pages: &[Page]) -> Vec<FileText> {
    let writer = Writer {
        links: Links::Files,
    };
    let body = format!("<h1>{TITLE}</h1>\n{}", writer.blocks(index));
    let mut files = vec![FileText {
        name: INDEX.to_owned(),
        text: document(TITLE, &body),
    }];
    files.extend(pages.iter().map(|page| {
        let body = format!("{}{}", navigation(page, pages), writer.page(page, 1));
        FileText {
            name: format!("{}.html", page.subject),
            text: document(&page.title.words(), &body),
        }
    }));
    files
}

/// All pages in one document.
pub fn whole(index: &[Block], pages: &[Page]) -> String {
    let writer = Writer { links: Links::Here };
    let mut body = format!("<h1>{TITLE}</h1>\n{}", writer.blocks(index));
    for page in pages {
        body.push_str(&writer.page(page, 2));
    }
    document(TITLE, &body)
}

/// One page.
pub fn page(page: &Page) -> String {
    let writer = Writer { links: Links::None };
    document(&page.title.words(), &writer.page(page, 1))
}

/// One name: its entries on the pages where it is.
pub fn name(name: &str, found: &[(&Page, &Entry)]) -> String {
    let writer = Writer { links: Links::None };
    let mut body = format!("<h1>{}</h1>\n", escaped(name));
    for (page, entry) in found {
        body.push_str(&format!(
            "<h2>{}</h2>\n{}",
            writer.prose(&page.title),
            writer.blocks(&entry.blocks)
        ));
    }
    document(name, &body)
}

/// `title` is plain text, `body` is HTML.
fn document(title: &str, body: &str) -> String {
    let title = escaped(title);
    let body = body.trim_end();
    format!(
        "<!doctype html>\n\
         <html lang=\"en\">\n\
         <head>\n\
         <meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"{MADE}\">\n\
         <title>{title}</title>\n\
         <style>\n{STYLE}</style>\n\
         </head>\n\
         <body>\n\
         {body}\n\
         </body>\n\
         </html>\n"
    )
}

fn navigation(page: &Page, pages: &[Page]) -> String {
    let others = pages.iter().map(|other| match other.subject {
        same if same == page.subject => same.to_owned(),
        other => format!("<a href=\"{other}.html\">{other}</a>"),
    });
    let others: Vec<String> = others.collect();
    format!(
        "<nav><a href=\"{INDEX}\">{TITLE}</a>: {}</nav>\n",
        others.join(" · ")
    )
}

/// Where links lead.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    /// To the file of a page.
    Files,
    /// To another part of the same document.
    Here,
    /// Nowhere: the rest is not there.
    None,
}

struct Writer {
    links: Links,
}

impl Writer {
    fn page(&self, page: &Page, level: usize) -> String {
        let mut html = format!(
            "<h{level} id=\"{}\">{}</h{level}>\n{}",
            self.id(page.subject, None),
            self.prose(&page.title),
            self.blocks(&page.intro)
        );
        let below = level + 1;
        for entry in &page.entries {
            html.push_str(&format!(
                "<h{below} id=\"{}\">{}</h{below}>\n{}",
                self.id(page.subject, Some(entry.name)),
                entry.name,
                self.blocks(&entry.blocks)
            ));
        }
        html
    }

    /// What a heading is called. A page of its own has no other entries; a
    /// title has a point, so that it is none of the names.
    fn id(&self, subject: &str, name: Option<&str>) -> String {
        match (name, self.links) {
            (Some(name), Links::Here) => format!("{subject}.{name}"),
            (Some(name), _) => name.to_owned(),
            (None, _) => format!("{subject}.symbi"),
        }
    }

    fn href(&self, place: Place) -> Option<String> {
        match self.links {
            Links::None => None,
            Links::Here => Some(format!("#{}", self.id(place.subject, place.name))),
            Links::Files => Some(match place.name {
                Some(name) => format!("{}.html#{name}", place.subject),
                None => format!("{}.html", place.subject),
            }),
        }
    }

    fn blocks(&self, blocks: &[Block]) -> String {
        let blocks = blocks.iter().map(|block| match block {
            Block::Paragraph(text) => format!("<p>{}</p>\n", self.prose(text)),
            Block::Signature(code) => format!(
                "<pre class=\"signature\"><code>{}</code></pre>\n",
                escaped(code)
            ),
            Block::Example(code) => {
                let lines: Vec<String> = code.lines().map(example_line).collect();
                format!("<pre><code>{}</code></pre>\n", lines.join("\n"))
            }
            Block::List(texts) => {
                let points = texts
                    .iter()
                    .map(|text| format!("<li>{}</li>\n", self.prose(text)));
                format!("<ul>\n{}</ul>\n", points.collect::<String>())
            }
            Block::Table(head, rows) => self.table(head, rows),
        });
        blocks.collect()
    }

    fn table(&self, head: &[&str], rows: &[Vec<Text>]) -> String {
        let head: String = head
            .iter()
            .map(|cell| format!("<th>{}</th>", escaped(cell)))
            .collect();
        let rows = rows.iter().map(|cells| {
            let cells = cells
                .iter()
                .map(|cell| format!("<td>{}</td>", self.prose(cell)));
            format!("<tr>{}</tr>\n", cells.collect::<String>())
        });
        format!(
            "<div class=\"scroll\"><table>\n<tr>{head}</tr>\n{}</table></div>\n",
            rows.collect::<String>()
        )
    }

    fn prose(&self, text: &Text) -> String {
        let parts = text.0.iter().map(|part| match part {
            Inline::Plain(words) => escaped(words),
            Inline::Code(code) => format!("<code>{}</code>", escaped(code)),
            Inline::Link(place, code) => {
                let code = format!("<code>{}</code>", escaped(code));
                match self.href(*place) {
                    Some(href) => format!("<a href=\"{}\">{code}</a>", escaped(&href)),
                    None => code,
                }
            }
        });
        parts.collect()
    }
}

/// A line of an example, with what it gives apart.
fn example_line(line: &str) -> String {
    match line.split_once(" // => ") {
        Some((code, value)) => format!(
            "{} <span class=\"result\">// =&gt; {}</span>",
            escaped(code),
            escaped(value)
        ),
        None => escaped(line),
    }
}

/// Text in which nothing is a mark.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            other => html.push(other),
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_a_mark() {
        let text = Text::parse("a < b & `Array<T>` \"c\"");
        let writer = Writer { links: Links::None };
        assert_eq!(
            writer.blocks(&[Block::Paragraph(text)]),
            "<p>a &lt; b &amp; <code>Array&lt;T&gt;</code> &quot;c&quot;</p>\n"
        );
        assert_eq!(
            example_line("\"<\" + x // => \"<&\""),
            "&quot;&lt;&quot; + x <span class=\"result\">// =&gt; &quot;&lt;&amp;&quot;</span>"
        );
    }
}
