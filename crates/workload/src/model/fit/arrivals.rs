//! When the requests of a stream come.

use super::super::Batch;
use super::super::spec::{Arrivals, Listed, Open, RateOverTime};
use super::batches::Groups;
use super::split::Kind;
use super::{steps, table};

/// The highest rate of a model.
const RATE_MAX: f64 = 1e9;
/// Steps of a rate over time.
const STEPS_MAX: usize = 64;
/// Intervals in which requests are counted before steps are looked for.
const INTERVALS: usize = 16_384;

/// The arrivals of a kind of requests.
pub(super) fn fit(kind: &Kind, duration_s: f64) -> Arrivals {
    let requests = kind.requests.len() as f64;
    let batches = Groups::batches(&kind.requests);
    let mut open = Open {
        rate_iops: table::digits(requests / duration_s, 5).min(RATE_MAX),
        batch: together(&batches).then(|| Batch {
            requests: table::quantiles(batches.counts()),
            spacing_s: table::quantiles(batches.spacings_s.clone()),
        }),
        burst: None,
        gaps: None,
        rate_over_time: None,
        listed: None,
    };
    if let Some(bursts) = &kind.listed {
        let short = |&(at, requests, length)| {
            (table::digits(at, 7).min(duration_s), requests, table::digits(length, 3))
        };
        open.listed = Some(Listed { period_s: duration_s, bursts: bursts.iter().map(short).collect() });
        return Arrivals::Open(open);
    }
    let steps = rate_steps(&batches, duration_s);
    let clock = Counted::new(&steps, requests, duration_s);
    let began: Vec<f64> = batches.groups.iter().map(|batch| clock.count(batch.from_s)).collect();
    let gaps: Vec<f64> = began.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let mean = gaps.iter().sum::<f64>() / gaps.len().max(1) as f64;
    let shaped = gaps.len() > 1 && mean > 0.0;
    open.gaps = shaped.then(|| table::quantiles(gaps.iter().map(|gap| gap / mean).collect::<Vec<_>>()));
    open.rate_over_time = (steps.len() > 1).then_some(RateOverTime { period_s: duration_s, steps });
    Arrivals::Open(open)
}

fn together(groups: &Groups) -> bool {
    groups.groups.iter().any(|group| group.count > 1)
}

/// Requests due by a time, at a rate in steps.
struct Counted(Vec<(f64, f64, f64)>);

impl Counted {
    fn new(steps: &[(f64, f64)], requests: f64, duration_s: f64) -> Counted {
        let ends = steps.iter().skip(1).map(|step| step.0).chain([duration_s]);
        let area: f64 = steps.iter().zip(ends.clone()).map(|(step, end)| (end - step.0) * step.1).sum();
        let mut before = 0.0;
        let counted = steps.iter().zip(ends).map(|(&(from, factor), end)| {
            let step = (from, factor * requests / area, before);
            before += (end - from) * step.1;
            step
        });
        Counted(counted.collect())
    }

    fn count(&self, at_s: f64) -> f64 {
        let step = self.0.partition_point(|step| step.0 <= at_s).saturating_sub(1);
        let (from_s, rate, before) = self.0[step];
        before + (at_s - from_s) * rate
    }
}

/// The rate in requests of the batches that begin, in the steps that are the most likely.
fn rate_steps(batches: &Groups, duration_s: f64) -> Vec<(f64, f64)> {
    let width_s = duration_s / INTERVALS as f64;
    let mut counts = vec![0.0; INTERVALS];
    for batch in &batches.groups {
        counts[((batch.from_s / width_s) as usize).min(INTERVALS - 1)] += batch.count as f64;
    }
    let steps = steps::steps(&counts, STEPS_MAX);
    let mean = counts.iter().sum::<f64>() / INTERVALS as f64;
    steps
        .iter()
        .map(|&(from, density)| (table::digits(from as f64 * width_s, 7), table::digits(density / mean, 4)))
        .collect()
}
