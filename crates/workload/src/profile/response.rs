//! Latency by size and by queue depth.
//!
//! DEFINITION. Requests with a latency, by operation, by size in classes that end at powers of two from 512 B to 1 MiB
//! and one for all above, and by the number of requests outstanding once it was issued, itself included, in classes
//! that end at powers of two to 32,768. Quantiles within 1 % (HdrHistogram of two digits); latencies beyond an hour
//! count as an hour. Memory: 36 KB a class that has requests, 15 MB at most.

use super::ratio::ratio;
use drivecast_block::{Op, Record};
use hdrhistogram::Histogram;
use serde::Serialize;

const HOUR_NS: u64 = 3_600_000_000_000;
/// 512 B to 1 MiB, and above.
const SIZES: usize = 13;
const SIZE_SHIFT_MIN: u32 = 9;
/// 1 to 32,768.
const DEPTHS: usize = 16;

/// Latencies of a class of requests.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ResponseRow {
    /// `read` or `write`.
    pub op: &'static str,
    /// Largest size of the class; null where there is no bound or sizes are not distinguished.
    pub size_bytes_max: Option<u64>,
    /// Deepest queue of the class; null where depths are not distinguished.
    pub depth_max: Option<u64>,
    /// Its requests.
    pub requests: u64,
    /// Mean latency.
    pub latency_ns_mean: f64,
    /// Median.
    #[serde(rename = "latency_ns_q0.5")]
    pub latency_ns_q50: u64,
    /// One in 100 takes longer.
    #[serde(rename = "latency_ns_q0.99")]
    pub latency_ns_q99: u64,
}

#[derive(Clone)]
struct Cell {
    histogram: Histogram<u64>,
    sum_ns: u128,
}

impl Cell {
    fn new() -> Cell {
        let histogram = Histogram::new_with_bounds(1, HOUR_NS, 2).expect("the bounds are in order");
        Cell { histogram, sum_ns: 0 }
    }

    fn merge(mut self, other: &Cell) -> Cell {
        self.histogram.add(&other.histogram).expect("all histograms have the same bounds");
        self.sum_ns += other.sum_ns;
        self
    }
}

/// Which of the classes are distinguished.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    Size,
    Depth,
    SizeAndDepth,
}

pub(super) struct Response {
    /// By operation, size and depth; made when first used.
    cells: Vec<Option<Box<Cell>>>,
}

impl Response {
    pub(super) fn new() -> Response {
        Response { cells: vec![None; 2 * SIZES * DEPTHS] }
    }

    /// Takes a request that found or made the queue `depth` deep.
    #[inline]
    pub(super) fn add(&mut self, record: &Record, depth: u64) {
        let Some(latency) = record.latency else { return };
        let size =
            (record.size.next_power_of_two().trailing_zeros().max(SIZE_SHIFT_MIN) - SIZE_SHIFT_MIN) as usize;
        let depth = depth.next_power_of_two().trailing_zeros() as usize;
        let op = usize::from(record.op == Op::Write);
        let at = (op * SIZES + size.min(SIZES - 1)) * DEPTHS + depth.min(DEPTHS - 1);
        let cell = self.cells[at].get_or_insert_with(|| Box::new(Cell::new()));
        cell.histogram.saturating_record(latency.0);
        cell.sum_ns += u128::from(latency.0);
    }

    /// The classes that have requests; none without latencies.
    pub(super) fn rows(&self, by: By) -> Option<Vec<ResponseRow>> {
        let rows: Vec<ResponseRow> = match by {
            By::SizeAndDepth => self.classes(1, DEPTHS * SIZES),
            By::Size => self.classes(DEPTHS, SIZES),
            By::Depth => {
                let sizes = |op: usize, depth: usize| {
                    (0..SIZES).map(move |size| (op * SIZES + size) * DEPTHS + depth)
                };
                let of = |op: usize| {
                    (0..DEPTHS).filter_map(move |depth| self.row(op, sizes(op, depth), None, Some(depth)))
                };
                of(0).chain(of(1)).collect()
            }
        };
        (!rows.is_empty()).then_some(rows)
    }

    /// Rows of `width` neighbouring cells, `count` for each operation.
    fn classes(&self, width: usize, count: usize) -> Vec<ResponseRow> {
        let row = |k: usize| {
            let (op, from) = (k / count, k * width);
            let (size, depth) = (from / DEPTHS % SIZES, from % DEPTHS);
            self.row(op, from..from + width, Some(size), (width == 1).then_some(depth))
        };
        (0..2 * count).filter_map(row).collect()
    }

    fn row(
        &self,
        op: usize,
        cells: impl Iterator<Item = usize>,
        size: Option<usize>,
        depth: Option<usize>,
    ) -> Option<ResponseRow> {
        let merged = cells.filter_map(|at| self.cells[at].as_deref());
        let cell =
            merged.fold(None, |sum: Option<Cell>, cell| Some(sum.unwrap_or_else(Cell::new).merge(cell)))?;
        let requests = cell.histogram.len();
        Some(ResponseRow {
            op: if op == 0 { Op::Read } else { Op::Write }.name(),
            size_bytes_max: size
                .filter(|size| *size < SIZES - 1)
                .map(|size| 1 << (size + SIZE_SHIFT_MIN as usize)),
            depth_max: depth.map(|depth| 1 << depth),
            requests,
            latency_ns_mean: ratio(cell.sum_ns as f64, requests as f64)?,
            latency_ns_q50: cell.histogram.value_at_quantile(0.5),
            latency_ns_q99: cell.histogram.value_at_quantile(0.99),
        })
    }
}
