//! What the tree-sitter grammar says about a text, in the compiler's terms.

use symbi_syntax::lex;
use tree_sitter::{Node, Parser};

use crate::verdict::{Declaration, Shape, Verdict, in_order};

/// The tree-sitter parser of the language.
pub struct TreeSitter {
    parser: Parser,
}

/// Nodes that declare something, with the word the compiler has for it.
const KINDS: &[(&str, &str)] = &[
    ("agent_definition", "agent"),
    ("metadata_block", "metadata"),
    ("capabilities_definition", "capabilities"),
    ("policy_definition", "policy"),
    ("type_definition", "type"),
    ("function_definition", "function"),
    ("extern_definition", "extern"),
    ("schedule_definition", "schedule"),
    ("channel_definition", "channel"),
    ("memory_definition", "memory"),
    ("webhook_definition", "webhook"),
    ("with_block", "with"),
    ("constraints_block", "constraints"),
    ("executor_block", "executor"),
];

/// Nodes whose extent is compared, with the word for it.
const SHAPES: &[(&str, &str)] = &[
    ("binary_expression", "binary"),
    ("unary_expression", "unary"),
    ("member_expression", "member"),
    ("call_expression", "call"),
    ("index_expression", "index"),
    ("lambda_expression", "lambda"),
    ("struct_expression", "struct"),
    ("array", "array"),
    ("parenthesized_expression", "parentheses"),
    ("if_expression", "if"),
    ("match_expression", "match"),
    ("match_arm", "arm"),
    ("try_expression", "try"),
    ("catch_clause", "catch"),
    ("assignment_statement", "assignment"),
    ("assignment_expression", "assignment"),
    ("named_argument", "named argument"),
    ("named_type", "type"),
    ("optional_type", "optional type"),
    ("function_type", "function type"),
    ("parameter", "parameter"),
    ("rule_guard", "guard"),
];

/// All of them, without recursion: programs nest as deep as they like.
fn shapes(text: &str, root: Node<'_>) -> Vec<Shape> {
    let mut shapes = Vec::new();
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        // The compiler has no node for the sign of a pattern.
        let in_pattern = node
            .parent()
            .is_some_and(|parent| parent.kind() == "literal_pattern");
        if let Some((_, kind)) = SHAPES.iter().find(|(kind, _)| *kind == node.kind())
            && !in_pattern
        {
            shapes.push(Shape {
                kind,
                span: behind_comments(text, node.start_byte())..node.end_byte(),
            });
        }
        if cursor.goto_first_child() || cursor.goto_next_sibling() {
            continue;
        }
        loop {
            if !cursor.goto_parent() {
                return in_order(shapes);
            }
            if cursor.goto_next_sibling() {
                break;
            }
        }
    }
}

/// In a rule, a word that goes on with it has the comments before it in its
/// token if there is a line break in them: the scanner only knows behind them
/// that the rule goes on.
fn behind_comments(text: &str, start: usize) -> usize {
    if !text[start..].starts_with("/*") {
        return start;
    }
    lex(&text[start..])
        .into_iter()
        .find(|(kind, _)| !kind.is_trivia())
        .map_or(start, |(_, span)| start + span.start as usize)
}

impl TreeSitter {
    /// # Errors
    /// When the library does not know the interface of the generated parser.
    pub fn new() -> Result<TreeSitter, tree_sitter::LanguageError> {
        let mut parser = Parser::new();
        parser.set_language(&tree_sitter_symbi::LANGUAGE.into())?;
        Ok(TreeSitter { parser })
    }

    /// Asks about a text. `None` if the parser gave up, which it only does
    /// when it is told to.
    pub fn verdict(&mut self, text: &str) -> Option<Verdict> {
        let tree = self.parser.parse(text, None)?;
        let root = tree.root_node();
        let mut outline = Vec::new();
        declare(text, root, 0, &mut outline);
        Some(Verdict {
            accepted: !root.has_error(),
            outline,
            shapes: shapes(text, root),
        })
    }
}

/// Items hold bodies, and bodies items, three deep at most: nothing else is
/// looked into.
fn declare(text: &str, node: Node<'_>, depth: usize, out: &mut Vec<Declaration>) {
    let mut cursor = node.walk();
    for child in node.named_children(&mut cursor) {
        let known = KINDS.iter().find(|(kind, _)| *kind == child.kind());
        if let Some((_, word)) = known {
            // A declaration of the standard library has its name behind its
            // kind; the compiler's outline leaves it out.
            let name = child
                .child_by_field_name("name")
                .filter(|_| *word != "extern")
                .map(|name| (text[name.byte_range()].to_owned(), name.byte_range()));
            out.push(Declaration {
                depth,
                kind: (*word).to_owned(),
                name,
                span: child.byte_range(),
            });
            if let Some(body) = child.child_by_field_name("body") {
                declare(text, body, depth + 1, out);
            }
        }
    }
}
