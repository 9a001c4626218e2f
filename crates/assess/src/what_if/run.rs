//! One run, and the limit that it misses.

use crate::requirement::Requirements;
use crate::verdict;
use serde::{Deserialize, Serialize};

/// A requirement that a design misses; numbers in the unit of the kind, money in dollars.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Miss {
    /// As documents name it.
    pub kind: &'static str,
    /// Whose latency.
    pub op: Option<&'static str>,
    /// What the design has.
    pub found: Option<f64>,
    /// What is required.
    pub limit: Option<f64>,
    /// Needed over found; none where more of it would not help.
    pub shortfall: Option<f64>,
    /// The multiple of the measured peak at which it is missed.
    pub load: Option<f64>,
    /// Whether requests arrived faster than they were served.
    pub saturated: bool,
    /// Whether it is missed over all of the log, and not at the peak.
    pub over_all: bool,
    /// Whether it is known before simulation, by an optimistic bound.
    pub is_bound: bool,
    /// The side of a cached design that misses it; none where it is all of the design.
    pub volume: Option<&'static str>,
}

impl Miss {
    /// Without figures.
    #[must_use]
    pub const fn of(kind: &'static str) -> Miss {
        Miss {
            kind,
            op: None,
            found: None,
            limit: None,
            shortfall: None,
            load: None,
            saturated: false,
            over_all: false,
            is_bound: false,
            volume: None,
        }
    }

    /// Of more than is allowed.
    #[must_use]
    pub fn new(kind: &'static str, found: f64, limit: f64) -> Miss {
        Miss { found: Some(found), limit: Some(limit), shortfall: Some(found / limit), ..Miss::of(kind) }
    }
}

impl From<verdict::Miss> for Miss {
    fn from(miss: verdict::Miss) -> Miss {
        let verdict::Miss { kind, found, limit, shortfall } = miss;
        Miss { found: Some(found), limit: Some(limit), shortfall, ..Miss::of(kind) }
    }
}

/// A run of the peak at a multiple of its load, or of all of the log.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The load, as a multiple of the measured peak.
    pub times: f64,
    /// Of reads; none without reads.
    #[serde(default)]
    pub read_p99_ns: Option<f64>,
    /// Of writes; none without writes.
    #[serde(default)]
    pub write_p99_ns: Option<f64>,
    /// Whether requests arrived faster than they were served.
    pub saturated: bool,
}

/// The limits on p99, in ns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Of reads.
    #[serde(default)]
    pub read: Option<u64>,
    /// Of writes.
    #[serde(default)]
    pub write: Option<u64>,
}

impl Limits {
    /// Those of these requirements.
    #[must_use]
    pub const fn of(needs: &Requirements) -> Limits {
        Limits { read: needs.p99_read_ns, write: needs.p99_write_ns }
    }

    /// Whether everything that meets the other limits meets these.
    pub(super) fn covers(self, other: Limits) -> bool {
        let covers = |mine: Option<u64>, other: Option<u64>| match (mine, other) {
            (None, _) => true,
            (Some(mine), Some(other)) => mine >= other,
            (Some(_), None) => false,
        };
        covers(self.read, other.read) && covers(self.write, other.write)
    }
}

impl Run {
    /// The first limit that it does not meet.
    #[must_use]
    pub fn miss(&self, limits: Limits) -> Option<Miss> {
        let of_op = |op: &'static str, found: Option<f64>, limit: Option<u64>| {
            let (found, limit) = (found?, limit? as f64);
            (found > limit).then(|| Miss {
                op: Some(op),
                saturated: self.saturated,
                ..Miss::new("latency", found, limit)
            })
        };
        of_op("read", self.read_p99_ns, limits.read)
            .or_else(|| of_op("write", self.write_p99_ns, limits.write))
            .or_else(|| self.saturated.then(|| Miss { saturated: true, ..Miss::of("saturated") }))
    }
}

/// What a search found under these limits, without figures.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Edges {
    /// The limits.
    pub limits: Limits,
    /// The most load that met them, as a multiple of the measured peak.
    #[serde(default)]
    pub held: Option<f64>,
    /// The least that missed them.
    #[serde(default)]
    pub missed: Option<f64>,
}
