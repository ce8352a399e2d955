//! Tests of the crate through its public face.

mod pages;
