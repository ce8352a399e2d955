//! Empty: stands for a crate that is named and never called.
