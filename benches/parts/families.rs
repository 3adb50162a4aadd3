//! The families: a text, the parameter that grows, and how far.

/// A model with a parameter.
pub struct Family {
    pub name: &'static str,
    text: &'static str,
    /// The constant that grows.
    parameter: &'static str,
    /// Other constants.
    pub with: &'static [(&'static str, i64)],
    /// The checks that are asked: those whose line contains this.
    only: &'static str,
    /// Those that are not.
    without: &'static str,
    pub sizes: &'static [i64],
}

const NOTHING: &str = "\0";

macro_rules! family {
    ($name:literal, $file:literal, $parameter:literal, $sizes:expr $(, $field:ident: $value:expr)*) => {
        Family {
            $($field: $value,)*
            ..Family {
                name: $name,
                text: include_str!($file),
                parameter: $parameter,
                with: &[],
                only: "",
                without: NOTHING,
                sizes: $sizes,
            }
        }
    };
}

pub const FAMILIES: &[Family] = &[
    family!("dining cryptographers", "../../examples/protocols/dining_cryptographers.des", "N", &[3, 6, 9, 12, 25, 50, 100, 200, 400, 800, 1200], without: "check purpose"),
    family!("dining, purpose", "../../examples/protocols/dining_cryptographers.des", "N", &[3, 5, 7, 8, 9, 10, 11, 12], only: "check purpose"),
    family!("onion routing", "../../examples/protocols/onion_routing.des", "N", &[2, 3, 4, 5, 6, 7, 8, 10, 12, 16]),
    family!(
        "onion routing, relays",
        "../../examples/protocols/onion_routing.des",
        "R",
        &[2, 3, 4, 5, 6, 7, 8, 10, 12, 16]
    ),
    family!("voting with a mixer", "../../examples/protocols/mixed_voting.des", "V", &[3, 4, 5, 6, 7, 8, 9, 10, 12]),
    family!("voting", "../../examples/protocols/voting.des", "N", &[2, 3, 4, 5, 6, 7, 8]),
    family!("pool mix", "../../examples/protocols/pool_mix.des", "N", &[3, 4, 5, 6, 7, 8, 9, 10]),
    family!("batch mix", "../../examples/protocols/batch_mix.des", "N", &[3, 4, 5, 6, 7, 8, 9]),
    family!("donation, strong", "../../examples/protocols/donation.des", "N", &[2, 4, 6, 8, 10, 12, 16, 24, 50, 100], without: "weak"),
    family!("donation, weak", "../../examples/protocols/donation.des", "N", &[2, 3, 4, 5, 6, 7, 8], only: "weak"),
    family!("badge office, strong", "../../examples/protocols/badge_office.des", "N", &[2, 4, 6, 8, 10, 12, 16, 24, 50, 100], without: "weak"),
    family!("badge office, weak", "../../examples/protocols/badge_office.des", "N", &[2, 3, 4, 5], only: "weak"),
    family!("hospital", "../../examples/protocols/hospital.des", "P", &[2, 3, 4, 5]),
    family!("meters on a bus", "models/meters_on_a_bus.des", "N", &[3, 6, 8, 10, 12, 25, 50, 100, 200, 400]),
    family!("crowd", "models/crowd.des", "N", &[3, 6, 12, 25, 50, 100]),
    family!("ring of relays", "models/ring_of_relays.des", "N", &[3, 6, 9, 12, 15, 25, 50, 100, 200, 400]),
    family!("no help: relay race", "models/relay_race.des", "N", &[3, 6, 12, 25, 50, 100, 200, 400]),
    family!("no help: unanimous vote", "models/unanimous_vote.des", "N", &[3, 6, 8, 10, 12, 14, 16]),
];

impl Family {
    /// The text with the checks that are asked.
    pub fn asked(&self) -> String {
        let is_asked = |line: &&str| {
            let is_check = line.trim_start().starts_with("check ");
            !is_check || (line.contains(self.only) && !line.contains(self.without))
        };
        self.text.lines().filter(is_asked).flat_map(|line| [line, "\n"]).collect()
    }

    pub fn defines(&self, size: i64) -> Vec<(String, i64)> {
        let with = self.with.iter().map(|&(name, value)| (name.to_owned(), value));
        with.chain([(self.parameter.to_owned(), size)]).collect()
    }
}
