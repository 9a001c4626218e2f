//! Synthetic workloads: what a stream of requests looks like, apart from any device.
//!
//! MODEL. Requests are independent draws: an operation (discard with the trim fraction, else read with the read
//! fraction, else write, of which a share has forced unit access), a size from a table of weights, and an address. An address is uniform over the aligned
//! positions of a zone, and a zone is drawn by its share of the requests; or it follows the previous request, and starts
//! again at the end of the span (`sequential`). Of random addresses a share may follow the previous request of its size
//! (`sequential=`): runs of geometric lengths that begin anywhere, one under way for each size. A size may have a read fraction of its own: it is then a stream, and
//! several workloads superposed are one line, since independent requests of independent processes are again so. A
//! closed loop keeps `iodepth` requests outstanding; an open loop issues them at the rate `rate_iops`, as a Poisson
//! process or at fixed intervals, and where `iodepth` is given, too, holds them back while so many are outstanding. Zones are scattered over the span piece by piece ([`Placement`]). Left out:
//! correlation in time, reuse beyond the zones, several sequential streams of one size, bursts.
//!
//! Written as one line ([`WorkloadSpec::parse`]), and printed as the same line:
//!
//! ```text
//! random(4KiB, read=0.7, iodepth=32, span=1.0)
//! random(10 * 512B, 60 * 4KiB, 30 * 64KiB, read=0.8)             sizes with weights
//! random(3 * 16KiB[read=0.8], 4KiB[read=0], rate=8000iops)       two workloads at once, each with its own reads
//! sequential(128KiB, read=0)
//! hotcold(4KiB, hot=0.2, share=0.8, read=0)                      share of the requests go to `hot` of the span
//! hotcold(4KiB, read=0, placement=contiguous)                    `hot` is the first part of the span, not scattered
//! zipf(4KiB, theta=0.8, read=0)                                  the i-th most popular place in proportion to 1/i^theta
//! random(4KiB, read=0.3, rate=20000iops, arrivals=fixed)         one request every 50 us
//! random(1MiB, read=0, sequential=0.9)                           runs of ten requests on average, each anywhere
//! random(16KiB, read=0.7, fua=0.2)                               a fifth of the writes has to be durable
//! jesd219     iometer-database     iometer-fileserver     iometer-webserver        named mixes; options as above
//! ```

mod line;
mod mix;

use drivecast_block::Bytes;
use drivecast_block::line::LineError;
use serde::Serialize;

/// The unit of addresses and sizes: every size and alignment is a multiple of it.
pub const SECTOR_BYTES: u32 = 512;

/// How addresses are chosen; the named mixes choose sizes and the read fraction as well.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "name", rename_all = "kebab-case")]
pub enum Pattern {
    /// Uniform over the span.
    Random,
    /// Each request where the previous one ended.
    Sequential,
    /// A part of the span gets a share of the requests; uniform within either part.
    #[serde(rename = "hotcold")]
    HotCold {
        /// The size of the part, a fraction of the span, in (0, 1).
        hot: f64,
        /// The share of the requests that go there.
        share: f64,
    },
    /// The i-th most popular place of the span gets requests in proportion to 1/i^theta.
    Zipf {
        /// The exponent, from 0 (uniform) to 5.
        theta: f64,
    },
    /// JESD219 enterprise: three zones, twelve sizes.
    Jesd219,
    /// Iometer's database mix.
    IometerDatabase,
    /// Iometer's file-server mix.
    IometerFileserver,
    /// Iometer's web-server mix.
    IometerWebserver,
}

/// When the requests of an open loop are issued.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ArrivalProcess {
    /// Independent of each other.
    #[default]
    Poisson,
    /// At equal intervals, as load generators that hold a rate do.
    Fixed,
}

/// How the zones of a workload lie in the span.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Placement {
    /// In pieces of the largest request, at random: neighbours in a zone are rarely neighbours in the span.
    #[default]
    Scattered,
    /// Each zone is one run of addresses.
    Contiguous,
}

/// A size and how often it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SizeShare {
    /// The size of the request.
    pub size_bytes: u32,
    /// Its weight among all sizes of the workload.
    pub weight: u32,
    /// The share of reads among reads and writes of this size, in [0, 1]; absent: that of the workload.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_fraction: Option<f64>,
    /// The share of the requests of this size that begin where the one before of it ended, in [0, 1]; absent: that of the
    /// workload.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sequential_fraction: Option<f64>,
}

/// A part of the span and its share of the requests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Zone {
    /// First and last address, as fractions of the span.
    pub(crate) from: f64,
    pub(crate) to: f64,
    /// The share of the requests.
    pub(crate) share: f64,
}

/// A synthetic workload. Made by [`WorkloadSpec::parse`], which checks the ranges stated here.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct WorkloadSpec {
    /// How addresses are chosen.
    pub pattern: Pattern,
    /// The sizes, at least one, each a multiple of 512 B.
    pub sizes: Vec<SizeShare>,
    /// The share of reads among reads and writes, in [0, 1].
    pub read_fraction: f64,
    /// The share of the requests, at random addresses else, that begin where the one before of their size ended, in [0, 1].
    #[serde(skip_serializing_if = "is_zero")]
    pub sequential_fraction: f64,
    /// The share of discards among all requests, in [0, 1]; they fall uniformly on the span.
    pub trim_fraction: f64,
    /// The share of the writes with forced unit access, in [0, 1].
    pub fua_fraction: f64,
    /// Requests outstanding, from 1: always that many in a closed loop, at most at a rate; absent: without limit.
    pub iodepth: Option<u32>,
    /// Processes of a closed loop, from 1, each with `iodepth` outstanding, and each a stream of its own.
    pub jobs: u32,
    /// Rate of an open loop; absent: a closed loop.
    pub rate_iops: Option<f64>,
    /// When the requests of an open loop are issued.
    pub arrivals: ArrivalProcess,
    /// How zones lie in the span.
    pub placement: Placement,
    /// The part of the device used, from its start, in (0, 1].
    pub span_fraction: f64,
    /// Offsets are multiples of this. Absent: of each request's own size (the rule of fio); JESD219: of 4 KiB from
    /// that size on, of 512 B below; sequential: requests are contiguous.
    pub align_bytes: Option<u32>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_zero(share: &f64) -> bool {
    *share == 0.0
}

