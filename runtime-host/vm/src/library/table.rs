//! The functions of the standard library: made by `tests/it/table.rs` from the
//! declarations in `stdlib/`, which holds it to them. `UPDATE_LIBRARY=1` writes
//! it anew; what is changed here by hand is lost.

use super::declared::{Default, Does, Function, Param, Ty};

/// What a declaration is done by, one for each that is no other name of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Native {
    /// A whole number without its sign.
    AbsInt,
    /// A number without its sign.
    AbsFloat,
    /// What stands after the first occurrence of a separator; `null` if there is none.
    After,
    /// Whether all elements pass a test.
    All,
    /// Whether an element passes a test.
    Any,
    /// Asks an agent something, waits, and gives its answer as text.
    Ask,
    /// Writes values to the audit trail of the run, which its reader can verify.
    AuditLog,
    /// The text that Base64 stands for, in either alphabet, with or without `=` at the end.
    Base64Decode,
    /// A text in Base64, with `=` at the end where it needs it.
    Base64Encode,
    /// What stands before the first occurrence of a separator; `null` if there is none.
    Before,
    /// The smallest whole number that is not below this one.
    Ceil,
    /// The characters, each as a text of its own.
    Chars,
    /// The elements in lists of a size; the last may be shorter.
    Chunks,
    /// The whole number nearest to this one that is not below a bound and not above another.
    ClampInt,
    /// The number nearest to this one that is not below a bound and not above another.
    ClampFloat,
    /// The elements of two lists, one list after the other.
    Concat,
    /// Whether a part occurs somewhere in the text.
    ContainsString,
    /// Whether an element is equal to a value.
    ContainsArray,
    /// Whether there is an entry of a key.
    ContainsMap,
    /// Whether a value is in the set.
    ContainsSet,
    /// How often a part occurs, counted without overlaps.
    CountString,
    /// How many elements pass a test.
    CountArray,
    /// The day of an instant as text, in a time zone.
    Date,
    /// The day of the month of an instant in a time zone, from 1 to 31.
    Day,
    /// The text without the white space that all its lines begin with.
    Dedent,
    /// Gives a task to an agent, waits, and gives its result: what its body returns, or the answer of an agent for conversations.
    Delegate,
    /// The values that are in the set and not in another.
    Difference,
    /// How often a whole number goes into another, cut off towards zero, where `/` gives a float.
    Div,
    /// Whether the text ends with a part.
    EndsWith,
    /// The entries, each a list of its key and its value.
    Entries,
    /// The elements, each in a list with its place before it.
    Enumerate,
    /// Raises an error with a message.
    ErrorString,
    /// Raises an error that was caught again, as it was.
    ErrorError,
    /// The elements that pass a test.
    FilterArray,
    /// The entries whose key and value pass a test.
    FilterMap,
    /// The first element that passes a test; `null` if none does.
    Find,
    /// The first element; `null` if there is none.
    First,
    /// The elements of the lists that a lambda makes of each element, in one list.
    FlatMap,
    /// The elements of lists in a list, in one list.
    Flatten,
    /// The largest whole number that is not above this one.
    Floor,
    /// Puts values into a template, each in the place of one `{}` from the left.
    Format,
    /// The instant so many seconds after the start of 1970 in UTC.
    FromUnix,
    /// A new identifier that no other call gives: a UUID of version 7, so that later ones sort behind earlier ones.
    GenerateId,
    /// The element at a place; `null` if there is no such place, where `list[place]` raises.
    GetArray,
    /// The element at a place, or what is given instead if there is no such place.
    GetArrayDefault,
    /// The value of a key; `null` if there is none.
    GetMap,
    /// The value of a key, or what is given instead if there is none.
    GetMapDefault,
    /// The elements in lists by a key that is taken from each.
    GroupBy,
    /// The SHA-256 of a text.
    HashSha256,
    /// The SHA-512 of a text.
    HashSha512,
    /// The HMAC of a text with SHA-256 and a secret key.
    HmacSha256,
    /// The hour of an instant in a time zone, from 0 to 23.
    Hour,
    /// Sends a request over HTTP and gives the answer: `.status`, `.headers`, `.text`, and `.json`, which is `null` if the text is no JSON.
    HttpRequest,
    /// The text with something put before each line that is not empty.
    Indent,
    /// Where a part occurs first; `null` if it does not.
    IndexOfString,
    /// The first place of an element that is equal to a value; `null` if there is none.
    IndexOfArray,
    /// Puts an element at a place of the list on the left.
    InsertArray,
    /// Sets the value of a key in the map on the left, as `map[key] = value` does.
    InsertMap,
    /// Puts a value into the set on the left, and tells whether it was not in it before.
    InsertSet,
    /// The values that are in both of two sets.
    Intersection,
    /// Whether there is no character.
    IsEmptyString,
    /// Whether there is no element.
    IsEmptyArray,
    /// Whether there is no entry.
    IsEmptyMap,
    /// Whether there is no element.
    IsEmptySet,
    /// Whether a number is NaN, which is equal to nothing, not to itself either.
    IsNan,
    /// Whether all values of the set are in another.
    IsSubset,
    /// The elements as text, with a separator between them.
    Join,
    /// The keys, in the order of the entries.
    Keys,
    /// The last element; `null` if there is none.
    Last,
    /// The number of characters.
    LengthString,
    /// The number of elements.
    LengthArray,
    /// The number of entries.
    LengthMap,
    /// The number of elements.
    LengthSet,
    /// The number of elements, entries or characters.
    LengthJson,
    /// The lines, without their ends.
    Lines,
    /// Asks a model once, without tools, and gives its answer.
    LlmCall,
    /// The natural logarithm; NaN for what is negative.
    Ln,
    /// Writes values to the log of the run, with a space between them.
    Log,
    /// The same text in small letters.
    Lower,
    /// What a lambda makes of each element.
    Map,
    /// What a lambda makes of each value, under the same keys.
    MapValues,
    /// The largest element; `null` if there is none.
    MaxArray,
    /// The larger of two whole numbers.
    MaxInt,
    /// The larger of two numbers.
    MaxFloat,
    /// The longer of two durations.
    MaxDuration,
    /// The newest entry with a title; `null` if there is none.
    MemoryRead,
    /// The entries that fit a question best, the best first.
    MemorySearchString,
    /// The entries of a memory that fit a question best, the best first.
    MemorySearchMemory,
    /// Writes an entry.
    MemoryWriteString,
    /// Writes a record as an entry of a memory.
    MemoryWriteEntry,
    /// The entries of two maps.
    Merge,
    /// The smallest element; `null` if there is none.
    MinArray,
    /// The smaller of two whole numbers.
    MinInt,
    /// The smaller of two numbers.
    MinFloat,
    /// The shorter of two durations.
    MinDuration,
    /// The minute of an instant in a time zone, from 0 to 59.
    Minute,
    /// The month of an instant in a time zone, from 1 to 12.
    Month,
    /// This instant.
    Now,
    /// The value, or what is given instead if it is `null`.
    Otherwise,
    /// The text, filled up at its end to a number of characters.
    PadEnd,
    /// The text, filled up at its start to a number of characters.
    PadStart,
    /// Gives several tasks to agents at once, waits for all, and gives their results in order.
    Parallel,
    /// The length of time that a text spells as the language does, with one number and one unit.
    ParseDuration,
    /// The value that a text holds as JSON.
    ParseJson,
    /// The amount of memory that a text spells as the language does: `"512MB"`.
    ParseSize,
    /// The instant that a text in the form of RFC 3339 names.
    ParseTime,
    /// A number to the power of another.
    Pow,
    /// Writes values to the output of the run, with a space between them and a line end behind them.
    Print,
    /// Publishes a message under a topic, for whoever has subscribed to it.
    Publish,
    /// Puts an element at the end of the list on the left.
    Push,
    /// Gives several tasks to agents at once, and gives the first result; the others are cancelled.
    Race,
    /// A number from 0 up to 1, which is not included, as chance has it.
    Random,
    /// The whole numbers from one up to another, which is not included.
    Range,
    /// Gives a task to a model and lets it use the agent's tools until it has an answer.
    Reason,
    /// One value from all elements: the lambda gets what there is so far, then the next element.
    Reduce,
    /// Takes the element at a place out of the list on the left, and gives it.
    RemoveArray,
    /// Takes the entry of a key out of the map on the left, and gives its value; `null` if there is none.
    RemoveMap,
    /// Takes a value out of the set on the left, and tells whether it was in it.
    RemoveSet,
    /// The text, several times in a row.
    Repeat,
    /// The text with every occurrence of a part replaced.
    Replace,
    /// The characters in the opposite order.
    ReversedString,
    /// The elements in the opposite order.
    ReversedArray,
    /// The nearest whole number.
    Round,
    /// The number, rounded to so many digits after the point.
    RoundTo,
    /// The secret of a name that is only known when the program runs, as `vault://` and `env://` give one whose name is written down.
    SecretRead,
    /// What a path of JSON leads to, in the order of the value; `[]` if to nothing.
    Select,
    /// Sends a message to a person or a room of a channel, such as `"#team"`.
    Send,
    /// Gives a message to an agent and does not wait.
    SendTo,
    /// The elements without a number of them at the start.
    Skip,
    /// Waits for a length of time.
    Sleep,
    /// The characters from one place up to another, which is not included.
    SliceString,
    /// The elements from one place up to another, which is not included.
    SliceArray,
    /// Puts the elements of the list on the left in order, the smallest first.
    Sort,
    /// The elements in order, the smallest first.
    Sorted,
    /// The elements in the order of a key that is taken from each, the smallest first.
    SortedBy,
    /// The parts between the occurrences of a separator.
    Split,
    /// The square root; NaN for what is negative.
    Sqrt,
    /// Whether the text begins with a part.
    StartsWith,
    /// The text without a part at its start.
    StripPrefix,
    /// The text without a part at its end.
    StripSuffix,
    /// The sum of whole numbers; 0 if there is none.
    SumInt,
    /// The sum of numbers; 0 if there is none.
    SumFloat,
    /// The sum of durations; `0s` if there is none.
    SumDuration,
    /// At most a number of elements, from the start.
    Take,
    /// How long ago an instant was: `now() - start`.
    TimeSince,
    /// An amount of memory in bytes.
    ToBytes,
    /// A length of time in days of 24 hours.
    ToDays,
    /// The number that the text spells in decimal; `null` if it spells none.
    ToFloat,
    /// A length of time in hours.
    ToHours,
    /// The whole number that the text spells in decimal; `null` if it spells none.
    ToInt,
    /// An instant as text in the form of RFC 3339, in a time zone.
    ToIso,
    /// A value as JSON.
    ToJson,
    /// The values as a list.
    ToList,
    /// A map with an entry for each element.
    ToMap,
    /// A length of time in milliseconds, cut off to whole ones.
    ToMilliseconds,
    /// A length of time in minutes.
    ToMinutes,
    /// A length of time in seconds.
    ToSeconds,
    /// The elements as a set, in their order.
    ToSet,
    /// Any value as text, as `+` and `print` show it.
    ToString,
    /// The seconds from the start of 1970 in UTC to an instant, cut off to whole ones.
    ToUnix,
    /// Calls a tool and gives how it went.
    ToolCall,
    /// The text without white space at its two ends.
    Trim,
    /// The text without white space at its end.
    TrimEnd,
    /// The text without white space at its start.
    TrimStart,
    /// At most a number of characters of the text.
    TruncateString,
    /// The whole number that is left when what stands after the point is cut off.
    TruncateFloat,
    /// The name of the type that a value has.
    TypeOf,
    /// The values that are in one of two sets, or in both.
    Union,
    /// The elements, each once: equal ones in the place of the first.
    Unique,
    /// The same text in capital letters.
    Upper,
    /// The text that a part of an address stands for.
    UrlDecode,
    /// A text as a part of an address: all but letters, digits and `-._~` in per cent form.
    UrlEncode,
    /// The values, in the order of the entries.
    Values,
    /// Whether a signature is the HMAC of a text with SHA-256 and a secret key.
    VerifyHmacSha256,
    /// Whether a text is equal to a secret.
    VerifySecret,
    /// The day of the week of an instant in a time zone: 1 is Monday, 7 is Sunday.
    Weekday,
    /// The parts between white space.
    Words,
    /// The year of an instant in a time zone.
    Year,
    /// Pairs of elements at the same place in two lists, as far as both reach.
    Zip,
}

