//! What only a trace of single requests shows.

use super::alignment::Alignment;
use super::block_transitions::SuccessionRow;
use super::burst::{DispersionRow, Hurst};
use super::distribution::{Below, Distribution};
use super::diurnal::Diurnal;
use super::growth::GrowthRow;
use super::miss_ratio::MissRatioCurve;
use super::popularity::PopularityRow;
use super::response::ResponseRow;
use super::sampled_blocks::Followed;
use super::seek::SeekDistance;
use super::sequential::Runs;
use super::streams::StreamRow;
use serde::Serialize;

/// The part of a profile that needs addresses, order and times of single requests; all `None` of a counter log, but for
/// the pattern of the day.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Detail {
    /// On which boundaries requests begin and end.
    pub alignment: Option<Vec<Alignment>>,
    /// Sequential runs, and how they interleave.
    pub runs: Option<Runs>,
    /// How far requests jump.
    pub seek: Option<SeekDistance>,
    /// The blocks that all of the following down to `popularity` are based on.
    pub followed: Option<Followed>,
    /// Miss ratios of LRU caches of all sizes.
    pub miss_ratio_curves: Option<Vec<MissRatioCurve>>,
    /// Shares of the block accesses with fewer bytes of other blocks accessed since the last access of the block.
    pub reuse_distance_bytes: Option<Vec<Below>>,
    /// What follows what on a block: reads after writes and so on.
    pub succession: Option<Vec<SuccessionRow>>,
    /// Time from a write of a block to its next.
    pub update_interval_ns: Option<Distribution>,
    /// Writes of a block that is written.
    pub writes_per_block: Option<Distribution>,
    /// How the accesses spread over the blocks.
    pub popularity: Option<Vec<PopularityRow>>,
    /// How the working set grows.
    pub working_set_growth: Option<Vec<GrowthRow>>,
    /// Burstiness at time scales.
    pub dispersion: Option<Vec<DispersionRow>>,
    /// How burstiness grows with the scale.
    pub hurst: Option<Hurst>,
    /// The pattern of the day.
    pub diurnal: Option<Diurnal>,
    /// The split by process, CPU, disk or volume.
    pub streams: Option<Vec<StreamRow>>,
    /// Latency by size.
    pub latency_by_size: Option<Vec<ResponseRow>>,
    /// Latency by requests outstanding.
    pub latency_by_depth: Option<Vec<ResponseRow>>,
    /// Latency by both.
    pub latency_by_size_and_depth: Option<Vec<ResponseRow>>,
}
