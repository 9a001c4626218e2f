//! When the requests of an open stream come.
//!
//! MODEL. Batches of requests, their number and the spacing in them drawn from tables; bursts of batches, alike. A burst begins
//! when so many requests are due: at Λ⁻¹(u), with Λ(t) = ∫ rate dt, where u grows by N g with each burst, N the mean number of
//! requests of a burst and g a gap of mean 1, exponential or drawn from a table (the time change that makes a process of any rate
//! out of one of rate 1: Papangelou 1972). Or the bursts are listed, each with its beginning, its requests and its length: then
//! its batches begin where an even rate has their first request. A burst that is not over when the next is due delays it.

use super::low_discrepancy::LowDiscrepancy;
use super::spec::{Burst, Listed, Open, RateOverTime};
use super::{Batch, Quantiles};
use drivecast_block::Nanos;
use drivecast_block::math;
use drivecast_block::random::stream;

/// The endless times of an open stream.
#[derive(Clone, Debug)]
pub(super) struct ArrivalTimes {
    batch: Batch,
    schedule: Schedule,
    now_s: f64,
    requests_left: u64,
    sizes: LowDiscrepancy,
    spacings: LowDiscrepancy,
}

/// When batches begin.
#[derive(Clone, Debug)]
enum Schedule {
    Rate(Rate),
    Listed(List),
}

impl ArrivalTimes {
    pub(super) fn new(arrivals: &Open, seed: u64, name: &str) -> ArrivalTimes {
        let alone = || Batch { requests: Quantiles::constant(1.0), spacing_s: Quantiles::constant(0.0) };
        let batch = arrivals.batch.clone().unwrap_or_else(alone);
        let mut random = stream(seed, &format!("model.{name}.pace"));
        let mut balanced = |kind| LowDiscrepancy::new(kind, &mut random);
        let (sizes, spacings) = (balanced(0), balanced(1));
        let schedule = match &arrivals.listed {
            Some(listed) => Schedule::Listed(List::new(listed)),
            None => {
                let counts = balanced(2);
                let distances = balanced(3);
                Schedule::Rate(Rate::new(arrivals, batch.requests.mean(), [counts, distances, balanced(4)]))
            }
        };
        ArrivalTimes { batch, schedule, now_s: 0.0, requests_left: 0, sizes, spacings }
    }

    /// The time of the next request.
    #[inline]
    pub(super) fn next(&mut self) -> Nanos {
        if self.requests_left > 0 {
            self.requests_left -= 1;
            self.now_s += self.spacings.draw(&self.batch.spacing_s);
        } else {
            let requests = whole(self.sizes.draw(&self.batch.requests));
            let begun;
            (self.now_s, begun) = match &mut self.schedule {
                Schedule::Rate(rate) => (rate.next_s(self.now_s), requests),
                Schedule::Listed(list) => list.next_s(self.now_s, requests),
            };
            self.requests_left = begun - 1;
        }
        Nanos::from_secs_f64(self.now_s)
    }
}

fn whole(count: f64) -> u64 {
    (count.round() as u64).max(1)
}

/// Bursts at a rate.
#[derive(Clone, Debug)]
struct Rate {
    burst: Burst,
    /// Gaps, in multiples of their mean.
    gaps: Option<Quantiles>,
    /// Requests due from a burst to the next for a gap of 1.
    gap: f64,
    clock: Clock,
    due: f64,
    batches_left: u64,
    balanced: [LowDiscrepancy; 3],
}

impl Rate {
    fn new(arrivals: &Open, batch: f64, balanced: [LowDiscrepancy; 3]) -> Rate {
        let single = || Burst { batches: Quantiles::constant(1.0), spacing_s: Quantiles::constant(0.0) };
        let burst = arrivals.burst.clone().unwrap_or_else(single);
        let requests = batch.max(1.0) * burst.batches.mean().max(1.0);
        Rate {
            burst,
            gaps: arrivals.gaps.clone(),
            gap: requests / arrivals.gaps.as_ref().map_or(1.0, Quantiles::mean),
            clock: Clock::new(arrivals.rate_iops, arrivals.rate_over_time.as_ref()),
            // The gap before the first burst is under way when the clock starts.
            due: -requests / 2.0,
            batches_left: 0,
            balanced,
        }
    }

