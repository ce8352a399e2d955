//! Every place of a part of a program, to move them all: a part is made without
//! knowing where it stands in its file.

use crate::agent::Agent;
use crate::blocks::{Channel, Schedule, Store, Webhook};
use crate::code::Code;
use crate::policy::Policy;
use crate::program::{Function, Span, Struct};

/// Something with places.
pub trait Places {
    /// Calls `each` with each of its places. Those of what refuses an agent or
    /// a block are left out: they are made with the file at hand.
    fn each_span(&mut self, each: &mut dyn FnMut(&mut Span));
}

impl<T: Places> Places for Vec<T> {
    fn each_span(&mut self, each: &mut dyn FnMut(&mut Span)) {
        self.iter_mut().for_each(|part| part.each_span(each));
    }
}

impl<T: Places> Places for Option<T> {
    fn each_span(&mut self, each: &mut dyn FnMut(&mut Span)) {
        self.iter_mut().for_each(|part| part.each_span(each));
    }
}

impl Places for Code {
    fn each_span(&mut self, each: &mut dyn FnMut(&mut Span)) {
        self.spans.iter_mut().for_each(each);
    }
}

impl Places for Function {
    fn each_span(&mut self, each: &mut dyn FnMut(&mut Span)) {
        each(&mut self.at);
        self.code.each_span(each);
    }
}

impl Places for Struct {
    fn each_span(&mut self, each: &mut dyn FnMut(&mut Span)) {
        each(&mut self.at);
        self.code.each_span(each);
    }
}

impl Places for Policy {
    fn each_span(&mut self, each: &mut dyn FnMut(&mut Span)) {
        each(&mut self.at);
        for rule in &mut self.rules {
            each(&mut rule.at);
            each(&mut rule.selector);
        }
        self.requirements.iter_mut().for_each(&mut *each);
        self.audit.iter_mut().for_each(|audit| each(&mut audit.at));
    }
}

impl Places for Agent {
    fn each_span(&mut self, each: &mut dyn FnMut(&mut Span)) {
        self.entry.each_span(each);
        each(&mut self.span);
        self.functions.each_span(each);
        self.structs.each_span(each);
        if let Some(list) = &mut self.capabilities {
            each(&mut list.at);
        }
        self.policies.each_span(each);
    }
}

impl Places for Schedule {
    fn each_span(&mut self, each: &mut dyn FnMut(&mut Span)) {
        each(&mut self.at);
        self.input.each_span(each);
    }
}

impl Places for Webhook {
    fn each_span(&mut self, each: &mut dyn FnMut(&mut Span)) {
        each(&mut self.at);
    }
}

impl Places for Channel {
    fn each_span(&mut self, each: &mut dyn FnMut(&mut Span)) {
        each(&mut self.at);
        self.policies.each_span(each);
    }
}

impl Places for Store {
    fn each_span(&mut self, each: &mut dyn FnMut(&mut Span)) {
        each(&mut self.at);
    }
}
