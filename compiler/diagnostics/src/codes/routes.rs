//! R11xx: what refuses an agent on a route that was asked for.

use super::{Code, Level};

codes! {
    R1101 Error "an agent that is refused on a route"
    R1102 Error "an agent without a managed driver"
    R1103 Error "an agent that runs in a managed driver alone"
    R1104 Error "a body that a managed driver does not run"
    R1105 Error "an agent that no chat reaches"
    R1106 Error "a block that is refused on its route"
}
