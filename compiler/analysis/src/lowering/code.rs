//! Bodies as [`Code`]: what names stand for and which parameter an argument is
//! for is taken from the checks ([`Inference`]), so that what runs is what was
//! checked.
//!
//! Chains are walked in loops, everything else by recursion, which the parser's
//! limit on nesting bounds.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use symbi_ir::{Argument, Assigned, Callee, Capture, Code, Frame, Node, NodeId, Op, Slot, Type};
use symbi_syntax::ast::{
    self, AssignStmt, AstNode, BinaryExpr, BinaryOp, Block, CallExpr, Expr, ForStmt, LambdaBody,
    LambdaExpr, LetStmt, LiteralValue, MemberExpr, Name, PrefixExpr, PrefixOp, RecordField, Stmt,
    StructExpr, WhileStmt,
};
use symbi_syntax::{NodeRef, SyntaxKind as K};

use super::cx::Lowering;
use super::types;
use crate::bodies::{Inference, Resolution, resolve_type};
use crate::declaration::{TypeRef, type_ref};
use crate::findings::at_node;
use crate::ty::Ty;

/// What is being lowered, and the code so far.
pub(super) struct Builder<'p, 'i> {
    pub(super) cx: &'p Lowering<'p>,
    pub(super) inference: &'p Inference,
    /// The agent that the code stands in.
    agent: Option<&'p str>,
    code: Code,
    /// The function, and the lambdas around what is lowered.
    open: Vec<Open>,
    /// Variables of patterns that share the one of another pattern, by the
    /// token that declares them.
    shared: HashMap<u32, u32>,
    /// The item, which all nodes are of.
    _item: std::marker::PhantomData<&'i ()>,
}

/// A frame that is being filled.
struct Open {
    /// Its number.
    frame: u32,
    /// Its tokens: what is declared in them is its own.
    tokens: Range<u32>,
    /// The variable of each declaration, by its token.
    slots: HashMap<u32, Slot>,
}

