//! X06xx: sandboxes.

use super::{Code, Level};

codes! {
    X0601 Warning "a sandbox that isolates nothing"
    X0602 Error "a sandbox below the minimum"
    X0603 Warning "a sandbox below what a policy demands"
}
