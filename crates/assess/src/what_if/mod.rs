//! A plan that is asked again, with other requirements and prices: what a report's page judges by.
//!
//! Model. A plan carries all that its designs were judged by ([`Carried`]): the runs of each with their loads and their
//! p99, how it wears, prices and the load. Other requirements are decided by these runs as far as they reach
//! ([`known_loads`]): a design that meets the limits at some load meets them at a lower one, and one that misses them misses
//! them at a higher one. What they leave open is unknown until somebody simulates it. Life, cost, loss of data, ties and
//! the front are worked out anew ([`Judge`]).

pub mod answer;
mod bench;
pub mod cached;
pub mod carried;
pub mod judge;
pub mod known_loads;
mod part;
pub mod proposal;
mod rent_verdict;
pub mod rented;
pub mod run;
pub mod settings;
pub mod shape;
mod sides;

pub use answer::{Judged, Verdict};
pub use cached::{Cached, Caches, Front};
pub use carried::{Candidate, Carried};
pub use judge::Judge;
pub use rented::Rented;
pub use run::{Edges, Limits, Run};
pub use settings::Settings;
