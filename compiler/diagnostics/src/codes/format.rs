//! F10xx: what the formatter reports.

use super::{Code, Level};

codes! {
    F1001 Error "a file that is not formatted"
    F1002 Error "the formatter would have changed more than the layout"
}
