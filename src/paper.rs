//! The constructions of the paper, built literally: the slow, honest second opinion.
//!
//! J. Zhang, K. Zhang, X. Han and Z. Li, "Verification of K- and infinite-step strong/weak anonymity using concurrent
//! compositions". Everything here is built as it is defined there, from plain sorted vectors, and shares no code with the
//! engine, which is tested against it. The path of one decision:
//!
//! ```text
//! View ─Plant (G or Ĝ)→ Obs ─As→ rows ─Obs_m→ subsets ─Cc(G_m, Obs_m)→ pairs ─breadth first→ k, witness
//! ```
//!
//! | the paper | here |
//! | --- | --- |
//! | G, G_m, Ĝ, Ĝ_w (eq. 1, 6) | [`plant::Plant`], [`plant::Plant::variant`] |
//! | Obs(G), Ôbs(Ĝ) (eq. 2, 7) | [`observer::observer`] |
//! | As, AS_w | [`adjoint::table`] |
//! | Obs_m(G), Obs_w(Ĝ) (eq. 3, 8) | [`observer::modified`] |
//! | Cc(G_m, Obs_m(G)), Cc(Ĝ_w, Obs_w(Ĝ)) (eq. 5, 9) | [`composition::compose`] |
//! | algorithms 1, 2, 3 | [`algorithm`] |
//! | definition 2.1, delayed estimates | [`estimate`] |
//! | the bounds of proposition 6.1, the size of X̂ | [`bound`] |
//!
//! Where the paper treats single states, this module treats *exposed sets*, so that classes, `among` and opacity fit: the
//! adjoint set of x is UR(S \ D) for each exposed set D that holds x, and D = {x} gives the paper's own As. Only
//! reachable parts are built, within a [`Budget`]; running out of it is reported as a [`Stop`](crate::resources::Stop).
//! Deliberately absent: any cleverness. No subsumption, no simulation, no twins.

pub mod adjoint;
pub mod algorithm;
pub mod bound;
pub mod budget;
pub mod composition;
pub mod decide;
pub mod estimate;
mod notions;
pub mod observer;
pub mod plant;

pub use budget::Budget;
pub use decide::decide;
