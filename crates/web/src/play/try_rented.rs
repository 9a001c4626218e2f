//! A rented design tried out as a plan tries it: the peak on volumes whose credits the log before it has used, then how far it
//! reaches.
//!
//! Model. That of the plan's `rented_trial` and `renting`: the busiest stretch is played open loop as measured and at the required
//! headroom, with the credits that the whole log at that load leaves. The interval of a p99 spans times of requests half and twice
//! the catalog's, since providers publish none. A design that its kind proposes is where the search for the smallest of that kind
//! begins: rates are raised by a step until the headroom holds, or the kind ends. Left out, as there: all of the log.

use super::design::resolved_with;
use super::design_trial::{Tried, TryOut};
use super::trial::{HEADROOM_MAX, bisected, p99, seen, spanned, worked};
use crate::Session;
use crate::request::members;
use drivecast_assess::bucket::{Cap, UNLIMITED};
use drivecast_assess::credit::{Left, Log, left};
use drivecast_assess::facts::Design;
use drivecast_assess::rental::{Setting, gib_for};
use drivecast_assess::what_if::proposal::Described;
use drivecast_assess::what_if::rented::{Rental, Rented, STEP, Searched, one};
use drivecast_assess::what_if::{Candidate, Carried, Edges, Limits};
use drivecast_assess::{Requirements, Seen, Span};
use drivecast_block::{Nanos, Op};
use drivecast_sim::outcome::Outcome;
use drivecast_sim::run;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// Of kinds that burst: their sizes begin with what the data need.
const BURST_STEP: f64 = 1.25;
/// Rates are raised to 29 times the least, sizes to 200 times; what misses then is not short of rates.
const STEPS_MAX: u32 = 24;
/// Ends of what times of requests may be, as multiples of the catalog's (assumed).
const TIMES: [f64; 2] = [0.5, 2.0];
/// Seconds of a log that are counted: 48 days.
const SECONDS_MAX: usize = 1 << 22;

#[derive(Deserialize)]
struct Parts {
    #[serde(flatten)]
    design: Design,
    rented: Rented,
}

/// Whether the design that a call names is rented.
pub(super) fn is_meant(session: &Session, request: &Value) -> Result<bool, String> {
    let index = request["index"].as_u64().and_then(|index| usize::try_from(index).ok());
    Ok(match index {
        Some(index) => session.judge()?.designs().get(index).is_some_and(|known| known.rented.is_some()),
        None => !request["design"]["rented"].is_null(),
    })
}

pub(super) fn try_out(session: &Session, request: &Value) -> Result<Tried<Described>, String> {
    let asked: TryOut<Parts> = members(request)?;
    let judge = session.judge()?;
    let carried = judge.carried();
    let (rented, design) = match (asked.index.and_then(|index| judge.designs().get(index)), asked.design) {
        (Some(known), _) => (known.rented.clone(), known.design.clone()),
        (None, Some(parts)) => (Some(parts.rented), parts.design),
        (None, None) => (None, one()),
    };
    let rented = Rented { searched: Vec::new(), ..rented.ok_or("a try-out names a design")? };
    let settings = asked.settings.completed(carried)?;
    let needs = settings.requirements(&carried.needs);
    let found = carried.rental.candidate(rented, design)?;
    let limits = Limits::of(&needs);
    let stay = Stay { session, carried, limits, peak: settings.peak_times, needs, seconds: seconds(session) };
    let candidate = stay.found(found)?;
    let index = asked.index.filter(|_| candidate.rented.as_ref().is_some_and(|rented| !rented.search));
    // All of it was played: there is nothing to refine.
    Ok(Tried { index, design: carried.rental.described(&candidate)?, fits: false, more: false, candidate })
}

/// Requests and bytes of each second of the recording; none without one.
fn seconds(session: &Session) -> Vec<(f64, f64)> {
    let Ok(workload) = session.workload(None) else { return Vec::new() };
    let mut found: Vec<(f64, f64)> = Vec::new();
    for record in workload.records().into_iter().flat_map(|records| records.iter()) {
        let second = (record.time.0 / Nanos::from_ms(1000).0) as usize;
        if second >= SECONDS_MAX || record.size == 0 || matches!(record.op, Op::Flush | Op::Discard) {
            continue;
        }
        if second >= found.len() {
            found.resize(second + 1, (0.0, 0.0));
        }
        found[second].0 += 1.0;
        found[second].1 += f64::from(record.size);
    }
    found
}

