//! The examples show the whole language: every kind of token and node, every
//! key of every block, every obligation, selector, type and literal stands in
//! one of them (language.md sections 1 to 4).
//!
//! The tables below are transcribed from the reference. What is missing from
//! the examples is listed at once, so that one run says all that is to be done.

use std::collections::BTreeSet;

use symbi_diagnostics::Span;
use symbi_syntax::{File, SyntaxKind as K, WalkEvent};

use crate::support::{repository, sources};

/// The one folder that shows odd spellings, which are read with a warning.
const ODD: &str = "quick-reference";

/// Every kind, each once. A new kind does not compile until it stands here.
macro_rules! kinds {
    (shown: $($shown:ident)*; exempt: $($exempt:ident $why:literal)*;) => {
        const SHOWN: &[K] = &[$(K::$shown),*];

        /// Why a kind cannot stand in an example; `None` if it has to.
        fn why_not(kind: K) -> Option<&'static str> {
            match kind {
                $(K::$shown => None,)*
                $(K::$exempt => Some($why),)*
            }
        }
    };
}

kinds! {
    shown:
        Whitespace LineComment BlockComment
        Name Underscore MetadataKw AgentKw CapabilitiesKw PolicyKw TypeKw FunctionKw ScheduleKw
        ChannelKw MemoryKw WebhookKw WithKw ConstraintsKw ExecutorKw AllowKw DenyKw RequireKw
        AuditKw LetKw IfKw ElseKw ForKw WhileKw MatchKw TryKw CatchKw ReturnKw BreakKw ContinueKw
        InKw NotKw AndKw OrKw TrueKw FalseKw NullKw NoneKw SomeKw OkKw ErrKw
        Int Float Duration Size String TripleString SecretUrl EnvName
        LBrace RBrace LParen RParen LBracket RBracket Comma Semicolon Colon ColonColon Dot Question
        Arrow FatArrow Eq EqEq BangEq Lt LtEq Gt Plus Minus Star Slash Percent Bang AmpAmp PipePipe
        Pipe PlusEq MinusEq StarEq SlashEq PercentEq
        AgentDef MetadataBlock CapabilitiesDef CapabilityEntry PolicyDef TypeDef FunctionDef
        ScheduleDef ChannelDef MemoryDef WebhookDef WithBlock ConstraintsBlock ExecutorBlock
        AttributeBlock EntryBlock Entry NestedBlock Rule RuleGuard RuleTail PolicyBody AgentBody
        ParamList Param ReturnType StructType Field NamedType TypeArgs OptionalType FunctionType
        Block LetStmt AssignStmt ReturnStmt BreakStmt ContinueStmt ForStmt WhileStmt ExprStmt
        EmptyStmt IfExpr LetCondition MatchExpr MatchBody MatchArm ArmGuard TryExpr CatchClause
        NamePattern WildcardPattern LiteralPattern CallPattern
        Literal NameExpr PathExpr MemberExpr CallExpr ArgList NamedArg IndexExpr PrefixExpr
        BinaryExpr ParenExpr ArrayExpr RecordExpr StructExpr RecordField LambdaExpr LambdaParams;
    exempt:
        ExternKw "of the standard library alone"
        ExternDef "of the standard library alone"
        TypeParams "of the standard library alone"
        Bom "an editor's doing; the tests of line ends add one to every example"
        Eof "never stored"
        OpenComment "an error"
        BadName "an error"
        BadNumber "an error"
        CutString "an error"
        CutTripleString "an error"
        OtherString "an error"
        Url "an error: an address that is no secret is quoted"
        DotDot "an error: no ranges"
        StarStar "an error: no such operator"
        Amp "an error: no bit operators"
        Caret "an error: no bit operators"
        Tilde "an error: no bit operators"
        PlusPlus "an error: no such operator"
        Unknown "an error"
        Error "an error";
}

