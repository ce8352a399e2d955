//! A million nested or chained constructs of every kind in a 1 MB stack, in
//! the build at hand: at most one report, no abort, and work that grows with
//! the length of the input (language.md 2.3; architecture.md, invariant 3).

use symbi_syntax::File;

/// A construct: its name, its start, its repeated part, its middle, its
/// repeated end and its end.
struct Construct {
    name: &'static str,
    open: &'static str,
    middle: &'static str,
    close: &'static str,
}

const fn nested(
    name: &'static str,
    open: &'static str,
    middle: &'static str,
    close: &'static str,
) -> Construct {
    Construct {
        name,
        open,
        middle,
        close,
    }
}

const fn chained(name: &'static str, part: &'static str, end: &'static str) -> Construct {
    Construct {
        name,
        open: part,
        middle: end,
        close: "",
    }
}

/// Constructs that nest where a value may stand.
const NESTED: &[Construct] = &[
    nested("parentheses", "(", "1", ")"),
    nested("lists", "[", "1", "]"),
    nested("lists with elements", "[1, ", "1", ", 2]"),
    nested("records", "{ a: ", "1", " }"),
    nested("struct literals", "T { a: ", "1", " }"),
    nested("calls", "f(", "1", ")"),
    nested("named arguments", "f(a = ", "1", ")"),
    nested("indices", "a[", "1", "]"),
    nested("lambdas with blocks", "x => { ", "1", " }"),
    nested("ifs as values", "if a { ", "1", " } else { 2 }"),
    nested("matches as values", "match x { _ => ", "1", " }"),
    nested("tries as values", "try { ", "1", " } catch (e) { 2 }"),
    nested("a mix", "[{ a: (", "1", ") }]"),
];

/// Constructs that form chains where a value may stand.
const CHAINED: &[Construct] = &[
    chained("minus signs", "- ", "1"),
    chained("bangs", "!", "a"),
    chained("nots", "not ", "a"),
    chained("additions", "1 + ", "1"),
    chained("comparisons", "1 < ", "1"),
    chained("ands", "a && b || ", "c"),
    chained("words for operators", "a and ", "b"),
    chained("bit operators", "a & ", "b"),
    chained("powers", "a ** ", "b"),
    chained("lambdas", "x => ", "1"),
    chained("lambdas in parentheses", "(x) => ", "1"),
    chained("conditionals", "a ? b : ", "c"),
    chained("conditionals to the left", "a ? ", "b"),
    chained("bars", "|x| ", "1"),
    chained("else ifs", "if a { } else ", "if b { }"),
    chained("ifs in heads", "if ", "a { }"),
    chained("matches in heads", "match ", "a { }"),
];

/// Chains that begin with an operand.
const TAILS: &[Construct] = &[
    chained("fields", ".a", ""),
    chained("calls of calls", "()", ""),
    chained("indices of indices", "[0]", ""),
    chained("paths", "::a", ""),
    chained("question marks", "?", ""),
    chained("increments", "++", ""),
    chained("ranges", "..a", ""),
];

/// Constructs that stand where a statement may stand.
const STATEMENTS: &[Construct] = &[
    nested("ifs", "if a { ", "f();", " }"),
    nested("fors", "for x in y { ", "f();", " }"),
    nested("whiles", "while a { ", "f();", " }"),
    nested("tries", "try { ", "f();", " } catch (e) { }"),
    nested("matches", "match x { _ => { ", "f();", " } }"),
    nested("patterns", "if let Some(", "x", ") = y { }"),
    nested("blocks", "{ let a = 1; ", "f();", " }"),
    nested("nested functions", "function g() { ", "f();", " }"),
    nested("with blocks", "with { ", "f();", " }"),
    chained("semicolons", ";", ""),
    chained("stray parentheses", ")", ""),
];

const ITEMS: &[Construct] = &[
    nested("agents in agents", "agent a { ", "", " }"),
    nested("policies in policies", "policy p { ", "", " }"),
    nested("blocks in metadata", "metadata { ", "", " }"),
    nested("channels", "channel c { policy p { ", "", " } }"),
    chained("braces", "{", ""),
    chained("closing braces", "}", ""),
    chained("closing brackets of all kinds", ")]}", ""),
    chained("opening brackets of all kinds", "([{", ""),
    chained("crossed brackets", "({[)}]", ""),
    chained("commas", ",", ""),
    chained("semicolons", ";", ""),
    chained("unknown characters", "@", ""),
    chained("quotes that are escaped", "\\\"", ""),
    chained("comment starts", "/*", ""),
    chained("comment ends", "*/ ", ""),
    chained("letters outside ASCII", "é ", ""),
    chained("dollars", "$", ""),
    chained("single quotes", "' ", ""),
    chained("words in single quotes", "'a' ", ""),
];

