//! A design tried out as a plan tries it: the peak, the required headroom, all of the log, wear, then how far it reaches.
//!
//! Model. That of the plan's `trial`: the busiest stretch is played open loop at its own times and at multiples of its
//! load, each run decides all loads on one side of it, and the largest load that holds is searched for from above, since
//! runs that miss end early, then bisected to within 10 %. The interval of a p99 spans flash times at the slow and the fast end
//! of their range, the sampling error, and how far predictions of real drives were off. Left out: the rebuild under load and the
//! simulated chance of losing data; the closed form has it.

use crate::Session;
use crate::design::resolved;
use crate::request::members;
use drivecast_assess::facts::{Design, Wear, Worked};
use drivecast_assess::latency;
use drivecast_assess::what_if::{Candidate, Carried, Edges, Limits, Run, Settings, carried};
use drivecast_assess::{Drive, Requirements, Seen, Span};
use drivecast_block::Nanos;
use drivecast_sim::design::Resolved;
use drivecast_sim::host::Within;
use drivecast_sim::outcome::Outcome;
use drivecast_sim::run::{self, RunOptions, WearOptions, Window};
use serde::{Deserialize, Serialize};
use serde_json::Value;

const HEADROOM_MAX: f64 = 64.0;
/// Between a load that holds and one that misses, where the search ends.
const HEADROOM_PRECISION: f64 = 1.1;
/// Work beyond their rates that the buffers of drives and a limit on latency let pass in a burst (assumed).
const ABSORBED_S: f64 = 0.1;
const P99: f64 = 0.99;
/// Deviations of a normal distribution that 95 % lie within.
const CONFIDENCE: f64 = 1.96;

/// The members of the call.
#[derive(Deserialize)]
struct TryOut {
    /// Its place among the designs that the report carries.
    index: Option<usize>,
    /// Or its parts.
    design: Option<Parts>,
    settings: Settings,
}

#[derive(Deserialize)]
struct Parts {
    drive: String,
    #[serde(flatten)]
    design: Design,
}

/// What was found; `add` takes it.
#[derive(Serialize)]
pub(crate) struct Tried {
    index: Option<usize>,
    design: Described,
    #[serde(flatten)]
    candidate: Candidate,
}

#[derive(Serialize)]
struct Described {
    #[serde(flatten)]
    design: Design,
    drive: String,
    title: String,
    usable_bytes: u64,
}

pub(crate) fn try_out(session: &Session, request: &Value) -> Result<Tried, String> {
    let asked: TryOut = members(request)?;
    let judge = session.judge()?;
    let carried = judge.carried();
    let candidate = match (asked.index, asked.design) {
        (Some(index), _) => judge.designs().get(index).cloned().ok_or("no such design in this report")?,
        (None, Some(parts)) => made(parts)?,
        (None, None) => return Err("a try-out names a design, by `index` or by `design`".to_owned()),
    };
    let Some(drive) = carried.drives.get(&candidate.drive) else {
        return Err(format!("no drive `{}` in this report", candidate.drive));
    };
    let settings = asked.settings.completed(carried)?;
    let needs = settings.requirements(&carried.needs);
    let usable_bytes = candidate.design.usable_bytes(drive);
    let fill = carried.fill(&candidate.design, drive, &needs);
    let described = Described {
        design: candidate.design.clone(),
        drive: candidate.drive.clone(),
        title: carried::title(drive, &candidate.design),
        usable_bytes,
    };
    let fresh = Candidate::untried(candidate.drive, candidate.design).ok_or(UNEQUAL)?;
    let limits = Limits::of(&needs);
    let trial =
        Trial { session, carried, drive, needs, limits, fill, peak: settings.peak_times, found: fresh };
    Ok(Tried { index: asked.index, design: described, candidate: trial.run()? })
}

const UNEQUAL: &str = "these drives do not make equal groups that are large enough for this level";

fn made(parts: Parts) -> Result<Candidate, String> {
    Candidate::untried(parts.drive, parts.design).ok_or_else(|| UNEQUAL.to_owned())
}

