//! Running totals of a disk, as kernels and exporters count them, and their growth between two readings.
//!
//! MODEL. A total only grows. One that fell was counted in 32 bits and wrapped, if it was in the upper half of the range
//! before and is in the lower half after, the growth is one that a disk can have, and not all the others fell too; otherwise the machine
//! or the disk went away in between: all of its totals restart, and the interval is unknown.
//!
//! ```text
//! latency = Δ time of reads / Δ reads        queue depth = Δ time in queue / Δt        utilization = Δ time busy / Δt
//! ```
//!
//! Linux counts flushes among the writes and their time twice; see [`crate::counter::sysstat`].

use super::disk_report::DiskReport;

const HALF: f64 = 2_147_483_648.0;
const NS_PER_S: f64 = 1e9;
/// Beyond any disk: requests, sectors (256 GB) and milliseconds of waiting (100,000 requests) a second.
const RATE_MAX: [f64; 3] = [2e7, 5e8, 1e8];

/// What has been done since the machine started. Times in seconds; a value that is not counted is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Totals {
    pub(crate) reads: f64,
    pub(crate) writes: f64,
    pub(crate) flushes: Option<f64>,
    pub(crate) read_bytes: f64,
    pub(crate) written_bytes: f64,
    pub(crate) reads_merged: Option<f64>,
    pub(crate) writes_merged: Option<f64>,
    pub(crate) read_s: Option<f64>,
    pub(crate) write_s: Option<f64>,
    pub(crate) flush_s: Option<f64>,
    pub(crate) busy_s: Option<f64>,
    pub(crate) queued_s: Option<f64>,
}

/// How a total may wrap: the value behind which it starts at zero again, in the unit of the total.
#[derive(Clone, Copy)]
pub(crate) enum Width {
    /// 32 bits of requests, sectors of 512 bytes and milliseconds.
    Bits32,
    /// Never.
    Unlimited,
}

impl Totals {
    /// Whether every one of several totals that had grown is smaller now: they do not wrap all at once.
    fn all_fell(&self, before: &Totals) -> bool {
        let of = |totals: &Totals| [totals.reads, totals.writes, totals.read_bytes, totals.written_bytes];
        let had = of(before).into_iter().zip(of(self)).filter(|(before, _)| *before > 0.0);
        let (fell, all) =
            had.fold((0, 0), |(fell, all), (before, now)| (fell + u32::from(now < before), all + 1));
        all > 1 && fell == all
    }

    /// What was done between `before` and `self`, `interval_s` apart; none where the totals started anew.
    pub(crate) fn growth(&self, before: &Totals, interval_s: f64, width: Width) -> Option<DiskReport> {
        let all_fell = self.all_fell(before);
        let step = |after: f64, before: f64, unit: f64| -> Option<f64> {
            let grown = after - before;
            if grown >= 0.0 {
                return Some(grown);
            }
            let wraps = matches!(width, Width::Bits32) && before / unit >= HALF && after / unit < HALF;
            let wrapped = grown + 2.0 * HALF * unit;
            let rate_max = if unit == 1.0 { RATE_MAX[0] } else { RATE_MAX[usize::from(unit < 1.0) + 1] };
            let is_possible = wrapped / unit <= rate_max * interval_s && !all_fell;
            (wraps && is_possible && before / unit < 2.0 * HALF).then_some(wrapped)
        };
        let maybe = |after: Option<f64>, before: Option<f64>, unit: f64| match (after, before) {
            (Some(after), Some(before)) => step(after, before, unit).map(Some),
            _ => Some(None),
        };
        const MS: f64 = 1e-3;
        let reads = step(self.reads, before.reads, 1.0)?;
        let writes = step(self.writes, before.writes, 1.0)?;
        let read_s = maybe(self.read_s, before.read_s, MS)?;
        let write_s = maybe(self.write_s, before.write_s, MS)?;
        let queued_s = maybe(self.queued_s, before.queued_s, MS)?;
        let busy_s = maybe(self.busy_s, before.busy_s, MS)?;
        let mean_ns =
            |sum_s: Option<f64>, count: f64| sum_s.filter(|_| count > 0.0).map(|sum| sum / count * NS_PER_S);
        let found = DiskReport {
            reads,
            writes,
            flushes: None,
            read_bytes: step(self.read_bytes, before.read_bytes, 512.0)?,
            written_bytes: step(self.written_bytes, before.written_bytes, 512.0)?,
            reads_merged: maybe(self.reads_merged, before.reads_merged, 1.0)?,
            writes_merged: maybe(self.writes_merged, before.writes_merged, 1.0)?,
            queue_depth: queued_s.map(|queued| queued / interval_s),
            read_latency_ns: mean_ns(read_s, reads),
            write_latency_ns: mean_ns(write_s, writes),
            utilization: busy_s.map(|busy| busy / interval_s),
        };
        let Some(flushes) = maybe(self.flushes, before.flushes, 1.0)? else { return Some(found) };
        let flush_s = maybe(self.flush_s, before.flush_s, MS)?;
        let depth = flush_s.unwrap_or(0.0) / interval_s;
        let latency_ns = mean_ns(flush_s, flushes).or(flush_s.map(|_| 0.0));
        Some(found.without_flushes(flushes, latency_ns, depth))
    }
}
