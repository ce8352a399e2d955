//! Which tier is enough for `sandbox_tier` (language.md section 5).

use symbi_ir::Tier;

/// The variable of the environment that lets agents run without isolation, if
/// it is `1`.
pub const ALLOW_UNISOLATED: &str = "SYMBIONT_ALLOW_UNISOLATED";

/// Whether a value of [`ALLOW_UNISOLATED`] allows it.
pub fn unisolated(value: Option<&str>) -> bool {
    value == Some("1")
}

const TIERS: [Tier; 6] = [
    Tier::None,
    Tier::E2b,
    Tier::Landlock,
    Tier::Docker,
    Tier::Gvisor,
    Tier::Firecracker,
];

/// The tier of a name. The checker has replaced other spellings.
pub(super) fn parse(name: &str) -> Option<Tier> {
    TIERS.into_iter().find(|tier| tier.as_str() == name)
}

/// Whether a tier is enough where `minimum` is demanded. `e2b` is on somebody
/// else's machines, so it stands below every container; `landlock` stands
/// beside the ladder, enough for itself and `none` only.
pub fn satisfies(tier: Tier, minimum: Tier) -> bool {
    match (step(tier), step(minimum)) {
        (Some(own), Some(demanded)) => own >= demanded,
        _ => tier == minimum || minimum == Tier::None,
    }
}

fn step(tier: Tier) -> Option<u8> {
    match tier {
        Tier::None => Some(0),
        Tier::E2b => Some(1),
        Tier::Docker => Some(2),
        Tier::Gvisor => Some(3),
        Tier::Firecracker => Some(4),
        Tier::Landlock => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_tier_is_enough_for_which_demand() {
        // A row a tier, a column a demand, in the order of `TIERS`.
        let table = [
            ("none", "y....."),
            ("e2b", "yy...."),
            ("landlock", "y.y..."),
            ("docker", "yy.y.."),
            ("gvisor", "yy.yy."),
            ("firecracker", "yy.yyy"),
        ];
        for (name, row) in table {
            let tier = parse(name).expect("a tier");
            let found = TIERS.map(|minimum| if satisfies(tier, minimum) { 'y' } else { '.' });
            assert_eq!(found.iter().collect::<String>(), row, "{name}");
        }
        assert_eq!(parse("tier1"), None);
        assert!(unisolated(Some("1")) && !unisolated(Some("true")) && !unisolated(None));
    }
}
