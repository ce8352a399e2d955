//! What an item tells the rest of the program: names and signatures, without
//! bodies and without places. An edit in a body leaves it equal.

use std::collections::BTreeMap;
use std::sync::Arc;

use symbi_syntax::Item;
use symbi_syntax::ast::{
    self, AgentDef, AgentItem, BlockItem, Expr, LiteralValue, TopItem, Type, WithBody,
};

use crate::policies::{NamedAgent, named_agents as agents_named_in};

/// The kinds of names. Each has a space of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, salsa::SalsaValue)]
pub enum Kind {
    /// An agent.
    Agent,
    /// A function.
    Function,
    /// A type.
    Type,
    /// A policy.
    Policy,
    /// A memory.
    Memory,
    /// A channel.
    Channel,
    /// A webhook.
    Webhook,
    /// A schedule.
    Schedule,
}

impl Kind {
    /// As the language calls it.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Agent => "agent",
            Kind::Function => "function",
            Kind::Type => "type",
            Kind::Policy => "policy",
            Kind::Memory => "memory",
            Kind::Channel => "channel",
            Kind::Webhook => "webhook",
            Kind::Schedule => "schedule",
        }
    }
}

/// A type as it is written. Names are looked up where it is used.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TypeRef {
    /// A name with its arguments.
    Named(Arc<str>, Vec<TypeRef>),
    /// `T?`.
    Optional(Box<TypeRef>),
    /// `(A) -> B`; the result is missing in a half-written one.
    Function(Vec<TypeRef>, Option<Box<TypeRef>>),
}

/// A parameter as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Param {
    /// Its name.
    pub name: Arc<str>,
    /// Its type, if it is written.
    pub ty: Option<TypeRef>,
    /// It has a default.
    pub optional: bool,
}

/// A field of a struct as it is written.
pub type Field = Param;

/// A function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FunctionDeclaration {
    /// Its name.
    pub name: Arc<str>,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its result, if it is written.
    pub result: Option<TypeRef>,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypeDeclaration {
    /// Its name.
    pub name: Arc<str>,
    /// What it stands for.
    pub body: TypeBody,
}

/// What a type stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TypeBody {
    /// Another name for a type.
    Alias(TypeRef),
    /// A struct.
    Struct(Vec<Field>),
    /// Nothing that can be read.
    Unreadable,
}

/// An agent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AgentDeclaration {
    /// Its name; `None` for the one that a file without the word declares.
    pub name: Option<Arc<str>>,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its result, if it is written.
    pub result: Option<TypeRef>,
    /// It has a with body that holds statements.
    pub executable: bool,
    /// Its functions, in order.
    pub functions: Vec<FunctionDeclaration>,
    /// Its types, in order.
    pub types: Vec<TypeDeclaration>,
    /// The policies, memories, channels, webhooks and schedules in it, sorted.
    /// A nameless one has the agent's name.
    pub blocks: Vec<(Kind, Arc<str>)>,
    /// The paths of its webhooks, sorted.
    pub webhook_paths: Vec<Arc<str>>,
    /// Who runs it, where it says so itself.
    pub executor: Option<Arc<str>>,
    /// The agents that blocks in its policies name, sorted.
    pub named_agents: Vec<NamedAgent>,
}

/// What an item declares.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Declaration {
    /// An agent.
    Agent(AgentDeclaration),
    /// A function.
    Function(FunctionDeclaration),
    /// A type.
    Type(TypeDeclaration),
    /// A policy, memory, channel, webhook or schedule. One without a name may
    /// take that of its `name` entry.
    Block {
        /// Which.
        kind: Kind,
        /// Its name.
        name: Option<Arc<str>>,
        /// The path, for a webhook.
        path: Option<Arc<str>>,
        /// The agents that blocks in it name, for a policy or channel, sorted.
        named_agents: Vec<NamedAgent>,
    },
    /// Metadata: the keys with a string, name or boolean as value.
    Metadata(BTreeMap<Arc<str>, Arc<str>>),
    /// Attributes at the top level: their keys with a plain value.
    With(BTreeMap<Arc<str>, Arc<str>>),
    /// Capabilities at the top level; and the agent without the word `agent`
    /// that such a file declares.
    Implicit,
    /// A declaration of the standard library, or nothing that can be read.
    Other,
}

impl Declaration {
    /// What kind of name it declares, and the name.
    pub fn named(&self) -> Option<(Kind, &Arc<str>)> {
        match self {
            Declaration::Agent(agent) => Some((Kind::Agent, agent.name.as_ref()?)),
            Declaration::Function(function) => Some((Kind::Function, &function.name)),
            Declaration::Type(type_) => Some((Kind::Type, &type_.name)),
            Declaration::Block { kind, name, .. } => Some((*kind, name.as_ref()?)),
            Declaration::Metadata(_)
            | Declaration::With(_)
            | Declaration::Implicit
            | Declaration::Other => None,
        }
    }
}

