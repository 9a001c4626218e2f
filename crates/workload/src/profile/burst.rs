//! Burstiness over time scales, and the Hurst parameter.
//!
//! DEFINITION. Requests are counted in bins of 2ʲ ms from the first request on. The index of dispersion at a scale is the
//! variance (of the sample) over the mean of the counts (Cox and Lewis 1966): 1 at every scale of a Poisson process.
//! The Hurst parameter H says how it grows: variance and squared Haar detail (the difference of two neighbouring
//! counts) go as 2^(2Hj) of a process that looks alike at all scales; H is 0.5 where distant counts do not know of each
//! other, and near 1 where bursts of all lengths lie within longer ones. It is estimated twice from the slope over
//! j: from variances (aggregated variance, Leland et al. 1994), which trends push up, and from the details (Abry and Veitch
//! 1998), which a linear trend does not move.
//!
//! ESTIMATE. Weighted least squares of log₂ over j, corrected for the bias of the logarithm of a mean of n values, with
//! the variance of each mean from the details themselves, no less than that of Gaussian ones (2 / n). Scales with fewer
//! than 8 values are left out, and those whose bins hold less than one request on average, which would show no more than that
//! requests come one by one. Fine scales need not follow the law of the coarse ones: they are left out one by one, while at
//! least four scales remain, until the misfit (χ² a degree of freedom) is within what chance makes of it; a misfit that
//! remains widens the interval, which holds 95 % of what chance makes of H. Neighbouring variances are not independent, so
//! the interval of the first estimate is the narrower one, and less than it should be.

use super::ratio::ratio;
use drivecast_block::Nanos;
use drivecast_block::math;
use serde::Serialize;

const BASE_NS: u64 = 1_000_000;
/// Values that a scale needs.
const VALUES_MIN: u64 = 8;
/// Scales that a slope needs.
const SCALES_MIN: usize = 4;

/// The index of dispersion at a time scale.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DispersionRow {
    /// Width of the bins.
    pub scale_s: f64,
    /// Variance / mean of the requests in a bin.
    pub index: f64,
}

/// Two estimates of the Hurst parameter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Hurst {
    /// From the Haar details.
    pub wavelet: HurstEstimate,
    /// From the variances.
    pub variance: HurstEstimate,
}

/// An estimate with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct HurstEstimate {
    /// H.
    pub value: f64,
    /// Lower end of the interval of 95 %.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// The finest scale that it comes from.
    pub from_s: f64,
    /// The coarsest.
    pub to_s: f64,
}

/// Counts at one scale.
#[derive(Clone, Default)]
struct Scale {
    bins: u64,
    sum: u64,
    squares: u128,
    /// The first of two neighbours.
    half: Option<u64>,
    pairs: u64,
    detail_squares: f64,
    detail_fourths: f64,
}

impl Scale {
    fn detail(&mut self, first: u64, second: u64) {
        let square = math::powi(first as f64 - second as f64, 2);
        self.pairs += 1;
        self.detail_squares += square;
        self.detail_fourths += square * square;
    }

    /// Variance of the counts.
    fn variance(&self) -> f64 {
        let bins = self.bins as f64;
        (self.squares as f64 - self.sum as f64 * self.sum as f64 / bins).max(0.0) / (bins - 1.0)
    }
}

#[derive(Default)]
pub(super) struct Burst {
    first: Option<Nanos>,
    /// Number of the open bin, and its requests.
    bin: u64,
    count: u64,
    scales: Vec<Scale>,
}

impl Burst {
    #[inline]
    pub(super) fn add(&mut self, time: Nanos) {
        let first = *self.first.get_or_insert(time);
        let bin = time.since(first).0 / BASE_NS;
        if bin > self.bin {
            self.close(0, self.count);
            self.skip(0, bin - self.bin - 1);
            (self.bin, self.count) = (bin, 0);
        }
        self.count += 1;
    }

    /// A bin of a scale is complete.
    fn close(&mut self, scale: usize, count: u64) {
        let found = self.scale(scale);
        found.bins += 1;
        found.sum += count;
        found.squares = found.squares.saturating_add(u128::from(count) * u128::from(count));
        match found.half.take() {
            None => found.half = Some(count),
            Some(first) => {
                found.detail(first, count);
                self.close(scale + 1, first + count);
            }
        }
    }

    /// So many bins of a scale are empty.
    fn skip(&mut self, scale: usize, mut bins: u64) {
        if bins > 0 && self.scale(scale).half.is_some() {
            self.close(scale, 0);
            bins -= 1;
        }
        if bins == 0 {
            return;
        }
        let found = self.scale(scale);
        found.bins += bins;
        found.pairs += bins / 2;
        found.half = (bins % 2 == 1).then_some(0);
        self.skip(scale + 1, bins / 2);
    }

