//! How far a design that fits reaches, and how sure that is; of a cached one that misses, all that its try-out left.
//!
//! Model. The largest load that holds is searched for from above, from one that no design of these drives could carry, since
//! runs that miss end early, then bisected to within 10 %. Then the peak is played with flash times at the slow and at the
//! fast end of their range, for the interval of the p99. Of a cached design the flash of both sides is worn last, which may
//! take longer than all else. Left out: the rebuild under load and the simulated chance of losing data; the closed form has it.

use super::design_trial::{Described, Tried};
use super::trial::{HEADROOM_MAX, Trial, bisected};
use crate::Session;
use crate::request::members;
use drivecast_assess::Drive;
use drivecast_assess::what_if::{Candidate, Settings};
use drivecast_sim::design::Resolved;
use drivecast_sim::outcome::Outcome;
use serde::Deserialize;
use serde_json::Value;

/// Work beyond their rates that the buffers of drives and a limit on latency let pass in a burst (assumed).
const ABSORBED_S: f64 = 0.1;

/// The members of the call: what `try_out` found of a design, and under which settings.
#[derive(Deserialize)]
struct Refine {
    tried: Found,
    settings: Settings,
}

#[derive(Deserialize)]
struct Found {
    #[serde(default)]
    index: Option<usize>,
    #[serde(flatten)]
    candidate: Candidate,
}

pub(super) fn refine(session: &Session, request: &Value) -> Result<Tried<Described>, String> {
    let Refine { tried, settings } = members(request)?;
    let settings = settings.completed(session.judge()?.carried())?;
    let mut trial = Trial::of(session, tried.candidate, &settings)?;
    trial.take_up();
    let fits = trial.found.seen.is_some() || trial.examine(&trial.design("drives")?, None)?;
    if fits {
        trial.refine()?;
    }
    Tried::of(tried.index, trial.into_found(), fits, session)
}

impl Trial<'_> {
    fn refine(&mut self) -> Result<(), String> {
        let design = self.design("drives")?;
        let peak = self.play(&design, self.options(1.0))?;
        self.search(&design, &peak)?;
        let mut runs = vec![peak];
        for corner in ["slow", "fast"].into_iter().filter(|_| self.drive.is_flash) {
            runs.push(self.play(&self.design(corner)?, self.options(1.0))?);
        }
        (self.found.read_p99_ns, self.found.write_p99_ns) = self.p99s(&runs);
        self.found.refined = true;
        self.wear_sides(true)
    }

    /// Searches for its headroom.
    fn search(&mut self, design: &Resolved, peak: &Outcome) -> Result<(), String> {
        let most = self.most_times(peak)?;
        let end = HEADROOM_MAX * self.peak;
        let mut loads = vec![self.peak * self.needs.headroom.max(1.0)];
        let mut last = loads[0];
        while 2.0 * last <= end.min(most) {
            last *= 2.0;
            loads.push(last);
        }
        let mut high = 2.0 * last;
        while loads.len() > 1 && !self.holds(design, last)? {
            loads.pop();
            (high, last) = (last, loads[loads.len() - 1]);
        }
        if high <= end {
            bisected(last, high.min(most), |load| self.holds(design, load))?;
        }
        self.sustain(design, loads[0])
    }

    /// How many times the load of a run the drives could carry at most, at their own rates and those of their links.
    fn most_times(&self, peak: &Outcome) -> Result<f64, String> {
        let (read, written) = (peak.device_read_bytes.unwrap_or(0), peak.device_written_bytes.unwrap_or(0));
        let whole = [(self.drive, self.found.design.in_use(), read, written)];
        let most = |moved: &[(&Drive, u32, u64, u64)]| {
            let times = moved.iter().map(|(of, drives, read, written)| {
                let work_s = (*read as f64 / of.read_bytes_per_s).max(*written as f64 / of.write_bytes_per_s);
                let busiest_s = work_s / f64::from(*drives) - ABSORBED_S;
                if busiest_s > 0.0 { peak.duration_s / busiest_s } else { f64::INFINITY }
            });
            times.fold(f64::INFINITY, f64::min)
        };
        match &self.found.cached {
            Some(cached) => Ok(most(&self.moved_by_sides(cached, peak)?)),
            None => Ok(most(&whole)),
        }
    }
}
