//! When the requests of an open stream come.
//!
//! MODEL. Batches of n requests, n drawn from a table, a spacing drawn between each and the next; bursts of batches, alike; from
//! the end of a burst to the next a gap, exponential or drawn from a table. A gap passes at the rate factor of its time: at factor 2 in
//! half the time, at 0 not at all. The mean gap g is the one for which the mean rate comes out: with steps of weight w and
//! factor f, d the mean length and n the mean number of requests of a burst, n Σ w / (g / f + d) = `rate_iops`.

use super::balanced::Balanced;
use super::spec::{Burst, RateOverTime};
use super::{Batch, Quantiles};
use drivecast_block::Nanos;
use drivecast_block::random::stream;

/// Halvings of the interval in which the mean gap lies: down to the last digit of a double.
const HALVINGS: usize = 200;

/// The endless times of an open stream.
#[derive(Clone, Debug)]
pub(super) struct Pace {
    batch: Batch,
    burst: Burst,
    gaps: Option<Quantiles>,
    /// Mean gap over the mean of the table.
    gap_s: f64,
    period_s: f64,
    /// From when on, with what factor; the last one ends with the period.
    steps: Box<[(f64, f64)]>,
    step: usize,
    period: f64,
    now_s: f64,
    requests_left: u64,
    batches_left: u64,
    balanced: [Balanced; 5],
}

impl Pace {
    pub(super) fn new(
        rate_iops: f64,
        batch: Option<&Batch>,
        burst: Option<&Burst>,
        gaps: Option<&Quantiles>,
        over_time: Option<&RateOverTime>,
        seed: u64,
        name: &str,
    ) -> Pace {
        let alone = || Batch { requests: Quantiles::constant(1.0), spacing_s: Quantiles::constant(0.0) };
        let batch = batch.cloned().unwrap_or_else(alone);
        let (period_s, steps) = match over_time {
            None => (f64::INFINITY, vec![(0.0, 1.0)]),
            Some(RateOverTime { period_s, steps }) => (*period_s, normalised(*period_s, steps)),
        };
        let single = || Burst { batches: Quantiles::constant(1.0), spacing_s: Quantiles::constant(0.0) };
        let burst = burst.cloned().unwrap_or_else(single);
        let (requests, batches) = (batch.requests.mean().max(1.0), burst.batches.mean().max(1.0));
        let batch_s = (requests - 1.0) * batch.spacing_s.mean();
        let burst_s = batches * batch_s + (batches - 1.0) * burst.spacing_s.mean();
        let gap_s = gap_mean_s(rate_iops / (requests * batches), burst_s, period_s, &steps);
        let mut random = stream(seed, &format!("model.{name}.pace"));
        let mut pace = Pace {
            gap_s: gap_s / gaps.map_or(1.0, Quantiles::mean),
            gaps: gaps.cloned(),
            batch,
            burst,
            period_s,
            steps: steps.into(),
            step: 0,
            period: 0.0,
            now_s: 0.0,
            requests_left: 0,
            batches_left: 0,
            balanced: std::array::from_fn(|kind| Balanced::new(kind, &mut random)),
        };
        // The first gap is under way when the clock starts.
        pace.idle(pace.gap_s * pace.gaps.as_ref().map_or(1.0, Quantiles::mean) / 2.0);
        pace
    }

    /// The time of the next request.
    #[inline]
    pub(super) fn next(&mut self) -> Nanos {
        let [sizes, spacings, counts, distances, between] = &mut self.balanced;
        if self.requests_left > 0 {
            self.requests_left -= 1;
            self.now_s += spacings.draw(&self.batch.spacing_s);
            return Nanos::from_secs_f64(self.now_s);
        }
        self.requests_left = whole(sizes.draw(&self.batch.requests));
        if self.batches_left > 0 {
            self.batches_left -= 1;
            self.now_s += distances.draw(&self.burst.spacing_s);
        } else {
            self.batches_left = whole(counts.draw(&self.burst.batches));
            let gap = match &self.gaps {
                None => -(1.0 - between.next()).ln(),
                Some(table) => between.draw(table),
            };
            self.idle(gap * self.gap_s);
        }
        Nanos::from_secs_f64(self.now_s)
    }

    /// Lets a gap pass, at the factors of its time.
    fn idle(&mut self, mut gap_s: f64) {
        loop {
            let begin = self.period * self.period_s;
            let at = if self.period_s.is_finite() { self.now_s - begin } else { 0.0 };
            while self.step + 1 < self.steps.len() && at >= self.steps[self.step + 1].0 {
                self.step += 1;
            }
            let end = self.steps.get(self.step + 1).map_or(self.period_s, |step| step.0);
            let factor = self.steps[self.step].1;
            let room = if factor > 0.0 { (end - at) * factor } else { 0.0 };
            if factor > 0.0 && at < end && gap_s <= room {
                self.now_s += gap_s / factor;
                return;
            }
            if at < end {
                gap_s -= room;
                self.now_s = self.now_s.max(if end == self.period_s {
                    (self.period + 1.0) * self.period_s
                } else {
                    begin + end
                });
            }
            if self.step + 1 < self.steps.len() {
                self.step += 1;
            } else {
                (self.step, self.period) = (0, self.period + 1.0);
            }
        }
    }
}

/// How many follow the first.
fn whole(count: f64) -> u64 {
    (count.round() as u64).saturating_sub(1)
}

/// The steps with factors whose mean over the period is 1.
fn normalised(period_s: f64, steps: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let ends = steps.iter().skip(1).map(|step| step.0).chain([period_s]);
    let area: f64 = steps.iter().zip(ends).map(|(step, end)| (end - step.0) * step.1).sum();
    steps.iter().map(|&(from, factor)| (from, factor * period_s / area)).collect()
}

/// The mean gap at which batches come at this rate.
fn gap_mean_s(batches_per_s: f64, length_s: f64, period_s: f64, steps: &[(f64, f64)]) -> f64 {
    let rate = |gap_s: f64| {
        if period_s.is_infinite() {
            return 1.0 / (gap_s + length_s);
        }
        let ends = steps.iter().skip(1).map(|step| step.0).chain([period_s]);
        let batches = steps.iter().zip(ends).filter(|(step, _)| step.1 > 0.0);
        batches.map(|(step, end)| (end - step.0) / (gap_s / step.1 + length_s)).sum::<f64>() / period_s
    };
    let (mut low, mut high) = (0.0_f64, 1e12_f64);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if rate(middle) > batches_per_s { low = middle } else { high = middle }
    }
    high
}
