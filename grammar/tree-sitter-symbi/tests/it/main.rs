//! Tests of the grammar's queries, run by the engines that run them elsewhere.

mod captures;
mod highlights;
mod indents;
mod queries;
mod robust;
mod support;
mod tags;