const TYPES: &[Construct] = &[
    nested("type arguments", "A<", "B", ">"),
    nested("function types", "(", "A", ") -> B"),
    nested("list types", "[", "A", "]"),
    chained("results of function types", "(A) -> ", "B"),
    chained("optional types", "A", "?"),
    chained("unions", "A | ", "B"),
];

/// The source with `n` repetitions; `closed` says whether the closing parts
/// are there.
fn source(construct: &Construct, before: &str, after: &str, n: usize, closed: bool) -> String {
    let mut text = String::from(before);
    text.push_str(&construct.open.repeat(n));
    text.push_str(construct.middle);
    if closed {
        text.push_str(&construct.close.repeat(n));
        text.push_str(after);
    }
    text
}

/// Runs `check` in a thread with a stack of 1 MB.
fn in_a_small_stack(check: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(check)
        .expect("a thread")
        .join()
        .expect("no panic");
}

/// How often the part is repeated.
const MILLION: usize = 1_000_000;
/// The same in places that are variations.
const LESS: usize = 50_000;

/// A place: its name, what stands before and what stands after.
type Place = (&'static str, &'static str, &'static str);

fn check_all(constructs: &'static [Construct], n: usize, places: &'static [Place]) {
    let unclosed_too = n == MILLION;
    in_a_small_stack(move || {
        let mut wrong = Vec::new();
        for construct in constructs {
            for (place, before, after) in places {
                for closed in [true, false] {
                    // A chain has nothing to close; in the other places what
                    // is around it would be missing too.
                    if !closed && (construct.close.is_empty() || !unclosed_too) {
                        continue;
                    }
                    let what = format!("{} in {place}, closed: {closed}", construct.name);
                    check(construct, before, after, n, closed, &what, &mut wrong);
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    });
}

fn check(
    construct: &Construct,
    before: &str,
    after: &str,
    n: usize,
    closed: bool,
    what: &str,
    wrong: &mut Vec<String>,
) {
    let text = source(construct, before, after, n, closed);
    let length = text.len();
    let file = File::parse(text);
    let diagnostics = file.diagnostics();
    // What is an error in itself may be too deep as well.
    let odd = [
        "blocks in",
        "nested functions",
        "with blocks",
        "struct literals in a head",
    ];
    let allowed = if odd.iter().any(|odd| what.starts_with(odd)) {
        2
    } else {
        1
    };
    if diagnostics.len() > allowed {
        let first: Vec<_> = diagnostics
            .iter()
            .take(3)
            .map(|d| format!("{} {}", d.code.id, d.message))
            .collect();
        wrong.push(format!("{what}: {} reports: {first:?}", diagnostics.len()));
    }
    // The work of a construct a quarter as long, four times, and a bit.
    let quarter = File::parse(source(construct, before, after, n / 4, closed)).work();
    let whole = file.work();
    if whole > quarter * 5 + 2 * length as u64 {
        wrong.push(format!(
            "{what}: {whole} steps for {length} bytes, {quarter} for a quarter"
        ));
    }
}

const BODY: &[Place] = &[("a body", "function f() { let x = ", "; }")];

const OTHER_PLACES: &[Place] = &[
    ("an entry", "metadata { a = ", " }"),
    ("capabilities", "agent a { capabilities = [", "] }"),
    ("the top level", "", ""),
    ("a guard", "policy p { allow: x if ", " }"),
    ("a requirement", "policy p { require: ", " }"),
    ("a default", "agent a(p: T = ", ") { }"),
    ("a head", "function f() { if ", " { } }"),
];

#[test]
fn nested_values_are_bounded_first_half() {
    check_all(NESTED.split_at(6).0, MILLION, BODY);
}

#[test]
fn nested_values_are_bounded_third_quarter() {
    check_all(NESTED.split_at(6).1.split_at(3).0, MILLION, BODY);
}

#[test]
fn nested_values_are_bounded_last_quarter() {
    check_all(NESTED.split_at(6).1.split_at(3).1, MILLION, BODY);
}

#[test]
fn chained_values_are_bounded_first_half() {
    check_all(CHAINED.split_at(7).0, MILLION, BODY);
}

#[test]
fn chained_values_are_bounded_second_half() {
    check_all(CHAINED.split_at(7).1, MILLION, BODY);
}

#[test]
fn values_in_other_places_are_bounded() {
    check_all(NESTED, LESS, OTHER_PLACES);
}

#[test]
fn chains_in_other_places_are_bounded() {
    check_all(CHAINED, LESS, OTHER_PLACES);
}

#[test]
fn chains_behind_an_operand_are_bounded() {
    check_all(
        TAILS,
        MILLION,
        &[("a body", "function f() { let x = a", "; }")],
    );
}

#[test]
fn chains_behind_a_name_in_other_places_are_bounded() {
    check_all(
        TAILS,
        LESS,
        &[
            ("an entry", "metadata { a = a", " }"),
            ("a selector", "policy p { allow: a", " }"),
        ],
    );
}

#[test]
fn statements_are_bounded_first_half() {
    check_all(
        STATEMENTS.split_at(5).0,
        MILLION,
        &[("a function", "function f() { ", " }")],
    );
}

#[test]
fn statements_are_bounded_second_half() {
    check_all(
        STATEMENTS.split_at(5).1,
        MILLION,
        &[("a function", "function f() { ", " }")],
    );
}

#[test]
fn statements_in_an_agent_are_bounded() {
    check_all(
        STATEMENTS,
        LESS,
        &[("a with body", "agent a { with { ", " } }")],
    );
}

const TOP: &[Place] = &[("the top level", "", "")];

#[test]
fn items_in_items_are_bounded() {
    check_all(ITEMS.split_at(4).0, MILLION + 1, TOP);
}

#[test]
fn brackets_at_the_top_are_bounded() {
    check_all(ITEMS.split_at(4).1.split_at(5).0, MILLION + 1, TOP);
}

#[test]
fn odd_signs_at_the_top_are_bounded() {
    check_all(ITEMS.split_at(4).1.split_at(5).1, MILLION + 1, TOP);
}

#[test]
fn types_are_bounded() {
    check_all(TYPES, MILLION, &[("an alias", "type T = ", "")]);
}

#[test]
fn types_of_parameters_are_bounded() {
    check_all(TYPES, LESS, &[("a parameter", "function f(x: ", ") { }")]);
}

#[test]
fn lists_statements_and_items_are_unlimited() {
    in_a_small_stack(|| {
        for (text, what) in [
            (
                format!("metadata {{ a = [{}] }}", "1, ".repeat(200_000)),
                "list",
            ),
            (
                format!("function f() {{ {} }}", "x = 1; ".repeat(200_000)),
                "statements",
            ),
            ("agent a { }\n".repeat(100_000), "items"),
            (
                format!("metadata {{ {} }}", "a = 1\n".repeat(200_000)),
                "entries",
            ),
            (
                format!("policy p {{ {} }}", "allow: x\n".repeat(200_000)),
                "rules",
            ),
        ] {
            let file = File::parse(text);
            assert_eq!(file.diagnostics(), [], "{what}");
        }
    });
}

#[test]
fn the_limit_itself_is_allowed() {
    let parens = |n: usize| {
        format!(
            "function f() {{ return {}1{}; }}",
            "(".repeat(n),
            ")".repeat(n)
        )
    };
    // The braces of the function are one level.
    assert_eq!(File::parse(parens(255)).diagnostics(), []);
    let codes: Vec<_> = File::parse(parens(256))
        .diagnostics()
        .iter()
        .map(|d| d.code.id)
        .collect();
    assert_eq!(codes, ["S0114"]);

    let sum = |n: usize| format!("function f() {{ return 1{}; }}", " + 1".repeat(n));
    assert_eq!(File::parse(sum(9_999)).diagnostics(), []);
    let codes: Vec<_> = File::parse(sum(10_001))
        .diagnostics()
        .iter()
        .map(|d| d.code.id)
        .collect();
    assert_eq!(codes, ["S0115"]);
}