/// A step of a chain, from the inside out.
enum Link<'i> {
    Binary(BinaryExpr<'i>),
    Prefix(PrefixExpr<'i>),
    Member(MemberExpr<'i>),
    Index(ast::IndexExpr<'i>),
    Call(CallExpr<'i>),
    Method(CallExpr<'i>, MemberExpr<'i>),
}

impl<'p, 'i> Builder<'p, 'i> {
    /// Begins the code of a node.
    pub(super) fn new(
        cx: &'p Lowering<'p>,
        inference: &'p Inference,
        agent: Option<&'p str>,
        node: NodeRef<'i>,
    ) -> Self {
        let mut builder = Builder {
            cx,
            inference,
            agent,
            code: Code::default(),
            open: Vec::new(),
            shared: HashMap::new(),
            _item: std::marker::PhantomData,
        };
        builder.enter(node.tokens());
        builder
    }

    /// The code.
    pub(super) fn finish(mut self) -> Code {
        self.open.clear();
        self.code
    }

    /// A parameter of the innermost frame.
    pub(super) fn parameter(&mut self, name: Name<'i>) {
        self.declared(name);
        if let Some(frame) = self.frame() {
            frame.params += 1;
        }
    }

    /// Lets the first frame run a block.
    pub(super) fn body(&mut self, block: Block<'i>) {
        let body = self.block(block, false);
        if let Some(frame) = self.code.frames.first_mut() {
            frame.body = Some(body);
        }
    }

    /// Lets the first frame give a value.
    pub(super) fn value_of(&mut self, value: Expr<'i>) {
        let body = self.expr(value);
        if let Some(frame) = self.code.frames.first_mut() {
            frame.body = Some(body);
        }
    }

    fn enter(&mut self, tokens: Range<u32>) -> u32 {
        let number = self.code.frames.len() as u32;
        self.code.frames.push(Frame::default());
        self.open.push(Open {
            frame: number,
            tokens,
            slots: HashMap::new(),
        });
        number
    }

    fn frame(&mut self) -> Option<&mut Frame> {
        let number = self.open.last()?.frame;
        self.code.frames.get_mut(number as usize)
    }

    pub(super) fn emit(&mut self, at: NodeRef<'i>, node: Node) -> NodeId {
        let id = self.code.nodes.len() as NodeId;
        self.code.nodes.push(node);
        self.code.spans.push((self.cx.span)(at_node(at)));
        id
    }

    pub(super) fn null(&mut self, at: NodeRef<'i>) -> NodeId {
        self.emit(at, Node::Null)
    }

    /// What an expression is that may be missing in a half-written program.
    pub(super) fn maybe(&mut self, at: NodeRef<'i>, value: Option<Expr<'i>>) -> NodeId {
        match value {
            Some(value) => self.expr(value),
            None => self.null(at),
        }
    }

    // Variables.

    /// Lets the variable that a token declares be that of another one.
    pub(super) fn share(&mut self, token: u32, with: u32) {
        if token != with {
            self.shared.insert(token, with);
        }
    }

    /// The variable that is declared by a name here.
    pub(super) fn declared(&mut self, name: Name<'i>) -> Slot {
        let text: Arc<str> = Arc::from(&*name.text());
        self.slot(name.tokens().start, &text)
    }

    /// The variable that the token declares, in the innermost frame; those of
    /// frames around it are taken along.
    fn slot(&mut self, token: u32, name: &Arc<str>) -> Slot {
        let token = self.shared.get(&token).copied().unwrap_or(token);
        let holds = |open: &Open| open.slots.contains_key(&token) || open.tokens.contains(&token);
        let owner = self.open.iter().rposition(holds).unwrap_or(0);
        let mut slot = self.own_slot(owner, token, name);
        for at in owner + 1..self.open.len() {
            let known = self.open.get(at).and_then(|open| open.slots.get(&token));
            if let Some(known) = known {
                slot = *known;
                continue;
            }
            let inner = self.own_slot(at, token, name);
            let number = self.open.get(at).map_or(0, |open| open.frame);
            if let Some(frame) = self.code.frames.get_mut(number as usize) {
                frame.captures.push(Capture {
                    from: slot,
                    to: inner,
                });
            }
            slot = inner;
        }
        slot
    }

    /// The variable of a declaration in the frame at a level.
    fn own_slot(&mut self, level: usize, token: u32, name: &Arc<str>) -> Slot {
        let Some(open) = self.open.get_mut(level) else {
            return 0;
        };
        let Some(frame) = self.code.frames.get_mut(open.frame as usize) else {
            return 0;
        };
        *open.slots.entry(token).or_insert_with(|| {
            frame.slots.push(name.clone());
            frame.slots.len() as Slot - 1
        })
    }

    /// The variable of a number in [`Inference::locals`].
    fn local(&mut self, number: u32) -> Option<Slot> {
        let local = self.inference.locals.get(number as usize)?;
        let (token, name) = (local.tokens.start, local.name.clone());
        Some(self.slot(token, &name))
    }

    // Blocks and statements.

    /// A block; `needed` if its value is used.
    pub(super) fn block(&mut self, block: Block<'i>, needed: bool) -> NodeId {
        let node = block.node();
        let mut children = node.children().peekable();
        let mut statements = Vec::new();
        let mut value = false;
        while let Some(child) = children.next() {
            let is_last = children.peek().is_none();
            let statement = match Expr::cast(child) {
                Some(expr) => {
                    value = is_last;
                    self.value(expr, is_last && needed)
                }
                None => match Stmt::cast(child).and_then(|stmt| self.statement(stmt)) {
                    Some(statement) => statement,
                    None => continue,
                },
            };
            statements.push(statement);
        }
        self.emit(node, Node::Block { statements, value })
    }

    fn statement(&mut self, statement: Stmt<'i>) -> Option<NodeId> {
        let node = statement.node();
        Some(match statement {
            Stmt::Let(let_) => self.let_(let_),
            Stmt::Assign(assign) => self.assign(assign),
            Stmt::Return(return_) => {
                let value = return_.value().map(|value| self.expr(value));
                self.emit(node, Node::Return(value))
            }
            Stmt::Break(_) => self.emit(node, Node::Break),
            Stmt::Continue(_) => self.emit(node, Node::Continue),
            Stmt::For(for_) => self.for_(for_),
            Stmt::While(while_) => self.while_(while_),
            Stmt::Expr(expr) => return expr.expr().map(|expr| self.value(expr, false)),
            Stmt::If(if_) => self.if_(if_, false),
            Stmt::Match(match_) => self.match_(match_, false),
            Stmt::Try(try_) => self.try_(try_, false),
        })
    }

    fn let_(&mut self, let_: LetStmt<'i>) -> NodeId {
        let value = let_.value().map(|value| self.expr(value));
        let ty = let_.type_().map(|type_| self.written(type_));
        let node = let_.node();
        match let_.name() {
            Some(name) => {
                let slot = self.declared(name);
                self.emit(node, Node::Let { slot, ty, value })
            }
            None => value.unwrap_or_else(|| self.null(node)),
        }
    }

    /// A type as it is written.
    fn written(&self, type_: ast::Type<'i>) -> Type {
        let program = self.cx.program;
        let ty = resolve_type(program, program.file(), self.agent, &type_ref(type_));
        types::lower(&ty)
    }

    pub(super) fn assign(&mut self, assign: AssignStmt<'i>) -> NodeId {
        let node = assign.node();
        let op = assign.sign().and_then(|sign| match sign {
            K::PlusEq => Some(Op::Add),
            K::MinusEq => Some(Op::Subtract),
            K::StarEq => Some(Op::Multiply),
            K::SlashEq => Some(Op::Divide),
            K::PercentEq => Some(Op::Remainder),
            _ => None,
        });
        let target = assign.target().map(without_parens);
        let (place, value) = match target {
            Some(Expr::Name(name)) => {
                let value = self.maybe(node, assign.value());
                (self.assigned(name), value)
            }
            Some(target @ (Expr::Member(_) | Expr::Index(_))) => {
                let id = self.expr(target);
                let value = self.maybe(node, assign.value());
                match self.code.node(id) {
                    Some(Node::Field { .. } | Node::Index { .. }) => (Assigned::Node(id), value),
                    _ => (Assigned::Unbound("".into()), value),
                }
            }
            // Nothing else can be assigned to, which is an error of its own.
            _ => (
                Assigned::Unbound("".into()),
                self.maybe(node, assign.value()),
            ),
        };
        self.emit(node, Node::Assign { place, op, value })
    }

    fn assigned(&mut self, name: ast::NameExpr<'i>) -> Assigned {
        let Some(name) = name.name() else {
            return Assigned::Unbound("".into());
        };
        match self.inference.name_at(name.tokens().start) {
            Some(Resolution::Local(number)) => match self.local(*number) {
                Some(slot) => Assigned::Slot(slot),
                None => Assigned::Unbound(Arc::from(&*name.text())),
            },
            _ => Assigned::Unbound(Arc::from(&*name.text())),
        }
    }

    fn for_(&mut self, for_: ForStmt<'i>) -> NodeId {
        let node = for_.node();
        let over = self.maybe(node, for_.iterable());
        let slot = match for_.name() {
            Some(name) => self.declared(name),
            None => self.slot(node.tokens().start, &"_".into()),
        };
        let body = match for_.body() {
            Some(body) => self.block(body, false),
            None => self.null(node),
        };
        self.emit(node, Node::For { slot, over, body })
    }

    fn while_(&mut self, while_: WhileStmt<'i>) -> NodeId {
        let node = while_.node();
        let condition = self.maybe(node, while_.condition());
        let body = match while_.body() {
            Some(body) => self.block(body, false),
            None => self.null(node),
        };
        self.emit(node, Node::While { condition, body })
    }

    // Expressions.

    /// An expression in the place of a value, or of a statement that may be one.
    pub(super) fn value(&mut self, value: Expr<'i>, needed: bool) -> NodeId {
        match value {
            Expr::If(if_) => self.if_(if_, needed),
            Expr::Match(match_) => self.match_(match_, needed),
            Expr::Try(try_) => self.try_(try_, needed),
            other => self.expr(other),
        }
    }

    pub(super) fn expr(&mut self, expr: Expr<'i>) -> NodeId {
        let node = expr.node();
        match expr {
            Expr::Paren(paren) => self.maybe(node, paren.inner()),
            Expr::If(_) | Expr::Match(_) | Expr::Try(_) => self.value(expr, true),
            Expr::Literal(literal) => {
                let value = literal.value();
                let value = value.map_or(Node::Null, |value| self.literal(node, value));
                self.emit(node, value)
            }
            Expr::Name(name) => match name.name() {
                Some(name) => self.name(node, name.tokens().start, Arc::from(&*name.text())),
                None => self.null(node),
            },
            Expr::Path(path) => self.name(node, node.tokens().start, path.text().into()),
            Expr::Array(list) => {
                let values = list.elements().map(|value| self.expr(value)).collect();
                self.emit(node, Node::List(values))
            }
            Expr::Record(record) => {
                let fields = self.fields(record.fields());
                let value = match self.inference.type_of(node.index()) {
                    // A record is one of a struct where one is expected.
                    Some(Ty::Struct(id)) => Node::Struct {
                        agent: id.agent.clone(),
                        name: id.name.clone(),
                        fields,
                    },
                    _ => Node::Record(fields),
                };
                self.emit(node, value)
            }
            Expr::Struct(structure) => self.structure(structure),
            Expr::Lambda(lambda) => self.lambda(lambda),
            Expr::Binary(_)
            | Expr::Prefix(_)
            | Expr::Member(_)
            | Expr::Index(_)
            | Expr::Call(_) => self.chain(expr),
        }
    }

    /// A chain may have 10,000 links: down to its first value, and back up.
    #[inline(never)]
    fn chain(&mut self, expr: Expr<'i>) -> NodeId {
        let mut links: Vec<Link<'i>> = Vec::new();
        let mut at = Some(expr);
        let mut id = loop {
            let Some(part) = at else {
                let node = links.last().map_or(expr.node(), Link::node);
                break self.null(node);
            };
            at = match part {
                Expr::Binary(binary) => {
                    links.push(Link::Binary(binary));
                    binary.left()
                }
                Expr::Prefix(prefix) => {
                    if let Some(number) = negative(prefix) {
                        break self.emit(prefix.node(), number);
                    }
                    links.push(Link::Prefix(prefix));
                    prefix.operand()
                }
                Expr::Member(member) => {
                    links.push(Link::Member(member));
                    member.object()
                }
                Expr::Index(index) => {
                    links.push(Link::Index(index));
                    index.object()
                }
                Expr::Call(call) => match call.callee() {
                    Some(Expr::Name(name)) => break self.named_call(call, name),
                    Some(Expr::Path(path)) => break self.path_call(call, path),
                    Some(Expr::Member(member)) if member.name().is_some() => {
                        links.push(Link::Method(call, member));
                        member.object()
                    }
                    callee => {
                        links.push(Link::Call(call));
                        callee
                    }
                },
                atom => break self.expr(atom),
            };
        };
        while let Some(link) = links.pop() {
            id = self.link(link, id);
        }
        id
    }

    #[inline(never)]
    fn link(&mut self, link: Link<'i>, of: NodeId) -> NodeId {
        let node = link.node();
        let made = match link {
            Link::Binary(binary) => {
                let right = self.maybe(node, binary.right());
                self.binary(binary, of, right)
            }
            Link::Prefix(prefix) => match prefix.operator() {
                Some(PrefixOp::Not) => Node::Not(of),
                Some(PrefixOp::Minus) => Node::Minus(of),
                None => return of,
            },
            Link::Member(member) => match member.name() {
                Some(name) => Node::Field {
                    object: of,
                    name: Arc::from(&*name.text()),
                    or_null: false,
                },
                None => return of,
            },
            Link::Index(index) => Node::Index {
                object: of,
                index: self.maybe(node, index.index()),
            },
            Link::Call(call) => Node::Call {
                callee: Callee::Value(of),
                arguments: self.arguments(call),
            },
            Link::Method(call, member) => {
                let name = member.name().map(|name| name.text()).unwrap_or_default();
                let library = self.cx.program.stdlib();
                let changes = library.overloads(&name).any(|(_, facts)| facts.updates);
                let is_place = matches!(
                    self.code.node(of),
                    Some(Node::Local(_) | Node::Field { .. } | Node::Index { .. })
                );
                Node::Method {
                    receiver: of,
                    name: Arc::from(&*name),
                    arguments: self.arguments(call),
                    place: changes && is_place,
                }
            }
        };
        self.emit(node, made)
    }

    fn binary(&mut self, binary: BinaryExpr<'i>, left: NodeId, right: NodeId) -> Node {
        let op = match binary.operator() {
            Some(BinaryOp::And) => return Node::And(left, right),
            Some(BinaryOp::Or) => return Node::Or(left, right),
            Some(BinaryOp::Equal) => Op::Equal,
            Some(BinaryOp::NotEqual) => Op::Unequal,
            Some(BinaryOp::In) => Op::In,
            Some(BinaryOp::NotIn) => Op::NotIn,
            Some(BinaryOp::Less) => Op::Less,
            Some(BinaryOp::LessEqual) => Op::AtMost,
            Some(BinaryOp::Greater) => Op::Greater,
            Some(BinaryOp::GreaterEqual) => Op::AtLeast,
            Some(BinaryOp::Add) => Op::Add,
            Some(BinaryOp::Subtract) => Op::Subtract,
            Some(BinaryOp::Multiply) => Op::Multiply,
            Some(BinaryOp::Divide) => Op::Divide,
            Some(BinaryOp::Remainder) => Op::Remainder,
            // An operator that the language does not have is an error.
            None => return Node::Null,
        };
        if matches!(op, Op::Equal | Op::Unequal) {
            let is_null = |id| matches!(self.code.node(id), Some(Node::Null));
            let compared = match (is_null(left), is_null(right)) {
                (_, true) => Some(left),
                (true, _) => Some(right),
                _ => None,
            };
            let field = compared.and_then(|id| self.code.nodes.get_mut(id as usize));
            if let Some(Node::Field { or_null, .. }) = field {
                *or_null = true;
            }
        }
        Node::Binary { op, left, right }
    }

    /// A literal, as what it was taken for.
    fn literal(&self, node: NodeRef<'i>, value: LiteralValue) -> Node {
        let taken = self.inference.type_of(node.index());
        match (value, taken) {
            (LiteralValue::Int(seconds), Some(Ty::Duration)) => {
                let nanos = i64::try_from(seconds).ok();
                let nanos = nanos.and_then(|seconds| seconds.checked_mul(1_000_000_000));
                Node::Duration(nanos.unwrap_or(i64::MAX))
            }
            (LiteralValue::String(text), Some(taken)) => held(text, taken),
            (value, _) => plain(value),
        }
    }

    /// A name that is read.
    fn name(&mut self, node: NodeRef<'i>, token: u32, text: Arc<str>) -> NodeId {
        let found = self.inference.name_at(token).cloned();
        let read = match found {
            Some(Resolution::Local(number)) => match self.local(number) {
                Some(slot) => Node::Local(slot),
                None => Node::Unbound(text),
            },
            Some(Resolution::OwnFunction) => Node::Function {
                agent: self.agent.map(Arc::from),
                name: text,
            },
            Some(Resolution::Function) => Node::Function {
                agent: None,
                name: text,
            },
            Some(Resolution::Library) => Node::Library(text),
            Some(Resolution::Unbound | Resolution::External | Resolution::ErrorKind) | None => {
                Node::Unbound(text)
            }
            Some(
                Resolution::Named
                | Resolution::Tool
                | Resolution::Agent(..)
                | Resolution::Ambiguous,
            ) => Node::Name(text),
        };
        self.emit(node, read)
    }

    fn fields(&mut self, fields: impl Iterator<Item = RecordField<'i>>) -> Vec<(Arc<str>, NodeId)> {
        let mut found = Vec::new();
        for field in fields {
            if let (Some(key), Some(value)) = (field.key(), field.value()) {
                found.push((key.into(), self.expr(value)));
            }
        }
        found
    }

    fn structure(&mut self, structure: StructExpr<'i>) -> NodeId {
        let node = structure.node();
        let fields = self.fields(structure.fields());
        let name = match structure.type_name() {
            Some(Expr::Name(name)) => name.name().map(|name| Arc::from(&*name.text())),
            Some(Expr::Path(path)) => Some(path.text().into()),
            _ => None,
        };
        let value = match (self.inference.type_of(node.index()), name) {
            (Some(Ty::Struct(id)), _) => Node::Struct {
                agent: id.agent.clone(),
                name: id.name.clone(),
                fields,
            },
            (Some(Ty::Opaque(_)) | None, Some(name)) => Node::Struct {
                agent: None,
                name,
                fields,
            },
            _ => Node::Record(fields),
        };
        self.emit(node, value)
    }

    fn lambda(&mut self, lambda: LambdaExpr<'i>) -> NodeId {
        let node = lambda.node();
        let number = self.enter(node.tokens());
        for name in lambda.params() {
            self.parameter(name);
        }
        let body = match lambda.body() {
            Some(LambdaBody::Expr(body)) => self.value(body, false),
            Some(LambdaBody::Block(block)) => self.block(block, false),
            None => self.null(node),
        };
        if let Some(frame) = self.frame() {
            frame.body = Some(body);
        }
        self.open.pop();
        self.emit(node, Node::Lambda(number))
    }

    // Calls.

    fn arguments(&mut self, call: CallExpr<'i>) -> Vec<Argument> {
        let mut arguments = Vec::new();
        for argument in call.arguments() {
            let (name, value) = match argument {
                ast::Argument::Positional(value) => (None, Some(value)),
                ast::Argument::Named(named) => (
                    named.name().map(|name| Arc::from(&*name.text())),
                    named.value(),
                ),
            };
            if let Some(value) = value {
                arguments.push(Argument {
                    name,
                    parameter: self.inference.parameter_of(value.node().index()),
                    value: self.expr(value),
                });
            }
        }
        arguments
    }

    fn named_call(&mut self, call: CallExpr<'i>, name: ast::NameExpr<'i>) -> NodeId {
        let node = call.node();
        let Some(name) = name.name() else {
            return self.null(node);
        };
        let token = name.tokens().start;
        let kind = node.item().token_kind(token);
        if matches!(kind, K::SomeKw | K::OkKw | K::ErrKw) {
            let mut arguments = call.arguments();
            let value = match arguments.next() {
                Some(ast::Argument::Positional(value)) => self.expr(value),
                _ => self.null(node),
            };
            return match kind {
                K::ErrKw => self.emit(node, Node::Raise(value)),
                _ => value,
            };
        }
        self.call(call, name.tokens(), Arc::from(&*name.text()))
    }

    fn path_call(&mut self, call: CallExpr<'i>, path: ast::PathExpr<'i>) -> NodeId {
        let node = call.node();
        let text = path.text();
        let tokens = path.node().tokens();
        // The checks take it for a call of nothing if it makes an empty value.
        if let Some(name) = text.strip_suffix("::new")
            && call.arguments().next().is_none()
            && self.inference.name_at(tokens.start).is_none()
        {
            // Where a method is called on it, its type was not kept.
            let ty = self.inference.type_of(node.index()).cloned();
            let ty = ty.unwrap_or_else(|| {
                let program = self.cx.program;
                let named = TypeRef::Named(name.into(), Vec::new());
                resolve_type(program, program.file(), self.agent, &named)
            });
            return self.emit(node, Node::New(types::lower(&ty)));
        }
        self.call(call, tokens, text.into())
    }

    fn call(&mut self, call: CallExpr<'i>, tokens: Range<u32>, name: Arc<str>) -> NodeId {
        let node = call.node();
        let found = self.inference.name_at(tokens.start).cloned();
        let callee = match found {
            Some(Resolution::Local(number)) => {
                let value = match self.local(number) {
                    Some(slot) => Node::Local(slot),
                    None => Node::Unbound(name),
                };
                let at = call.callee().map_or(node, |callee| callee.node());
                Callee::Value(self.emit(at, value))
            }
            Some(Resolution::OwnFunction) => Callee::Function {
                agent: self.agent.map(Arc::from),
                name,
            },
            Some(Resolution::Function) => Callee::Function { agent: None, name },
            Some(Resolution::Library) => Callee::Library(name),
            Some(Resolution::Tool) => Callee::Tool(name),
            Some(Resolution::Agent(file, name)) => Callee::Agent(symbi_ir::AgentName {
                // As modules write their paths.
                file: self.cx.program.file_name(file).replace('\\', "/").into(),
                name,
            }),
            Some(Resolution::Ambiguous) => Callee::Ambiguous(name),
            _ => Callee::External(name),
        };
        let arguments = self.arguments(call);
        self.emit(node, Node::Call { callee, arguments })
    }
}

impl<'i> Link<'i> {
    fn node(&self) -> NodeRef<'i> {
        match self {
            Link::Binary(binary) => binary.node(),
            Link::Prefix(prefix) => prefix.node(),
            Link::Member(member) => member.node(),
            Link::Index(index) => index.node(),
            Link::Call(call) | Link::Method(call, _) => call.node(),
        }
    }
}

fn without_parens(mut expr: Expr<'_>) -> Expr<'_> {
    while let Expr::Paren(paren) = expr
        && let Some(inner) = paren.inner()
    {
        expr = inner;
    }
    expr
}

/// A negative number, of which the smallest has no positive one.
fn negative(prefix: PrefixExpr<'_>) -> Option<Node> {
    let (Some(PrefixOp::Minus), Some(Expr::Literal(literal))) =
        (prefix.operator(), prefix.operand())
    else {
        return None;
    };
    match literal.value()? {
        LiteralValue::Int(value) => 0_i64.checked_sub_unsigned(value).map(Node::Int),
        LiteralValue::Float(value) => Some(Node::Float(-value)),
        _ => None,
    }
}

/// A literal as it is written.
pub(super) fn plain(value: LiteralValue) -> Node {
    match value {
        LiteralValue::Int(value) => Node::Int(i64::try_from(value).unwrap_or(i64::MAX)),
        LiteralValue::Float(value) => Node::Float(value),
        LiteralValue::Duration(value) => Node::Duration(value),
        LiteralValue::Size(value) => Node::Size(value),
        LiteralValue::Bool(value) => Node::Bool(value),
        LiteralValue::Null => Node::Null,
        LiteralValue::String(text) => Node::Text(text.into()),
        LiteralValue::Secret(text) => Node::Secret(text.into()),
        LiteralValue::Env(name) => Node::Secret(format!("env://{name}").into()),
    }
}

/// A text in a block that was taken for a value of this type.
fn held(text: String, taken: &Ty) -> Node {
    let read = match taken {
        Ty::Duration => symbi_mini::duration::parse(&text)
            .ok()
            .map(|reading| Node::Duration(reading.value)),
        Ty::Size => symbi_mini::size::parse(&text)
            .ok()
            .map(|reading| Node::Size(reading.value)),
        Ty::Int => text.trim().parse().ok().map(Node::Int),
        Ty::Float => text.trim().parse().ok().map(Node::Float),
        Ty::Bool => text.trim().parse().ok().map(Node::Bool),
        _ => None,
    };
    read.unwrap_or_else(|| Node::Text(text.into()))
}
