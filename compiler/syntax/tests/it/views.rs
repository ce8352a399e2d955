//! Typed views: each accessor on a source that has what it looks for.

use symbi_syntax::ast::*;
use symbi_syntax::{File, SyntaxKind};

/// The first top-level item of a source, which must have no report.
fn with_item(source: &str, check: impl FnOnce(TopItem<'_>)) {
    let file = File::parse(source);
    assert_eq!(file.diagnostics(), [], "{source}");
    check(file.items()[0].item.top_item().expect("an item"));
}

fn with_body(body: &str, check: impl FnOnce(Block<'_>)) {
    let file = File::parse(format!("function f() {{ {body} }}"));
    let item = &file.items()[0].item;
    let Some(TopItem::Function(function)) = item.top_item() else {
        panic!("a function");
    };
    check(function.body().expect("a body"));
}

/// The value of `let x = …;`.
fn with_expr(source: &str, check: impl FnOnce(Expr<'_>)) {
    with_body(&format!("let x = {source};"), |body| {
        let Some(Stmt::Let(statement)) = body.statements().next() else {
            panic!("a let");
        };
        check(statement.value().expect("a value"));
    });
}

/// An expression in prefix form, through views alone.
fn show(expr: Expr<'_>) -> String {
    let all = |exprs: Vec<Expr<'_>>| exprs.into_iter().map(show).collect::<Vec<_>>().join(" ");
    match expr {
        Expr::Literal(literal) => match literal.value() {
            Some(LiteralValue::Int(n)) => n.to_string(),
            Some(LiteralValue::Float(n)) => format!("{n:?}"),
            Some(LiteralValue::Duration(n)) => format!("{n}ns"),
            Some(LiteralValue::Size(n)) => format!("{n}B"),
            Some(LiteralValue::Bool(b)) => b.to_string(),
            Some(LiteralValue::Null) => "null".to_owned(),
            Some(LiteralValue::String(s)) => format!("{s:?}"),
            Some(LiteralValue::Secret(s)) => format!("secret:{s}"),
            Some(LiteralValue::Env(s)) => format!("env:{s}"),
            None => "?".to_owned(),
        },
        Expr::Name(name) => name.name().expect("a name").text().into_owned(),
        Expr::Path(path) => path.text(),
        Expr::Member(member) => format!(
            "(. {} {})",
            show(member.object().expect("an object")),
            member.name().expect("a name").text()
        ),
        Expr::Call(call) => {
            let arguments: Vec<_> = call
                .arguments()
                .map(|argument| match argument {
                    Argument::Positional(value) => show(value),
                    Argument::Named(named) => format!(
                        "{}={}",
                        named.name().expect("a name").text(),
                        show(named.value().expect("a value"))
                    ),
                })
                .collect();
            format!(
                "(call {} [{}])",
                show(call.callee().expect("a callee")),
                arguments.join(" ")
            )
        }
        Expr::Index(index) => format!(
            "(index {} {})",
            show(index.object().expect("an object")),
            show(index.index().expect("an index"))
        ),
        Expr::Prefix(prefix) => format!(
            "({:?} {})",
            prefix.operator().expect("an operator"),
            show(prefix.operand().expect("an operand"))
        ),
        Expr::Binary(binary) => format!(
            "({:?} {} {})",
            binary.operator().expect("an operator"),
            show(binary.left().expect("a left operand")),
            show(binary.right().expect("a right operand"))
        ),
        Expr::Paren(paren) => show(paren.inner().expect("an expression")),
        Expr::Array(array) => format!("[{}]", all(array.elements().collect())),
        Expr::Record(record) => format!("{{{}}}", fields(record.fields())),
        Expr::Struct(structure) => format!(
            "{}{{{}}}",
            show(structure.type_name().expect("a type")),
            fields(structure.fields())
        ),
        Expr::Lambda(lambda) => {
            let params: Vec<_> = lambda
                .params()
                .into_iter()
                .map(|name| name.text().into_owned())
                .collect();
            let body = match lambda.body().expect("a body") {
                LambdaBody::Expr(expr) => show(expr),
                LambdaBody::Block(block) => format!("block {}", block.statements().count()),
            };
            format!("({} => {body})", params.join(","))
        }
        Expr::If(_) => "if".to_owned(),
        Expr::Match(_) => "match".to_owned(),
        Expr::Try(_) => "try".to_owned(),
    }
}

fn fields<'i>(fields: impl Iterator<Item = RecordField<'i>>) -> String {
    fields
        .map(|field| {
            format!(
                "{}:{}",
                field.key().expect("a key"),
                show(field.value().expect("a value"))
            )
        })
        .collect::<Vec<_>>()
        .join(" ")
}

fn type_text(type_: Type<'_>) -> String {
    match type_ {
        Type::Named(named) => {
            let arguments: Vec<_> = named.arguments().map(type_text).collect();
            if arguments.is_empty() {
                named.name()
            } else {
                format!("{}<{}>", named.name(), arguments.join(","))
            }
        }
        Type::Optional(optional) => format!("{}?", type_text(optional.inner().expect("a type"))),
        Type::Function(function) => {
            let types: Vec<_> = function.types().map(type_text).collect();
            let result = type_text(function.result().expect("a result"));
            format!("fn({})->{result}", types[..types.len() - 1].join(","))
        }
    }
}

#[test]
fn operators_and_operands() {
    for (source, shown) in [
        ("1 + 2 * -3", "(Add 1 (Multiply 2 (Minus 3)))"),
        ("a || b && !c", "(Or a (And b (Not c)))"),
        ("a >= 1 == true", "(Equal (GreaterEqual a 1) true)"),
        ("a not in [1, 2,]", "(NotIn a [1 2])"),
        ("a in b", "(In a b)"),
        ("a - b - c", "(Subtract (Subtract a b) c)"),
        ("a % b / c", "(Divide (Remainder a b) c)"),
        (
            "a <= b != (c > d)",
            "(NotEqual (LessEqual a b) (Greater c d))",
        ),
        ("a < b", "(Less a b)"),
        (
            "a.b(1, k = 2, l: x)[0]",
            "(index (call (. a b) [1 k=2 l=x]) 0)",
        ),
        ("A::b::c(d)", "(call A::b::c [d])"),
        ("T { a: 1, \"b c\": { } }", "T{a:1 b c:{}}"),
        ("x => (a, b) => { f(); }", "(x => (a,b => block 1))"),
        ("() => 1", "( => 1)"),
        (
            "[30s, 1.5h, 10KB, 1e3, null, None]",
            "[30000000000ns 5400000000000ns 10240B 1000.0 null null]",
        ),
        (
            "[vault://a/b, env://X, $Y, ${Z}]",
            "[secret:vault://a/b secret:env://X env:Y env:Z]",
        ),
        ("\"a\\n\" + \"\"\"b\"\"\"", "(Add \"a\\n\" \"b\")"),
    ] {
        with_expr(source, |expr| assert_eq!(show(expr), shown, "{source}"));
    }
}

#[test]
fn agents_and_functions() {
    with_item(
        "agent a(p: Array<String>, q: int? = 1) -> (A, B) -> C { capabilities = [\"x\", y, A::b] with k = v { f(); } z = 1 }",
        |item| {
            let TopItem::Agent(agent) = item else {
                panic!("an agent")
            };
            assert_eq!(agent.name().expect("a name").text(), "a");
            let params: Vec<_> = agent.params().expect("parameters").collect();
            assert_eq!(params[0].name().expect("a name").text(), "p");
            assert_eq!(
                type_text(params[0].type_().expect("a type")),
                "Array<String>"
            );
            assert_eq!(type_text(params[1].type_().expect("a type")), "int?");
            assert_eq!(show(params[1].default().expect("a default")), "1");
            assert_eq!(type_text(agent.result().expect("a result")), "fn(A,B)->C");
            let items: Vec<_> = agent.items().collect();
            let AgentItem::Capabilities(capabilities) = items[0] else {
                panic!("capabilities")
            };
            let names: Vec<_> = capabilities
                .entries()
                .iter()
                .filter_map(|c| c.text())
                .collect();
            assert_eq!(names, ["x", "y", "A::b"]);
            let AgentItem::With(with) = items[1] else {
                panic!("a with")
            };
            let attributes: Vec<_> = with.attributes().filter_map(|entry| entry.key()).collect();
            assert_eq!(attributes, ["k"]);
            let Some(WithBody::Statements(body)) = with.body() else {
                panic!("a body")
            };
            assert_eq!(body.statements().count(), 1);
            let AgentItem::Entry(entry) = items[2] else {
                panic!("an entry")
            };
            assert_eq!(entry.key().as_deref(), Some("z"));
            assert!(entry.sign().is_some());
            assert_eq!(show(entry.value().expect("a value")), "1");
        },
    );
    with_item("agent b { }", |item| {
        let TopItem::Agent(agent) = item else {
            panic!("an agent")
        };
        assert!(agent.params().is_none() && agent.result().is_none());
        assert_eq!(agent.items().count(), 0);
    });
    with_item("function f(x: A::B) -> int { 1 }", |item| {
        let TopItem::Function(function) = item else {
            panic!("a function")
        };
        assert_eq!(function.name().expect("a name").text(), "f");
        assert_eq!(function.params().count(), 1);
        assert_eq!(type_text(function.result().expect("a result")), "int");
        let body = function.body().expect("a body");
        assert_eq!(show(body.value().expect("a value")), "1");
        assert!(!body.is_empty());
    });
}

#[test]
fn blocks_of_entries() {
    with_item(
        "channel c { platform: \"slack\" \"quoted key\" = 1 policy g { allow: x } routing \"help\" { to team } }",
        |item| {
            let TopItem::Channel(channel) = item else {
                panic!("a channel")
            };
            assert_eq!(channel.name().expect("a name").text(), "c");
            let items: Vec<_> = channel.entries().collect();
            let BlockItem::Entry(first) = items[0] else {
                panic!("an entry")
            };
            assert_eq!(first.key().as_deref(), Some("platform"));
            let BlockItem::Entry(second) = items[1] else {
                panic!("an entry")
            };
            assert_eq!(second.key().as_deref(), Some("quoted key"));
            let BlockItem::Policy(policy) = items[2] else {
                panic!("a policy")
            };
            assert_eq!(policy.rules().count(), 1);
            let BlockItem::Block(block) = items[3] else {
                panic!("a block")
            };
            assert_eq!(block.key().as_deref(), Some("routing"));
            assert_eq!(block.label().as_deref(), Some("help"));
            let BlockItem::Entry(inner) = block.entries().next().expect("an entry") else {
                panic!("an entry")
            };
            assert_eq!(inner.key().as_deref(), Some("to"));
            assert!(inner.sign().is_none());
            assert_eq!(show(inner.value().expect("a value")), "team");
        },
    );
    with_item("capabilities { tool \"x\" tool y tool, z::w }", |item| {
        let TopItem::Capabilities(capabilities) = item else {
            panic!("capabilities")
        };
        let entries: Vec<_> = capabilities
            .entries()
            .into_iter()
            .map(|capability| {
                let Capability::Entry { tool, .. } = capability else {
                    panic!("an entry")
                };
                (capability.text().expect("a text"), tool)
            })
            .collect();
        assert_eq!(
            entries,
            [
                ("x".to_owned(), true),
                ("y".to_owned(), true),
                ("tool".to_owned(), false),
                ("z::w".to_owned(), false)
            ]
        );
    });
    with_item("with { sandbox docker, timeout = 30s }", |item| {
        let TopItem::With(with) = item else {
            panic!("a with")
        };
        assert_eq!(with.body(), Some(WithBody::Attributes));
        let keys: Vec<_> = with.attributes().filter_map(|entry| entry.key()).collect();
        assert_eq!(keys, ["sandbox", "timeout"]);
        assert_eq!(with.blocks().count(), 0);
    });
    for (source, count) in [
        ("metadata { a = 1 b = 2 }", 2),
        ("memory m { store markdown search { } }", 2),
        ("webhook w { path \"/x\" }", 1),
        ("schedule s { cron: \"x\" }", 1),
    ] {
        with_item(source, |item| {
            let found = match item {
                TopItem::Metadata(block) => block.entries().count(),
                TopItem::Memory(block) => block.entries().count(),
                TopItem::Webhook(block) => block.entries().count(),
                TopItem::Schedule(block) => block.entries().count(),
                _ => panic!("a block"),
            };
            assert_eq!(found, count, "{source}");
        });
    }
    with_item(
        "agent a { constraints { x: 1 } executor { type = \"y\" } }",
        |item| {
            let TopItem::Agent(agent) = item else {
                panic!("an agent")
            };
            let counts: Vec<_> = agent
                .items()
                .map(|item| match item {
                    AgentItem::Constraints(block) => block.entries().count(),
                    AgentItem::Executor(block) => block.entries().count(),
                    _ => panic!("a block"),
                })
                .collect();
            assert_eq!(counts, [1, 1]);
        },
    );
}

#[test]
fn policies_and_rules() {
    with_item(
        "policy p { allow: read(x) for y if x.a audit: all default: \"deny\" secret \"K\" { } require: { k: 1 } deny: [\"z\"] }",
        |item| {
            let TopItem::Policy(policy) = item else {
                panic!("a policy")
            };
            let verbs: Vec<_> = policy.rules().filter_map(|rule| rule.verb()).collect();
            assert_eq!(verbs, [Verb::Allow, Verb::Audit, Verb::Require, Verb::Deny]);
            let rule = policy.rules().next().expect("a rule");
            assert_eq!(
                show(rule.selector().expect("a selector")),
                "(call read [x])"
            );
            assert_eq!(show(rule.guard().expect("a guard")), "(. x a)");
            assert_eq!(rule.tails().count(), 1);
            let others: Vec<_> = policy
                .members()
                .filter_map(|member| match member {
                    PolicyMember::Entry(entry) => entry.key(),
                    PolicyMember::Block(block) => block.label(),
                    PolicyMember::Rule(_) => None,
                })
                .collect();
            assert_eq!(others, ["default", "K"]);
        },
    );
}

#[test]
fn types() {
    with_item("type T = { a: int = 1, b: Map<K, V>? }", |item| {
        let TopItem::Type(definition) = item else {
            panic!("a type")
        };
        assert_eq!(definition.name().expect("a name").text(), "T");
        assert!(definition.alias().is_none());
        let fields: Vec<_> = definition
            .structure()
            .expect("a struct")
            .fields()
            .map(|field| {
                format!(
                    "{}:{}",
                    field.name().expect("a name").text(),
                    type_text(field.type_().expect("a type"))
                )
            })
            .collect();
        assert_eq!(fields, ["a:int", "b:Map<K,V>?"]);
    });
    with_item("type T = Array<A::B>", |item| {
        let TopItem::Type(definition) = item else {
            panic!("a type")
        };
        assert_eq!(
            type_text(definition.alias().expect("a type")),
            "Array<A::B>"
        );
    });
    let file = File::parse_with(
        "extern function map<T, U>(self: Array<T>, f: (T) -> U) -> Array<U>;\nextern group read = [\"a\"];\nextern effect send(to: String);\nextern obligation rate_limiting: String { host: \"x\" }",
        symbi_syntax::ParseOptions { stdlib: true },
    );
    assert_eq!(file.diagnostics(), []);
    let externs: Vec<_> = file
        .items()
        .iter()
        .map(|placed| {
            let Some(TopItem::Extern(declaration)) = placed.item.top_item() else {
                panic!("an extern");
            };
            (
                declaration.declares().expect("a kind").text().into_owned(),
                declaration.name().expect("a name").text().into_owned(),
                declaration.type_params().count(),
                declaration.params().count(),
                declaration.result().map(type_text),
                declaration.type_().map(type_text),
                declaration.value().map(show),
                declaration.entries().count(),
            )
        })
        .collect();
    let row =
        |kind: &str, name: &str, t, p, r: Option<&str>, ty: Option<&str>, v: Option<&str>, e| {
            let own = |text: Option<&str>| text.map(str::to_owned);
            (
                kind.to_owned(),
                name.to_owned(),
                t,
                p,
                own(r),
                own(ty),
                own(v),
                e,
            )
        };
    assert_eq!(
        externs,
        [
            row("function", "map", 2, 2, Some("Array<U>"), None, None, 0),
            row("group", "read", 0, 0, None, None, Some("[\"a\"]"), 0),
            row("effect", "send", 0, 1, None, None, None, 0),
            row(
                "obligation",
                "rate_limiting",
                0,
                0,
                None,
                Some("String"),
                None,
                1
            ),
        ]
    );
}

#[test]
fn statements() {
    with_body(
        "let n: int = 1; a.b -= 2; return n; break; continue; f(); for x in xs { } while c { } return;",
        |body| {
            let statements: Vec<_> = body.statements().collect();
            let Stmt::Let(declaration) = statements[0] else {
                panic!("a let")
            };
            assert_eq!(declaration.name().expect("a name").text(), "n");
            assert_eq!(type_text(declaration.type_().expect("a type")), "int");
            let Stmt::Assign(assignment) = statements[1] else {
                panic!("an assignment")
            };
            assert_eq!(show(assignment.target().expect("a target")), "(. a b)");
            assert_eq!(assignment.sign(), Some(SyntaxKind::MinusEq));
            assert_eq!(show(assignment.value().expect("a value")), "2");
            let Stmt::Return(with_value) = statements[2] else {
                panic!("a return")
            };
            assert_eq!(show(with_value.value().expect("a value")), "n");
            assert!(matches!(statements[3], Stmt::Break(_)));
            assert!(matches!(statements[4], Stmt::Continue(_)));
            let Stmt::Expr(call) = statements[5] else {
                panic!("an expression")
            };
            assert_eq!(show(call.expr().expect("an expression")), "(call f [])");
            let Stmt::For(each) = statements[6] else {
                panic!("a for")
            };
            assert_eq!(each.name().expect("a name").text(), "x");
            assert_eq!(show(each.iterable().expect("a list")), "xs");
            assert!(each.body().expect("a body").is_empty());
            let Stmt::While(loop_) = statements[7] else {
                panic!("a while")
            };
            assert_eq!(show(loop_.condition().expect("a condition")), "c");
            assert!(loop_.body().is_some());
            let Stmt::Return(bare) = statements[8] else {
                panic!("a return")
            };
            assert!(bare.value().is_none());
            assert!(body.value().is_none());
        },
    );
}

#[test]
fn choices() {
    with_body(
        "if let Some(x) = y { 1 } else if z { 2 } else { 3 } match m { 1 | -2 if g => a, Ok(v) => { } _ => b = 1 } try { } catch (A::E e) { f(); } catch o { }",
        |body| {
            let statements: Vec<_> = body.statements().collect();
            let Stmt::If(first) = statements[0] else {
                panic!("an if")
            };
            let condition = first.let_condition().expect("a let");
            let pattern = condition.pattern().expect("a pattern");
            assert_eq!(pattern.name().expect("a name").text(), "Some");
            let parts: Vec<_> = pattern.parts().filter_map(|part| part.name()).collect();
            assert_eq!(parts[0].text(), "x");
            assert_eq!(show(condition.value().expect("a value")), "y");
            assert!(first.condition().is_none() && first.otherwise().is_none());
            assert_eq!(
                show(first.then().expect("a block").value().expect("a value")),
                "1"
            );
            let second = first.else_if().expect("an else if");
            assert_eq!(show(second.condition().expect("a condition")), "z");
            assert_eq!(
                show(
                    second
                        .otherwise()
                        .expect("an else")
                        .value()
                        .expect("a value")
                ),
                "3"
            );
            assert!(second.else_if().is_none());

            let Stmt::Match(choice) = statements[1] else {
                panic!("a match")
            };
            assert_eq!(show(choice.subject().expect("a subject")), "m");
            let arms: Vec<_> = choice.arms().collect();
            let patterns: Vec<_> = arms[0].patterns().collect();
            assert_eq!(patterns.len(), 2);
            assert!(!patterns[0].is_negative() && patterns[1].is_negative());
            assert_eq!(
                patterns[1].literal().expect("a literal").value(),
                Some(LiteralValue::Int(2))
            );
            assert_eq!(show(arms[0].guard().expect("a guard")), "g");
            let kinds: Vec<_> = arms
                .iter()
                .map(|arm| arm.body().expect("a body").kind())
                .collect();
            assert_eq!(
                kinds,
                [
                    SyntaxKind::NameExpr,
                    SyntaxKind::Block,
                    SyntaxKind::AssignStmt
                ]
            );

            let Stmt::Try(attempt) = statements[2] else {
                panic!("a try")
            };
            assert!(attempt.body().expect("a body").is_empty());
            let catches: Vec<_> = attempt.catches().collect();
            assert_eq!(catches[0].type_name().expect("a type").text(), "A::E");
            assert_eq!(catches[0].name().expect("a name").text(), "e");
            assert!(!catches[0].body().expect("a body").is_empty());
            assert!(catches[1].type_name().is_none());
            assert_eq!(catches[1].name().expect("a name").text(), "o");
        },
    );
}

#[test]
fn views_of_broken_sources_are_empty_and_not_wrong() {
    let file = File::parse("agent { with timeout = } function (\ntype\npolicy p { allow: }");
    for placed in file.items() {
        match placed.item.top_item() {
            Some(TopItem::Agent(agent)) => assert!(agent.name().is_none()),
            Some(TopItem::Function(function)) => {
                assert!(function.name().is_none() && function.body().is_none());
            }
            Some(TopItem::Type(definition)) => assert!(definition.alias().is_none()),
            Some(TopItem::Policy(policy)) => {
                let rule = policy.rules().next().expect("a rule");
                assert!(rule.selector().is_none() && rule.guard().is_none());
            }
            _ => {}
        }
    }
    with_body("let x = ; a. ; f(k = ); 1 + ;", |body| {
        assert!(body.statements().count() >= 1);
    });
}