/// What an item declares.
pub fn declare(item: &Item) -> Declaration {
    let Some(top) = item.top_item() else {
        return Declaration::Other;
    };
    let mut declaration = match top {
        TopItem::Agent(agent) => Declaration::Agent(agent_declaration(agent)),
        TopItem::Function(function) => match function_declaration(function) {
            Some(function) => Declaration::Function(function),
            None => Declaration::Other,
        },
        TopItem::Type(type_) => match type_declaration(type_) {
            Some(type_) => Declaration::Type(type_),
            None => Declaration::Other,
        },
        TopItem::Policy(policy) => block(Kind::Policy, policy.name(), None),
        TopItem::Memory(memory) => {
            let entries = memory.entries();
            named_block(Kind::Memory, memory.name(), entries)
        }
        TopItem::Channel(channel) => {
            let entries = channel.entries();
            named_block(Kind::Channel, channel.name(), entries)
        }
        TopItem::Webhook(webhook) => {
            let entries = webhook.entries();
            named_block(Kind::Webhook, webhook.name(), entries)
        }
        TopItem::Schedule(schedule) => {
            let entries = schedule.entries();
            named_block(Kind::Schedule, schedule.name(), entries)
        }
        TopItem::Metadata(metadata) => {
            let entries = metadata.entries().filter_map(|item| match item {
                BlockItem::Entry(entry) => Some(entry),
                _ => None,
            });
            Declaration::Metadata(plain_entries(entries))
        }
        TopItem::With(with) => Declaration::With(plain_entries(with.attributes())),
        TopItem::Capabilities(_) => Declaration::Implicit,
        TopItem::Extern(_) => Declaration::Other,
    };
    if let Declaration::Agent(AgentDeclaration { named_agents, .. })
    | Declaration::Block { named_agents, .. } = &mut declaration
    {
        named_agents.extend(agents_named_in(top).into_iter().map(|(named, _)| named));
        named_agents.sort();
        named_agents.dedup();
    }
    declaration
}

fn block(kind: Kind, name: Option<ast::Name<'_>>, path: Option<Arc<str>>) -> Declaration {
    Declaration::Block {
        kind,
        name: name.map(text),
        path,
        named_agents: Vec::new(),
    }
}

/// A block whose name may stand in its braces.
pub(crate) fn named_block<'i>(
    kind: Kind,
    name: Option<ast::Name<'i>>,
    entries: impl Iterator<Item = BlockItem<'i>>,
) -> Declaration {
    let mut found_name = None;
    let mut found_path = None;
    for entry in entries {
        let BlockItem::Entry(entry) = entry else {
            continue;
        };
        let into = match entry.key().as_deref() {
            Some("name") if name.is_none() => &mut found_name,
            Some("path") if kind == Kind::Webhook => &mut found_path,
            _ => continue,
        };
        if into.is_none() {
            *into = entry.value().and_then(word).map(Arc::from);
        }
    }
    Declaration::Block {
        kind,
        name: name.map(text).or(found_name),
        path: found_path,
        named_agents: Vec::new(),
    }
}

fn text(name: ast::Name<'_>) -> Arc<str> {
    Arc::from(&*name.text())
}

/// The text of a value that is one word: a string, a name, a path, or a
/// boolean.
pub(crate) fn word(value: Expr<'_>) -> Option<String> {
    Some(match value {
        Expr::Literal(literal) => match literal.value()? {
            LiteralValue::String(text) | LiteralValue::Secret(text) => text,
            LiteralValue::Bool(value) => value.to_string(),
            LiteralValue::Int(value) => value.to_string(),
            _ => return None,
        },
        Expr::Name(name) => name.name()?.text().into_owned(),
        Expr::Path(path) => path.text(),
        _ => return None,
    })
}

/// The keys of entries with a plain value; of a key that is given twice, the
/// first.
fn plain_entries<'i>(
    entries: impl Iterator<Item = ast::Entry<'i>>,
) -> BTreeMap<Arc<str>, Arc<str>> {
    let mut all = BTreeMap::new();
    for entry in entries {
        if let (Some(key), Some(value)) = (entry.key(), entry.value().and_then(words)) {
            all.entry(key.into()).or_insert_with(|| value.into());
        }
    }
    all
}

