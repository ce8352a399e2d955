//! The files of `stdlib/`, embedded.

/// A file of the standard library.
#[derive(Clone, Copy, Debug)]
pub struct StdlibSource {
    /// Its name in `stdlib/`.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

impl StdlibSource {
    /// Its subject: its name without the ending.
    pub fn subject(&self) -> &'static str {
        self.name.split('.').next().unwrap_or_default()
    }

    /// The comment at its head, in Markdown.
    pub fn about(&self) -> String {
        let lines: Vec<&str> = self
            .text
            .lines()
            .map_while(|line| line.strip_prefix("//"))
            .map(|line| line.strip_prefix(' ').unwrap_or(line))
            .collect();
        lines.join("\n")
    }
}

macro_rules! sources {
    ($($name:literal)*) => {
        /// Every file of the standard library, in the order in which functions
        /// of one name are tried.
        pub static SOURCES: &[StdlibSource] = &[$(StdlibSource {
            name: $name,
            text: include_str!(concat!("../../../../stdlib/", $name)),
        }),*];
    };
}

// JSON comes behind the types that its values may be known to have.
sources! {
    "strings.symbi"
    "text.symbi"
    "lists.symbi"
    "maps.symbi"
    "sets.symbi"
    "options.symbi"
    "json.symbi"
    "math.symbi"
    "time.symbi"
    "sizes.symbi"
    "secrets.symbi"
    "hashing.symbi"
    "encoding.symbi"
    "ids.symbi"
    "errors.symbi"
    "log.symbi"
    "models.symbi"
    "agents.symbi"
    "tools.symbi"
    "memory.symbi"
    "http.symbi"
    "delivery.symbi"
    "effects.symbi"
    "groups.symbi"
    "guards.symbi"
    "obligations.symbi"
    "audit.symbi"
}
