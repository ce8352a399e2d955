//! K08xx, and P04xx for policies: what blocks name that is not there.

use super::{Code, Level};

codes! {
    K0801 Warning "an agent that does not exist"
    K0802 Warning "an agent whose name leads to several"
    K0804 Warning "a webhook that does not exist"
    P0490 Warning "a policy that does not exist"
}
