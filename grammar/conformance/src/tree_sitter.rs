//! What the tree-sitter grammar says about a text, in the compiler's terms.

use tree_sitter::{Node, Parser};

use crate::verdict::{Declaration, Verdict};

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