/// What else must be shown: a place, and the words that stand there. A word
/// that ends in `:` or `/` is a beginning.
const WORDS: &[(&str, &str)] = &[
    // Section 2: items of a file and of an agent.
    (
        "file",
        "metadata agent policy type function schedule channel memory webhook with capabilities",
    ),
    (
        "agent",
        "capabilities policy function with memory webhook schedule channel metadata constraints \
         executor",
    ),
    // Section 3: keys and the words that a key takes.
    (
        "metadata",
        "version author description license name tags executor model system_prompt allowed_tools \
         permission_mode human_approval",
    ),
    ("metadata.executor", "orga claude_code"),
    ("executor", "type model allowed_tools permission_mode"),
    (
        "with",
        "sandbox timeout memory max_memory_mb max_memory max_cpu_cores network_policy \
         max_iterations max_tokens budget_tokens model temperature retry retry_policy \
         max_concurrent",
    ),
    (
        "with.sandbox",
        "none docker gvisor firecracker e2b tier1 tier2",
    ),
    ("with.memory", "ephemeral persistent"),
    ("with.network_policy", "deny_all"),
    (
        "schedule",
        "cron at timezone agent input policy one_shot deliver audit missed overlap jitter \
         max_jitter retries",
    ),
    ("schedule.deliver", "stdout log slack:// webhook: https://"),
    ("schedule.audit", "none errors_only all_operations"),
    ("schedule.missed", "skip run_once run_all"),
    ("schedule.overlap", "skip queue allow"),
    (
        "channel",
        "platform workspace default_agent channels default_deny dlp_profile audit_level policy \
         data_classification",
    ),
    ("channel.platform", "slack teams mattermost"),
    ("data_classification", "redact block allow"),
    ("webhook", "path provider secret agent filter"),
    ("webhook.provider", "github stripe slack custom"),
    ("filter", "json_path equals contains"),
    ("memory", "store path retention search"),
    ("search", "vector_weight keyword_weight"),
    ("constraints", "deny_capabilities"),
    // Section 4.
    (
        "require",
        "human_approval approval_expiry rate_limiting max_tool_calls input_validation \
         signature_verification agentpin_verified agentpin_algorithm identity_domain \
         tls_verification sandbox_tier audit_logging max_data_size pii_detection \
         schema_validation",
    ),
    (
        "audit",
        "log_level include_input include_output retention_days",
    ),
    ("require as", "name list record guard"),
    ("selector", "true false name string path list call"),
    ("pattern", "name any _ string path"),
    (
        "call",
        "invoke_tool call_tool execute_tool delegate network_access web_request",
    ),
    ("guard", "principal invocation context now"),
    // Sections 1 and 2.5: types, literals, comments.
    (
        "type",
        "String int float bool Duration Size Time JSON Any Secret Array Map Set Option Result \
         Error",
    ),
    (
        "duration",
        "ms s m h d w months y milliseconds seconds minutes hours days weeks fraction",
    ),
    ("size", "KB MB GB KiB MiB GiB"),
    ("number", "grouped exponent fraction"),
    ("escape", r#"\n \t \r \\ \" \0 \u \x"#),
    ("string", "several-lines"),
    ("secret", "vault:// env:// quoted $NAME ${NAME}"),
    ("comment", "// /// # nested"),
];

/// The places whose lists hold all the words there are. The words of public
/// files that are not enforced, such as `privacy` in `with`, stand in no list:
/// no project shows them.
const COMPLETE: &[&str] = &[
    "file",
    "metadata",
    "executor",
    "with",
    "schedule",
    "channel",
    "webhook",
    "filter",
    "memory",
    "search",
    "constraints",
    "require",
    "audit",
];

/// The examples: path below `examples/`, text.
fn examples() -> Vec<(String, String)> {
    let root = repository().join("examples");
    let found: Vec<_> = sources()
        .into_iter()
        .filter_map(|(path, text)| {
            let below = std::path::Path::new(&path).strip_prefix(&root).ok()?;
            Some((below.display().to_string(), text))
        })
        .collect();
    assert!(found.len() >= 20, "{} examples", found.len());
    found
}

/// The first word of a text, without quotes: a key, a verb, a name.
fn word(text: &str) -> &str {
    let text = text.trim_start_matches('"');
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}

/// What a file shows: kinds, and words with their places.
#[derive(Default)]
struct Shown {
    kinds: BTreeSet<K>,
    words: BTreeSet<(String, String)>,
}

impl Shown {
    fn add(&mut self, place: impl Into<String>, word: impl Into<String>) {
        self.words.insert((place.into(), word.into()));
    }

    fn has(&self, place: &str, word: &str) -> bool {
        self.words.iter().any(|(at, shown)| {
            at == place
                && (shown == word || (word.ends_with([':', '/']) && shown.starts_with(word)))
        })
    }

    fn read(&mut self, text: &str) {
        let file = File::parse(text);
        // The nodes around the place: kind and text.
        let mut around: Vec<(K, &str)> = Vec::new();
        for event in file.walk() {
            match event {
                WalkEvent::Enter(kind, span) => {
                    self.kinds.insert(kind);
                    around.push((kind, &text[span.range()]));
                    self.node(&around);
                }
                WalkEvent::Token(kind, span) => {
                    self.kinds.insert(kind);
                    self.token(kind, text, span);
                }
                WalkEvent::Leave => {
                    around.pop();
                }
            }
        }
    }

    /// A node, the last of those around the place.
    fn node(&mut self, around: &[(K, &str)]) {
        let [outer @ .., (kind, text)] = around else {
            return;
        };
        let Some(&(parent, _)) = outer.last() else {
            return self.add("file", word(text));
        };
        if parent == K::AgentBody {
            self.add("agent", word(text));
        }
        match kind {
            K::Entry | K::NestedBlock | K::PolicyDef => {
                if let Some(block) = block_of(outer) {
                    self.add(block, word(text));
                }
            }
            K::RecordField => {
                if let Some((K::Rule, rule)) = outer.iter().find(|(kind, _)| *kind == K::Rule) {
                    self.add(word(rule), word(text));
                }
            }
            K::NamedType => self.add("type", word(text)),
            _ => {}
        }
        self.value(outer, *kind, text);
        self.rule(outer, *kind, text);
    }

    /// A word that a key takes: `schedule.missed` and `run_once`.
    fn value(&mut self, outer: &[(K, &str)], kind: K, text: &str) {
        if !matches!(kind, K::Literal | K::NameExpr) {
            return;
        }
        let plain = text.trim_matches('"');
        if kind == K::Literal && plain != text && plain.starts_with("vault://") {
            self.add("secret", "quoted");
        }
        let [further @ .., (K::Entry, entry)] = outer else {
            return;
        };
        match block_of(further) {
            // Its keys are the project's own.
            Some(block @ "data_classification") => self.add(block, plain),
            Some(block) => self.add(format!("{block}.{}", word(entry)), plain),
            None => {}
        }
    }

    /// Selectors, patterns and guards of rules, and forms of `require`.
    fn rule(&mut self, outer: &[(K, &str)], kind: K, text: &str) {
        let Some(at) = outer.iter().position(|(kind, _)| *kind == K::Rule) else {
            return;
        };
        let verb = word(outer[at].1);
        let inside = &outer[at + 1..];
        if inside
            .first()
            .is_some_and(|(kind, _)| *kind == K::RuleGuard)
        {
            if kind == K::NameExpr {
                self.add("guard", text);
            }
            return;
        }
        let shape = match kind {
            K::Literal if text.starts_with('"') => "string",
            K::Literal => text,
            K::NameExpr => "name",
            K::PathExpr => "path",
            K::ArrayExpr => "list",
            K::CallExpr => "call",
            K::RecordExpr => "record",
            K::BinaryExpr => "guard",
            _ => return,
        };
        match (verb, inside) {
            ("require", []) => self.add("require as", shape),
            ("allow" | "deny", []) => self.add("selector", shape),
            ("allow" | "deny", [(K::CallExpr, _)]) => self.add("call", text),
            ("allow" | "deny", [(K::CallExpr, _), (K::ArgList, _)]) => {
                let free = kind == K::NameExpr && matches!(text, "any" | "_");
                self.add("pattern", if free { text } else { shape });
            }
            _ => {}
        }
        // `require: audit_logging` and `require: [audit_logging]`.
        let alone = matches!(inside, [] | [(K::ArrayExpr, _)]);
        if verb == "require" && alone && matches!(shape, "name" | "string") {
            self.add("require", word(text));
        }
    }

    /// Literals and comments.
    fn token(&mut self, kind: K, file: &str, span: Span) {
        let text = &file[span.range()];
        match kind {
            K::Duration | K::Size => {
                let place = if kind == K::Size { "size" } else { "duration" };
                let unit = text.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
                self.add(place, unit);
                let number = text[..text.len() - unit.len()].trim_end_matches('.');
                if number.contains('.') {
                    self.add(place, "fraction");
                }
            }
            K::Int | K::Float => {
                for (sign, form) in [('_', "grouped"), ('e', "exponent"), ('.', "fraction")] {
                    if text.contains(sign) {
                        self.add("number", form);
                    }
                }
            }
            K::String => {
                let mut rest = text;
                while let Some(at) = rest.find('\\') {
                    self.add("escape", &rest[at..at + 2]);
                    rest = &rest[at + 2..];
                }
                if text.contains('\n') {
                    self.add("string", "several-lines");
                }
            }
            K::SecretUrl => self.add("secret", &text[..text.find("//").map_or(0, |at| at + 2)]),
            K::EnvName if text.starts_with("${") => self.add("secret", "${NAME}"),
            K::EnvName => self.add("secret", "$NAME"),
            K::LineComment => {
                for sign in ["///", "//", "#"] {
                    if text.starts_with(sign) {
                        return self.add("comment", sign);
                    }
                }
            }
            K::BlockComment if text[2..].contains("/*") => self.add("comment", "nested"),
            _ => {}
        }
    }
}

/// The word of the block that is nearest around a place.
fn block_of<'t>(around: &[(K, &'t str)]) -> Option<&'t str> {
    let (_, text) = around.iter().rev().find(|(kind, _)| {
        matches!(
            kind,
            K::MetadataBlock
                | K::ExecutorBlock
                | K::WithBlock
                | K::ScheduleDef
                | K::ChannelDef
                | K::WebhookDef
                | K::MemoryDef
                | K::ConstraintsBlock
                | K::PolicyDef
                | K::NestedBlock
                | K::AgentBody
        )
    })?;
    Some(word(text))
}

