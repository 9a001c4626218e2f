//! What a run says of its caches.

use super::layer::CacheLayer;
use drivecast_block::{CacheCounters, Counters, Device};
use serde::Serialize;

/// What the caches of a design did in the measured part, all together.
///
/// Counters are in the pieces that the cache handles. What was in flight at either end has been counted in part.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Cached {
    /// What was counted, under the names that FlashCache prints.
    #[serde(flatten)]
    pub counters: CacheCounters,
    /// Hits over pieces, reads and writes together; null without any.
    pub hit_ratio: Option<f64>,
    /// The same of reads.
    pub read_hit_ratio: Option<f64>,
    /// The same of writes.
    pub write_hit_ratio: Option<f64>,
    /// Bytes that the cache takes of its fast device.
    pub size_bytes: u64,
    /// Of these, bytes that hold data at the end of the run.
    pub cached_bytes: u64,
    /// Of these, bytes that are newer than on the slow device.
    pub dirty_bytes: u64,
    /// Pages programmed on the fast device over pages that the cache wrote there; null without flash or writes.
    pub ssd_write_amplification: Option<f64>,
    /// Share of the time in which a drive of the fast device was busy, mean over its drives.
    pub ssd_utilization: f64,
    /// The same of the slow device.
    pub disk_utilization: f64,
}

impl Cached {
    /// The statistics of these caches, of a run of this length; none without a cache. What a scaled cache holds is scaled back.
    pub(crate) fn of<D: Device>(
        caches: &[&CacheLayer<D>],
        counters: &Counters,
        duration_s: f64,
    ) -> Option<Cached> {
        let outermost = caches.first()?;
        let counters = counters.cache;
        let whole = |bytes: u64| (bytes as f64 / outermost.sizes().scale).round() as u64;
        let sum = |of: &dyn Fn(&CacheLayer<D>) -> u64| whole(caches.iter().map(|cache| of(cache)).sum());
        let ratio = |part: u64, whole: u64| (whole > 0).then(|| part as f64 / whole as f64);
        let busy = |ns: u64| if duration_s > 0.0 { (ns as f64 / 1e9 / duration_s).min(1.0) } else { 0.0 };
        let CacheCounters { reads, writes, read_hits, write_hits, .. } = counters;
        Some(Cached {
            hit_ratio: ratio(read_hits + write_hits, reads + writes),
            read_hit_ratio: ratio(read_hits, reads),
            write_hit_ratio: ratio(write_hits, writes),
            size_bytes: sum(&|cache| cache.sizes().cache.0),
            cached_bytes: sum(&|cache| cache.cached()[0].0),
            dirty_bytes: sum(&|cache| cache.cached()[1].0),
            ssd_write_amplification: ratio(
                counters.ssd_flash_programmed_pages,
                counters.ssd_flash_host_pages,
            ),
            ssd_utilization: busy(counters.ssd_busy_ns),
            disk_utilization: busy(counters.disk_busy_ns),
            counters,
        })
    }
}
