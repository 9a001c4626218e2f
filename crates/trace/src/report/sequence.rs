//! The intervals between reports, and what is wrong with their order.
//!
//! MODEL. An interval is the time since the report before, or what the report itself states. A clock that steps back (the end of
//! summer time, a correction) makes one that cannot be measured: the median replaces it, as it does where the
//! log pauses for more than five of its intervals, or for more than the report states; and both are reported with their place.

use super::clock::{NS_PER_S, Stamp, show};
use drivecast_block::Nanos;

/// A step longer than this many median intervals is a pause of the recording, no interval.
const PAUSE_INTERVALS: i64 = 5;

/// A report, and where in the log it is.
#[derive(Clone, Copy, Default)]
pub(crate) struct Report {
    pub(crate) stamp: Option<Stamp>,
    /// When it began, where the log says so.
    pub(crate) from: Option<Stamp>,
    pub(crate) length_ns: Option<u64>,
    /// Bytes that its disks moved, and at which rate, where it has both.
    pub(crate) moved: Option<[f64; 2]>,
    /// The line, where the log has lines.
    pub(crate) line: Option<u64>,
    /// Number of the file.
    pub(crate) file: u32,
    /// The first of a file or part, which has no rates in some formats, and in others those since boot.
    pub(crate) opens: bool,
    /// A row of it could not be read.
    pub(crate) damaged: bool,
    /// It is no interval.
    pub(crate) left_out: bool,
}

/// Where each interval ends, from the start of the first, and how long it is.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Intervals {
    pub(crate) end_ns: Vec<u64>,
    pub(crate) length_ns: Vec<u64>,
    /// Reports whose time is not after that of the one before, and by how much.
    back: Vec<(usize, u64)>,
    /// Reports before which the recording paused, and how long.
    pauses: Vec<(usize, u64)>,
}

impl Intervals {
    /// All of one length, without pauses.
    pub(crate) fn even(count: usize, length_ns: u64) -> Intervals {
        Intervals {
            end_ns: (1..=count as u64).map(|number| number.saturating_mul(length_ns)).collect(),
            length_ns: vec![length_ns; count],
            ..Intervals::default()
        }
    }

    /// Of lengths that the reports state, which end at these times.
    pub(crate) fn reported(times: &[i64], length_ns: Vec<u64>) -> Intervals {
        let mut found = Intervals::default();
        let zero = match (times.first(), length_ns.first()) {
            (Some(first), Some(length)) => first.saturating_sub_unsigned(*length),
            _ => 0,
        };
        // Where the clock does not advance, what comes later is moved: no two intervals overlap.
        let (mut end, mut shift) = (0_i64, 0_i64);
        for (time, length) in times.iter().zip(&length_ns) {
            let length = *length as i64;
            let plain = time.saturating_sub(zero).saturating_add(shift);
            if plain.saturating_sub(length / 2) < end {
                shift = shift.saturating_add(end.saturating_add(length).saturating_sub(plain));
            }
            end = time.saturating_sub(zero).saturating_add(shift).max(0);
            found.end_ns.push(end as u64);
        }
        for (number, pair) in times.windows(2).enumerate() {
            let (step, length) = (pair[1].saturating_sub(pair[0]), length_ns[number + 1] as i64);
            if step <= 0 {
                found.back.push((number + 1, step.unsigned_abs()));
            } else if step > length.saturating_add(length / 2) {
                found.pauses.push((number + 1, step as u64));
            }
        }
        Intervals { length_ns, ..found }
    }

    /// Between instants; `whole_seconds`: they are rounded to seconds. None where time does not pass.
    pub(crate) fn between(times: &[i64], whole_seconds: bool) -> Option<Intervals> {
        let steps: Vec<i64> = times.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).collect();
        let mut forward: Vec<i64> = steps.iter().copied().filter(|&step| step > 0).collect();
        forward.sort_unstable();
        let median = *forward.get(forward.len() / 2)?;
        let mean = steps.iter().map(|&step| step as f64).sum::<f64>() / steps.len() as f64;
        let jitter = |step: &i64| (*step as f64 - mean).abs() <= NS_PER_S as f64;
        if whole_seconds && mean > 0.0 && steps.iter().all(jitter) {
            return Some(Intervals::even(times.len(), mean as u64));
        }
        let mut found = Intervals::even(1, median as u64);
        let mut end = median as u64;
        for (number, &step) in steps.iter().enumerate() {
            let length = if step <= 0 {
                found.back.push((number + 1, step.unsigned_abs()));
                median
            } else if step > median.saturating_mul(PAUSE_INTERVALS) {
                found.pauses.push((number + 1, step as u64));
                median
            } else {
                step
            };
            end = end.saturating_add(step.max(length) as u64);
            found.end_ns.push(end);
            found.length_ns.push(length as u64);
        }
        Some(found)
    }
}

/// Where reports are, as people find them.
pub(crate) struct Places<'a> {
    pub(crate) reports: &'a [Report],
    pub(crate) times: Option<&'a [i64]>,
    pub(crate) files: &'a [&'a str],
}

impl Places<'_> {
    /// The place of a report: file, line or number, and time.
    pub(crate) fn at(&self, number: usize) -> String {
        let Some(report) = self.reports.get(number) else { return "the end".to_owned() };
        let file = match self.files {
            [] | [_] => String::new(),
            files => format!("{}, ", files.get(report.file as usize).copied().unwrap_or_default()),
        };
        let line = match report.line {
            Some(line) => format!("line {line}"),
            None => format!("report {}", number + 1),
        };
        let time = self.times.and_then(|times| times.get(number)).map(|time| format!(" ({})", show(*time)));
        format!("{file}{line}{}", time.unwrap_or_default())
    }
}

/// What is wrong with the order of the reports.
pub(crate) fn losses(intervals: &Intervals, places: &Places<'_>) -> Vec<String> {
    let mut losses = Vec::new();
    if let Some((first, by)) = intervals.back.first() {
        let (count, at) = (intervals.back.len(), places.at(*first));
        let step = if *by == 0 { "stands still".to_owned() } else { format!("steps back by {}", Nanos(*by)) };
        losses.push(format!(
            "the clock does not advance in {count} places, at {at} it {step}; the median interval stands in there (if two recordings overlap, what both have counts twice)"
        ));
    }
    let longest = intervals.pauses.iter().max_by_key(|(_, length)| *length);
    if let Some((before, length)) = longest {
        let (count, at) = (intervals.pauses.len(), places.at(*before));
        losses.push(format!(
            "the recording pauses {count} times, for up to {} before {at}; what happened then is not in it",
            Nanos(*length)
        ));
    }
    losses
}
