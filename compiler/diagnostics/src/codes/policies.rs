//! P04xx: policies, their selectors and their guards.

use super::{Code, Level};

codes! {
    P0401 Warning "a policy that governs nobody"
    P0402 Warning "two policies of one name"
    P0403 Warning "a policy without rules"
    P0404 Warning "a setting in a policy"
    P0405 Warning "a block in a policy"
    P0406 Warning "words behind a rule"
    P0410 Warning "an effect that does not exist"
    P0411 Warning "a selector of another shape"
    P0412 Warning "a name that no guard asks for"
    P0420 Error "a guard that is too large"
    P0421 Warning "a name that a guard does not see"
    P0422 Warning "a part that guards do not have"
    P0423 Warning "a parameter that a guard does not see"
    P0424 Warning "a guard that is never decided"
    P0425 Warning "a deny that demands an approval"
    P0426 Warning "a receipt in a guard"
}
