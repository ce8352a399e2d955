//! What the benches stand on: the generated input, and the rules and questions
//! of the decisions.

use symbi_analysis::{OneShot, Settings, Summary, Tool, ToolParam, Tools, Ty};
use symbi_bench::corpus::{Corpus, Generated, SEED};
use symbi_bench::decisions::{Ours, Plain, QUESTIONS, SOURCE, permitted, policies};
use symbi_syntax::{File, SyntaxKind as K};

fn examples() -> Corpus {
    Corpus::examples().expect("our examples can be read")
}

fn corpus(texts: &[&str]) -> Corpus {
    Corpus::new(texts.iter().map(|text| text.to_string())).expect("sources without reports")
}

#[test]
fn generated_files_have_no_report_and_the_items_that_are_told() {
    let corpus = examples();
    for (bytes, seed) in [(1, 0), (5_000, 1), (5_000, 2), (60_000, 3), (400_000, SEED)] {
        let Generated { text, items } = corpus.generate(bytes, seed);
        let file = File::parse(text.as_str());
        assert_eq!(file.diagnostics(), [], "seed {seed}:\n{text}");
        assert_eq!(file.items().len(), items, "seed {seed}");
        let error = file
            .items()
            .iter()
            .find(|placed| placed.item.root().kind() == K::Error);
        assert_eq!(error, None, "seed {seed}");
    }
}

#[test]
fn sizes_come_as_near_as_whole_files_let_them() {
    let corpus = examples();
    for (bytes, least, most) in [(60_000, 56_000, 64_000), (400_000, 396_000, 404_000)] {
        let len = corpus.generate(bytes, SEED).text.len();
        assert!((least..=most).contains(&len), "{len} of {bytes}");
    }
    let small: usize = (0..50)
        .map(|seed| corpus.generate(5_000, seed).text.len())
        .sum();
    assert!(
        (200_000..300_000).contains(&small),
        "{small} in 50 files of 5,000"
    );
}

#[test]
fn the_seed_and_nothing_else_decides() {
    let one = examples().generate(50_000, 1);
    assert_eq!(one, examples().generate(50_000, 1));
    assert_ne!(one.text, examples().generate(50_000, 2).text);
}

#[test]
fn no_two_lines_of_declarations_are_alike() {
    let text = examples().generate(400_000, SEED).text;
    let mut heads: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("agent ") || line.starts_with("function "))
        .collect();
    let all = heads.len();
    assert!(all > 100, "{all}");
    heads.sort_unstable();
    heads.dedup();
    assert_eq!(heads.len(), all);
}

/// A copy of a source in which everything that can change did.
fn copy_of(source: &str) -> String {
    // The first copy has the number 0; its words depend on the seed.
    corpus(&[source]).generate(1, 5).text
}

fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .collect()
}

#[test]
fn uses_of_a_name_change_with_its_declaration() {
    let copy = copy_of(
        "function twice(n: int) -> int { return n + n; }\n\
         agent caller { with timeout = 30s { let answer = twice(n: 4); send(helper.twice, \"twice\"); return answer.answer; } }\n",
    );
    let words = words(&copy);
    let after =
        |word: &str| words[words.iter().position(|w| *w == word).expect(word) + 1].to_owned();
    let (function, local) = (after("function"), after("let"));
    assert!(function.ends_with("_0"), "{copy}");
    assert!(
        copy.contains(&format!("let {local} = {function}(n: 4);")),
        "{copy}"
    );
    assert!(
        copy.contains(&format!("send(helper.twice, \"{function}\");")),
        "{copy}"
    );
    // A field is neither the function nor the variable of its name.
    assert_eq!(copy.matches("twice").count(), 1, "{copy}");
    assert!(copy.contains(&format!("return {local}.answer;")), "{copy}");
}

