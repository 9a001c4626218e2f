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
