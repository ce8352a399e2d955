//! The virtual machine of Symbi.
