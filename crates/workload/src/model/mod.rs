//! Workload models: a mixture of streams that a person can read and edit, and that plays like a trace.
//!
//! MODEL. A workload is a superposition of streams on one range of addresses. Each stream draws its operations independently
//! and its sizes from a Markov chain; its addresses follow a pattern (random over zones with a popularity law and reuse, sequential
//! runs, a circular log); and its requests come in a closed loop (a queue depth and a think time) or an open one (batches,
//! gaps between batches, a rate over time, or bursts listed one by one). Streams know nothing of each other, except that the
//! rates of two streams may rise and fall at the same times, and that streams may share the history in which places recur.
//!
//! ```toml
//! schema_version = 1
//! name = "page-writes"
//! span_bytes = 1_073_741_824              # addresses used, from 0
//! duration_s = 60.0                       # what one pass lasts
//!
//! [[streams]]
//! name = "pages"
//! read = 0.2                              # share of reads among reads and writes
//! sizes = [{ bytes = 16384, share = 1.0 }]
//! align_bytes = 4096
//! address = { pattern = "random", zones = [{ from = 0.0, to = 0.3, share = 0.9 }, { from = 0.3, to = 1.0, share = 0.1 }] }
//! arrivals = { loop = "open", rate_iops = 120.0, batch = { requests = [[0.5, 1.0], [1.0, 64.0]], spacing_s = [[0.5, 4e-6], [1.0, 1e-3]] } }
//!
//! [provenance]
//! "streams.pages.read" = { assumed = "the log does not tell" }
//! ```
//!
//! A table of quantiles is a list of pairs `[share, value]`, both rising, the last share 1: a draw lies between two values in
//! proportion, on a logarithmic scale where both are above zero. Keys that are not known are refused, with the line and the
//! nearest known one.

mod arrival_times;
mod check;
mod file;
mod fit;
mod low_discrepancy;
mod mixture;
mod place;
mod quantiles;
mod sizes;
mod spec;
mod write;

pub use mixture::{Mixture, SERVICE_S};
pub use quantiles::Quantiles;
pub use spec::{
    Address, Arrivals, Batch, Burst, Law, Listed, Model, Open, Provenance, RateOverTime, Reuse, RunStart,
    SCHEMA_VERSION, SizeOf, Stream, ZoneOf,
};

const TOO_SMALL_HINT: &str = "take a larger design, or set `span_bytes`";
const TOO_MANY_HINT: &str = "take a shorter time";

/// Why a model was refused: what, where in the file, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// The text is no model.
    #[error("{name}{}: {message}{}", line.map(|line| format!(", line {line}")).unwrap_or_default(), hint.as_ref().map(|hint| format!("\nhint: {hint}")).unwrap_or_default())]
    File {
        /// The file, or what the model is called.
        name: String,
        /// The line, from 1, where it is known.
        line: Option<usize>,
        /// What was expected and what was found.
        message: String,
        /// What to do.
        hint: Option<String>,
    },
    /// The model addresses more than the device holds.
    #[error("model `{name}` spans {span}, but the device holds {capacity}\nhint: {TOO_SMALL_HINT}")]
    TooSmall {
        /// The model.
        name: String,
        /// What it spans.
        span: drivecast_block::Bytes,
        /// What the device holds.
        capacity: drivecast_block::Bytes,
    },
    /// A pass has too many requests to hold.
    #[error("model `{name}` makes more than {most} requests\nhint: {TOO_MANY_HINT}")]
    TooMany {
        /// The model.
        name: String,
        /// How many can be held.
        most: usize,
    },
    /// There is nothing to fit a model to.
    #[error("{0}")]
    Fit(String),
}

impl ModelError {
    /// What to do about it, where the message ends with that.
    pub fn hint(&self) -> Option<&str> {
        match self {
            ModelError::File { hint, .. } => hint.as_deref(),
            ModelError::TooSmall { .. } => Some(TOO_SMALL_HINT),
            ModelError::TooMany { .. } => Some(TOO_MANY_HINT),
            ModelError::Fit(_) => None,
        }
    }
}
