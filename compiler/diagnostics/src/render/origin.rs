//! What a report is about, for programs that look the file up themselves: as a
//! path that is the same on every machine, and as the URI of RFC 3986.

/// What a report is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A file, by its path with forward slashes: from the folder that the run
    /// was started in, or absolute.
    File(String),
    /// A text that is no file, by its label, such as `<stdin>`.
    Text(String),
}

impl Origin {
    /// A file, by its path as the user wrote it or as it was found. What a path
    /// can be without is left out of it: `./a//b` is `a/b`. `..` stays, because
    /// what it leads to is not known here.
    pub fn file(path: &str) -> Self {
        let slashed = if cfg!(windows) {
            path.replace('\\', "/")
        } else {
            path.to_owned()
        };
        let parts: Vec<&str> = slashed
            .split('/')
            .filter(|part| !part.is_empty() && *part != ".")
            .collect();
        let path = parts.join("/");
        Self::File(match (slashed.starts_with('/'), path.as_str()) {
            (true, _) => format!("/{path}"),
            (false, "") => ".".to_owned(),
            (false, _) => path,
        })
    }

    /// The path or the label.
    pub fn name(&self) -> &str {
        match self {
            Self::File(name) | Self::Text(name) => name,
        }
    }

    /// Whether it is found from the folder that the run was started in.
    pub fn is_relative(&self) -> bool {
        match self {
            Self::File(path) => !path.starts_with('/') && drive(path).is_none(),
            Self::Text(_) => false,
        }
    }

    /// Its URI: a relative reference where the path is relative, else of the
    /// scheme `file`. A label is a relative reference too: it has no scheme.
    pub fn uri(&self) -> String {
        match self {
            Self::Text(label) => encoded(label),
            Self::File(path) => match drive(path) {
                Some(rest) => format!("file:///{}{}", &path[..2], encoded(rest)),
                None if path.starts_with('/') => format!("file://{}", encoded(path)),
                None => encoded(path),
            },
        }
    }
}

/// What follows the drive of a path of Windows. Elsewhere `C:` is a name as any
/// other.
fn drive(path: &str) -> Option<&str> {
    let rest = path.get(2..)?;
    let letter = path.as_bytes()[0].is_ascii_alphabetic();
    (cfg!(windows) && letter && path[1..].starts_with(":/")).then_some(rest)
}

/// A path in which every byte that may not stand in the path of a URI is
/// written as `%` and two digits. A colon may, but not everywhere: it would make
/// a scheme of what is before it.
fn encoded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~!$&'()*+,;=@".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_one_spelling_and_one_uri() {
        let table = [
            ("agents/x.symbi", "agents/x.symbi", "agents/x.symbi"),
            ("./agents//./x.symbi", "agents/x.symbi", "agents/x.symbi"),
            ("agents/", "agents", "agents"),
            ("../x.symbi", "../x.symbi", "../x.symbi"),
            (".", ".", "."),
            ("", ".", "."),
            ("/a//b.symbi", "/a/b.symbi", "file:///a/b.symbi"),
            ("/", "/", "file:///"),
            ("a b.symbi", "a b.symbi", "a%20b.symbi"),
            ("a%20b.symbi", "a%20b.symbi", "a%2520b.symbi"),
            ("a:b/@c+d.symbi", "a:b/@c+d.symbi", "a%3Ab/@c+d.symbi"),
            (
                "é🦀#?.symbi",
                "é🦀#?.symbi",
                "%C3%A9%F0%9F%A6%80%23%3F.symbi",
            ),
            (
                "a\n\"<>^`{|}",
                "a\n\"<>^`{|}",
                "a%0A%22%3C%3E%5E%60%7B%7C%7D",
            ),
        ];
        for (path, name, uri) in table {
            let origin = Origin::file(path);
            assert_eq!((origin.name(), &*origin.uri()), (name, uri), "{path:?}");
            assert_eq!(origin.is_relative(), !path.starts_with('/'), "{path:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_backslash_is_a_letter_here() {
        let origin = Origin::file("a\\b.symbi");
        assert_eq!(
            (origin.name(), &*origin.uri()),
            ("a\\b.symbi", "a%5Cb.symbi")
        );
    }

    #[cfg(windows)]
    #[test]
    fn a_backslash_is_a_slash_here() {
        let table = [
            (r".\a\b c.symbi", "a/b c.symbi", "a/b%20c.symbi", true),
            (
                r"C:\a\b.symbi",
                "C:/a/b.symbi",
                "file:///C:/a/b.symbi",
                false,
            ),
        ];
        for (path, name, uri, relative) in table {
            let origin = Origin::file(path);
            assert_eq!((origin.name(), &*origin.uri()), (name, uri));
            assert_eq!(origin.is_relative(), relative);
        }
    }

    #[test]
    fn a_label_is_no_file() {
        let origin = Origin::Text("<inline 2>".to_owned());
        assert_eq!(origin.uri(), "%3Cinline%202%3E");
        assert!(!origin.is_relative());
    }
}
