//! The closed sets of words that manifests choose from.

/// An enum whose variants have one word each.
macro_rules! terms {
    ($(#[$about:meta])* $name:ident { $($variant:ident $word:literal $doc:literal)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $(#[doc = $doc] $variant,)*
        }

        impl $name {
            /// The words, in the order of [`Self::ALL`].
            pub const WORDS: &[&str] = &[$($word),*];

            /// Every variant.
            pub const ALL: &[$name] = &[$($name::$variant),*];

            /// The word that manifests write.
            pub fn as_str(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)*
                }
            }
        }

        impl Term for $name {
            fn find(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|term| term.as_str() == word)
            }
        }
    };
}

/// A value that a word stands for.
pub trait Term: Copy + Sized {
    /// The value of a word, which is written exactly so.
    fn find(word: &str) -> Option<Self>;
}

terms! {
    /// How long a tool lives.
    Mode {
        Oneshot "oneshot" "A call starts it and waits for its end."
        Session "session" "It stays, and calls speak to it."
        Browser "browser" "A browser that stays."
    }
}

terms! {
    /// How much harm a call can do. The words rise.
    RiskTier {
        Info "info" "It only tells."
        Low "low" "Little."
        Medium "medium" "Some."
        High "high" "Much: a person approves each call."
        Critical "critical" "The most: a person approves each call."
    }
}

terms! {
    /// Who runs the tool.
    Dispatch {
        Exec "exec" "The host."
    }
}

terms! {
    /// How the output of a call is hashed.
    Hash {
        Sha256 "sha256" "SHA-256."
    }
}

terms! {
    /// What the output of a tool is.
    Format {
        Json "json" "One value of JSON."
        Xml "xml" "XML without a document type."
        Csv "csv" "Lines with commas, the first of them names."
        Jsonl "jsonl" "A value of JSON a line."
        Text "text" "Any text."
    }
}

terms! {
    /// The method of an HTTP request.
    Method {
        Get "GET" "Reads."
        Head "HEAD" "Reads what a `GET` would give, without its body."
        Post "POST" "Sends."
        Put "PUT" "Writes."
        Patch "PATCH" "Changes."
        Delete "DELETE" "Deletes."
        Options "OPTIONS" "Asks what is possible."
    }
}

impl Method {
    /// Whether a request may have a body.
    pub fn has_body(self) -> bool {
        !matches!(self, Method::Get | Method::Head | Method::Options)
    }
}

terms! {
    /// What drives a browser.
    Engine {
        Cdp "cdp" "The protocol of its developer tools."
        CdpDirect "cdp-direct" "The same, by its other name."
        Playwright "playwright" "Playwright."
    }
}

terms! {
    /// Which browser is driven.
    Connect {
        Launch "launch" "A new one."
        Live "live" "One that runs already."
    }
}

terms! {
    /// What of a page is read.
    ExtractMode {
        AccessibilityTree "accessibility_tree" "What it means, as screen readers see it."
        Html "html" "Its source."
        Text "text" "Its text."
    }
}

terms! {
    /// What the input of a session may not hold.
    Sanitize {
        Injection "injection" "Characters that a shell reads."
        PsqlMeta "psql_meta" "Backslashes, which lead `psql` out of SQL."
        MsfMeta "msf_meta" "`;`, and the words that lead `msfconsole` to a shell."
    }
}

terms! {
    /// A fixed question about the sources of a project.
    Operation {
        ReadFile "read_file" "Reads a part of a file."
        ListFiles "list_files" "Lists files."
        GrepFiles "grep_files" "Looks for a text in files."
        GitStatus "git_status" "What is changed."
        GitDiff "git_diff" "The changes that are not staged."
        GitStagedDiff "git_staged_diff" "The changes that are staged."
        GitLog "git_log" "The latest commits."
    }
}