#[test]
fn names_that_something_else_binds_stay() {
    let copy = copy_of(
        "agent a { with timeout = 30s { let item = 1; let all = list.map(item => item.x); return item + all; } }\n",
    );
    assert!(copy.contains("let item = 1;"), "{copy}");
    assert!(copy.contains("list.map(item => item.x)"), "{copy}");
    assert!(!copy.contains("let all"), "{copy}");
}

#[test]
fn what_decides_a_meaning_stays_as_it_is() {
    let lines = [
        "    cron: \"30 2 * * mon-fri\"",
        "    max_jitter: 15m",
        "// symbi: allow(P0412)",
        "        match code { 200 => ok(), \"not to be found\" => gone(), _ => wait() }",
    ];
    let copy = copy_of(&format!(
        "{}\nschedule nightly {{\n{}\n{}\n}}\nagent a {{\n    with timeout = 250s {{\n{}\n    }}\n}}\n",
        lines[2], lines[0], lines[1], lines[3]
    ));
    for line in lines {
        assert!(copy.contains(line), "{line}\n{copy}");
    }
    assert!(copy.contains("timeout = 250s"), "{copy}");
}

#[test]
fn comments_texts_and_numbers_of_bodies_vary() {
    let source = "// One remark about several other remarks in here\n\
                  agent a { with timeout = 30s { log(\"several words in one text\", 123456789); } }\n";
    let copy = copy_of(source);
    for part in source
        .split(['"', '\n'])
        .filter(|part| part.contains("several"))
    {
        assert!(!copy.contains(part), "{copy}");
    }
    assert!(!copy.contains("123456789"), "{copy}");
    assert!(copy.contains(", 1"), "{copy}");
    assert_eq!(words(&copy).len(), words(source).len());
}

#[test]
fn comments_go_where_their_item_goes() {
    let source = "// above one\nagent one {} // behind one\n\n\
                  // above two\n// and once more\nagent two {}\n";
    let mut orders = Vec::new();
    for seed in 0..20 {
        let copy = corpus(&[source]).generate(1, seed).text;
        // What each line is: a comment, an agent, an agent with a comment.
        let shape: String = copy
            .lines()
            .map(|line| match line {
                _ if line.starts_with("//") => 'c',
                _ if line.ends_with("{}") => 'a',
                _ if line.contains("{} // ") => 'A',
                _ => '.',
            })
            .collect();
        orders.push(shape);
    }
    orders.sort_unstable();
    orders.dedup();
    assert_eq!(orders, ["cA.cca", "cca.cA"]);
}

#[test]
fn sources_with_reports_are_left_out() {
    assert!(Corpus::new(["agent a {".to_owned(), String::new()]).is_none());
    let text = corpus(&["agent broken {", "agent whole {}\n"])
        .generate(200, 1)
        .text;
    assert_eq!(File::parse(text.as_str()).diagnostics(), []);
}

#[test]
fn the_rules_that_are_measured_are_those_of_their_source() {
    let tools = QUESTIONS.iter().map(|question| Tool {
        name: question.tool.into(),
        description: "".into(),
        params: question
            .arguments
            .iter()
            .map(|(name, value)| ToolParam {
                name: (*name).into(),
                ty: match value {
                    Plain::Text(_) => Ty::String,
                    Plain::Int(_) => Ty::Int,
                    Plain::Bool(_) => Ty::Bool,
                },
                required: true,
                rules: None,
            })
            .collect(),
    });
    let source = symbi_syntax::decode(format!("agent a() {{\n}}\n{SOURCE}").into_bytes());
    let files = vec![Summary::new("a.symbi", source, true)];
    let program = OneShot::new(files, Tools::new(tools), Settings::default());
    let governed = program.governed(0, "a").expect("an agent");
    assert_eq!(governed.policies, policies());
}

#[test]
fn each_question_is_decided_by_the_rule_it_is_for() {
    let ours = Ours::default();
    ours.check().expect("the rules that are meant");
    assert_eq!((QUESTIONS.len(), permitted()), (12, 6));
    assert_eq!((ours.decide(2), ours.build_and_decide(3)), (12, 18));
}
