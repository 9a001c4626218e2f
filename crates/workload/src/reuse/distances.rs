//! Stack distances, counted, and the miss-ratio curve that they make.
//!
//! MODEL. A cache of c blocks misses the share of the accesses whose distance is above c, first accesses included. Counts
//! are exact by distance up to 2ᵖ, and above by ranges of 2⁻ᵖ of the distance or less, so that sizes at the ends of
//! ranges are exact and the others are not offered.
//!
//! SAMPLING (SHARDS, Waldspurger et al. 2015). Of blocks followed with probability R, an access represents 1/R, and the
//! other blocks below it on the stack are about 1/R times as many. The accesses of the sample represent W in all where N were made; the
//! difference comes from the most accessed blocks, whose distances are short: N − W is added to the shortest distance
//! (SHARDS-adj). The curve then lies in [0, 1] and falls, by force where the correction was negative.
//!
//! MEMORY. 8 B a distance up to 2ᵖ, then 2ᵖ⁺³ B for each doubling.

/// Counts of distances.
#[derive(Clone)]
pub(crate) struct Distances {
    /// What accesses of each range of distances represent.
    weights: Vec<f64>,
    /// What all represent.
    sum: f64,
    precision: u32,
}

/// One size of cache.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Size of the cache, in blocks.
    pub blocks: u64,
    /// Share of the accesses that miss.
    pub miss_ratio: f64,
}

impl Distances {
    /// No distances yet; exact up to `2^precision`.
    pub(crate) fn new(precision: u32) -> Distances {
        Distances { weights: Vec::new(), sum: 0.0, precision }
    }

    /// Counts an access of a distance in the sample, 0 for a first access, that represents `weight` accesses.
    #[inline]
    pub(crate) fn add(&mut self, distance: u32, weight: f64) {
        self.sum += weight;
        if distance == 0 {
            return;
        }
        let range = self.range((f64::from(distance - 1) * weight) as u64 + 1);
        if range >= self.weights.len() {
            self.weights.resize((range + 1).next_power_of_two(), 0.0);
        }
        self.weights[range] += weight;
    }

    /// These counts and others of the same precision.
    pub(crate) fn merged(mut self, other: &Distances) -> Distances {
        let longest = self.weights.len().max(other.weights.len());
        self.weights.resize(longest, 0.0);
        self.weights.iter_mut().zip(&other.weights).for_each(|(weight, more)| *weight += more);
        self.sum += other.sum;
        self
    }

    /// What all accesses counted represent, first ones included.
    pub(crate) fn total(&self) -> f64 {
        self.sum
    }

    /// What those within a distance represent: exact at the end of a range.
    pub(crate) fn within(&self, distance: u64) -> f64 {
        let ranges = if distance == 0 { 0 } else { self.range(distance) + 1 };
        self.weights.iter().take(ranges).sum()
    }

    /// Distances met, each with what its accesses represent.
    pub(crate) fn counted(&self) -> impl Iterator<Item = (u64, f64)> {
        let ranges = self.weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0);
        ranges.map(|(range, weight)| (self.longest(range), *weight))
    }

    /// The curve at every size where it falls, the whole range of sizes, for `accesses` in all.
    pub(crate) fn curve(&self, accesses: u64) -> Vec<Point> {
        let all = accesses as f64;
        let mut hits = all - self.sum;
        let mut miss_ratio = 1.0;
        let mut points = Vec::new();
        for (range, weight) in self.weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
            hits += weight;
            let ratio = (1.0 - hits / all).clamp(0.0, miss_ratio);
            if ratio < miss_ratio {
                miss_ratio = ratio;
                points.push(Point { blocks: self.longest(range), miss_ratio });
            }
        }
        points
    }

    /// The range that holds a distance.
    #[inline(always)]
    fn range(&self, distance: u64) -> usize {
        let shift = (u64::BITS - distance.leading_zeros()).saturating_sub(self.precision + 1);
        // A distance at the end of a range belongs to it: ranges are open below and closed above.
        let rounded = (distance + (1 << shift) - 1) >> shift;
        (u64::from(shift) * (1 << self.precision) + rounded) as usize
    }

    /// The longest distance of a range.
    fn longest(&self, range: usize) -> u64 {
        let range = range as u64;
        let shift = (range.saturating_sub(1) >> self.precision).saturating_sub(1);
        (range - (shift << self.precision)) << shift
    }
}
