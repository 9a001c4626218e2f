//! How the accesses spread over the blocks.
//!
//! DEFINITION. The share of the block accesses that fall on the most accessed share of the blocks accessed (a Lorenz curve from
//! the top), of all accesses, of the reads over the blocks read, and of the writes over the blocks written; and how often
//! a written block is written. Of a sample of the blocks, the same of the sample.

use super::block::Block;
use super::distribution::{Distribution, Spread};
use serde::Serialize;

const SHARES: [f64; 8] = [0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0];

/// How much of the accesses the most accessed blocks have.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PopularityRow {
    /// `all`, `reads` or `writes`.
    pub of: &'static str,
    /// Share of the blocks, the most accessed ones.
    pub blocks_fraction: f64,
    /// Their share of the accesses.
    pub accesses_fraction: f64,
}

pub(super) struct Popularity {
    pub(super) rows: Vec<PopularityRow>,
    pub(super) writes_per_block: Option<Distribution>,
}

impl Popularity {
    pub(super) fn of(blocks: &[Block]) -> Popularity {
        let all = rows("all", blocks.iter().map(|block| u64::from(block.reads) + u64::from(block.writes)));
        let reads = rows("reads", blocks.iter().map(|block| u64::from(block.reads)));
        let writes = rows("writes", blocks.iter().map(|block| u64::from(block.writes)));
        let mut spread = Spread::new();
        let written = blocks.iter().filter(|block| block.writes > 0);
        written.for_each(|block| spread.add(u64::from(block.writes), 1));
        let rows = all.into_iter().chain(reads).chain(writes).collect();
        Popularity { rows, writes_per_block: spread.distribution(1) }
    }
}

/// The rows of some counts; a share that is no whole block has none.
fn rows(of: &'static str, counts: impl Iterator<Item = u64>) -> Vec<PopularityRow> {
    let mut counts: Vec<u64> = counts.filter(|count| *count > 0).collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    let all: u64 = counts.iter().sum();
    let whole = |share: &f64| (share * counts.len() as f64).floor() as usize;
    let shares = SHARES.iter().filter(|share| whole(share) > 0);
    let row = |share: &f64| PopularityRow {
        of,
        blocks_fraction: *share,
        accesses_fraction: counts[..whole(share)].iter().sum::<u64>() as f64 / all as f64,
    };
    shares.map(row).collect()
}
