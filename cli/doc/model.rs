//! Documentation as data: pages of entries of blocks of text, as yet in no
//! format.

/// What stands on one page: the declarations of one file.
#[derive(Debug)]
pub struct Page {
    /// The name of the file in `stdlib/`, without its ending.
    pub subject: &'static str,
    /// Its title.
    pub title: Text,
    /// What stands before the entries.
    pub intro: Vec<Block>,
    /// One for each name.
    pub entries: Vec<Entry>,
}

/// What a name stands for on one page.
#[derive(Debug)]
pub struct Entry {
    /// The name.
    pub name: &'static str,
    /// What is said about it.
    pub blocks: Vec<Block>,
}

/// A part of a page that begins on a line of its own.
#[derive(Debug, PartialEq)]
pub enum Block {
    /// Prose.
    Paragraph(Text),
    /// A declaration.
    Signature(String),
    /// Lines of a program, with what they give.
    Example(String),
    /// Points in no order.
    List(Vec<Text>),
    /// Rows under a head.
    Table(Vec<&'static str>, Vec<Vec<Text>>),
}

/// A piece of prose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Text(pub Vec<Inline>);

/// A part of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Inline {
    /// Words.
    Plain(String),
    /// Code.
    Code(String),
    /// Code that leads to where it is explained.
    Link(Place, String),
}

/// A page, or an entry on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The page.
    pub subject: &'static str,
    /// The entry.
    pub name: Option<&'static str>,
}

impl Text {
    /// Prose in which backticks enclose code, the one mark that there is in
    /// the documentation of declarations.
    pub fn parse(text: &str) -> Self {
        let parts = text.split('`').enumerate();
        let parts = parts.filter(|(_, part)| !part.is_empty());
        Self(
            parts
                .map(|(at, part)| match at % 2 {
                    0 => Inline::Plain(part.to_owned()),
                    _ => Inline::Code(part.to_owned()),
                })
                .collect(),
        )
    }

    /// The same with more prose behind it.
    pub fn and(mut self, text: &str) -> Self {
        self.0.extend(Self::parse(text).0);
        self
    }

    /// The same with another text behind it.
    pub fn then(mut self, text: Text) -> Self {
        self.0.extend(text.0);
        self
    }

    /// The same with a link behind it.
    pub fn link(mut self, place: Place, text: &str) -> Self {
        self.0.push(Inline::Link(place, text.to_owned()));
        self
    }

    /// The same with a list of links behind it.
    pub fn links(mut self, all: &[(Place, &str)]) -> Self {
        for (at, (place, text)) in all.iter().enumerate() {
            if at > 0 {
                self = self.and(", ");
            }
            self = self.link(*place, text);
        }
        self
    }

    /// The words alone.
    pub fn words(&self) -> String {
        let words = self.0.iter().map(|part| match part {
            Inline::Plain(text) | Inline::Code(text) | Inline::Link(_, text) => text.as_str(),
        });
        words.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Inline, Text};

    #[test]
    fn backticks_enclose_code() {
        let plain = |text: &str| Inline::Plain(text.to_owned());
        let code = |text: &str| Inline::Code(text.to_owned());
        let table = [
            ("", vec![]),
            ("a b", vec![plain("a b")]),
            ("`a`", vec![code("a")]),
            ("a `b` c", vec![plain("a "), code("b"), plain(" c")]),
            ("`a``b`", vec![code("a"), code("b")]),
        ];
        for (text, expected) in table {
            assert_eq!(Text::parse(text), Text(expected), "{text}");
        }
        assert_eq!(Text::parse("a `b`").words(), "a b");
    }
}
