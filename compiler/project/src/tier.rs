//! Sandbox tiers and which of them is enough (language.md section 5).

/// How an agent is isolated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tier {
    /// Not at all.
    None,
    /// On somebody else's machines: no isolation on this host.
    E2b,
    /// By the kernel's rules for one process.
    Landlock,
    /// In a container. What an agent has that states nothing.
    Docker,
    /// In a container with a kernel of its own.
    Gvisor,
    /// In a small virtual machine.
    Firecracker,
}

impl Tier {
    /// Every tier.
    pub const ALL: [Tier; 6] = [
        Tier::None,
        Tier::E2b,
        Tier::Landlock,
        Tier::Docker,
        Tier::Gvisor,
        Tier::Firecracker,
    ];

    /// Every spelling, and the tier it means.
    pub const SPELLINGS: [(&'static str, Tier); 10] = [
        ("none", Tier::None),
        ("tier0", Tier::None),
        ("docker", Tier::Docker),
        ("tier1", Tier::Docker),
        ("gvisor", Tier::Gvisor),
        ("tier2", Tier::Gvisor),
        ("firecracker", Tier::Firecracker),
        ("tier3", Tier::Firecracker),
        ("e2b", Tier::E2b),
        ("landlock", Tier::Landlock),
    ];

    /// Every spelling.
    pub const WORDS: [&'static str; 10] = {
        let mut words = [""; 10];
        let mut at = 0;
        while at < words.len() {
            words[at] = Self::SPELLINGS[at].0;
            at += 1;
        }
        words
    };

    /// What an agent has when neither it nor the project file states one.
    pub const DEFAULT: Tier = Tier::Docker;

    /// The tier of a spelling, in upper or lower case.
    pub fn parse(text: &str) -> Option<Self> {
        Self::SPELLINGS
            .iter()
            .find(|(spelling, _)| spelling.eq_ignore_ascii_case(text))
            .map(|&(_, tier)| tier)
    }

    /// Its name, in lower case.
    pub fn as_str(self) -> &'static str {
        match self {
            Tier::None => "none",
            Tier::E2b => "e2b",
            Tier::Landlock => "landlock",
            Tier::Docker => "docker",
            Tier::Gvisor => "gvisor",
            Tier::Firecracker => "firecracker",
        }
    }

    /// Whether this tier is enough where `minimum` is demanded.
    ///
    /// This is no order: `landlock` stands beside the ladder, enough for itself
    /// and `none` only, and nothing else is enough for it.
    pub fn satisfies(self, minimum: Tier) -> bool {
        match (self.step(), minimum.step()) {
            (Some(own), Some(demanded)) => own >= demanded,
            _ => self == minimum || minimum == Tier::None,
        }
    }

    /// How high it stands on the ladder, if it does.
    fn step(self) -> Option<u8> {
        match self {
            Tier::None => Some(0),
            Tier::E2b => Some(1),
            Tier::Docker => Some(2),
            Tier::Gvisor => Some(3),
            Tier::Firecracker => Some(4),
            Tier::Landlock => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Tier;

    #[test]
    fn a_tier_has_names_in_either_case() {
        let table = [
            ("none", Some(Tier::None)),
            ("TIER0", Some(Tier::None)),
            ("Docker", Some(Tier::Docker)),
            ("tier1", Some(Tier::Docker)),
            ("gVisor", Some(Tier::Gvisor)),
            ("Tier2", Some(Tier::Gvisor)),
            ("firecracker", Some(Tier::Firecracker)),
            ("tier3", Some(Tier::Firecracker)),
            ("E2B", Some(Tier::E2b)),
            ("landlock", Some(Tier::Landlock)),
            ("tier4", None),
            ("hosted", None),
            ("", None),
            (" docker", None),
        ];
        for (text, tier) in table {
            assert_eq!(Tier::parse(text), tier, "{text}");
        }
        for tier in Tier::ALL {
            assert_eq!(Tier::parse(tier.as_str()), Some(tier));
        }
    }

    #[test]
    fn which_tier_is_enough_for_which_demand() {
        // A row a tier, a column a demand, in the order of `ALL`.
        let table = [
            ("none", "y....."),
            ("e2b", "yy...."),
            ("landlock", "y.y..."),
            ("docker", "yy.y.."),
            ("gvisor", "yy.yy."),
            ("firecracker", "yy.yyy"),
        ];
        for (tier, (name, row)) in Tier::ALL.into_iter().zip(table) {
            assert_eq!(tier.as_str(), name);
            let found: String = Tier::ALL
                .into_iter()
                .map(|minimum| if tier.satisfies(minimum) { 'y' } else { '.' })
                .collect();
            assert_eq!(found, row, "{name}");
        }
    }
}
