//! Requests over time and address.
//!
//! DEFINITION. A grid of at most 240 bins of time by 128 bins of address; a request counts where and when it begins. One
//! pass suffices without knowing duration or extent: bins begin small (2²⁰ ns, 4 KiB), and where a request falls outside,
//! neighbours are merged until it fits. So a width is a power of two, and more than half of the bins of a long recording
//! are in use. Memory: 246 KB.

use drivecast_block::Record;
use serde::Serialize;

const TIME_BINS: usize = 240;
const ADDRESS_BINS: usize = 128;
const TIME_SHIFT: u32 = 20;
const ADDRESS_SHIFT: u32 = 12;

/// Requests over time and address.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeatMap {
    /// Width of a bin of time.
    pub time_bin_s: f64,
    /// Width of a bin of addresses.
    pub address_bin_bytes: u64,
    /// Bins of addresses, from address 0.
    pub address_bins: usize,
    /// Bins of time, from the start of the recording.
    pub time_bins: usize,
    /// Requests, by time, then by address.
    pub counts: Vec<Vec<u64>>,
}

pub(super) struct Grid {
    /// By time, then by address.
    counts: Vec<u64>,
    time_shift: u32,
    address_shift: u32,
}

impl Grid {
    pub(super) fn new() -> Grid {
        let counts = vec![0; TIME_BINS * ADDRESS_BINS];
        Grid { counts, time_shift: TIME_SHIFT, address_shift: ADDRESS_SHIFT }
    }

    #[inline]
    pub(super) fn add(&mut self, record: &Record) {
        while record.time.0 >> self.time_shift >= TIME_BINS as u64 {
            self.merge_times();
        }
        while record.offset >> self.address_shift >= ADDRESS_BINS as u64 {
            self.merge_addresses();
        }
        let time = (record.time.0 >> self.time_shift) as usize;
        let address = (record.offset >> self.address_shift) as usize;
        self.counts[time * ADDRESS_BINS + address] += 1;
    }

    #[cold]
    fn merge_times(&mut self) {
        for time in 0..TIME_BINS {
            for address in 0..ADDRESS_BINS {
                let count = std::mem::take(&mut self.counts[time * ADDRESS_BINS + address]);
                self.counts[time / 2 * ADDRESS_BINS + address] += count;
            }
        }
        self.time_shift += 1;
    }

    #[cold]
    fn merge_addresses(&mut self) {
        for row in self.counts.chunks_exact_mut(ADDRESS_BINS) {
            for address in 0..ADDRESS_BINS {
                let count = std::mem::take(&mut row[address]);
                row[address / 2] += count;
            }
        }
        self.address_shift += 1;
    }

    /// The grid without the empty bins after the last request and the highest address; `None` without requests.
    pub(super) fn map(&self) -> Option<HeatMap> {
        let rows = || self.counts.chunks_exact(ADDRESS_BINS);
        let used = |row: &[u64]| row.iter().rposition(|count| *count > 0).map_or(0, |last| last + 1);
        let address_bins = rows().map(used).max()?;
        let time_bins = rows().rposition(|row| used(row) > 0)? + 1;
        Some(HeatMap {
            time_bin_s: (1u64 << self.time_shift) as f64 / 1e9,
            address_bin_bytes: 1 << self.address_shift,
            address_bins,
            time_bins,
            counts: rows().take(time_bins).map(|row| row[..address_bins].to_vec()).collect(),
        })
    }
}