fn shown() -> Shown {
    let mut shown = Shown::default();
    for (_, text) in examples() {
        shown.read(&text);
    }
    shown
}

#[test]
fn examples_are_free_of_errors_and_projects_of_warnings() {
    let mut said = Vec::new();
    for (name, text) in examples() {
        for diagnostic in File::parse(&*text).diagnostics() {
            if diagnostic.is_error() || !name.starts_with(ODD) {
                said.push(format!(
                    "{name}: {} {}",
                    diagnostic.code.id, diagnostic.message
                ));
            }
        }
    }
    assert!(said.is_empty(), "{}", said.join("\n"));
}

#[test]
fn every_kind_of_token_and_node_stands_in_an_example() {
    let shown = shown().kinds;
    let missing: Vec<_> = SHOWN.iter().filter(|kind| !shown.contains(kind)).collect();
    assert!(missing.is_empty(), "in no example: {missing:?}");
    for kind in shown {
        assert_eq!(why_not(kind), None, "{kind:?} stands in an example");
    }
}

#[test]
fn every_word_of_the_reference_stands_in_its_place_in_an_example() {
    let shown = shown();
    let mut missing = Vec::new();
    for (place, words) in WORDS {
        for word in words.split_whitespace() {
            if !shown.has(place, word) {
                missing.push(format!("{place}: {word}"));
            }
        }
    }
    assert!(missing.is_empty(), "in no example: {missing:#?}");
}

#[test]
fn no_project_relies_on_what_is_not_enforced() {
    for (name, text) in examples() {
        if name.starts_with(ODD) {
            continue;
        }
        let mut shown = Shown::default();
        shown.read(&text);
        assert!(
            !shown.kinds.contains(&K::RuleTail),
            "{name}: words after a rule are not enforced"
        );
        for (place, word) in &shown.words {
            let Some((_, known)) = WORDS
                .iter()
                .find(|(at, _)| at == place && COMPLETE.contains(at))
            else {
                continue;
            };
            assert!(
                known.split_whitespace().any(|key| key == word),
                "{name}: {place} has no `{word}`"
            );
        }
    }
}

#[test]
fn the_index_names_every_project() {
    let folder = repository().join("examples");
    let index = std::fs::read_to_string(folder.join("README.md")).expect("an index");
    let projects: BTreeSet<String> = examples()
        .iter()
        .filter_map(|(name, _)| Some(name.split(['/', '\\']).next()?.to_owned()))
        .collect();
    assert!(projects.len() >= 12, "{projects:?}");
    for project in projects {
        assert!(
            index.contains(&format!("]({project}/README.md)")),
            "examples/README.md does not name {project}"
        );
    }
}
