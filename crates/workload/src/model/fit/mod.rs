//! A model of a recording.
//!
//! MODEL. Reads and writes are taken apart first. Requests of one operation that follow each other closely are a batch; what is
//! close is where the logarithms of the gaps fall into two groups (Otsu 1979). Batches go to streams by what they do: many
//! requests at once (a checkpoint, a flush of the page cache, read-ahead) or few, and along long runs or to scattered places.
//! All requests of a batch stay together, because it is bursts that decide the tail of the latency. Each stream is then
//! measured by itself: sizes; batches, the spacing in them and the gaps between them; the rate over time and the popularity of
//! zones, as steps where the likelihood of Poisson counts gains by another step (Scargle 1998); runs, how many are under way at
//! once, how far from the last a run begins and how often where an earlier one began. Left out: what one stream does because of
//! another beyond the times at which both are busy, and sizes that depend on the place.

mod batches;
mod places;
mod split;
mod steps;
mod table;

use super::spec::{Arrivals, Burst, Law, RateOverTime, SizeOf};
use super::{Address, Batch, Model, ModelError, Provenance, SCHEMA_VERSION, Stream, ZoneOf};
use batches::Groups;
use drivecast_block::{Op, Record};
use std::collections::BTreeMap;

/// The span is a multiple of this.
const GRAIN_BYTES: u64 = /* 1 MiB */ 1 << 20;
/// Steps of a rate over time.
const STEPS_MAX: usize = 12;
/// Intervals in which batches are counted before steps are looked for.
const INTERVALS: usize = 2048;

impl Model {
    /// Fits a model to records in order of time.
    ///
    /// # Errors
    /// [`ModelError::Fit`]: no request with data, or no time passes.
    pub fn fit(records: &[Record], name: &str) -> Result<Model, ModelError> {
        let refuse = |what: &str| ModelError::Fit(format!("`{name}`: {what}"));
        let data: Vec<Record> = records.iter().filter(|record| record.has_data()).copied().collect();
        let end = data.iter().map(Record::end).max();
        let end =
            end.ok_or_else(|| refuse("no reads and no writes, so there is nothing to fit a model to"))?;
        let duration_s = records.last().map_or(0.0, |last| last.time.as_secs_f64());
        if duration_s == 0.0 {
            return Err(refuse("all requests come at one time, so their rate is not known"));
        }
        let span_bytes = end.next_multiple_of(GRAIN_BYTES);
        let mut streams = Vec::new();
        for op in [Op::Read, Op::Write] {
            let of_op: Vec<Record> = data.iter().filter(|record| record.op == op).copied().collect();
            for (kind, requests) in split::split(&of_op) {
                streams.push(stream(
                    &format!("{}s-{kind}", op.name()),
                    op,
                    &requests,
                    span_bytes,
                    duration_s,
                ));
            }
        }
        for op in [Op::Flush, Op::Discard] {
            let of_op: Vec<Record> = records.iter().filter(|record| record.op == op).copied().collect();
            let usable = op == Op::Flush || of_op.iter().any(|record| record.size > 0);
            if !of_op.is_empty() && usable {
                let name = if op == Op::Flush { "flushes" } else { "discards" };
                streams.push(stream(name, op, &of_op, span_bytes, duration_s));
            }
        }
        let words = format!("{} requests of `{name}`", data.len());
        let provenance = BTreeMap::from([("default".to_owned(), Provenance::Measured(words))]);
        let (schema_version, name) = (SCHEMA_VERSION, name.to_owned());
        Ok(Model {
            schema_version,
            name,
            description: None,
            span_bytes,
            duration_s: Some(duration_s),
            streams,
            provenance,
        })
    }
}