    fn scale(&mut self, scale: usize) -> &mut Scale {
        if scale >= self.scales.len() {
            self.scales.push(Scale::default());
        }
        &mut self.scales[scale]
    }

    /// The indices at all scales with enough bins.
    pub(super) fn dispersion(&self) -> Option<Vec<DispersionRow>> {
        let row = |(j, scale): (usize, &Scale)| {
            let index = ratio(scale.variance(), scale.sum as f64 / scale.bins as f64)?;
            Some(DispersionRow { scale_s: seconds(j), index })
        };
        let full = self.scales.iter().enumerate().filter(|(_, scale)| scale.bins >= VALUES_MIN);
        let rows: Vec<DispersionRow> = full.filter_map(row).collect();
        (!rows.is_empty()).then_some(rows)
    }

    /// The Hurst parameter, of recordings long enough.
    pub(super) fn hurst(&self) -> Option<Hurst> {
        let of = |point: fn(&Scale) -> (f64, f64, u64)| {
            let told = self.scales.iter().enumerate().filter(|(_, scale)| scale.sum >= scale.bins);
            let points: Vec<Energy> = told.filter_map(|(j, scale)| Energy::new(j, point(scale))).collect();
            estimate(&points)
        };
        let details = |scale: &Scale| {
            let n = scale.pairs as f64;
            (scale.detail_squares / n, scale.detail_fourths / n, scale.pairs)
        };
        // The fourth moment of the counts about their mean is not at hand before the mean is: that of Gaussian ones replaces it.
        let variances = |scale: &Scale| (scale.variance(), 3.0 * math::powi(scale.variance(), 2), scale.bins);
        Some(Hurst { wavelet: of(details)?, variance: of(variances)? })
    }
}

fn seconds(scale: usize) -> f64 {
    (BASE_NS << scale) as f64 / 1e9
}

/// The mean square of a scale, as a point of the regression.
struct Energy {
    scale: usize,
    log2: f64,
    /// Variance of `log2`.
    variance: f64,
}

impl Energy {
    fn new(scale: usize, (mean, fourth, values): (f64, f64, u64)) -> Option<Energy> {
        if values < VALUES_MIN || mean <= 0.0 {
            return None;
        }
        let (n, ln2) = (values as f64, std::f64::consts::LN_2);
        let relative = (fourth / (mean * mean) - 1.0).max(2.0);
        Some(Energy {
            scale,
            log2: math::log2(mean) + relative / (2.0 * n * ln2),
            variance: relative / (n * ln2 * ln2),
        })
    }
}

/// The line through points: its slope, the variance of that, and the misfit a degree of freedom.
fn line(points: &[Energy]) -> (f64, f64, f64) {
    let sum = |value: &dyn Fn(&Energy) -> f64| points.iter().map(|p| value(p) / p.variance).sum::<f64>();
    let j = |p: &Energy| p.scale as f64;
    let (s, sx, sxx) = (sum(&|_| 1.0), sum(&j), sum(&|p| j(p) * j(p)));
    let (sy, sxy) = (sum(&|p| p.log2), sum(&|p| j(p) * p.log2));
    let determinant = s * sxx - sx * sx;
    let slope = (s * sxy - sx * sy) / determinant;
    let level = (sxx * sy - sx * sxy) / determinant;
    let misfit = sum(&|p| math::powi(p.log2 - level - slope * j(p), 2)) / (points.len() as f64 - 2.0);
    (slope, s / determinant, misfit)
}

fn estimate(points: &[Energy]) -> Option<HurstEstimate> {
    let starts = 0..=points.len().checked_sub(SCALES_MIN)?;
    let mut fits = starts.map(|start| (start, line(&points[start..])));
    let by_chance = |(start, (_, _, misfit)): &(usize, (f64, f64, f64))| {
        let freedom = (points.len() - start) as f64 - 2.0;
        *misfit <= 1.0 + 2.0 * (2.0 / freedom).sqrt()
    };
    let last = (points.len() - SCALES_MIN, line(&points[points.len() - SCALES_MIN..]));
    let (start, (slope, variance, misfit)) = fits.find(by_chance).unwrap_or(last);
    let half = 1.96 * (variance * misfit.max(1.0)).sqrt() / 2.0;
    let value = slope / 2.0;
    Some(HurstEstimate {
        value,
        low: value - half,
        high: value + half,
        from_s: seconds(points[start].scale),
        to_s: seconds(points[points.len() - 1].scale),
    })
}