/// The text of a value without parts, by which two of them are compared; of a
/// list, its words with commas between them.
fn words(value: Expr<'_>) -> Option<String> {
    match value {
        Expr::Literal(literal) => match literal.value()? {
            LiteralValue::Duration(nanoseconds) => Some(format!("{nanoseconds} ns")),
            LiteralValue::Size(bytes) => Some(format!("{bytes} bytes")),
            LiteralValue::Float(number) => Some(number.to_string()),
            _ => word(value),
        },
        Expr::Array(list) => {
            let words: Option<Vec<String>> = list.elements().map(word).collect();
            Some(words?.join(", "))
        }
        other => word(other),
    }
}

/// The metadata at the top level of a file: of a key that is given twice, the
/// first value.
pub(crate) fn metadata<'d>(
    declarations: impl Iterator<Item = &'d Declaration>,
) -> BTreeMap<Arc<str>, Arc<str>> {
    let mut all = BTreeMap::new();
    for declaration in declarations {
        if let Declaration::Metadata(entries) = declaration {
            for (key, value) in entries {
                all.entry(key.clone()).or_insert_with(|| value.clone());
            }
        }
    }
    all
}

/// What an agent's `executor` or, without it, its metadata names.
pub(crate) fn executor(agent: AgentDef<'_>) -> Option<Arc<str>> {
    let mut found = None;
    for item in agent.items() {
        let of = |mut entries: Box<dyn Iterator<Item = BlockItem<'_>> + '_>, wanted: &str| {
            entries.find_map(|item| match item {
                BlockItem::Entry(entry) if entry.key().as_deref() == Some(wanted) => {
                    entry.value().and_then(word).map(Arc::from)
                }
                _ => None,
            })
        };
        match item {
            AgentItem::Executor(block) => {
                let word: Option<Arc<str>> = of(Box::new(block.entries()), "type");
                if word.is_some() {
                    return word;
                }
            }
            AgentItem::Metadata(block) if found.is_none() => {
                found = of(Box::new(block.entries()), "executor");
            }
            _ => {}
        }
    }
    found
}

fn agent_declaration(agent: AgentDef<'_>) -> AgentDeclaration {
    let name = agent.name().map(text);
    let mut declaration = AgentDeclaration {
        params: agent
            .params()
            .map(|params| params.filter_map(param).collect())
            .unwrap_or_default(),
        result: agent.result().map(type_ref),
        executable: false,
        functions: Vec::new(),
        types: Vec::new(),
        blocks: Vec::new(),
        webhook_paths: Vec::new(),
        executor: executor(agent),
        named_agents: Vec::new(),
        name: name.clone(),
    };
    let mut add = |kind, inner: Declaration| {
        let Declaration::Block {
            name: own, path, ..
        } = inner
        else {
            return;
        };
        declaration.webhook_paths.extend(path);
        declaration
            .blocks
            .extend(own.or(name.clone()).map(|name| (kind, name)));
    };
    for item in agent.items() {
        match item {
            AgentItem::Function(function) => {
                declaration.functions.extend(function_declaration(function))
            }
            AgentItem::Type(type_) => declaration.types.extend(type_declaration(type_)),
            AgentItem::With(with) => {
                if let Some(WithBody::Statements(block)) = with.body() {
                    declaration.executable |= !block.is_empty();
                }
            }
            AgentItem::Policy(policy) => {
                if policy.name().is_some() {
                    add(Kind::Policy, block(Kind::Policy, policy.name(), None));
                }
            }
            AgentItem::Memory(memory) => {
                let entries = memory.entries();
                add(
                    Kind::Memory,
                    named_block(Kind::Memory, memory.name(), entries),
                );
            }
            AgentItem::Channel(channel) => {
                let entries = channel.entries();
                add(
                    Kind::Channel,
                    named_block(Kind::Channel, channel.name(), entries),
                );
            }
            AgentItem::Webhook(webhook) => {
                let entries = webhook.entries();
                add(
                    Kind::Webhook,
                    named_block(Kind::Webhook, webhook.name(), entries),
                );
            }
            AgentItem::Schedule(schedule) => {
                let entries = schedule.entries();
                add(
                    Kind::Schedule,
                    named_block(Kind::Schedule, schedule.name(), entries),
                );
            }
            AgentItem::Capabilities(_)
            | AgentItem::Metadata(_)
            | AgentItem::Constraints(_)
            | AgentItem::Executor(_)
            | AgentItem::Entry(_)
            | AgentItem::Block(_) => {}
        }
    }
    declaration.blocks.sort();
    declaration.webhook_paths.sort();
    declaration
}

/// A function; `None` without a name.
pub(crate) fn function_declaration(function: ast::FunctionDef<'_>) -> Option<FunctionDeclaration> {
    Some(FunctionDeclaration {
        name: text(function.name()?),
        params: function.params().filter_map(param).collect(),
        result: function.result().map(type_ref),
    })
}

