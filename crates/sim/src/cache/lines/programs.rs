//! bcache, OpenCAS and dm-writecache, as rules for lines.

use super::admission::Admission;
use super::chunks::Chunks;
use super::cleaner::{Cleaner, Kind};
use super::journal::Journal;
use super::places::Buckets;
use super::table::Table;
use super::{Lines, Rules};
use crate::request_slots::Slots;
use crate::spec::{BcacheSpec, CacheMode, Cleaning, DmWritecacheSpec, OpenCasSpec, SequentialCutoff};
use drivecast_block::{Bytes, Nanos};
use std::collections::{BTreeSet, VecDeque};

/// Runs of bcache's writeback that are under way.
const BCACHE_DEPTH: u32 = 64;
/// Dirty share of the cache from which on bcache no longer takes writes in, if they are synchronous.
const BCACHE_DIRTY_MAX: f64 = 0.7;
/// bcache's journal: this part of the buckets, within bounds.
const BCACHE_JOURNAL_PART: u64 = 128;
/// Bytes that OpenCAS and dm-writecache hold of a line on the fast device; of OpenCAS assumed.
const OPEN_CAS_RECORD: u64 = 48;
const DM_WRITECACHE_RECORD: u64 = 16;
const MD_BLOCK: u32 = 4096;
/// Blocks that dm-writecache has on their way to the slow device, which it does not limit. Assumed.
const DM_WRITECACHE_DEPTH: u32 = 256;

impl Lines {
    fn of(rules: Rules, lines: u32, data_at: u64, cleaner: Cleaner) -> Lines {
        let chunks = Chunks::new(rules.block);
        Lines {
            rules,
            table: Table::new(lines),
            buckets: None,
            admission: Admission::all(lines),
            cleaner,
            journal: None,
            data_at,
            works: Slots::new(),
            runs: Slots::new(),
            by_address: BTreeSet::new(),
            cursor: 0,
            chunks,
            is_short: false,
            waiting: VecDeque::new(),
            requested: Nanos::ZERO,
            uncommitted: 0,
            commit_at: Nanos::MAX,
        }
    }

    /// bcache: data are appended to buckets, sequential streams stay out, and what is dirty is written at a rate.
    pub(in crate::cache) fn bcache(spec: &BcacheSpec, size: Bytes) -> Lines {
        let (block, bucket) = (u64::from(spec.block), u64::from(spec.bucket));
        let buckets = size.0 / bucket;
        let journal = (buckets / BCACHE_JOURNAL_PART).clamp(1, 256).min(buckets - 1);
        let data = (buckets - journal) as u32;
        let per_bucket = (bucket / block) as u32;
        let rules = Rules {
            block,
            mode: spec.mode,
            reads: true,
            drops_clean: false,
            waits: false,
            records: false,
            dirty_max: BCACHE_DIRTY_MAX,
            flushes_slow: true,
            commit: None,
            cleans_for_space: false,
            survives: true,
        };
        let target = f64::from(spec.writeback_percent) / 100.0;
        let kind = match spec.writeback_running {
            true => Kind::Rate { target, delay: spec.writeback_delay },
            false => Kind::Demand,
        };
        let per_run = ((512 << 10) / block).max(1) as u32;
        let cleaner = Cleaner::new(kind, BCACHE_DEPTH * per_run);
        let lines = data * per_bucket;
        Lines {
            buckets: Some(Buckets::new(data, per_bucket)),
            admission: Admission::all(lines).but_sequential(spec.sequential_cutoff, false),
            journal: Some(Journal::new(MD_BLOCK, journal * bucket, true)),
            ..Lines::of(rules, lines, journal * bucket, cleaner)
        }
    }

    /// OpenCAS: lines in place, with the metadata of dirty ones written before a write is complete.
    pub(in crate::cache) fn open_cas(spec: &OpenCasSpec, size: Bytes) -> Lines {
        let block = u64::from(spec.line);
        let (lines, metadata) = with_metadata(size, block, OPEN_CAS_RECORD);
        let rules = Rules {
            block,
            mode: spec.mode,
            reads: !spec.write_only,
            drops_clean: false,
            waits: false,
            records: true,
            dirty_max: f64::INFINITY,
            flushes_slow: true,
            commit: None,
            cleans_for_space: true,
            survives: false,
        };
        let (kind, depth) = match spec.cleaning {
            Cleaning::Alru => {
                let (wake, quiet, stale) = (spec.wake_up, spec.activity_threshold, spec.staleness_time);
                (Kind::Stale { wake, quiet, stale }, spec.flush_max_buffers)
            }
            Cleaning::Acp => (Kind::Chunks { wake: spec.wake_up }, spec.flush_max_buffers),
            Cleaning::Nop => (Kind::Demand, spec.flush_max_buffers),
        };
        let cutoff = (spec.seq_cutoff != SequentialCutoff::Never).then_some(spec.seq_cutoff_threshold);
        let admission =
            Admission::all(lines).but_sequential(cutoff, spec.seq_cutoff == SequentialCutoff::Full);
        let admission = match spec.insertion_threshold {
            Some(hits) => admission.but_first(hits, f64::from(spec.trigger_threshold) / 100.0),
            None => admission,
        };
        Lines {
            admission,
            journal: Some(Journal::new(MD_BLOCK, metadata, false)),
            ..Lines::of(rules, lines, metadata, Cleaner::new(kind, depth))
        }
    }

    /// dm-writecache: writes only, complete on the fast device, recorded by a flush or now and then; given up once they are on the
    /// slow device.
    pub(in crate::cache) fn dm_writecache(spec: &DmWritecacheSpec, size: Bytes) -> Lines {
        let block = u64::from(spec.block);
        let (lines, metadata) = with_metadata(size, block, DM_WRITECACHE_RECORD);
        let rules = Rules {
            block,
            mode: CacheMode::Back,
            reads: false,
            drops_clean: true,
            waits: true,
            records: false,
            dirty_max: f64::INFINITY,
            flushes_slow: false,
            commit: Some((spec.autocommit_blocks, spec.autocommit_time)),
            cleans_for_space: true,
            survives: false,
        };
        let share = |percent: u32| f64::from(percent) / 100.0;
        let kind = Kind::Watermarks { high: share(spec.high_watermark), low: share(spec.low_watermark) };
        let depth = spec.writeback_jobs.unwrap_or(DM_WRITECACHE_DEPTH);
        Lines {
            journal: Some(Journal::new(MD_BLOCK, metadata, false)),
            ..Lines::of(rules, lines, metadata, Cleaner::new(kind, depth))
        }
    }
}

/// Lines that fit with their metadata, and the bytes of that.
fn with_metadata(size: Bytes, block: u64, record: u64) -> (u32, u64) {
    let lines = size.0 / (block + record);
    let metadata = (lines * record).div_ceil(u64::from(MD_BLOCK)) * u64::from(MD_BLOCK);
    let lines = (size.0.saturating_sub(metadata) / block).min(lines).max(1);
    (u32::try_from(lines).unwrap_or(u32::MAX - 1), metadata)
}