/// Every function, by name; those of one name in the order in which they are
/// tried. Laid out here, since the formatter would take thousands of lines.
#[rustfmt::skip]
pub static FUNCTIONS: &[Function] = &[
    Function {
        name: "abs", native: Native::AbsInt, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Int)],
        result: &Ty::Int,
    },
    Function {
        name: "abs", native: Native::AbsFloat, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Float)],
        result: &Ty::Float,
    },
    Function {
        name: "after", native: Native::After, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::String), Param::of("separator", &Ty::String)],
        result: &Ty::Option(&Ty::String),
    },
    Function {
        name: "all", native: Native::All, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::Array(&Ty::Param("T"))),
            Param::of("test", &Ty::Function { params: &[&Ty::Param("T")], result: &Ty::Bool }),
        ],
        result: &Ty::Bool,
    },
    Function {
        name: "any", native: Native::Any, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::Array(&Ty::Param("T"))),
            Param::of("test", &Ty::Function { params: &[&Ty::Param("T")], result: &Ty::Bool }),
        ],
        result: &Ty::Bool,
    },
    Function {
        name: "append", native: Native::Push, does: Does::Value,
        method: true, property: false, updates: true,
        params: &[Param::of("self", &Ty::Array(&Ty::Param("T"))), Param::of("value", &Ty::Param("T"))],
        result: &Ty::Null,
    },
    Function {
        name: "ask", native: Native::Ask, does: Does::Effect("delegate::{agent}"),
        method: false, property: false, updates: false,
        params: &[Param::of("agent", &Ty::String), Param::of("message", &Ty::Any)],
        result: &Ty::String,
    },
    Function {
        name: "audit_log", native: Native::AuditLog, does: Does::Journalled,
        method: false, property: false, updates: false,
        params: &[Param::rest("values", &Ty::Any).holding_secrets()],
        result: &Ty::Null,
    },
    Function {
        name: "base64_decode", native: Native::Base64Decode, does: Does::Value,
        method: false, property: false, updates: false,
        params: &[Param::of("text", &Ty::String)],
        result: &Ty::String,
    },
    Function {
        name: "base64_encode", native: Native::Base64Encode, does: Does::Value,
        method: false, property: false, updates: false,
        params: &[Param::of("text", &Ty::String)],
        result: &Ty::String,
    },
    Function {
        name: "before", native: Native::Before, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::String), Param::of("separator", &Ty::String)],
        result: &Ty::Option(&Ty::String),
    },
    Function {
        name: "ceil", native: Native::Ceil, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Float)],
        result: &Ty::Int,
    },
    Function {
        name: "chars", native: Native::Chars, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::String)],
        result: &Ty::Array(&Ty::String),
    },
    Function {
        name: "chunks", native: Native::Chunks, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Array(&Ty::Param("T"))), Param::of("size", &Ty::Int)],
        result: &Ty::Array(&Ty::Array(&Ty::Param("T"))),
    },
    Function {
        name: "clamp", native: Native::ClampInt, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Int), Param::of("low", &Ty::Int), Param::of("high", &Ty::Int)],
        result: &Ty::Int,
    },
    Function {
        name: "clamp", native: Native::ClampFloat, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Float), Param::of("low", &Ty::Float), Param::of("high", &Ty::Float)],
        result: &Ty::Float,
    },
    Function {
        name: "concat", native: Native::Concat, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::Array(&Ty::Param("T"))),
            Param::of("other", &Ty::Array(&Ty::Param("T"))),
        ],
        result: &Ty::Array(&Ty::Param("T")),
    },
    Function {
        name: "contains", native: Native::ContainsString, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::String), Param::of("part", &Ty::String)],
        result: &Ty::Bool,
    },
    Function {
        name: "contains", native: Native::ContainsArray, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Array(&Ty::Param("T"))), Param::of("value", &Ty::Param("T"))],
        result: &Ty::Bool,
    },
    Function {
        name: "contains", native: Native::ContainsMap, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::Map(&Ty::Param("K"), &Ty::Param("V"))),
            Param::of("key", &Ty::Param("K")),
        ],
        result: &Ty::Bool,
    },
    Function {
        name: "contains", native: Native::ContainsSet, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Set(&Ty::Param("T"))), Param::of("value", &Ty::Param("T"))],
        result: &Ty::Bool,
    },
    Function {
        name: "count", native: Native::CountString, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::String), Param::of("part", &Ty::String)],
        result: &Ty::Int,
    },
    Function {
        name: "count", native: Native::CountArray, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::Array(&Ty::Param("T"))),
            Param::of("test", &Ty::Function { params: &[&Ty::Param("T")], result: &Ty::Bool }),
        ],
        result: &Ty::Int,
    },
    Function {
        name: "date", native: Native::Date, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Time), Param::of("zone", &Ty::String).or(Default::Text("UTC"))],
        result: &Ty::String,
    },
    Function {
        name: "day", native: Native::Day, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Time), Param::of("zone", &Ty::String).or(Default::Text("UTC"))],
        result: &Ty::Int,
    },
    Function {
        name: "dedent", native: Native::Dedent, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::String)],
        result: &Ty::String,
    },
    Function {
        name: "delegate", native: Native::Delegate, does: Does::Effect("delegate::{agent}"),
        method: false, property: false, updates: false,
        params: &[
            Param::of("agent", &Ty::String),
            Param::of("message", &Ty::Any),
            Param::of("timeout", &Ty::Option(&Ty::Duration)).or(Default::Null),
        ],
        result: &Ty::Any,
    },
    Function {
        name: "difference", native: Native::Difference, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::Set(&Ty::Param("T"))),
            Param::of("other", &Ty::Set(&Ty::Param("T"))),
        ],
        result: &Ty::Set(&Ty::Param("T")),
    },
    Function {
        name: "div", native: Native::Div, does: Does::Value,
        method: false, property: false, updates: false,
        params: &[Param::of("a", &Ty::Int), Param::of("b", &Ty::Int)],
        result: &Ty::Int,
    },
    Function {
        name: "ends_with", native: Native::EndsWith, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::String), Param::of("part", &Ty::String)],
        result: &Ty::Bool,
    },
    Function {
        name: "entries", native: Native::Entries, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Map(&Ty::Param("K"), &Ty::Param("V")))],
        result: &Ty::Array(&Ty::Array(&Ty::Any)),
    },
    Function {
        name: "enumerate", native: Native::Enumerate, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Array(&Ty::Param("T")))],
        result: &Ty::Array(&Ty::Array(&Ty::Any)),
    },
    Function {
        name: "error", native: Native::ErrorString, does: Does::Value,
        method: false, property: false, updates: false,
        params: &[
            Param::of("message", &Ty::String),
            Param::of("kind", &Ty::String).or(Default::Text("error")),
            Param::of("details", &Ty::Any).or(Default::Record),
        ],
        result: &Ty::Never,
    },
    Function {
        name: "error", native: Native::ErrorError, does: Does::Value,
        method: false, property: false, updates: false,
        params: &[Param::of("problem", &Ty::Error)],
        result: &Ty::Never,
    },
    Function {
        name: "filter", native: Native::FilterArray, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::Array(&Ty::Param("T"))),
            Param::of("test", &Ty::Function { params: &[&Ty::Param("T")], result: &Ty::Bool }),
        ],
        result: &Ty::Array(&Ty::Param("T")),
    },
    Function {
        name: "filter", native: Native::FilterMap, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::Map(&Ty::Param("K"), &Ty::Param("V"))),
            Param::of("test", &Ty::Function { params: &[&Ty::Param("K"), &Ty::Param("V")], result: &Ty::Bool }),
        ],
        result: &Ty::Map(&Ty::Param("K"), &Ty::Param("V")),
    },
    Function {
        name: "find", native: Native::Find, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::Array(&Ty::Param("T"))),
            Param::of("test", &Ty::Function { params: &[&Ty::Param("T")], result: &Ty::Bool }),
        ],
        result: &Ty::Option(&Ty::Param("T")),
    },
    Function {
        name: "first", native: Native::First, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Array(&Ty::Param("T")))],
        result: &Ty::Option(&Ty::Param("T")),
    },
    Function {
        name: "flat_map", native: Native::FlatMap, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::Array(&Ty::Param("T"))),
            Param::of("f", &Ty::Function { params: &[&Ty::Param("T")], result: &Ty::Array(&Ty::Param("U")) }),
        ],
        result: &Ty::Array(&Ty::Param("U")),
    },
    Function {
        name: "flatten", native: Native::Flatten, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Array(&Ty::Array(&Ty::Param("T"))))],
        result: &Ty::Array(&Ty::Param("T")),
    },
    Function {
        name: "floor", native: Native::Floor, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Float)],
        result: &Ty::Int,
    },
    Function {
        name: "format", native: Native::Format, does: Does::Value,
        method: false, property: false, updates: false,
        params: &[Param::of("template", &Ty::String), Param::rest("values", &Ty::Any)],
        result: &Ty::String,
    },
    Function {
        name: "from_unix", native: Native::FromUnix, does: Does::Value,
        method: false, property: false, updates: false,
        params: &[Param::of("seconds", &Ty::Int)],
        result: &Ty::Time,
    },
    Function {
        name: "generate_id", native: Native::GenerateId, does: Does::Journalled,
        method: false, property: false, updates: false,
        params: &[],
        result: &Ty::String,
    },
    Function {
        name: "get", native: Native::GetArray, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Array(&Ty::Param("T"))), Param::of("place", &Ty::Int)],
        result: &Ty::Option(&Ty::Param("T")),
    },
    Function {
        name: "get", native: Native::GetArrayDefault, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::Array(&Ty::Param("T"))),
            Param::of("place", &Ty::Int),
            Param::of("default", &Ty::Param("T")),
        ],
        result: &Ty::Param("T"),
    },
    Function {
        name: "get", native: Native::GetMap, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::Map(&Ty::Param("K"), &Ty::Param("V"))),
            Param::of("key", &Ty::Param("K")),
        ],
        result: &Ty::Option(&Ty::Param("V")),
    },
    Function {
        name: "get", native: Native::GetMapDefault, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::Map(&Ty::Param("K"), &Ty::Param("V"))),
            Param::of("key", &Ty::Param("K")),
            Param::of("default", &Ty::Param("V")),
        ],
        result: &Ty::Param("V"),
    },
    Function {
        name: "group_by", native: Native::GroupBy, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::Array(&Ty::Param("T"))),
            Param::of("key", &Ty::Function { params: &[&Ty::Param("T")], result: &Ty::Param("K") }),
        ],
        result: &Ty::Map(&Ty::Param("K"), &Ty::Array(&Ty::Param("T"))),
    },
    Function {
        name: "hash", native: Native::HashSha256, does: Does::Value,
        method: false, property: false, updates: false,
        params: &[Param::of("text", &Ty::String)],
        result: &Ty::String,
    },
    Function {
        name: "hash_sha256", native: Native::HashSha256, does: Does::Value,
        method: false, property: false, updates: false,
        params: &[Param::of("text", &Ty::String)],
        result: &Ty::String,
    },
    Function {
        name: "hash_sha512", native: Native::HashSha512, does: Does::Value,
        method: false, property: false, updates: false,
        params: &[Param::of("text", &Ty::String)],
        result: &Ty::String,
    },
    Function {
        name: "hmac_sha256", native: Native::HmacSha256, does: Does::Value,
        method: false, property: false, updates: false,
        params: &[Param::of("text", &Ty::String), Param::of("key", &Ty::Secret(&Ty::String))],
        result: &Ty::String,
    },
    Function {
        name: "hour", native: Native::Hour, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Time), Param::of("zone", &Ty::String).or(Default::Text("UTC"))],
        result: &Ty::Int,
    },
    Function {
        name: "http_request", native: Native::HttpRequest, does: Does::Effect("http_request"),
        method: false, property: false, updates: false,
        params: &[
            Param::of("url", &Ty::String),
            Param::of("method", &Ty::String).or(Default::Text("GET")),
            Param::of("headers", &Ty::Any).or(Default::Record).holding_secrets(),
            Param::of("body", &Ty::Any).or(Default::Null).holding_secrets(),
            Param::of("timeout", &Ty::Option(&Ty::Duration)).or(Default::Null),
        ],
        result: &Ty::Json,
    },
    Function {
        name: "indent", native: Native::Indent, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::String), Param::of("by", &Ty::String).or(Default::Text("    "))],
        result: &Ty::String,
    },
    Function {
        name: "index_of", native: Native::IndexOfString, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::String), Param::of("part", &Ty::String)],
        result: &Ty::Option(&Ty::Int),
    },
    Function {
        name: "index_of", native: Native::IndexOfArray, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Array(&Ty::Param("T"))), Param::of("value", &Ty::Param("T"))],
        result: &Ty::Option(&Ty::Int),
    },
    Function {
        name: "insert", native: Native::InsertArray, does: Does::Value,
        method: true, property: false, updates: true,
        params: &[
            Param::of("self", &Ty::Array(&Ty::Param("T"))),
            Param::of("place", &Ty::Int),
            Param::of("value", &Ty::Param("T")),
        ],
        result: &Ty::Null,
    },
    Function {
        name: "insert", native: Native::InsertMap, does: Does::Value,
        method: true, property: false, updates: true,
        params: &[
            Param::of("self", &Ty::Map(&Ty::Param("K"), &Ty::Param("V"))),
            Param::of("key", &Ty::Param("K")),
            Param::of("value", &Ty::Param("V")),
        ],
        result: &Ty::Null,
    },
    Function {
        name: "insert", native: Native::InsertSet, does: Does::Value,
        method: true, property: false, updates: true,
        params: &[Param::of("self", &Ty::Set(&Ty::Param("T"))), Param::of("value", &Ty::Param("T"))],
        result: &Ty::Bool,
    },
    Function {
        name: "intersection", native: Native::Intersection, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::Set(&Ty::Param("T"))),
            Param::of("other", &Ty::Set(&Ty::Param("T"))),
        ],
        result: &Ty::Set(&Ty::Param("T")),
    },
    Function {
        name: "is_empty", native: Native::IsEmptyString, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::String)],
        result: &Ty::Bool,
    },
    Function {
        name: "is_empty", native: Native::IsEmptyArray, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Array(&Ty::Param("T")))],
        result: &Ty::Bool,
    },
    Function {
        name: "is_empty", native: Native::IsEmptyMap, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Map(&Ty::Param("K"), &Ty::Param("V")))],
        result: &Ty::Bool,
    },
    Function {
        name: "is_empty", native: Native::IsEmptySet, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Set(&Ty::Param("T")))],
        result: &Ty::Bool,
    },
    Function {
        name: "is_nan", native: Native::IsNan, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Float)],
        result: &Ty::Bool,
    },
    Function {
        name: "is_subset", native: Native::IsSubset, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::Set(&Ty::Param("T"))),
            Param::of("other", &Ty::Set(&Ty::Param("T"))),
        ],
        result: &Ty::Bool,
    },
    Function {
        name: "join", native: Native::Join, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::Array(&Ty::Param("T"))),
            Param::of("separator", &Ty::String).or(Default::Text("")),
        ],
        result: &Ty::String,
    },
    Function {
        name: "keys", native: Native::Keys, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Map(&Ty::Param("K"), &Ty::Param("V")))],
        result: &Ty::Array(&Ty::Param("K")),
    },
    Function {
        name: "last", native: Native::Last, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Array(&Ty::Param("T")))],
        result: &Ty::Option(&Ty::Param("T")),
    },
    Function {
        name: "len", native: Native::LengthString, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::String)],
        result: &Ty::Int,
    },
    Function {
        name: "len", native: Native::LengthArray, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Array(&Ty::Param("T")))],
        result: &Ty::Int,
    },
    Function {
        name: "len", native: Native::LengthMap, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Map(&Ty::Param("K"), &Ty::Param("V")))],
        result: &Ty::Int,
    },
    Function {
        name: "len", native: Native::LengthSet, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Set(&Ty::Param("T")))],
        result: &Ty::Int,
    },
    Function {
        name: "len", native: Native::LengthJson, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Json)],
        result: &Ty::Int,
    },
    Function {
        name: "length", native: Native::LengthString, does: Does::Value,
        method: true, property: true, updates: false,
        params: &[Param::of("self", &Ty::String)],
        result: &Ty::Int,
    },
    Function {
        name: "length", native: Native::LengthArray, does: Does::Value,
        method: true, property: true, updates: false,
        params: &[Param::of("self", &Ty::Array(&Ty::Param("T")))],
        result: &Ty::Int,
    },
    Function {
        name: "length", native: Native::LengthMap, does: Does::Value,
        method: true, property: true, updates: false,
        params: &[Param::of("self", &Ty::Map(&Ty::Param("K"), &Ty::Param("V")))],
        result: &Ty::Int,
    },
    Function {
        name: "length", native: Native::LengthSet, does: Does::Value,
        method: true, property: true, updates: false,
        params: &[Param::of("self", &Ty::Set(&Ty::Param("T")))],
        result: &Ty::Int,
    },
    Function {
        name: "length", native: Native::LengthJson, does: Does::Value,
        method: true, property: true, updates: false,
        params: &[Param::of("self", &Ty::Json)],
        result: &Ty::Int,
    },
    Function {
        name: "lines", native: Native::Lines, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::String)],
        result: &Ty::Array(&Ty::String),
    },
    Function {
        name: "llm_call", native: Native::LlmCall, does: Does::Effect("model_call"),
        method: false, property: false, updates: false,
        params: &[
            Param::of("prompt", &Ty::Any),
            Param::of("model", &Ty::Option(&Ty::String)).or(Default::Null),
            Param::of("temperature", &Ty::Option(&Ty::Float)).or(Default::Null),
            Param::of("max_tokens", &Ty::Option(&Ty::Int)).or(Default::Null),
        ],
        result: &Ty::String,
    },
    Function {
        name: "ln", native: Native::Ln, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Float)],
        result: &Ty::Float,
    },
    Function {
        name: "log", native: Native::Log, does: Does::Journalled,
        method: false, property: false, updates: false,
        params: &[Param::rest("values", &Ty::Any).holding_secrets()],
        result: &Ty::Null,
    },
    Function {
        name: "lower", native: Native::Lower, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::String)],
        result: &Ty::String,
    },
    Function {
        name: "map", native: Native::Map, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::Array(&Ty::Param("T"))),
            Param::of("f", &Ty::Function { params: &[&Ty::Param("T")], result: &Ty::Param("U") }),
        ],
        result: &Ty::Array(&Ty::Param("U")),
    },
    Function {
        name: "map_values", native: Native::MapValues, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::Map(&Ty::Param("K"), &Ty::Param("V"))),
            Param::of("f", &Ty::Function { params: &[&Ty::Param("V")], result: &Ty::Param("U") }),
        ],
        result: &Ty::Map(&Ty::Param("K"), &Ty::Param("U")),
    },
    Function {
        name: "max", native: Native::MaxArray, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Array(&Ty::Param("T")))],
        result: &Ty::Option(&Ty::Param("T")),
    },
    Function {
        name: "max", native: Native::MaxInt, does: Does::Value,
        method: false, property: false, updates: false,
        params: &[Param::of("a", &Ty::Int), Param::of("b", &Ty::Int)],
        result: &Ty::Int,
    },
    Function {
        name: "max", native: Native::MaxFloat, does: Does::Value,
        method: false, property: false, updates: false,
        params: &[Param::of("a", &Ty::Float), Param::of("b", &Ty::Float)],
        result: &Ty::Float,
    },
    Function {
        name: "max", native: Native::MaxDuration, does: Does::Value,
        method: false, property: false, updates: false,
        params: &[Param::of("a", &Ty::Duration), Param::of("b", &Ty::Duration)],
        result: &Ty::Duration,
    },
    Function {
        name: "memory_read", native: Native::MemoryRead, does: Does::Effect("memory_read"),
        method: false, property: false, updates: false,
        params: &[Param::of("title", &Ty::String), Param::of("memory", &Ty::Any).or(Default::Null)],
        result: &Ty::Json,
    },
    Function {
        name: "memory_search", native: Native::MemorySearchString, does: Does::Effect("memory_search"),
        method: false, property: false, updates: false,
        params: &[
            Param::of("query", &Ty::String),
            Param::of("limit", &Ty::Int).or(Default::Int(10)),
            Param::of("memory", &Ty::Any).or(Default::Null),
        ],
        result: &Ty::Array(&Ty::Json),
    },
    Function {
        name: "memory_search", native: Native::MemorySearchMemory, does: Does::Effect("memory_search"),
        method: false, property: false, updates: false,
        params: &[
            Param::of("memory", &Ty::Any),
            Param::of("query", &Ty::String),
            Param::of("limit", &Ty::Int).or(Default::Int(10)),
        ],
        result: &Ty::Array(&Ty::Json),
    },
    Function {
        name: "memory_write", native: Native::MemoryWriteString, does: Does::Effect("memory_write"),
        method: false, property: false, updates: false,
        params: &[
            Param::of("title", &Ty::String),
            Param::of("text", &Ty::String),
            Param::of("memory", &Ty::Any).or(Default::Null),
        ],
        result: &Ty::Null,
    },
    Function {
        name: "memory_write", native: Native::MemoryWriteEntry, does: Does::Effect("memory_write"),
        method: false, property: false, updates: false,
        params: &[Param::of("memory", &Ty::Any), Param::of("entry", &Ty::Any)],
        result: &Ty::Null,
    },
    Function {
        name: "merge", native: Native::Merge, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::Map(&Ty::Param("K"), &Ty::Param("V"))),
            Param::of("other", &Ty::Map(&Ty::Param("K"), &Ty::Param("V"))),
        ],
        result: &Ty::Map(&Ty::Param("K"), &Ty::Param("V")),
    },
    Function {
        name: "min", native: Native::MinArray, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Array(&Ty::Param("T")))],
        result: &Ty::Option(&Ty::Param("T")),
    },
    Function {
        name: "min", native: Native::MinInt, does: Does::Value,
        method: false, property: false, updates: false,
        params: &[Param::of("a", &Ty::Int), Param::of("b", &Ty::Int)],
        result: &Ty::Int,
    },
    Function {
        name: "min", native: Native::MinFloat, does: Does::Value,
        method: false, property: false, updates: false,
        params: &[Param::of("a", &Ty::Float), Param::of("b", &Ty::Float)],
        result: &Ty::Float,
    },
    Function {
        name: "min", native: Native::MinDuration, does: Does::Value,
        method: false, property: false, updates: false,
        params: &[Param::of("a", &Ty::Duration), Param::of("b", &Ty::Duration)],
        result: &Ty::Duration,
    },
    Function {
        name: "minute", native: Native::Minute, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Time), Param::of("zone", &Ty::String).or(Default::Text("UTC"))],
        result: &Ty::Int,
    },
    Function {
        name: "month", native: Native::Month, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Time), Param::of("zone", &Ty::String).or(Default::Text("UTC"))],
        result: &Ty::Int,
    },
    Function {
        name: "now", native: Native::Now, does: Does::Journalled,
        method: false, property: false, updates: false,
        params: &[],
        result: &Ty::Time,
    },
    Function {
        name: "otherwise", native: Native::Otherwise, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Option(&Ty::Param("T"))), Param::of("other", &Ty::Param("T"))],
        result: &Ty::Param("T"),
    },
    Function {
        name: "pad_end", native: Native::PadEnd, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::String),
            Param::of("width", &Ty::Int),
            Param::of("filling", &Ty::String).or(Default::Text(" ")),
        ],
        result: &Ty::String,
    },
    Function {
        name: "pad_start", native: Native::PadStart, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::String),
            Param::of("width", &Ty::Int),
            Param::of("filling", &Ty::String).or(Default::Text(" ")),
        ],
        result: &Ty::String,
    },
    Function {
        name: "parallel", native: Native::Parallel, does: Does::Effect("delegate::{tasks.agent}"),
        method: false, property: false, updates: false,
        params: &[Param::of("tasks", &Ty::Array(&Ty::Any))],
        result: &Ty::Array(&Ty::Any),
    },
    Function {
        name: "parse_duration", native: Native::ParseDuration, does: Does::Value,
        method: false, property: false, updates: false,
        params: &[Param::of("text", &Ty::String)],
        result: &Ty::Duration,
    },
    Function {
        name: "parse_json", native: Native::ParseJson, does: Does::Value,
        method: false, property: false, updates: false,
        params: &[Param::of("text", &Ty::String)],
        result: &Ty::Json,
    },
    Function {
        name: "parse_size", native: Native::ParseSize, does: Does::Value,
        method: false, property: false, updates: false,
        params: &[Param::of("text", &Ty::String)],
        result: &Ty::Size,
    },
    Function {
        name: "parse_time", native: Native::ParseTime, does: Does::Value,
        method: false, property: false, updates: false,
        params: &[Param::of("text", &Ty::String)],
        result: &Ty::Time,
    },
    Function {
        name: "pow", native: Native::Pow, does: Does::Value,
        method: false, property: false, updates: false,
        params: &[Param::of("base", &Ty::Float), Param::of("exponent", &Ty::Float)],
        result: &Ty::Float,
    },
    Function {
        name: "print", native: Native::Print, does: Does::Journalled,
        method: false, property: false, updates: false,
        params: &[Param::rest("values", &Ty::Any).holding_secrets()],
        result: &Ty::Null,
    },
    Function {
        name: "publish", native: Native::Publish, does: Does::Effect("publish"),
        method: false, property: false, updates: false,
        params: &[Param::of("topic", &Ty::String), Param::of("message", &Ty::Any)],
        result: &Ty::Null,
    },
    Function {
        name: "push", native: Native::Push, does: Does::Value,
        method: true, property: false, updates: true,
        params: &[Param::of("self", &Ty::Array(&Ty::Param("T"))), Param::of("value", &Ty::Param("T"))],
        result: &Ty::Null,
    },
    Function {
        name: "race", native: Native::Race, does: Does::Effect("delegate::{tasks.agent}"),
        method: false, property: false, updates: false,
        params: &[Param::of("tasks", &Ty::Array(&Ty::Any))],
        result: &Ty::Any,
    },
    Function {
        name: "random", native: Native::Random, does: Does::Journalled,
        method: false, property: false, updates: false,
        params: &[],
        result: &Ty::Float,
    },
    Function {
        name: "range", native: Native::Range, does: Does::Value,
        method: false, property: false, updates: false,
        params: &[
            Param::of("start", &Ty::Int),
            Param::of("end", &Ty::Int),
            Param::of("step", &Ty::Int).or(Default::Int(1)),
        ],
        result: &Ty::Array(&Ty::Int),
    },
    Function {
        name: "reason", native: Native::Reason, does: Does::Effect("model_call"),
        method: false, property: false, updates: false,
        params: &[
            Param::of("system", &Ty::String),
            Param::of("user", &Ty::Any),
            Param::of("max_iterations", &Ty::Int).or(Default::Int(10)),
            Param::of("max_tokens", &Ty::Int).or(Default::Int(100_000)),
            Param::of("model", &Ty::Option(&Ty::String)).or(Default::Null),
            Param::of("temperature", &Ty::Option(&Ty::Float)).or(Default::Null),
        ],
        result: &Ty::Json,
    },
    Function {
        name: "reduce", native: Native::Reduce, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::Array(&Ty::Param("T"))),
            Param::of("f", &Ty::Function { params: &[&Ty::Param("U"), &Ty::Param("T")], result: &Ty::Param("U") }),
            Param::of("start", &Ty::Param("U")),
        ],
        result: &Ty::Param("U"),
    },
    Function {
        name: "remove", native: Native::RemoveArray, does: Does::Value,
        method: true, property: false, updates: true,
        params: &[Param::of("self", &Ty::Array(&Ty::Param("T"))), Param::of("place", &Ty::Int)],
        result: &Ty::Param("T"),
    },
    Function {
        name: "remove", native: Native::RemoveMap, does: Does::Value,
        method: true, property: false, updates: true,
        params: &[
            Param::of("self", &Ty::Map(&Ty::Param("K"), &Ty::Param("V"))),
            Param::of("key", &Ty::Param("K")),
        ],
        result: &Ty::Option(&Ty::Param("V")),
    },
    Function {
        name: "remove", native: Native::RemoveSet, does: Does::Value,
        method: true, property: false, updates: true,
        params: &[Param::of("self", &Ty::Set(&Ty::Param("T"))), Param::of("value", &Ty::Param("T"))],
        result: &Ty::Bool,
    },
    Function {
        name: "repeat", native: Native::Repeat, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::String), Param::of("times", &Ty::Int)],
        result: &Ty::String,
    },
    Function {
        name: "replace", native: Native::Replace, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::String),
            Param::of("part", &Ty::String),
            Param::of("by", &Ty::String),
        ],
        result: &Ty::String,
    },
    Function {
        name: "reversed", native: Native::ReversedString, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::String)],
        result: &Ty::String,
    },
    Function {
        name: "reversed", native: Native::ReversedArray, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Array(&Ty::Param("T")))],
        result: &Ty::Array(&Ty::Param("T")),
    },
    Function {
        name: "round", native: Native::Round, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Float)],
        result: &Ty::Int,
    },
    Function {
        name: "round_to", native: Native::RoundTo, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Float), Param::of("digits", &Ty::Int)],
        result: &Ty::Float,
    },
    Function {
        name: "secret_read", native: Native::SecretRead, does: Does::Effect("secret_read"),
        method: false, property: false, updates: false,
        params: &[Param::of("path", &Ty::String)],
        result: &Ty::Secret(&Ty::String),
    },
    Function {
        name: "select", native: Native::Select, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Json), Param::of("path", &Ty::String)],
        result: &Ty::Array(&Ty::Any),
    },
    Function {
        name: "send", native: Native::Send, does: Does::Effect("send"),
        method: false, property: false, updates: false,
        params: &[Param::of("to", &Ty::String), Param::of("text", &Ty::Any)],
        result: &Ty::Null,
    },
    Function {
        name: "send_to", native: Native::SendTo, does: Does::Effect("delegate::{agent}"),
        method: false, property: false, updates: false,
        params: &[Param::of("agent", &Ty::String), Param::of("message", &Ty::Any)],
        result: &Ty::Null,
    },
    Function {
        name: "skip", native: Native::Skip, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Array(&Ty::Param("T"))), Param::of("number", &Ty::Int)],
        result: &Ty::Array(&Ty::Param("T")),
    },
    Function {
        name: "sleep", native: Native::Sleep, does: Does::Journalled,
        method: false, property: false, updates: false,
        params: &[Param::of("duration", &Ty::Duration)],
        result: &Ty::Null,
    },
    Function {
        name: "slice", native: Native::SliceString, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::String),
            Param::of("start", &Ty::Int),
            Param::of("end", &Ty::Option(&Ty::Int)).or(Default::Null),
        ],
        result: &Ty::String,
    },
    Function {
        name: "slice", native: Native::SliceArray, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::Array(&Ty::Param("T"))),
            Param::of("start", &Ty::Int),
            Param::of("end", &Ty::Option(&Ty::Int)).or(Default::Null),
        ],
        result: &Ty::Array(&Ty::Param("T")),
    },
    Function {
        name: "sort", native: Native::Sort, does: Does::Value,
        method: true, property: false, updates: true,
        params: &[Param::of("self", &Ty::Array(&Ty::Param("T")))],
        result: &Ty::Null,
    },
    Function {
        name: "sorted", native: Native::Sorted, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Array(&Ty::Param("T")))],
        result: &Ty::Array(&Ty::Param("T")),
    },
    Function {
        name: "sorted_by", native: Native::SortedBy, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::Array(&Ty::Param("T"))),
            Param::of("key", &Ty::Function { params: &[&Ty::Param("T")], result: &Ty::Param("K") }),
        ],
        result: &Ty::Array(&Ty::Param("T")),
    },
    Function {
        name: "split", native: Native::Split, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::String), Param::of("separator", &Ty::String)],
        result: &Ty::Array(&Ty::String),
    },
    Function {
        name: "sqrt", native: Native::Sqrt, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Float)],
        result: &Ty::Float,
    },
    Function {
        name: "starts_with", native: Native::StartsWith, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::String), Param::of("part", &Ty::String)],
        result: &Ty::Bool,
    },
    Function {
        name: "strip_prefix", native: Native::StripPrefix, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::String), Param::of("prefix", &Ty::String)],
        result: &Ty::String,
    },
    Function {
        name: "strip_suffix", native: Native::StripSuffix, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::String), Param::of("suffix", &Ty::String)],
        result: &Ty::String,
    },
    Function {
        name: "sum", native: Native::SumInt, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Array(&Ty::Int))],
        result: &Ty::Int,
    },
    Function {
        name: "sum", native: Native::SumFloat, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Array(&Ty::Float))],
        result: &Ty::Float,
    },
    Function {
        name: "sum", native: Native::SumDuration, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Array(&Ty::Duration))],
        result: &Ty::Duration,
    },
    Function {
        name: "take", native: Native::Take, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Array(&Ty::Param("T"))), Param::of("most", &Ty::Int)],
        result: &Ty::Array(&Ty::Param("T")),
    },
    Function {
        name: "time_since", native: Native::TimeSince, does: Does::Journalled,
        method: false, property: false, updates: false,
        params: &[Param::of("start", &Ty::Time)],
        result: &Ty::Duration,
    },
    Function {
        name: "to_bytes", native: Native::ToBytes, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Size)],
        result: &Ty::Int,
    },
    Function {
        name: "to_days", native: Native::ToDays, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Duration)],
        result: &Ty::Float,
    },
    Function {
        name: "to_float", native: Native::ToFloat, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::String)],
        result: &Ty::Option(&Ty::Float),
    },
    Function {
        name: "to_hours", native: Native::ToHours, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Duration)],
        result: &Ty::Float,
    },
    Function {
        name: "to_int", native: Native::ToInt, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::String)],
        result: &Ty::Option(&Ty::Int),
    },
    Function {
        name: "to_iso", native: Native::ToIso, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Time), Param::of("zone", &Ty::String).or(Default::Text("UTC"))],
        result: &Ty::String,
    },
    Function {
        name: "to_json", native: Native::ToJson, does: Does::Value,
        method: false, property: false, updates: false,
        params: &[Param::of("value", &Ty::Any), Param::of("indent", &Ty::Int).or(Default::Int(0))],
        result: &Ty::String,
    },
    Function {
        name: "to_list", native: Native::ToList, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Set(&Ty::Param("T")))],
        result: &Ty::Array(&Ty::Param("T")),
    },
    Function {
        name: "to_map", native: Native::ToMap, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::Array(&Ty::Param("T"))),
            Param::of("key", &Ty::Function { params: &[&Ty::Param("T")], result: &Ty::Param("K") }),
            Param::of("value", &Ty::Function { params: &[&Ty::Param("T")], result: &Ty::Param("V") }),
        ],
        result: &Ty::Map(&Ty::Param("K"), &Ty::Param("V")),
    },
    Function {
        name: "to_milliseconds", native: Native::ToMilliseconds, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Duration)],
        result: &Ty::Int,
    },
    Function {
        name: "to_minutes", native: Native::ToMinutes, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Duration)],
        result: &Ty::Float,
    },
    Function {
        name: "to_seconds", native: Native::ToSeconds, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Duration)],
        result: &Ty::Float,
    },
    Function {
        name: "to_set", native: Native::ToSet, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Array(&Ty::Param("T")))],
        result: &Ty::Set(&Ty::Param("T")),
    },
    Function {
        name: "to_string", native: Native::ToString, does: Does::Value,
        method: false, property: false, updates: false,
        params: &[Param::of("value", &Ty::Any).holding_secrets()],
        result: &Ty::String,
    },
    Function {
        name: "to_unix", native: Native::ToUnix, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Time)],
        result: &Ty::Int,
    },
    Function {
        name: "tool_call", native: Native::ToolCall, does: Does::Effect("{tool}"),
        method: false, property: false, updates: false,
        params: &[Param::of("tool", &Ty::String), Param::of("arguments", &Ty::Any).or(Default::Record)],
        result: &Ty::Json,
    },
    Function {
        name: "trim", native: Native::Trim, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::String)],
        result: &Ty::String,
    },
    Function {
        name: "trim_end", native: Native::TrimEnd, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::String)],
        result: &Ty::String,
    },
    Function {
        name: "trim_start", native: Native::TrimStart, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::String)],
        result: &Ty::String,
    },
    Function {
        name: "truncate", native: Native::TruncateString, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::String),
            Param::of("most", &Ty::Int),
            Param::of("ending", &Ty::String).or(Default::Text("…")),
        ],
        result: &Ty::String,
    },
    Function {
        name: "truncate", native: Native::TruncateFloat, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Float)],
        result: &Ty::Int,
    },
    Function {
        name: "type_of", native: Native::TypeOf, does: Does::Value,
        method: false, property: false, updates: false,
        params: &[Param::of("value", &Ty::Any)],
        result: &Ty::String,
    },
    Function {
        name: "union", native: Native::Union, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::Set(&Ty::Param("T"))),
            Param::of("other", &Ty::Set(&Ty::Param("T"))),
        ],
        result: &Ty::Set(&Ty::Param("T")),
    },
    Function {
        name: "unique", native: Native::Unique, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Array(&Ty::Param("T")))],
        result: &Ty::Array(&Ty::Param("T")),
    },
    Function {
        name: "upper", native: Native::Upper, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::String)],
        result: &Ty::String,
    },
    Function {
        name: "url_decode", native: Native::UrlDecode, does: Does::Value,
        method: false, property: false, updates: false,
        params: &[Param::of("text", &Ty::String)],
        result: &Ty::String,
    },
    Function {
        name: "url_encode", native: Native::UrlEncode, does: Does::Value,
        method: false, property: false, updates: false,
        params: &[Param::of("text", &Ty::String)],
        result: &Ty::String,
    },
    Function {
        name: "values", native: Native::Values, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Map(&Ty::Param("K"), &Ty::Param("V")))],
        result: &Ty::Array(&Ty::Param("V")),
    },
    Function {
        name: "verify_hmac_sha256", native: Native::VerifyHmacSha256, does: Does::Value,
        method: false, property: false, updates: false,
        params: &[
            Param::of("text", &Ty::String),
            Param::of("key", &Ty::Secret(&Ty::String)),
            Param::of("signature", &Ty::String),
        ],
        result: &Ty::Bool,
    },
    Function {
        name: "verify_secret", native: Native::VerifySecret, does: Does::Value,
        method: false, property: false, updates: false,
        params: &[Param::of("secret", &Ty::Secret(&Ty::String)), Param::of("given", &Ty::String)],
        result: &Ty::Bool,
    },
    Function {
        name: "weekday", native: Native::Weekday, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Time), Param::of("zone", &Ty::String).or(Default::Text("UTC"))],
        result: &Ty::Int,
    },
    Function {
        name: "words", native: Native::Words, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::String)],
        result: &Ty::Array(&Ty::String),
    },
    Function {
        name: "year", native: Native::Year, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[Param::of("self", &Ty::Time), Param::of("zone", &Ty::String).or(Default::Text("UTC"))],
        result: &Ty::Int,
    },
    Function {
        name: "zip", native: Native::Zip, does: Does::Value,
        method: true, property: false, updates: false,
        params: &[
            Param::of("self", &Ty::Array(&Ty::Param("T"))),
            Param::of("other", &Ty::Array(&Ty::Param("U"))),
        ],
        result: &Ty::Array(&Ty::Array(&Ty::Any)),
    },
];
