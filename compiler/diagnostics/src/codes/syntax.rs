//! S01xx: what the lexer and the parser report.

use super::{Code, Level};

macro_rules! codes {
    ($($id:ident $level:ident $title:literal)*) => {
        $(
            #[doc = $title]
            pub static $id: Code = Code {
                id: stringify!($id),
                level: Level::$level,
                title: $title,
                page: include_str!(concat!("../../docs/", stringify!($id), ".md")),
            };
        )*

        /// Every syntax code, in ascending order.
        pub static ALL: &[&Code] = &[$(&$id),*];
    };
}

codes! {
    S0101 Error "a file that is not valid UTF-8"
    S0102 Error "a character that the language does not use"
    S0103 Error "a string without its closing quote"
    S0104 Error "a block comment without its end"
    S0105 Error "a string that is not in double quotes"
    S0106 Warning "an unknown escape in a string"
    S0107 Error "a missing `;`"
    S0108 Error "a number that is too large"
    S0109 Error "a number with an unknown ending"
    S0110 Error "a name with a dash or a letter outside ASCII"
    S0111 Error "an address without quotes"
    S0112 Error "a bracket that is never closed"
    S0113 Error "a closing bracket that opens nothing"
    S0114 Error "nesting that is too deep"
    S0115 Error "a chain that is too long"
    S0116 Error "an item that is too large"
    S0117 Warning "a space between a number and its unit"
    S0120 Error "something that is not an item of the language"
    S0121 Error "a statement outside an agent or function"
    S0122 Error "an item of another language"
    S0123 Error "a missing body"
    S0124 Error "an item whose name is missing or malformed"
    S0125 Error "a modifier in front of an item"
    S0126 Error "`extern` outside the standard library"
    S0127 Error "a function inside a function"
    S0128 Error "a sign before the braces of an item"
    S0129 Warning "a policy without a name"
    S0130 Error "a key without a value"
    S0131 Error "a block value that is not a plain value"
    S0132 Error "an entry that does not start with a key"
    S0133 Error "a comma with nothing before it"
    S0134 Error "an attribute of `with` without `=`"
    S0135 Error "two elements without a comma between them"
    S0136 Error "`=` where `:` is meant"
    S0140 Error "a rule verb of another language"
    S0141 Error "`unless` in a rule"
    S0142 Error "a rule without a selector"
    S0143 Error "a rule that does not end where it should"
    S0150 Error "an operator that the language does not have"
    S0151 Warning "`and` or `or` written as a word"
    S0152 Warning "a chained comparison"
    S0153 Warning "`not` before a comparison"
    S0154 Error "`await`"
    S0155 Error "the conditional operator `? :`"
    S0156 Error "a range written with `..`"
    S0157 Error "a lambda between bars"
    S0158 Error "a struct literal in a head"
    S0159 Error "a missing expression"
    S0160 Error "an assignment to something that cannot be assigned"
    S0161 Warning "a stray `;`"
    S0162 Warning "a field of a number"
    S0163 Error "a statement of another language"
    S0164 Error "braces that are neither a record nor a body"
    S0165 Error "a missing `{`"
    S0166 Error "a malformed pattern or arm"
    S0167 Error "a missing word or sign"
    S0170 Error "a type of another language"
    S0171 Error "a parameter or field without a type"
    S0172 Error "a missing type"
}
