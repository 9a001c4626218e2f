//! Little's law, N = X · R: what waits is the rate times the time that each waits.
//!
//! Some kernels count the time in queue wrongly (multi-queue devices, `io_ticks`), some logs have the queue's length at a moment, some none
//! at all; latencies are summed request by request. So where both are known and differ by more than a quarter over the
//! whole log, the law's depth is taken; where rounding to two places may be the reason, the log's stays.

use super::disk_report::DiskReport;

/// The share by which a depth may differ.
const QUARTER: f64 = 0.25;
/// Depths are printed with two places.
const ROUNDED: f64 = 0.01;

/// The depth that rate and latency give; `per_s` makes rates a second of the amounts.
pub(super) fn depth(amounts: &DiskReport, per_s: f64) -> Option<f64> {
    let waiting = |count: f64, ns: Option<f64>| match count > 0.0 {
        true => ns.map(|ns| count * per_s * ns / 1e9),
        false => Some(0.0),
    };
    let sum =
        waiting(amounts.reads, amounts.read_latency_ns)? + waiting(amounts.writes, amounts.write_latency_ns)?;
    Some(sum).filter(|depth| depth.is_finite())
}

/// Puts the law's depth in place of the log's where they differ; amounts with the factors that make rates a second of them,
/// and the seconds that they last. What was done, as a note.
pub(super) fn check(rows: &mut [(&mut DiskReport, f64, f64)]) -> Option<String> {
    let known = rows.iter().any(|(amounts, per_s, _)| !amounts.is_idle() && depth(amounts, *per_s).is_some());
    let (mut logged, mut law, mut length_s) = (0.0, 0.0, 0.0);
    for (amounts, per_s, seconds) in rows.iter() {
        if let Some((logged_depth, law_depth)) = amounts.queue_depth.zip(depth(amounts, *per_s)) {
            logged += logged_depth * seconds;
            law += law_depth * seconds;
            length_s += seconds;
        }
    }
    let has_depth = rows.iter().any(|(amounts, ..)| amounts.queue_depth.is_some());
    let (logged, law) = if length_s > 0.0 { (logged / length_s, law / length_s) } else { (0.0, 0.0) };
    let apart = (logged - law).abs();
    if !known || has_depth && (apart <= ROUNDED || apart <= QUARTER * logged.max(law)) {
        return None;
    }
    let mut taken = false;
    for (amounts, per_s, _) in rows {
        if let Some(depth) = depth(amounts, *per_s) {
            (amounts.queue_depth, taken) = (Some(depth), true);
        }
    }
    let note = match has_depth {
        true => format!(
            "the log's queue depth of {logged:.2} is not the {law:.3} of its rates and latencies (Little's law); the latter was taken"
        ),
        false => "the log has no queue depth; it is rate × latency (Little's law)".to_owned(),
    };
    taken.then_some(note)
}