/// A type; `None` without a name.
pub(crate) fn type_declaration(type_: ast::TypeDef<'_>) -> Option<TypeDeclaration> {
    let body = match (type_.structure(), type_.alias()) {
        (Some(structure), _) => TypeBody::Struct(structure.fields().filter_map(field).collect()),
        (None, Some(alias)) => TypeBody::Alias(type_ref(alias)),
        (None, None) => TypeBody::Unreadable,
    };
    Some(TypeDeclaration {
        name: text(type_.name()?),
        body,
    })
}

/// A parameter; `None` without a name.
pub(crate) fn param(param: ast::Param<'_>) -> Option<Param> {
    Some(Param {
        name: text(param.name()?),
        ty: param.type_().map(type_ref),
        optional: param.default().is_some(),
    })
}

fn field(field: ast::Field<'_>) -> Option<Field> {
    Some(Field {
        name: text(field.name()?),
        ty: field.type_().map(type_ref),
        optional: field.default().is_some(),
    })
}

/// A type as it is written. Types nest as deep as the parser lets them, so
/// this recursion is bounded.
pub(crate) fn type_ref(type_: Type<'_>) -> TypeRef {
    match type_ {
        Type::Named(named) => TypeRef::Named(
            named.name().into(),
            named.arguments().map(type_ref).collect(),
        ),
        Type::Optional(mut optional) => {
            // `T??` is `T?`, and there can be thousands: no call for each.
            while let Some(Type::Optional(inner)) = optional.inner() {
                optional = inner;
            }
            match optional.inner() {
                Some(inner) => TypeRef::Optional(Box::new(type_ref(inner))),
                None => TypeRef::Named("Any".into(), Vec::new()),
            }
        }
        Type::Function(function) => {
            let result = function.result();
            let mut types: Vec<TypeRef> = function.types().map(type_ref).collect();
            let result = result.and_then(|_| types.pop()).map(Box::new);
            TypeRef::Function(types, result)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbi_syntax::File;

    fn declared(text: &str) -> Vec<Declaration> {
        let file = File::parse(text);
        file.items()
            .iter()
            .map(|placed| declare(&placed.item))
            .collect()
    }

    #[test]
    fn a_body_is_no_part_of_what_is_declared() {
        let agent = |body: &str| {
            declared(&format!(
                "agent a(x: String, n: int = 1) -> bool {{ with sandbox = \"docker\" {{ {body} }} \
                 function f(y: Array<int>?) {{ {body} }} webhook {{ path \"/w\" }} }}"
            ))
        };
        let one = agent("return 1;");
        assert_eq!(one, agent("let a = \"}\"; /* more */ return f(a);"));
        assert_ne!(one, agent(""), "an empty body makes it conversational");
        let [Declaration::Agent(agent)] = &*one else {
            panic!("{one:?}");
        };
        assert_eq!(agent.params.len(), 2);
        assert!(agent.params[1].optional && !agent.params[0].optional);
        assert_eq!(agent.blocks, [(Kind::Webhook, "a".into())]);
        assert_eq!(agent.webhook_paths, ["/w".into()]);
    }

    #[test]
    fn a_nameless_block_takes_its_name_entry() {
        assert_eq!(
            declared(
                "memory { name \"notes\" store markdown } webhook w { path \"/w\" name \"x\" }"
            ),
            [
                Declaration::Block {
                    kind: Kind::Memory,
                    name: Some("notes".into()),
                    path: None,
                    named_agents: Vec::new(),
                },
                Declaration::Block {
                    kind: Kind::Webhook,
                    name: Some("w".into()),
                    path: Some("/w".into()),
                    named_agents: Vec::new(),
                },
            ]
        );
    }

    #[test]
    fn thousands_of_question_marks_are_one() {
        let types = declared(&format!("type T = int{}", "?".repeat(9_000)));
        let [Declaration::Type(type_)] = &*types else {
            panic!();
        };
        let int = TypeRef::Named("int".into(), Vec::new());
        assert_eq!(
            type_.body,
            TypeBody::Alias(TypeRef::Optional(Box::new(int)))
        );
    }

    #[test]
    fn types_are_kept_as_they_are_written() {
        let [Declaration::Type(type_)] =
            &*declared("type T = { a: Map<String, B::C?>, f: (int) -> bool }")
        else {
            panic!();
        };
        let TypeBody::Struct(fields) = &type_.body else {
            panic!();
        };
        let named = |name: &str| TypeRef::Named(name.into(), Vec::new());
        assert_eq!(
            fields[0].ty,
            Some(TypeRef::Named(
                "Map".into(),
                vec![named("String"), TypeRef::Optional(Box::new(named("B::C")))]
            ))
        );
        assert_eq!(
            fields[1].ty,
            Some(TypeRef::Function(
                vec![named("int")],
                Some(Box::new(named("bool")))
            ))
        );
    }
}
