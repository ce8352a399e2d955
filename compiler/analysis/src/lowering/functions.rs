//! Functions, agents as what runs, and structs.

use std::sync::Arc;

use symbi_ir::{Function, Param, Span, Struct, Type};
use symbi_syntax::NodeRef;
use symbi_syntax::ast::{
    self, AgentDef, AgentItem, AstNode, Block, FunctionDef, Name, TypeDef, WithBody,
};

use super::code::Builder;
use super::cx::Lowering;
use super::types;
use crate::bodies::{Inference, resolve_type};
use crate::declaration::type_ref;
use crate::findings::{at_name, at_token};

/// What is needed of an item to lower what runs in it.
#[derive(Clone, Copy)]
pub(super) struct Scope<'p> {
    pub cx: &'p Lowering<'p>,
    pub inference: &'p Inference,
    /// The agent that it stands in.
    pub agent: Option<&'p str>,
}

impl<'p> Scope<'p> {
    fn ty(&self, written: Option<ast::Type<'_>>) -> Type {
        let program = self.cx.program;
        match written {
            Some(written) => types::lower(&resolve_type(
                program,
                program.file(),
                self.agent,
                &type_ref(written),
            )),
            None => Type::Any,
        }
    }

    fn named(&self, name: Option<Name<'_>>, node: NodeRef<'_>) -> (Arc<str>, Span) {
        match name {
            Some(name) => (Arc::from(&*name.text()), (self.cx.span)(at_name(name))),
            None => ("".into(), (self.cx.span)(at_token(node.tokens().start))),
        }
    }

    /// A function of the file or of an agent.
    pub(super) fn function(&self, function: FunctionDef<'_>) -> Function {
        let params: Vec<ast::Param<'_>> = function.params().collect();
        self.runs(
            function.node(),
            function.name(),
            &params,
            function.result(),
            function.body(),
        )
    }

    /// What runs when an agent is started.
    pub(super) fn entry(&self, agent: AgentDef<'_>) -> Function {
        let params: Vec<ast::Param<'_>> = agent.params().map(Iterator::collect).unwrap_or_default();
        let body = agent.items().find_map(|item| match item {
            AgentItem::With(with) => match with.body() {
                Some(WithBody::Statements(block)) if !block.is_empty() => Some(block),
                _ => None,
            },
            _ => None,
        });
        self.runs(agent.node(), agent.name(), &params, agent.result(), body)
    }

    fn runs<'i>(
        &self,
        node: NodeRef<'i>,
        name: Option<Name<'i>>,
        params: &[ast::Param<'i>],
        result: Option<ast::Type<'i>>,
        body: Option<Block<'i>>,
    ) -> Function {
        let mut builder = Builder::new(self.cx, self.inference, self.agent, node);
        let mut lowered = Vec::new();
        for param in params {
            // It may name those before it.
            let default = param.default().map(|default| builder.expr(default));
            let Some(name) = param.name() else { continue };
            builder.parameter(name);
            lowered.push(Param {
                name: Arc::from(&*name.text()),
                ty: self.ty(param.type_()),
                optional: default.is_some(),
                default,
            });
        }
        if let Some(body) = body {
            builder.body(body);
        }
        let (name, at) = self.named(name, node);
        Function {
            name,
            at,
            params: lowered,
            result: self.ty(result),
            code: builder.finish(),
        }
    }

    /// A struct; `None` for an alias.
    pub(super) fn structure(&self, type_: TypeDef<'_>) -> Option<Struct> {
        let structure = type_.structure()?;
        let mut builder = Builder::new(self.cx, self.inference, self.agent, type_.node());
        let mut fields = Vec::new();
        for field in structure.fields() {
            let default = field.default().map(|default| builder.expr(default));
            let Some(name) = field.name() else { continue };
            fields.push(Param {
                name: Arc::from(&*name.text()),
                ty: self.ty(field.type_()),
                optional: default.is_some(),
                default,
            });
        }
        let (name, at) = self.named(type_.name(), type_.node());
        Some(Struct {
            name,
            at,
            fields,
            code: builder.finish(),
        })
    }
}
