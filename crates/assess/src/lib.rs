//! What a design is worth, once it is known how fast it is and how it wears: life, loss of data, cost, verdict, rank.
//!
//! Pure arithmetic over facts that somebody else found: nothing here simulates, reads a file or knows a catalog. The
//! plan of a terminal and the page of a report call the same functions, so that both give the same answer.
//!
//! [`facts`] go in; [`endurance`], [`loss`] and [`cost`] are laws of one thing each; [`costing`] puts them together with
//! what each input moves; [`verdict`] compares with the [`Requirements`]; [`draw`] and [`rank`] order what fits. Of what is rented
//! [`rental`] has sizes and prices, [`bucket`] and [`credit`] what its provider lets through. [`what_if`] asks a plan again.

pub mod bucket;
pub mod cost;
pub mod costing;
pub mod credit;
pub mod draw;
pub mod endurance;
pub mod expansion;
pub mod facts;
pub mod latency;
pub mod loss;
pub mod pareto;
pub mod rank;
pub mod redundancy;
pub mod rental;
pub mod requirement;
pub mod sensitivity;
pub mod span;
pub mod verdict;
pub mod what_if;

pub use facts::{Design, Drive, Figure, Load, Prices, Seen};
pub use requirement::Requirements;
pub use span::Span;
