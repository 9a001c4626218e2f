//! What a run says of the two sides of a cached design.
//!
//! Model. That of the plan's `cached_trial`: the whole is played warm, its cache has seen the log before. Each side is judged for
//! what the cache sent it, at the peak for its power and over the log for the life of its flash, which is written at random when
//! it is full ([`wear_cache`](crate::wear_cache)). Whether a design fits is said before that is worked out, since it takes longer than all the rest;
//! where a limit is missed, it is not looked for. Left out: a run from an empty cache, and the simulated chance of losing data; the
//! closed form has it.

use super::design::resolved;
use super::trial::{Trial, UNEQUAL, seen, wear_of};
use crate::Session;
use drivecast_assess::facts::{Design, Wear, Worked};
use drivecast_assess::what_if::{Cached, Caches, shape};
use drivecast_assess::{Drive, Seen};
use drivecast_sim::cache::Cached as Used;
use drivecast_sim::design::Resolved;
use drivecast_sim::outcome::Outcome;
use drivecast_sim::run::{self, RunOptions, WearOptions, Workload};
use drivecast_workload::WorkloadSpec;

const NOT_PLAYED: &str =
    "the plan does not say how caches meet this log, so a cached design is not played here";
const NO_CACHE: &str = "the run of a cached design has no cache";

impl Trial<'_> {
    /// How caches are played.
    pub(crate) fn caches(&self) -> Result<&Caches, String> {
        self.carried.caches.as_ref().ok_or_else(|| NOT_PLAYED.to_owned())
    }

    /// Remembers what the cache sent to each side, over all of the log, or over the peak where that is all.
    pub(crate) fn saw_sides(
        &mut self,
        design: &Resolved,
        peak: &Outcome,
        fits: bool,
    ) -> Result<bool, String> {
        let Some(mut cached) = self.found.cached.take() else { return Ok(fits) };
        if self.over_log.is_none() && self.carried.over_all {
            let outcome = self.play(design, RunOptions { window: None, ..self.options(self.peak) })?;
            self.found.whole = Some(seen(self.peak, &outcome));
            self.over_log = Some(outcome);
        }
        let played = self.over_log.take();
        let over = played.as_ref().unwrap_or(peak);
        let (used, of_log) = (used(peak)?, used(over)?);
        let moved = self.caches()?.moved_bytes_per_day;
        let host = (over.host_read_bytes + over.host_written_bytes).max(1) as f64;
        let per_day = |written: u64| written as f64 / host * moved;
        let counted = &of_log.counters;
        cached.written_bytes_per_day =
            [per_day(counted.ssd_written_bytes), per_day(counted.disk_written_bytes)];
        cached.hit_ratio = of_log.hit_ratio;
        let host_read_bytes = peak.host_read_bytes as f64;
        let worked = |utilization: f64, read: u64, written: u64| Worked {
            utilization,
            host_read_bytes,
            device_read_bytes: read as f64,
            device_written_bytes: written as f64,
        };
        let of = &used.counters;
        let before = worked(used.ssd_utilization, of.ssd_read_bytes, of.ssd_written_bytes);
        let behind = worked(used.disk_utilization, of.disk_read_bytes, of.disk_written_bytes);
        cached.seen = Some(Seen { worked: before, ..Seen::default() });
        self.found.seen = Some(Seen { worked: behind, ..Seen::default() });
        self.found.cached = Some(cached);
        if fits {
            self.wear_sides(false)?;
        }
        Ok(fits)
    }

    /// How both sides wear, as far as it matters and is known, or all that matters.
    pub(crate) fn wear_sides(&mut self, is_worked_out: bool) -> Result<(), String> {
        let Some(mut cached) = self.found.cached.take() else { return Ok(()) };
        let [to_cache, to_disks] = cached.written_bytes_per_day;
        let front = self.named(&cached.cache.drive)?;
        let taken = cached.taken(front).ok_or(UNEQUAL)?;
        let of = |drive: &Drive, name: &str, design: &Design, written: f64| {
            let matters = drive.is_flash && written > 0.0;
            if matters { self.worn(name, design, is_worked_out) } else { Ok(None) }
        };
        let before = of(front, &cached.cache.drive, &taken, to_cache)?;
        let behind = of(self.drive, &self.found.drive, &self.found.design, to_disks)?;
        for (seen, wear) in [(&mut cached.seen, before), (&mut self.found.seen, behind)] {
            if let Some(seen) = seen {
                seen.wear = wear;
            }
        }
        self.found.cached = Some(cached);
        Ok(())
    }

    /// How an array wears that is full and written at random; none where that is not known and not to be worked out.
    fn worn(&self, drive: &str, design: &Design, is_worked_out: bool) -> Result<Option<Wear>, String> {
        let line = shape::serving(drive, design).ok_or(UNEQUAL)?;
        let Session { play, worn, .. } = self.session;
        let known = worn.known(&line);
        if known.is_some() || !is_worked_out {
            return Ok(known);
        }
        let array = resolved(&line, &play["drives"], &play["controllers"])?;
        let written = WorkloadSpec::parse(&self.caches()?.worn_by).map_err(|error| error.to_string())?;
        let options = WearOptions { seed: self.carried.seed, fill: 1.0, ..WearOptions::default() };
        let found = run::wear(&array, &Workload::Synthetic(written), &options);
        let wear = wear_of(&found.map_err(|error| error.to_string())?);
        worn.remember(line, wear);
        Ok(Some(wear))
    }

    /// What each side had to move at the peak: its drive, how many there are, bytes read and written. Cleaning may wait, so
    /// writes of the slow side do not count.
    pub(crate) fn moved_by_sides<'b>(
        &'b self,
        cached: &'b Cached,
        peak: &Outcome,
    ) -> Result<[(&'b Drive, u32, u64, u64); 2], String> {
        let of = &used(peak)?.counters;
        let front = self.named(&cached.cache.drive)?;
        Ok([
            (front, cached.cache.design.in_use(), of.ssd_read_bytes, of.ssd_written_bytes),
            (self.drive, self.found.design.in_use(), of.disk_read_bytes, 0),
        ])
    }

    /// A drive of the report.
    pub(crate) fn named(&self, name: &str) -> Result<&Drive, String> {
        self.carried.drives.get(name).ok_or_else(|| format!("no drive `{name}` in this report"))
    }
}

fn used(outcome: &Outcome) -> Result<&Used, String> {
    outcome.cache.as_ref().ok_or_else(|| NO_CACHE.to_owned())
}
