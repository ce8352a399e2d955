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
    P0413 Warning "an argument that never matches"
    P0420 Error "a guard that is too large"
    P0421 Warning "a name that a guard does not see"
    P0422 Warning "a part that guards do not have"
    P0423 Warning "a parameter that a guard does not see"
    P0424 Warning "a guard that is never decided"
    P0425 Warning "a deny that demands an approval"
    P0426 Warning "a receipt in a guard"
    P0427 Warning "a guard that is always the same"
    P0430 Warning "a rule that never matters"
    P0431 Warning "a policy that permits nothing"
    P0432 Warning "policies that permit nothing together"
    P0440 Warning "an obligation that nothing enforces"
    P0441 Warning "an obligation whose value cannot be read"
    P0442 Warning "a key of `audit` that nothing keeps"
    P0443 Warning "an `audit` that only describes"
    P0450 Warning "capabilities that only describe"
    P0451 Warning "capabilities that do not fit the program"
    P0452 Warning "a denied capability that does not exist"
}