fn stream(name: &str, op: Op, requests: &[Record], span: u64, duration_s: f64) -> Stream {
    let batches = Groups::batches(requests);
    let address = match op {
        Op::Flush => Address::Random {
            zones: vec![ZoneOf::WHOLE],
            law: Law::Uniform,
            exponent: None,
            reuse: None,
            near: None,
        },
        _ => places::fit(requests, span),
    };
    let share = |wanted: Op| f64::from(u8::from(op == wanted));
    Stream {
        name: name.to_owned(),
        read: share(Op::Read),
        trim: share(Op::Discard),
        flush: share(Op::Flush),
        sizes: if op == Op::Flush { vec![SizeOf { bytes: 512, share: 1.0 }] } else { table::sizes(requests) },
        align_bytes: places::align(requests),
        address,
        arrivals: arrivals(requests.len(), &batches, duration_s),
    }
}

fn arrivals(requests: usize, batches: &Groups, duration_s: f64) -> Arrivals {
    let bursts = batches.grouped();
    let in_bursts = batches.summed(&bursts);
    let together = |groups: &Groups| groups.groups.iter().any(|group| group.count > 1);
    let batch = together(batches).then(|| Batch {
        requests: table::quantiles(batches.counts()),
        spacing_s: table::quantiles(batches.spacings_s.clone()),
    });
    let burst = together(&bursts).then(|| Burst {
        batches: table::quantiles(bursts.counts()),
        spacing_s: table::quantiles(bursts.spacings_s.clone()),
    });
    let steps = rate_steps(&bursts, &in_bursts, duration_s);
    let factor = |at_s: f64| steps.iter().rev().find(|step| step.0 <= at_s).map_or(1.0, |step| step.1);
    let gaps: Vec<f64> = bursts.gaps_s.iter().map(|&(at_s, gap_s)| gap_s * factor(at_s)).collect();
    let mean = gaps.iter().sum::<f64>() / gaps.len().max(1) as f64;
    let shaped = gaps.len() > 1 && mean > 0.0;
    Arrivals::Open {
        rate_iops: table::digits(requests as f64 / duration_s, 5),
        batch,
        burst,
        gaps: shaped.then(|| table::quantiles(gaps.iter().map(|gap| gap / mean).collect::<Vec<_>>())),
        rate_over_time: (steps.len() > 1).then_some(RateOverTime { period_s: duration_s, steps }),
    }
}

/// Bursts begun a second of the time between bursts, in steps that part what has many requests from what has few.
fn rate_steps(bursts: &Groups, requests: &[f64], duration_s: f64) -> Vec<(f64, f64)> {
    let width_s = duration_s / INTERVALS as f64;
    let (mut counts, mut begun) = (vec![0.0; INTERVALS], vec![0.0; INTERVALS]);
    let mut idle_s = vec![width_s; INTERVALS];
    let interval = |at_s: f64| ((at_s / width_s) as usize).min(INTERVALS - 1);
    for (burst, requests) in bursts.groups.iter().zip(requests) {
        let (first, last) = (interval(burst.from_s), interval(burst.to_s));
        counts[first] += requests;
        begun[first] += 1.0;
        for (index, idle_s) in idle_s.iter_mut().enumerate().take(last + 1).skip(first) {
            let (from, to) = (index as f64 * width_s, (index + 1) as f64 * width_s);
            *idle_s = (*idle_s - (burst.to_s.min(to) - burst.from_s.max(from)).max(0.0)).max(width_s * 1e-3);
        }
    }
    let steps = steps::steps(&counts, &vec![width_s; INTERVALS], STEPS_MAX);
    let ends = steps.iter().skip(1).map(|step| step.0).chain([INTERVALS]);
    let mean = begun.iter().sum::<f64>() / idle_s.iter().sum::<f64>();
    let factor = |from: usize, to: usize| {
        begun[from..to].iter().sum::<f64>() / idle_s[from..to].iter().sum::<f64>() / mean
    };
    let step = |(&(from, _), to): (&(usize, f64), usize)| {
        (table::digits(from as f64 * width_s, 5), table::digits(factor(from, to), 3))
    };
    steps.iter().zip(ends).map(step).collect()
}
