//! Kinds of tokens and nodes.

use logos::Logos;

macro_rules! kinds {
    ($($(#[$meta:meta])* $kind:ident,)*) => {
        /// What a token or a node is.
        ///
        /// The order matters: trivia, then words, then literals, then signs,
        /// then nodes; the predicates below are range checks. Item words, verbs
        /// and statement words are contextual: wherever a name is expected, a
        /// word is one (language.md section 1).
        #[derive(Logos, Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum SyntaxKind {
            $($(#[$meta])* $kind,)*
        }

        /// Every kind, in the order of their numbers.
        static ALL: &[SyntaxKind] = &[$(SyntaxKind::$kind),*];

        impl SyntaxKind {
            /// Its name in dumps.
            pub fn name(self) -> &'static str {
                match self {
                    $(SyntaxKind::$kind => stringify!($kind),)*
                }
            }
        }
    };
}

kinds! {
    /// White space, line ends included.
    #[regex(r"[ \t\r\n\x0B\x0C]+")]
    Whitespace,
    /// `// …` or `# …` to the end of the line.
    #[regex(r"//[^\r\n]*", allow_greedy = true)]
    #[regex(r"#[^\r\n]*", allow_greedy = true)]
    LineComment,
    /// `/* … */`, nesting.
    #[token("/*")]
    BlockComment,
    /// `/*` without its `*/`: reaches to the end of the file.
    OpenComment,
    /// The byte order mark at the start of a file.
    Bom,
    /// An identifier that is no word below.
    #[regex("[A-Za-z_][A-Za-z0-9_]*")]
    Name,
    /// A name with a letter outside ASCII.
    BadName,
    /// `_`.
    #[token("_", priority = 3)]
    Underscore,
    /// `metadata`.
    #[token("metadata")]
    MetadataKw,
    /// `agent`.
    #[token("agent")]
    AgentKw,
    /// `capabilities`.
    #[token("capabilities")]
    CapabilitiesKw,
    /// `policy`.
    #[token("policy")]
    PolicyKw,
    /// `type`.
    #[token("type")]
    TypeKw,
    /// `function`.
    #[token("function")]
    FunctionKw,
    /// `schedule`.
    #[token("schedule")]
    ScheduleKw,
    /// `channel`.
    #[token("channel")]
    ChannelKw,
    /// `memory`.
    #[token("memory")]
    MemoryKw,
    /// `webhook`.
    #[token("webhook")]
    WebhookKw,
    /// `with`.
    #[token("with")]
    WithKw,
    /// `constraints`.
    #[token("constraints")]
    ConstraintsKw,
    /// `executor`.
    #[token("executor")]
    ExecutorKw,
    /// `extern`.
    #[token("extern")]
    ExternKw,
    /// `allow`.
    #[token("allow")]
    AllowKw,
    /// `deny`.
    #[token("deny")]
    DenyKw,
    /// `require`.
    #[token("require")]
    RequireKw,
    /// `audit`.
    #[token("audit")]
    AuditKw,
    /// `let`.
    #[token("let")]
    LetKw,
    /// `if`.
    #[token("if")]
    IfKw,
    /// `else`.
    #[token("else")]
    ElseKw,
    /// `for`.
    #[token("for")]
    ForKw,
    /// `while`.
    #[token("while")]
    WhileKw,
    /// `match`.
    #[token("match")]
    MatchKw,
    /// `try`.
    #[token("try")]
    TryKw,
    /// `catch`.
    #[token("catch")]
    CatchKw,
    /// `return`.
    #[token("return")]
    ReturnKw,
    /// `break`.
    #[token("break")]
    BreakKw,
    /// `continue`.
    #[token("continue")]
    ContinueKw,
    /// `in`.
    #[token("in")]
    InKw,
    /// `not`.
    #[token("not")]
    NotKw,
    /// `and`.
    #[token("and")]
    AndKw,
    /// `or`.
    #[token("or")]
    OrKw,
    /// `true`.
    #[token("true")]
    TrueKw,
    /// `false`.
    #[token("false")]
    FalseKw,
    /// `null`.
    #[token("null")]
    NullKw,
    /// `None`.
    #[token("None")]
    NoneKw,
    /// `Some`.
    #[token("Some")]
    SomeKw,
    /// `Ok`.
    #[token("Ok")]
    OkKw,
    /// `Err`.
    #[token("Err")]
    ErrKw,
    /// `42`, `1_000`.
    #[regex("[0-9]+")]
    Int,
    /// `3.14`, `1e6`.
    Float,
    /// `30s`, `5.minutes`.
    Duration,
    /// `512MB`.
    Size,
    /// Digits with an ending that is no unit.
    BadNumber,
    /// `"…"`.
    #[token("\"")]
    String,
    /// `"""…"""`.
    TripleString,
    /// A string that lacks its closing quote: ends at its first line's end.
    CutString,
    /// `"""` without its end.
    CutTripleString,
    /// Text in single, back or curly quotes.
    OtherString,
    /// `vault://path` or `env://NAME`.
    SecretUrl,
    /// Any other `scheme://…`.
    Url,
    /// `$NAME` or `${NAME}`.
    #[token("$")]
    EnvName,
    /// `{`.
    #[token("{")]
    LBrace,
    /// `}`.
    #[token("}")]
    RBrace,
    /// `(`.
    #[token("(")]
    LParen,
    /// `)`.
    #[token(")")]
    RParen,
    /// `[`.
    #[token("[")]
    LBracket,
    /// `]`.
    #[token("]")]
    RBracket,
    /// `,`.
    #[token(",")]
    Comma,
    /// `;`.
    #[token(";")]
    Semicolon,
    /// `:`.
    #[token(":")]
    Colon,
    /// `::`.
    #[token("::")]
    ColonColon,
    /// `.`.
    #[token(".")]
    Dot,
    /// `..`.
    #[token("..")]
    DotDot,
    /// `?`.
    #[token("?")]
    Question,
    /// `->`.
    #[token("->")]
    Arrow,
    /// `=>`.
    #[token("=>")]
    FatArrow,
    /// `=`.
    #[token("=")]
    Eq,
    /// `==`.
    #[token("==")]
    EqEq,
    /// `!=`.
    #[token("!=")]
    BangEq,
    /// `<`.
    #[token("<")]
    Lt,
    /// `<=`.
    #[token("<=")]
    LtEq,
    /// `>`.
    #[token(">")]
    Gt,
    /// `+`.
    #[token("+")]
    Plus,
    /// `-`.
    #[token("-")]
    Minus,
    /// `*`.
    #[token("*")]
    Star,
    /// `**`.
    #[token("**")]
    StarStar,
    /// `/`.
    #[token("/")]
    Slash,
    /// `%`.
    #[token("%")]
    Percent,
    /// `!`.
    #[token("!")]
    Bang,
    /// `&&`.
    #[token("&&")]
    AmpAmp,
    /// `||`.
    #[token("||")]
    PipePipe,
    /// `&`.
    #[token("&")]
    Amp,
    /// `|`.
    #[token("|")]
    Pipe,
    /// `^`.
    #[token("^")]
    Caret,
    /// `~`.
    #[token("~")]
    Tilde,
    /// `+=`.
    #[token("+=")]
    PlusEq,
    /// `-=`.
    #[token("-=")]
    MinusEq,
    /// `*=`.
    #[token("*=")]
    StarEq,
    /// `/=`.
    #[token("/=")]
    SlashEq,
    /// `%=`.
    #[token("%=")]
    PercentEq,
    /// `++`.
    #[token("++")]
    PlusPlus,
    /// A character that the language does not use.
    Unknown,
    /// The end of the tokens in sight. Never stored.
    Eof,
    /// Tokens that are no construct of the language; reported once.
    Error,
    /// `agent name(params) -> Type { … }`.
    AgentDef,
    /// `metadata { … }`.
    MetadataBlock,
    /// `capabilities = […]` or `capabilities { … }`.
    CapabilitiesDef,
    /// One entry of `capabilities { … }`, with its `tool` if it has one.
    CapabilityEntry,
    /// `policy name { … }`.
    PolicyDef,
    /// `type Name = …`.
    TypeDef,
    /// `function name(params) -> Type { … }`.
    FunctionDef,
    /// `extern …;`, in the standard library alone.
    ExternDef,
    /// `schedule name { … }`.
    ScheduleDef,
    /// `channel name { … }`.
    ChannelDef,
    /// `memory name { … }`.
    MemoryDef,
    /// `webhook name { … }`.
    WebhookDef,
    /// `with k = v { … }`.
    WithBlock,
    /// `constraints { … }`.
    ConstraintsBlock,
    /// `executor { … }`.
    ExecutorBlock,
    /// The braces of a with block that holds attributes.
    AttributeBlock,
    /// The braces of a block of entries.
    EntryBlock,
    /// `key = v`, `key: v` or `key v`.
    Entry,
    /// `key { … }` or `key "name" { … }` in a block.
    NestedBlock,
    /// `allow: selector if guard`.
    Rule,
    /// `if guard`.
    RuleGuard,
    /// Words after a selector or value on its line.
    RuleTail,
    /// The braces of a policy.
    PolicyBody,
    /// The braces of an agent.
    AgentBody,
    /// `(p: T = default, …)`.
    ParamList,
    /// One parameter.
    Param,
    /// `<T, U>` of an extern function.
    TypeParams,
    /// `-> Type`.
    ReturnType,
    /// `{ field: T, … }`.
    StructType,
    /// One field of a struct.
    Field,
    /// `Name` or `A::b`, with its arguments.
    NamedType,
    /// `<T, U>`.
    TypeArgs,
    /// `T?`.
    OptionalType,
    /// `(A, B) -> C`.
    FunctionType,
    /// `{ statements }`.
    Block,
    /// `let name: T = e;`.
    LetStmt,
    /// `place = e;`, `place += e;`.
    AssignStmt,
    /// `return e;`.
    ReturnStmt,
    /// `break;`.
    BreakStmt,
    /// `continue;`.
    ContinueStmt,
    /// `for x in e { … }`.
    ForStmt,
    /// `while e { … }`.
    WhileStmt,
    /// `e;`.
    ExprStmt,
    /// Stray `;`.
    EmptyStmt,
    /// `if c { … } else { … }`, as a statement or a value.
    IfExpr,
    /// `let pattern = e` in the head of an `if`.
    LetCondition,
    /// `match e { … }`.
    MatchExpr,
    /// The braces of a match.
    MatchBody,
    /// `pattern if guard => body`.
    MatchArm,
    /// `if guard` of an arm.
    ArmGuard,
    /// `try { … } catch (e) { … }`.
    TryExpr,
    /// `catch (Type e) { … }`.
    CatchClause,
    /// A name that binds.
    NamePattern,
    /// `_`.
    WildcardPattern,
    /// A literal, with its sign.
    LiteralPattern,
    /// `Some(p)`, `Ok(p)`, `Err(p)`.
    CallPattern,
    /// A literal.
    Literal,
    /// A name that is read.
    NameExpr,
    /// `A::b`.
    PathExpr,
    /// `e.name`.
    MemberExpr,
    /// `e(…)`.
    CallExpr,
    /// `(…)` of a call.
    ArgList,
    /// `k = v` or `k: v` in a call.
    NamedArg,
    /// `e[…]`.
    IndexExpr,
    /// `!e`, `not e`, `-e`.
    PrefixExpr,
    /// `a + b`.
    BinaryExpr,
    /// `(e)`.
    ParenExpr,
    /// `[…]`.
    ArrayExpr,
    /// `{ k: v }`.
    RecordExpr,
    /// `T { k: v }`.
    StructExpr,
    /// `k: v`.
    RecordField,
    /// `x => e`, `(a, b) => e`.
    LambdaExpr,
    /// `(a, b)` of a lambda.
    LambdaParams,
}

use SyntaxKind as K;

impl SyntaxKind {
    /// White space or a comment.
    pub fn is_trivia(self) -> bool {
        self <= K::Bom
    }

    /// A name, a contextual word, or a name that carries an error: may stand
    /// wherever a name is expected.
    pub fn is_word(self) -> bool {
        self >= K::Name && self <= K::ErrKw
    }

    /// A word that begins a statement where it is not a name.
    pub(crate) fn begins_statement(self) -> bool {
        matches!(
            self,
            Self::LetKw
                | Self::IfKw
                | Self::ForKw
                | Self::WhileKw
                | Self::MatchKw
                | Self::TryKw
                | Self::ReturnKw
                | Self::BreakKw
                | Self::ContinueKw
        )
    }

    /// A node rather than a token.
    pub fn is_node(self) -> bool {
        self >= K::Error
    }

    /// A token that is a literal by itself.
    pub fn is_literal(self) -> bool {
        self >= K::Int && self <= K::EnvName
    }

    /// No file without errors has such a token.
    #[inline]
    pub(crate) fn is_always_wrong(self) -> bool {
        TRAITS[self as usize] & ALWAYS_WRONG != 0
    }

    /// Its tokens differ in their texts.
    #[inline]
    pub(crate) fn has_own_text(self) -> bool {
        TRAITS[self as usize] & OWN_TEXT != 0
    }

    /// The kind with this number; `Eof` for a number that is none.
    pub(crate) fn from_u8(number: u8) -> SyntaxKind {
        ALL.get(number as usize).copied().unwrap_or(K::Eof)
    }
}

const OWN_TEXT: u8 = 1;
const ALWAYS_WRONG: u8 = 2;

/// What is asked of every token, as one look into a table.
static TRAITS: [u8; 256] = traits();

const fn traits() -> [u8; 256] {
    let mut traits = [0; 256];
    let mut at = 0;
    while at < ALL.len() {
        let kind = ALL[at];
        if matches!(kind, K::Name | K::BadName | K::Unknown)
            || (kind as u8 >= K::Int as u8 && kind as u8 <= K::EnvName as u8)
        {
            traits[at] |= OWN_TEXT;
        }
        if matches!(
            kind,
            K::BadName
                | K::BadNumber
                | K::CutString
                | K::CutTripleString
                | K::OtherString
                | K::Url
                | K::Unknown
        ) {
            traits[at] |= ALWAYS_WRONG;
        }
        at += 1;
    }
    traits
}

macro_rules! fixed {
    ($($kind:ident => $text:literal,)*) => {
        impl SyntaxKind {
            /// The text that every token of this kind has, where there is one.
            pub fn fixed_text(self) -> Option<&'static str> {
                match self {
                    $(K::$kind => Some($text),)*
                    _ => None,
                }
            }
        }
    };
}

fixed! {
    Underscore => "_",
    MetadataKw => "metadata",
    AgentKw => "agent",
    CapabilitiesKw => "capabilities",
    PolicyKw => "policy",
    TypeKw => "type",
    FunctionKw => "function",
    ScheduleKw => "schedule",
    ChannelKw => "channel",
    MemoryKw => "memory",
    WebhookKw => "webhook",
    WithKw => "with",
    ConstraintsKw => "constraints",
    ExecutorKw => "executor",
    ExternKw => "extern",
    AllowKw => "allow",
    DenyKw => "deny",
    RequireKw => "require",
    AuditKw => "audit",
    LetKw => "let",
    IfKw => "if",
    ElseKw => "else",
    ForKw => "for",
    WhileKw => "while",
    MatchKw => "match",
    TryKw => "try",
    CatchKw => "catch",
    ReturnKw => "return",
    BreakKw => "break",
    ContinueKw => "continue",
    InKw => "in",
    NotKw => "not",
    AndKw => "and",
    OrKw => "or",
    TrueKw => "true",
    FalseKw => "false",
    NullKw => "null",
    NoneKw => "None",
    SomeKw => "Some",
    OkKw => "Ok",
    ErrKw => "Err",
    LBrace => "{",
    RBrace => "}",
    LParen => "(",
    RParen => ")",
    LBracket => "[",
    RBracket => "]",
    Comma => ",",
    Semicolon => ";",
    Colon => ":",
    ColonColon => "::",
    Dot => ".",
    DotDot => "..",
    Question => "?",
    Arrow => "->",
    FatArrow => "=>",
    Eq => "=",
    EqEq => "==",
    BangEq => "!=",
    Lt => "<",
    LtEq => "<=",
    Gt => ">",
    Plus => "+",
    Minus => "-",
    Star => "*",
    StarStar => "**",
    Slash => "/",
    Percent => "%",
    Bang => "!",
    AmpAmp => "&&",
    PipePipe => "||",
    Amp => "&",
    Pipe => "|",
    Caret => "^",
    Tilde => "~",
    PlusEq => "+=",
    MinusEq => "-=",
    StarEq => "*=",
    SlashEq => "/=",
    PercentEq => "%=",
    PlusPlus => "++",
}
