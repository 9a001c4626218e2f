//! How the spare of a die is split between its streams.
//!
//! Each stream has a target, a number of blocks; cleaning takes its victim from the stream that is furthest above its
//! own. **Equal**: blocks in proportion to data, so that α, flash over data, is the same for all; write amplification is then that
//! of uniform writes (Desnoyers 2012). **Optimal**: the split of T blocks that copies least, minimising Σ r_k A(α_k) over
//! Σ α_k u_k = T, with r_k the share of host writes and u_k the data of stream k, and 1 − 1/A = exp(−α/A) as under FIFO.
//! At the minimum r_k A′(α_k)/u_k is the same for all; in terms of A, with v = 1 − 1/A the valid share of a victim,
//!
//! ```text
//! α = −A ln v,   −A′ = (A − 1)/(1 − α v),
//! ```
//!
//! and both sides are monotone, so two nested bisections find it. The writes of each stream are those the drive saw, with
//! an exponential memory.

use super::append::AppendPoint;
use drivecast_block::math;

/// Cleanings of a die between two reviews of its targets, as a share of its blocks. Assumed.
const REVIEWS_PER_TURN: u32 = 8;
/// What a review leaves of the writes counted before. Assumed: a memory of some turns of the log.
const MEMORY: f64 = 0.95;

/// The targets of all dies.
#[derive(Clone, Debug)]
pub(super) struct Split {
    optimal: bool,
    points_per_die: usize,
    dies: Vec<Targets>,
}

#[derive(Clone, Debug)]
struct Targets {
    /// Cleanings until the next review.
    review_in: u32,
    /// Blocks that each stream should have.
    blocks: Vec<f64>,
    /// Host pages of each stream at the last review.
    seen: Vec<u64>,
    /// Host pages of each stream lately.
    recent: Vec<f64>,
}

impl Split {
    pub(super) fn new(optimal: bool, dies: usize, points_per_die: usize) -> Split {
        let targets = Targets {
            review_in: 0,
            blocks: vec![0.0; points_per_die],
            seen: vec![0; points_per_die],
            recent: vec![0.0; points_per_die],
        };
        Split { optimal, points_per_die, dies: vec![targets; dies] }
    }

    /// The stream of a die that has the most blocks beyond its target, among those with a closed one. The block that
    /// the stream `needing` it has just opened holds nothing yet, and does not count.
    pub(super) fn fullest(
        &mut self,
        die: usize,
        needing: usize,
        append_points: &[AppendPoint],
        pages_per_block: u32,
        closed: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let optimal = self.optimal;
        let targets = &mut self.dies[die];
        if targets.review_in == 0 {
            targets.review(optimal, append_points, pages_per_block);
        }
        targets.review_in -= 1;
        let excess = |point: usize| {
            let opened = if point == needing { 1.0 } else { 0.0 };
            f64::from(append_points[point].blocks) - opened - targets.blocks[point]
        };
        (0..self.points_per_die)
            .filter(|point| closed(*point))
            .max_by(|a, b| excess(*a).total_cmp(&excess(*b)))
    }
}

impl Targets {
    fn review(&mut self, optimal: bool, append_points: &[AppendPoint], pages_per_block: u32) {
        let total: u32 = append_points.iter().map(|append| append.blocks).sum();
        self.review_in = (total / REVIEWS_PER_TURN).max(1);
        let data: Vec<f64> =
            append_points.iter().map(|append| append.live as f64 / f64::from(pages_per_block)).collect();
        for (point, append) in append_points.iter().enumerate() {
            let host = append.host_pages(pages_per_block);
            self.recent[point] = MEMORY * self.recent[point] + (host - self.seen[point]) as f64;
            self.seen[point] = host;
        }
        let all: f64 = data.iter().sum();
        let flash = (f64::from(total) - 1.0).max(all * (1.0 + 1e-6));
        self.blocks = match optimal {
            false => data.iter().map(|data| data / all * flash).collect(),
            true => split(&data, &self.recent, flash),
        };
    }
}

/// Blocks for each stream that minimise copies, for `data` blocks of data and relative `writes`.
fn split(data: &[f64], writes: &[f64], flash: f64) -> Vec<f64> {
    let all: f64 = writes.iter().sum::<f64>().max(1.0);
    let blocks = |worth: f64| -> Vec<f64> {
        let of = |(data, writes): (&f64, &f64)| data * alpha_at(worth * data * all / writes.max(1e-9 * all));
        data.iter().zip(writes).map(of).collect()
    };
    // The higher the worth of a block, the fewer are used.
    let (mut low, mut high) = (-60.0_f64, 60.0_f64);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        let used: f64 = blocks(math::exp(middle)).iter().sum();
        (low, high) = if used > flash { (middle, high) } else { (low, middle) };
    }
    blocks(math::exp(0.5 * (low + high)))
}

/// α at which −A′(α) is `slope`.
fn alpha_at(slope: f64) -> f64 {
    let alpha = |a: f64| -a * math::ln(1.0 - 1.0 / a);
    let steepness = |a: f64| (a - 1.0) / (1.0 - alpha(a) * (1.0 - 1.0 / a));
    // −A′ grows with A; the logarithm of A − 1 is bisected.
    let (mut low, mut high) = (-30.0_f64, 12.0_f64);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        let is_below = steepness(1.0 + math::exp(middle)) < slope;
        (low, high) = if is_below { (middle, high) } else { (low, middle) };
    }
    alpha(1.0 + math::exp(0.5 * (low + high)))
}