impl WorkloadSpec {
    /// The mean size of a write, if any.
    pub fn write_mean_bytes(&self) -> f64 {
        let writes = |share: &SizeShare| {
            f64::from(share.weight) * (1.0 - share.read_fraction.unwrap_or(self.read_fraction))
        };
        let count: f64 = self.sizes.iter().map(writes).sum();
        let bytes = |share: &SizeShare| f64::from(share.size_bytes) * writes(share);
        if count == 0.0 { 0.0 } else { self.sizes.iter().map(bytes).sum::<f64>() / count }
    }

    /// Whether anything is written or discarded.
    pub fn writes(&self) -> bool {
        self.trim_fraction > 0.0
            || self.sizes.iter().any(|share| share.read_fraction.unwrap_or(self.read_fraction) < 1.0)
    }

    /// Whether each size is a stream, with a read fraction of its own.
    pub(crate) fn has_streams(&self) -> bool {
        self.sizes.iter().any(|share| share.read_fraction.is_some())
    }

    /// The share of a size that begins where the one before of it ended.
    pub(crate) fn sequential_of(&self, share: &SizeShare) -> f64 {
        share.sequential_fraction.unwrap_or(self.sequential_fraction)
    }

    /// Whether any requests at random addresses form runs.
    pub(crate) fn has_runs(&self) -> bool {
        self.sizes.iter().any(|share| self.sequential_of(share) > 0.0)
    }

    /// The shares of reads, and of writes, that begin where the one before of their size ended.
    pub fn in_order(&self) -> [f64; 2] {
        if self.pattern == Pattern::Sequential {
            return [1.0; 2];
        }
        let reads = |share: &SizeShare| share.read_fraction.unwrap_or(self.read_fraction);
        [true, false].map(|is_read| {
            let of = |share: &SizeShare| {
                f64::from(share.weight) * if is_read { reads(share) } else { 1.0 - reads(share) }
            };
            let runs: f64 = self.sizes.iter().map(|share| of(share) * self.sequential_of(share)).sum();
            runs / self.sizes.iter().map(of).sum::<f64>().max(f64::MIN_POSITIVE)
        })
    }

    /// The same requests, each anywhere.
    pub fn without_runs(&self) -> WorkloadSpec {
        let mut sizes = self.sizes.clone();
        sizes.iter_mut().for_each(|share| share.sequential_fraction = None);
        WorkloadSpec { sizes, sequential_fraction: 0.0, ..self.clone() }
    }

    /// The same requests, whenever they are issued: how many are outstanding and at which rate is left out.
    pub fn timeless(&self) -> WorkloadSpec {
        WorkloadSpec {
            iodepth: Some(1),
            jobs: 1,
            rate_iops: None,
            arrivals: ArrivalProcess::default(),
            ..self.clone()
        }
    }

    /// The same writes without the reads between them, where addresses do not depend on reads.
    pub fn without_reads(&self) -> WorkloadSpec {
        let is_drawn = self.pattern != Pattern::Sequential && self.trim_fraction == 0.0;
        let reads = |share: &SizeShare| share.read_fraction.unwrap_or(self.read_fraction);
        let mut sizes = self.sizes.clone();
        sizes.retain(|share| reads(share) < 1.0);
        let are_written = sizes.iter().all(|share| reads(share) == 0.0);
        let is_apart = are_written || !self.has_streams() && !self.has_runs();
        if !is_drawn || !is_apart || sizes.is_empty() {
            return self.clone();
        }
        sizes.iter_mut().for_each(|share| share.read_fraction = None);
        WorkloadSpec { sizes, read_fraction: 0.0, ..self.clone() }
    }

    /// The alignment of requests of a size.
    pub(crate) fn align_of(&self, size_bytes: u32) -> u32 {
        match (self.align_bytes, self.pattern) {
            (Some(align), _) => align,
            (None, Pattern::Jesd219) if size_bytes >= 4096 => 4096,
            (None, Pattern::Jesd219) => SECTOR_BYTES,
            (None, _) => size_bytes,
        }
    }
}

/// What to do about a workload that does not fit.
pub const TOO_SMALL_HINT: &str = "use a larger device, smaller requests or a larger span";

/// Why a workload cannot be generated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SpecError {
    /// The line of the workload was refused.
    #[error(transparent)]
    Line(#[from] LineError),
    /// A zone of the device does not hold a request.
    #[error(
        "`{workload}` does not fit {capacity}: a request of {size} expected, found a zone of {zone}\nhint: \
         {TOO_SMALL_HINT}"
    )]
    TooSmall {
        /// The workload as a line.
        workload: String,
        /// The device.
        capacity: Bytes,
        /// The part of it that is too small.
        zone: Bytes,
        /// The size that does not fit, with its alignment.
        size: Bytes,
    },
}
