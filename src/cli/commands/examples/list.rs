//! Every built-in example, in the order of the table.
//!
//! Generated from the folder `examples/` by `UPDATE_EXAMPLES=1 cargo test --test docs examples`.

use super::Example;

macro_rules! examples {
    ($($path:literal)*) => {
        /// Every built-in example.
        pub const EXAMPLES: &[Example] =
            &[$(Example { path: $path, text: include_str!(concat!("../../../../examples/", $path, ".des")) },)*];
    };
}

examples! {
    "questioning"
    "paper/figure_3_1"
    "paper/maximal_k"
    "paper/questioning"
    "tour/01_first_check"
    "tour/02_reading_a_violation"
    "tour/03_steps"
    "tour/04_strong_against_weak"
    "tour/05_opacity"
    "tour/06_among"
    "tour/07_about"
    "tour/08_observers"
    "tour/09_components"
    "tour/10_families"
    "protocols/badge_office"
    "protocols/batch_mix"
    "protocols/campus_grid"
    "protocols/cloud_migration"
    "protocols/contact_tracing"
    "protocols/crowds"
    "protocols/dining_cryptographers"
    "protocols/donation"
    "protocols/hospital"
    "protocols/mixed_voting"
    "protocols/onion_routing"
    "protocols/pool_mix"
    "protocols/smart_meter"
    "protocols/voting"
    "repairs/badge_office"
    "repairs/campus_grid"
    "repairs/contact_tracing"
    "breaking/fig31_late_answer"
    "breaking/fig31_logged"
    "breaking/fig31_lost_exit"
    "breaking/fig31_mended"
    "breaking/fig31_one_start"
    "breaking/questioning_lost_branch"
    "breaking/questioning_named_f"
    "breaking/questioning_patient_m"
    "breaking/questioning_sensor_on_e"
    "breaking/questioning_substitute"
    "breaking/questioning_without_g"
    "theory/agents"
    "theory/anonymity_and_opacity"
    "theory/classes"
    "theory/except"
    "theory/horizons"
    "theory/initial_final"
    "theory/initial_state"
    "theory/projections"
    "theory/throughout"
    "literature/falcone_13_fig2a"
    "literature/falcone_13_fig2b"
    "literature/falcone_15_fig2c"
    "literature/falcone_15_fig2d"
    "literature/falcone_15_fig2e"
    "literature/saboori_07_fig1a"
    "literature/saboori_09_ex1"
    "literature/saboori_09_fig1b"
    "literature/saboori_11_fig1a"
}
