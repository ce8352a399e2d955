//! The host, tested through what it offers to others.

mod gate;