struct Trial<'a> {
    session: &'a Session,
    carried: &'a Carried,
    drive: &'a Drive,
    needs: Requirements,
    limits: Limits,
    fill: f64,
    /// The multiple of the measured peak that is taken for the peak.
    peak: f64,
    found: Candidate,
}

impl Trial<'_> {
    fn run(mut self) -> Result<Candidate, String> {
        let design = self.design("drives")?;
        let peak = self.at(&design, 1.0)?;
        self.found.fill = self.fill;
        self.found.seen = Some(Seen { worked: worked(&peak), wear: None });
        (self.found.read_p99_ns, self.found.write_p99_ns) = self.p99s(&[&peak]);
        if self.fits(&design)? {
            let wear = self.wear(&design)?;
            self.found.seen = Some(Seen { worked: worked(&peak), wear });
            self.search(&design, &peak)?;
            self.found.refined = true;
            let mut runs = Vec::new();
            for corner in ["slow", "fast"].into_iter().filter(|_| self.drive.is_flash) {
                runs.push(self.play(&self.design(corner)?, self.options(1.0))?);
            }
            let all: Vec<&Outcome> = std::iter::once(&peak).chain(&runs).collect();
            (self.found.read_p99_ns, self.found.write_p99_ns) = self.p99s(&all);
        }
        self.found.runs.sort_by(|a, b| a.times.total_cmp(&b.times));
        self.found.runs.dedup_by(|a, b| a.times == b.times);
        if self.limits != Limits::of(&self.carried.needs) {
            let (held, missed) = (self.found.held.take(), self.found.missed.take());
            self.found.under.push(Edges { limits: self.limits, held, missed });
        }
        Ok(self.found)
    }

    /// The design without its spares, which do nothing while nothing has failed; of drives with these flash times.
    fn design(&self, corner: &str) -> Result<Resolved, String> {
        let of = &self.found.design;
        let serving = Design { spares: 0, count: of.in_use(), ..of.clone() };
        let line = if of.spares > 0 {
            Candidate::untried(self.found.drive.clone(), serving).ok_or(UNEQUAL)?.design.line
        } else {
            of.line.clone()
        };
        let play = &self.session.play;
        resolved(&line, &play[corner], &play["controllers"])
    }

    /// Whether it meets the limits at the peak, at the required headroom and over all of the log.
    fn fits(&mut self, design: &Resolved) -> Result<bool, String> {
        for times in [self.peak, self.peak * self.needs.headroom] {
            let known = self.found.runs.iter().find(|run| run.times == times).copied();
            let outcome = match known {
                Some(run) => run,
                None => seen(times, &self.at(design, times)?),
            };
            if outcome.miss(self.limits).is_some() {
                self.found.missed = Some(self.found.missed.map_or(times, |missed| missed.min(times)));
                return Ok(false);
            }
            self.found.held = Some(self.found.held.map_or(times, |held| held.max(times)));
        }
        if !self.carried.over_all {
            return Ok(true);
        }
        let options = RunOptions { window: None, ..self.options(self.peak) };
        let whole = seen(self.peak, &self.play(design, options)?);
        self.found.whole = Some(whole);
        Ok(whole.miss(self.limits).is_none_or(|miss| miss.kind != "latency"))
    }

    fn options(&self, times: f64) -> RunOptions {
        let play = &self.session.play;
        let seconds = |name: &str| Nanos::from_secs_f64(play[name].as_f64().unwrap_or(0.0));
        RunOptions {
            seed: self.carried.seed,
            window: Some(Window { start: seconds("start_s"), length: seconds("length_s") }),
            speedup: times,
            fill: self.fill,
            ..RunOptions::default()
        }
    }

    fn play(&self, design: &Resolved, options: RunOptions) -> Result<Outcome, String> {
        let workload = self.session.workload(None)?;
        run::simulate_kept(design, &workload, &options, &self.session.kept).map_err(|error| error.to_string())
    }

    /// The peak at a multiple of its load, which is remembered.
    fn at(&mut self, design: &Resolved, times: f64) -> Result<Outcome, String> {
        let outcome = self.play(design, self.options(times))?;
        self.found.runs.push(seen(times, &outcome));
        Ok(outcome)
    }

    /// Whether the limits are met at a load; a run is broken off once one is not.
    fn holds(&mut self, design: &Resolved, times: f64) -> Result<bool, String> {
        let (held, missed) = (self.found.held.unwrap_or(0.0), self.found.missed.unwrap_or(f64::INFINITY));
        if times <= held || times >= missed {
            return Ok(times <= held);
        }
        let of = |limit: Option<u64>| limit.map(Nanos);
        let within = Within { quantile: P99, read: of(self.limits.read), write: of(self.limits.write) };
        let outcome = self.play(design, RunOptions { within: Some(within), ..self.options(times) })?;
        let holds = outcome.given_up.is_none() && seen(times, &outcome).miss(self.limits).is_none();
        if holds {
            self.found.held = Some(times);
        } else {
            self.found.missed = Some(times);
        }
        Ok(holds)
    }

    /// Searches for its headroom, from a load that no design of these drives could carry.
    fn search(&mut self, design: &Resolved, peak: &Outcome) -> Result<(), String> {
        let most = self.most_times(peak);
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
        let (mut low, mut high) = if high > end { (last, last) } else { (last, high.min(most)) };
        while high / low > HEADROOM_PRECISION {
            let middle = (low * high).sqrt();
            if self.holds(design, middle)? { low = middle } else { high = middle }
        }
        Ok(())
    }

    /// How many times the load of a run the drives could carry at most, at their own rates and those of their links.
    fn most_times(&self, peak: &Outcome) -> f64 {
        let (read, written) = (peak.device_read_bytes.unwrap_or(0), peak.device_written_bytes.unwrap_or(0));
        let of = self.drive;
        let work_s = (read as f64 / of.read_bytes_per_s).max(written as f64 / of.write_bytes_per_s);
        let busiest_s = work_s / f64::from(self.found.design.in_use()) - ABSORBED_S;
        if busiest_s > 0.0 { peak.duration_s / busiest_s } else { f64::INFINITY }
    }

    /// How the log wears it; none where writing wears nothing out.
    fn wear(&self, design: &Resolved) -> Result<Option<Wear>, String> {
        if !self.carried.wears(self.drive) {
            return Ok(None);
        }
        let workload = self.session.workload(None)?;
        let options = WearOptions { seed: self.carried.seed, fill: self.fill, ..WearOptions::default() };
        let found = run::wear(design, &workload, &options).map_err(|error| error.to_string())?;
        let value = found.write_amplification;
        let units = Span::new(
            found.write_amplification_low.min(value),
            value,
            found.write_amplification_high.max(value),
        );
        Ok(Some(Wear {
            amplification: units.rising(|units| units * found.rounding_factor),
            member_writes: found.parity_factor,
            members: found.members as u32,
        }))
    }

    /// The p99 of reads and of writes in the first run, with bounds that hold those of all.
    fn p99s(&self, runs: &[&Outcome]) -> (Option<Span>, Option<Span>) {
        let errors = self.drive.latency.and_then(|at| self.carried.latency_errors.get(at));
        let of = |op: &'static str| {
            let value = p99(runs[0], op)?;
            let by_model = errors.map_or(Span::exactly(value), |errors| {
                latency::bounds(if op == "read" { &errors.read } else { &errors.write }, value)
            });
            let sampled = runs.iter().filter_map(|run| sampled(run, op));
            let (low, high) = sampled.fold((by_model.low, by_model.high), |(low, high), (less, more)| {
                (low.min(less), high.max(more))
            });
            Some(Span::new(low, value, high))
        };
        (of("read"), of("write"))
    }
}

fn p99(outcome: &Outcome, op: &str) -> Option<f64> {
    let of = if op == "read" { &outcome.read } else { &outcome.write };
    of.latency_ns.as_ref().map(|quantiles| quantiles.q0_99 as f64)
}

fn seen(times: f64, outcome: &Outcome) -> Run {
    Run {
        times,
        read_p99_ns: p99(outcome, "read"),
        write_p99_ns: p99(outcome, "write"),
        saturated: outcome.saturated,
    }
}

fn worked(outcome: &Outcome) -> Worked {
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
