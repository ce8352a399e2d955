//! The virtual machine of Symbi.

pub mod library;
