//! What a try-out plays: the runs that are made of a design, and what is remembered of each.
//!
//! Model. The busiest stretch is played open loop at its own times and at multiples of its load; a drive is brought to
//! steady state once, for all runs. The interval of a p99 spans the runs it is handed, which differ in flash times, their
//! sampling errors, and how far predictions of real drives were off.

use super::design::resolved;
use crate::Session;
use drivecast_assess::facts::{Wear, Worked};
use drivecast_assess::latency;
use drivecast_assess::what_if::{Candidate, Carried, Edges, Limits, Run, Settings};
use drivecast_assess::{Drive, Requirements, Span};
use drivecast_block::Nanos;
use drivecast_sim::design::Resolved;
use drivecast_sim::host::Within;
use drivecast_sim::outcome::Outcome;
use drivecast_sim::run::{self, RunOptions, WearOptions};

/// Beyond it headroom is not searched for.
pub(crate) const HEADROOM_MAX: f64 = 64.0;
/// Between a load that holds and one that misses, where the search ends.
const HEADROOM_PRECISION: f64 = 1.1;

/// The largest load that holds, above one that does and below one that does not.
pub(crate) fn bisected(
    mut low: f64,
    mut high: f64,
    mut holds: impl FnMut(f64) -> Result<bool, String>,
) -> Result<f64, String> {
    while high / low > HEADROOM_PRECISION {
        let middle = (low * high).sqrt();
        if holds(middle)? { low = middle } else { high = middle }
    }
    Ok(low)
}

pub(crate) const P99: f64 = 0.99;
/// Deviations of a normal distribution that 95 % lie within.
const CONFIDENCE: f64 = 1.96;
pub(crate) const UNEQUAL: &str = "these drives do not make equal groups that are large enough for this level";

/// A design that is being tried out.
pub(crate) struct Trial<'a> {
    pub(crate) session: &'a Session,
    pub(crate) carried: &'a Carried,
    pub(crate) drive: &'a Drive,
    pub(crate) needs: Requirements,
    pub(crate) limits: Limits,
    pub(crate) fill: f64,
    /// The multiple of the measured peak that is taken for the peak.
    pub(crate) peak: f64,
    pub(crate) found: Candidate,
    /// All of the log, once it was played.
    pub(crate) over_log: Option<Outcome>,
}

impl<'a> Trial<'a> {
    /// Of a design as the settings have it.
    pub(crate) fn of(session: &'a Session, found: Candidate, settings: &Settings) -> Result<Self, String> {
        let carried = session.judge()?.carried();
        let Some(drive) = carried.drives.get(&found.drive) else {
            return Err(format!("no drive `{}` in this report", found.drive));
        };
        let needs = settings.requirements(&carried.needs);
        let (limits, fill) = (Limits::of(&needs), carried.fill(&found.design, drive, &needs));
        let peak = settings.peak_times;
        let trial = Trial { session, carried, drive, needs, limits, fill, peak, found, over_log: None };
        if let Some(cached) = &trial.found.cached {
            trial.named(&cached.cache.drive)?;
            trial.caches()?;
        }
        Ok(trial)
    }

    /// What was found, each run once; what a search found under other limits than the plan's is set apart.
    pub(crate) fn into_found(mut self) -> Candidate {
        self.found.order_runs();
        if self.limits != Limits::of(&self.carried.needs) {
            let (held, missed) = (self.found.held.take(), self.found.missed.take());
            self.found.under.push(Edges { limits: self.limits, held, missed });
        }
        self.found
    }

    /// Takes up what a try-out under these limits set apart.
    pub(crate) fn take_up(&mut self) {
        let limits = self.limits;
        for edges in self.found.under.extract_if(.., |edges| edges.limits == limits) {
            (self.found.held, self.found.missed) = (edges.held, edges.missed);
        }
    }

    /// The design without its spares, which do nothing while nothing has failed; of drives with these flash times.
    pub(crate) fn design(&self, corner: &str) -> Result<Resolved, String> {
        let line = self.found.serving().ok_or(UNEQUAL)?;
        let play = &self.session.play;
        resolved(&line, &play[corner], &play["controllers"])
    }

    pub(crate) fn options(&self, times: f64) -> RunOptions {
        self.session.peak(self.carried.seed, times, self.fill)
    }

    pub(crate) fn play(&self, design: &Resolved, options: RunOptions) -> Result<Outcome, String> {
        self.play_longer(design, options, 1.0)
    }

    fn play_longer(&self, design: &Resolved, options: RunOptions, longer: f64) -> Result<Outcome, String> {
        let (workload, options) = self.session.played(options, self.drive.is_flash, longer)?;
        run::simulate_kept(design, &workload, &options, &self.session.kept).map_err(|error| error.to_string())
    }

    /// The peak at a multiple of its load, which is remembered.
    pub(crate) fn at(&mut self, design: &Resolved, times: f64) -> Result<Outcome, String> {
        let outcome = self.play(design, self.options(times))?;
        self.found.runs.push(seen(times, &outcome));
        Ok(outcome)
    }

    /// The peak at a multiple of its load, broken off once a limit is certain to be missed.
    pub(crate) fn within(&self, design: &Resolved, times: f64, longer: f64) -> Result<Outcome, String> {
        let of = |limit: Option<u64>| limit.map(Nanos);
        let within = Within { quantile: P99, read: of(self.limits.read), write: of(self.limits.write) };
        self.play_longer(design, RunOptions { within: Some(within), ..self.options(times) }, longer)
    }