/// What every run of a try-out shares.
struct Stay<'a> {
    session: &'a Session,
    carried: &'a Carried,
    needs: Requirements,
    limits: Limits,
    /// The multiple of the measured peak that is taken for the peak.
    peak: f64,
    seconds: Vec<(f64, f64)>,
}

impl Stay<'_> {
    const fn rental(&self) -> &Rental {
        &self.carried.rental
    }

    /// A design with all that its runs say; of one that its kind proposes, the smallest of the kind that holds.
    fn found(&self, candidate: Candidate) -> Result<Candidate, String> {
        let rented = candidate.rented.clone().ok_or("this design is not rented")?;
        let mut found = candidate;
        if rented.search {
            let setting = self.smallest(&rented)?;
            let searched = vec![Searched::under(&self.needs, self.peak)];
            let own = Rented::of(&rented.kind, &setting, rented.instance.as_ref());
            found = self.rental().candidate(Rented { searched, ..own }, found.design)?;
        }
        self.played(found)
    }

    /// The peak, the required headroom, the ends of times, and the most load that holds.
    fn played(&self, mut found: Candidate) -> Result<Candidate, String> {
        let needed = self.peak * self.needs.headroom;
        let peak = self.run(&found, 1.0, 1.0)?;
        found.seen = Some(Seen { worked: worked(&peak), ..Seen::default() });
        found.fill = self.fill(&found);
        found.runs = vec![seen(1.0, &peak)];
        let mut holds = found.runs[0].miss(self.limits).is_none();
        for load in [self.peak, needed] {
            if holds && load != 1.0 {
                let run = seen(load, &self.run(&found, load, 1.0)?);
                holds = run.miss(self.limits).is_none();
                found.runs.push(run);
            }
        }
        let runs = [peak, self.run(&found, 1.0, TIMES[0])?, self.run(&found, 1.0, TIMES[1])?];
        let p99_of = |op| p99(&runs[0], op).map(|value| spanned(&runs, op, Span::exactly(value)));
        (found.read_p99_ns, found.write_p99_ns) = (p99_of("read"), p99_of("write"));
        if holds {
            found.held = Some(self.most(&found, needed.max(self.peak))?);
        }
        found.refined = true;
        found.order_runs();
        if self.limits != Limits::of(&self.carried.needs) {
            let held = found.held.take();
            found.under.push(Edges { limits: self.limits, held, missed: None });
        }
        let rental = &self.carried.rental;
        if let Some(rented) = found.rented.as_mut() {
            rented.hours_per_day = rental.bursts(rented).then_some(self.needs.hours_per_day);
        }
        Ok(found)
    }

    /// The largest multiple of the load that holds, above one that does: doubled, then bisected.
    fn most(&self, found: &Candidate, mut low: f64) -> Result<f64, String> {
        let (mut high, end) = (2.0 * low, HEADROOM_MAX * self.peak);
        while high <= end && self.holds(found, high)? {
            (low, high) = (high, 2.0 * high);
        }
        if high > end { Ok(low) } else { bisected(low, high, |load| self.holds(found, load)) }
    }

    fn holds(&self, found: &Candidate, load: f64) -> Result<bool, String> {
        Ok(seen(load, &self.run(found, load, 1.0)?).miss(self.limits).is_none())
    }

    /// The smallest volume of a kind that holds the required headroom, or the last that was tried.
    fn smallest(&self, rented: &Rented) -> Result<Setting, String> {
        let (kind, instance) = (rented.kind.as_str(), rented.instance.as_ref());
        let (gib, load) = (gib_for(self.needs.capacity_bytes), self.peak * self.needs.headroom);
        let known = self.rental().kinds.get(kind).ok_or("no such kind in this report")?;
        let (least, [iops, mibps]) = self.rental().rates(kind, load).ok_or("no such kind in this report")?;
        let reach = |rates| self.rental().reach(kind, gib, rates).ok_or("the kind holds less");
        let holds = |setting: &Setting| self.holds(&self.alone(kind, setting, instance)?, load);
        let (mut setting, mut factor) = (reach([iops, mibps])?, 1.0);
        for step in 0..STEPS_MAX {
            if holds(&setting)? {
                break;
            }
            let fastest = Setting { iops: UNLIMITED, mibps: UNLIMITED, ..setting };
            if step == 0 && !holds(&fastest)? {
                return Ok(reach(least)?); // no rates would help
            }
            factor *= STEP;
            let wanted =
                if iops > 0.0 { [iops * factor, mibps * factor] } else { [setting.iops * BURST_STEP, 0.0] };
            let Some(larger) = known.rules.smallest(gib, wanted[0], wanted[1]) else { break };
            setting = larger;
        }
        if factor > 1.0
            && iops > 0.0
            && let Some(less) = known.rules.smallest(gib, setting.iops, mibps)
            && holds(&less)?
        {
            return Ok(less);
        }
        Ok(setting)
    }

    /// One volume, whatever its kind allows.
    fn alone(&self, kind: &str, setting: &Setting, instance: Option<&String>) -> Result<Candidate, String> {
        let own = Rented::of(kind, setting, instance);
        let made = Candidate::untried(self.rental().name(&own)?, one()).ok_or("one volume is a design")?;
        Ok(Candidate { rented: Some(own), ..made })
    }

    fn fill(&self, found: &Candidate) -> f64 {
        let usable =
            found.rented.as_ref().map_or(0, |rented| self.rental().usable_bytes(rented, &found.design));
        (self.needs.capacity_bytes as f64 / usable as f64).min(1.0)
    }

    /// The peak at a multiple of its load, with times of requests multiplied.
    fn run(&self, found: &Candidate, load: f64, times: f64) -> Result<Outcome, String> {
        let rented = found.rented.as_ref().ok_or("this design is not rented")?;
        let name = self.rental().name(rented)?;
        let spec = self.spec(rented, &found.design, load, times)?;
        let play = &self.session.play;
        let design = resolved_with(&found.design.line, &Map::from_iter([(name, spec)]), play)?;
        let options = self.session.peak(self.carried.seed, load, self.fill(found));
        let (workload, options) = self.session.played(options, false, 1.0)?;
        run::simulate(&design, &workload, &options).map_err(|error| error.to_string())
    }

    /// The device of a volume, with the credits that the log at this load leaves.
    fn spec(&self, rented: &Rented, design: &Design, load: f64, times: f64) -> Result<Value, String> {
        let rental = self.rental();
        let like = || rental.kinds.get(&rented.kind).map(|known| &known.like);
        let name = rented.volume.as_ref().or_else(like).ok_or("no such volume in this report")?;
        let mut spec = self.session.play["volumes"][name].clone();
        if spec.is_null() {
            return Err(format!("this report does not say how `{name}` is played"));
        }
        if let (None, Some([iops, bytes]), Some(setting)) =
            (&rented.volume, rental.caps(rented), rented.setting())
        {
            spec["capacity_bytes"] = json!(setting.user_bytes());
            let unit = spec["caps"]["io_unit_bytes"].as_u64().unwrap_or(0);
            spec["caps"] = json!({ "iops": iops, "bytes": bytes, "io_unit_bytes": unit });
        }
        self.start(&mut spec["caps"], rental.bursts(rented), design, load)?;
        for op in ["read", "write"].into_iter().filter(|_| times != 1.0) {
            spec[op]["service_ns"] = json!(spec[op]["service_ns"].as_f64().unwrap_or(0.0) * times);
        }
        Ok(spec)
    }

    /// Token buckets as they are when the peak begins.
    fn start(&self, caps: &mut Value, bursts: bool, design: &Design, load: f64) -> Result<(), String> {
        let unit = caps["io_unit_bytes"].as_f64().unwrap_or(0.0);
        for name in ["iops", "bytes"] {
            if caps[name].is_null() {
                continue;
            }
            let cap: Cap = members(&caps[name])?;
            let left = if bursts { self.left(&cap, name == "iops", unit, load, design) } else { Left::ALL };
            let started = cap.starting(left.at_peak, left.lasts(), self.rental().saved_s);
            caps[name] = serde_json::to_value(started).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// What the log at a multiple of its load leaves of the credits of each volume.
    fn left(&self, cap: &Cap, of_requests: bool, unit: f64, load: f64, design: &Design) -> Left {
        let play = &self.session.play;
        let log = Log {
            duration_s: self.carried.load.duration_s,
            start_s: play["start_s"].as_f64().unwrap_or(0.0),
            length_s: play["length_s"].as_f64().unwrap_or(self.carried.load.duration_s),
            hours_per_day: self.needs.hours_per_day,
        };
        let volumes = design.redundancy().map_or(1, |group| group.data_drives());
        let each = load / f64::from(volumes);
        let tokens = |(requests, bytes): (f64, f64)| match (of_requests, unit > 0.0) {
            (false, _) => each * bytes,
            (true, true) => each * requests.max(bytes / unit),
            (true, false) => each * requests,
        };
        let demand = self.seconds.iter().enumerate();
        left(&log, cap, demand.map(|(second, of)| (second as u64, tokens(*of))))
    }
}
