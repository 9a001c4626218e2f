//! Time and memory spent: the processor time of the thread where the system tells it (Linux), else the time that passed.

use std::time::Instant;

/// Processor time spent by this thread and time passed, at one moment.
pub(crate) struct Clock {
    spent_ns: Option<u64>,
    passed: Instant,
}

impl Clock {
    pub(crate) fn now() -> Clock {
        let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
        let spent_ns = spent.and_then(|line| line.split(' ').next()?.parse().ok());
        Clock { spent_ns, passed: Instant::now() }
    }

    pub(crate) fn elapsed_s(&self) -> f64 {
        match (self.spent_ns, Clock::now().spent_ns) {
            (Some(before), Some(after)) => (after - before) as f64 / 1e9,
            _ => self.passed.elapsed().as_secs_f64(),
        }
    }
}

/// Most memory that the process has held, in MB; not a number where the system does not tell.
pub(crate) fn peak_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(f64::NAN) * 1024.0 / 1e6
}

/// Processor time that children which have ended spent; not a number where the system does not tell.
#[allow(dead_code, reason = "benches use what they need of this module")]
pub(crate) fn children_s() -> f64 {
    // Fields 16 and 17 of the process, counted behind its name, in hundredths of a second.
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_ascii_whitespace();
    let spent: Vec<f64> = fields.skip(13).take(2).filter_map(|field| field.parse().ok()).collect();
    if spent.is_empty() { f64::NAN } else { spent.iter().sum::<f64>() / 100.0 }
}