    /// Whether the limits are met at a load.
    pub(crate) fn holds(&mut self, design: &Resolved, times: f64) -> Result<bool, String> {
        let (held, missed) = (self.found.held.unwrap_or(0.0), self.found.missed.unwrap_or(f64::INFINITY));
        if times <= held || times >= missed {
            return Ok(times <= held);
        }
        let holds = self.meets(design, times, 1.0)?;
        if holds {
            self.found.held = Some(times);
        } else {
            self.found.missed = Some(times);
        }
        Ok(holds)
    }

    /// Whether the limits are met at a load, in a run of so many times the requests that are enough.
    fn meets(&self, design: &Resolved, times: f64, longer: f64) -> Result<bool, String> {
        let outcome = self.within(design, times, longer)?;
        Ok(outcome.given_up.is_none() && seen(times, &outcome).miss(self.limits).is_none())
    }

    /// Lowers the most load that holds to what a longer run carries, to no less than is required: short runs of flash end before
    /// buffers are full.
    pub(crate) fn sustain(&mut self, design: &Resolved, required: f64) -> Result<(), String> {
        let Some(longer) = self.session.longer().filter(|_| self.drive.is_flash) else { return Ok(()) };
        let mut most = self.found.held.unwrap_or(required);
        while most > required && !self.meets(design, most, longer)? {
            most = required.max(most / HEADROOM_PRECISION.sqrt());
        }
        self.found.held = Some(most);
        Ok(())
    }

    /// How the log wears it; none where writing wears nothing out.
    pub(crate) fn wear(&self, design: &Resolved) -> Result<Option<Wear>, String> {
        if !self.carried.wears(self.drive) {
            return Ok(None);
        }
        let workload = self.session.whole(self.fill)?;
        let options = WearOptions { seed: self.carried.seed, fill: self.fill, ..WearOptions::default() };
        let found = run::wear_kept(design, &workload, &options, &self.session.kept)
            .map_err(|error| error.to_string())?;
        Ok(Some(wear_of(&found)))
    }

    /// The p99 of reads and of writes in the first run, with bounds that hold those of all.
    pub(crate) fn p99s(&self, runs: &[Outcome]) -> (Option<Span>, Option<Span>) {
        let front = self.found.cached.as_ref().map(|cached| self.named(&cached.cache.drive));
        let drive = front.transpose().unwrap_or_default().unwrap_or(self.drive);
        let errors = drive.latency.and_then(|at| self.carried.latency_errors.get(at));
        let of = |op: &'static str| {
            let value = p99(&runs[0], op)?;
            let by_model = errors.map_or(Span::exactly(value), |errors| {
                latency::bounds(if op == "read" { &errors.read } else { &errors.write }, value)
            });
            Some(spanned(runs, op, by_model))
        };
        (of("read"), of("write"))
    }
}

/// What a run of wear says of an array.
pub(crate) fn wear_of(found: &run::Wear) -> Wear {
    let value = found.write_amplification;
    let units =
        Span::new(found.write_amplification_low.min(value), value, found.write_amplification_high.max(value));
    Wear {
        amplification: units.rising(|units| units * found.rounding_factor),
        member_writes: found.parity_factor,
        members: found.members as u32,
    }
}

/// A value with these bounds, or wider ones that hold the sampling errors of all runs.
pub(crate) fn spanned(runs: &[Outcome], op: &str, bounds: Span) -> Span {
    let sampled = runs.iter().filter_map(|run| sampled(run, op));
    let (low, high) =
        sampled.fold((bounds.low, bounds.high), |(low, high), (less, more)| (low.min(less), high.max(more)));
    Span::new(low, bounds.value, high)
}

pub(crate) fn p99(outcome: &Outcome, op: &str) -> Option<f64> {
    let of = if op == "read" { &outcome.read } else { &outcome.write };
    of.latency_ns.as_ref().map(|quantiles| quantiles.q0_99 as f64)
}

pub(crate) fn seen(times: f64, outcome: &Outcome) -> Run {
    Run {
        times,
        read_p99_ns: p99(outcome, "read"),
        write_p99_ns: p99(outcome, "write"),
        saturated: outcome.saturated,
    }
}

pub(crate) fn worked(outcome: &Outcome) -> Worked {
    Worked {
        utilization: outcome.utilization,
        host_read_bytes: outcome.host_read_bytes as f64,
        device_read_bytes: outcome.device_read_bytes.unwrap_or(0) as f64,
        device_written_bytes: outcome.device_written_bytes.unwrap_or(0) as f64,
    }
}

/// The 95 % confidence limits of p99, read off the latency table at q ± 1.96 √(q(1−q)/n).
fn sampled(outcome: &Outcome, op: &str) -> Option<(f64, f64)> {
    let requests = if op == "read" { outcome.read.requests } else { outcome.write.requests };
    let error = CONFIDENCE * (P99 * (1.0 - P99) / requests as f64).sqrt();
    Some((quantile(outcome, op, P99 - error)?, quantile(outcome, op, (P99 + error).min(1.0))?))
}

/// The latency that a share of the requests do not exceed, in ns; none where there are none.
fn quantile(outcome: &Outcome, op: &str, share: f64) -> Option<f64> {
    let buckets = || outcome.latencies.iter().filter(|each| each.op == op && each.count > 0);
    let wanted = share * buckets().map(|each| each.count).sum::<u64>() as f64;
    let mut reached = 0;
    for each in buckets() {
        reached += each.count;
        if reached as f64 >= wanted {
            return Some(each.latency_ns as f64);
        }
    }
    buckets().next_back().map(|each| each.latency_ns as f64)
}