    #[inline]
    fn next_s(&mut self, now_s: f64) -> f64 {
        let [counts, distances, between] = &mut self.balanced;
        if self.batches_left > 0 {
            self.batches_left -= 1;
            return now_s + distances.draw(&self.burst.spacing_s);
        }
        self.batches_left = whole(counts.draw(&self.burst.batches)) - 1;
        self.due += self.gap
            * match &self.gaps {
                None => -math::ln(1.0 - between.next()),
                Some(table) => between.draw(table),
            };
        now_s.max(self.clock.at_s(self.due.max(0.0)))
    }
}

/// Bursts one by one, again after each period.
#[derive(Clone, Debug)]
struct List {
    bursts: Box<[(f64, f64, f64)]>,
    period_s: f64,
    period: f64,
    at: usize,
    /// Requests of the burst so far.
    begun: u64,
}

impl List {
    fn new(listed: &Listed) -> List {
        let bursts = listed.bursts.clone().into();
        List { bursts, period_s: listed.period_s, period: 0.0, at: 0, begun: 0 }
    }

    /// When the next batch begins, and how many requests of those it would like it has.
    #[inline]
    fn next_s(&mut self, now_s: f64, requests: u64) -> (f64, u64) {
        let (mut from_s, mut all, mut length_s) = self.bursts[self.at];
        if self.begun >= whole(all) {
            (self.at, self.begun) = (self.at + 1, 0);
            if self.at == self.bursts.len() {
                (self.at, self.period) = (0, self.period + 1.0);
            }
            (from_s, all, length_s) = self.bursts[self.at];
        }
        let due_s = self.period * self.period_s + from_s + length_s * self.begun as f64 / all;
        let requests = requests.min(whole(all) - self.begun);
        self.begun += requests;
        (now_s.max(due_s), requests)
    }
}

/// When so many requests are due: Λ⁻¹, evaluated in rising order.
#[derive(Clone, Debug)]
struct Clock {
    period_s: f64,
    /// From when on, at what rate, after how many requests of the period.
    steps: Box<[(f64, f64, f64)]>,
    /// Requests of a period.
    requests: f64,
    step: usize,
    period: f64,
}

impl Clock {
    fn new(rate_iops: f64, over_time: Option<&RateOverTime>) -> Clock {
        let (period_s, steps) = match over_time {
            None => (f64::INFINITY, vec![(0.0, rate_iops)]),
            Some(RateOverTime { period_s, steps }) => {
                let ends = steps.iter().skip(1).map(|step| step.0).chain([*period_s]);
                let area: f64 = steps.iter().zip(ends).map(|(step, end)| (end - step.0) * step.1).sum();
                let unit = rate_iops * period_s / area;
                (*period_s, steps.iter().map(|&(from, factor)| (from, factor * unit)).collect())
            }
        };
        let mut before = 0.0;
        let ends: Vec<f64> = steps.iter().skip(1).map(|step| step.0).chain([period_s]).collect();
        let counted = steps.iter().zip(ends).map(|(&(from, rate), end)| {
            let step = (from, rate, before);
            before += (end - from) * rate;
            step
        });
        Clock { steps: counted.collect(), period_s, requests: before, step: 0, period: 0.0 }
    }

    #[inline]
    fn at_s(&mut self, due: f64) -> f64 {
        while self.requests.is_finite() && due - self.period * self.requests >= self.requests {
            (self.period, self.step) = (self.period + 1.0, 0);
        }
        let (begin_s, left) = match self.period {
            0.0 => (0.0, due),
            period => (period * self.period_s, due - period * self.requests),
        };
        while self.steps.get(self.step + 1).is_some_and(|next| next.2 <= left) {
            self.step += 1;
        }
        let (from_s, rate, before) = self.steps[self.step];
        begin_s + from_s + if rate > 0.0 { (left - before) / rate } else { 0.0 }
    }
}
