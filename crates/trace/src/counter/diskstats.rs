//! Snapshots of Linux's `/proc/diskstats`, or of a cgroup's `io.stat`, one behind the other.
//!
//! ```text
//! 1795362720.250                              when: seconds since 1970, ISO 8601, or the text of `date`; may be missing
//!    8       0 sda 8 fields … 11, 15 or 17    reads, merged, sectors, ms; writes, merged, sectors, ms; in flight, ms busy,
//!                                             ms in queue; discards (4.18); flushes, ms (5.5)
//! 8:0 rbytes=4096 wbytes=0 rios=1 wios=0      of io.stat: bytes and requests, without times
//! ```
//!
//! Source: the kernel's Documentation/admin-guide/iostats.rst and cgroup-v2.rst. A snapshot begins at a time, or where a disk
//! appears again. Sectors are 512 bytes. Totals may wrap at 2³² (a 32-bit kernel, and the milliseconds everywhere) or start
//! anew (a reboot, a disk pulled): see [`crate::report::cumulative`]. A disk that does not appear in a snapshot did nothing in
//! `io.stat`, which leaves idle disks out, and is not there in `diskstats`.

use crate::decompress::Input;
use crate::description::{Content, Description, Evidence, Measure, Reading, Verdict};
use crate::error::TraceError;
use crate::options::Options;
use crate::report::clock::{self, NS_PER_S, Stamp, explain_set, line_up, show, undo_summer_time};
use crate::report::cumulative::{Totals, Width};
use crate::report::disk_report::Per;
use crate::report::reports::Reports;
use crate::report::text::{self, Damage, Lines};
use std::collections::BTreeMap;

const HINT: &str = "record with `while date +%s.%N; cat /proc/diskstats; do sleep 1; done`";
const SECTOR_BYTES: f64 = 512.0;

pub(crate) static DISKSTATS: Description = Description {
    name: "diskstats",
    title: "snapshots of `/proc/diskstats`",
    detected_by: "lines of major, minor, name, 11 counts or more",
    content: Content::Counters {
        record: "`while date +%s.%N; cat /proc/diskstats; do sleep 1; done`",
        interval: "from the times between, else `--interval`, else 1 s",
        measures: Measure::LINUX,
        merged: &[],
        assumed: "before Linux 5.5 flushes stay among the writes",
    },
    sample: include_str!("samples/diskstats.txt"),
    evidence: Evidence::Shape,
    fits: |head| Verdict::from(detect(head.bytes)),
    reading: Reading::Each(read),
};

pub(crate) static IO_STAT: Description = Description {
    name: "diskstats",
    title: "snapshots of a cgroup's `io.stat`",
    detected_by: "lines of `major:minor rbytes= wbytes= rios= wios=`",
    content: Content::Counters {
        record: "`while date +%s.%N; cat io.stat; do sleep 1; done`",
        interval: "from the times between, else `--interval`, else 1 s",
        measures: &[Measure::Requests, Measure::Bytes],
        merged: &[],
        assumed: "a disk that a snapshot leaves out did nothing",
    },
    sample: include_str!("samples/io.stat.txt"),
    evidence: Evidence::Shape,
    fits: |head| Verdict::from(detect(head.bytes)),
    reading: Reading::Each(read),
};
const MS_PER_S: f64 = 1e3;

/// A line with the totals of a disk: of `/proc/diskstats`, or of `io.stat`.
fn disk(line: &str) -> Option<(String, Totals)> {
    let mut words = line.split_whitespace();
    let first = words.next()?;
    if let Some((major, minor)) = first.split_once(':') {
        let number = |text: &str| text.parse::<u32>().is_ok();
        return (number(major) && number(minor)).then(|| of_cgroup(first, words)).flatten();
    }
    first.parse::<u32>().ok()?;
    words.next()?.parse::<u32>().ok()?;
    let name = words.next().filter(|name| !name.starts_with(|letter: char| letter.is_ascii_digit()))?;
    let numbers: Option<Vec<f64>> = words.map(|word| word.parse::<u64>().ok().map(|n| n as f64)).collect();
    let numbers = numbers.filter(|numbers| numbers.len() >= 11)?;
    let seconds = |at: usize| numbers.get(at).map(|ms| ms / MS_PER_S);
    let totals = Totals {
        reads: numbers[0],
        reads_merged: Some(numbers[1]),
        read_bytes: numbers[2] * SECTOR_BYTES,
        read_s: seconds(3),
        writes: numbers[4],
        writes_merged: Some(numbers[5]),
        written_bytes: numbers[6] * SECTOR_BYTES,
        write_s: seconds(7),
        busy_s: seconds(9),
        queued_s: seconds(10),
        flushes: numbers.get(15).copied(),
        flush_s: seconds(16),
    };
    Some((name.to_owned(), totals))
}

fn of_cgroup<'a>(name: &str, words: impl Iterator<Item = &'a str>) -> Option<(String, Totals)> {
    let mut totals = Totals::default();
    let mut found = false;
    for word in words {
        let (key, value) = word.split_once('=')?;
        let Ok(value) = value.parse::<u64>() else { continue };
        let place = match key {
            "rbytes" => &mut totals.read_bytes,
            "wbytes" => &mut totals.written_bytes,
            "rios" => &mut totals.reads,
            "wios" => &mut totals.writes,
            _ => continue,
        };
        *place = value as f64;
        found = true;
    }
    found.then(|| (name.to_owned(), totals))
}

/// Whether the first lines are a time, or nothing, and disks.
fn detect(head: &[u8]) -> bool {
    let head = text::head(head);
    // The last line may be cut.
    let whole = head.rsplit_once('\n').map_or("", |(whole, _)| whole);
    let mut lines = whole.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let Some(first) = lines.next() else { return false };
    let is_time = |line: &str| clock::parse(line).is_some();
    disk(first).is_some()
        || (is_time(first)
            && lines.next().is_some_and(|line| disk(line).is_some() || is_time(line))
            && whole.lines().any(|line| disk(line).is_some()))
}

struct Snapshot {
    stamp: Option<Stamp>,
    line: u64,
    /// By number, in the order of the lines.
    disks: Vec<(u32, Totals)>,
}

impl Snapshot {
    /// Requests of all disks since the machine started.
    fn requests(&self) -> f64 {
        self.disks.iter().map(|(_, totals)| totals.reads + totals.writes).sum()
    }

    fn totals(&self, disk: u32) -> Option<Totals> {
        let is = |entry: &&(u32, Totals)| entry.0 == disk;
        // Disks come in the same order every time, unless one came or went.
        let usual = self.disks.get(disk as usize).filter(is);
        usual.or_else(|| self.disks.iter().find(is)).map(|(_, totals)| *totals)
    }
}

/// All snapshots of a log.
#[derive(Default)]
struct Snapshots {
    found: Vec<Snapshot>,
    /// Numbers of the disks by name.
    disks: BTreeMap<String, u32>,
    cgroup: bool,
}

/// All snapshots of a log; a last line that is cut off goes with its snapshot.
fn snapshots(lines: &mut Lines, losses: &mut Vec<String>) -> Result<Snapshots, TraceError> {
    let mut all = Snapshots::default();
    let mut damage = Damage::default();
    while let Some(line) = lines.next()? {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        if let Some((name, totals)) = disk(trimmed).filter(|_| !lines.cut()) {
            all.cgroup |= trimmed.contains("rios=");
            let number = all.disks.len() as u32;
            let number = *all.disks.entry(name).or_insert(number);
            let again = all.found.last().is_none_or(|last| last.totals(number).is_some());
            if again {
                all.found.push(Snapshot { stamp: None, line: lines.number(), disks: Vec::new() });
            }
            if let Some(last) = all.found.last_mut() {
                last.disks.push((number, totals));
            }
        } else if let Some(stamp) = clock::parse(trimmed).filter(|_| !lines.cut()) {
            all.found.push(Snapshot { stamp: Some(stamp), line: lines.number(), disks: Vec::new() });
        } else {
            let expected = "a time, or the line of a disk (major, minor, name and at least 11 counts)";
            if let Some(loss) = damage.pass(lines, trimmed, "snapshot", expected, HINT) {
                all.found.pop();
                losses.push(loss);
            }
        }
    }
    losses.extend(damage.loss(lines)?);
    Ok(all)
}

/// Reads a log whole.
fn read(input: Input, options: &Options) -> Result<(Reports, Input), TraceError> {
    let mut lines = Lines::new(input)?;
    let mut losses = Vec::new();
    let all = snapshots(&mut lines, &mut losses)?;
    if all.found.len() < 2 {
        return Err(TraceError::Set {
            path: lines.input().name.clone(),
            expected: "at least two snapshots, for totals tell what happened between them".to_owned(),
            found: format!("{}", all.found.len()),
            hint: HINT.to_owned(),
        });
    }
    let mut reports = Reports::new(DISKSTATS.name, Per::Interval, HINT);
    reports.losses = losses;
    subtract(&mut reports, &all, options);
    Ok((reports, lines.into_input()))
}

/// The snapshots in order of their times, with these where they count. Of two that are swapped, the totals go back with the time; where
/// only the time does, the clock was set.
fn in_order<'a>(
    reports: &mut Reports,
    found: &'a [Snapshot],
    timed: bool,
) -> (Vec<&'a Snapshot>, Option<Vec<i64>>) {
    let mut snapshots: Vec<&Snapshot> = found.iter().collect();
    let stamps: Option<Vec<Stamp>> =
        found.iter().map(|snapshot| snapshot.stamp).collect::<Option<_>>().filter(|_| timed);
    let Some((stamps, mut times)) =
        stamps.and_then(|stamps| Some((line_up(&stamps)?, stamps)).map(|(t, s)| (s, t)))
    else {
        return (snapshots, None);
    };
    let sums: Vec<f64> = found.iter().map(Snapshot::requests).collect();
    let falls = |order: &[usize]| order.windows(2).filter(|pair| sums[pair[1]] < sums[pair[0]]).count();
    let given: Vec<usize> = (0..found.len()).collect();
    let mut sorted = given.clone();
    sorted.sort_by_key(|at| times[*at]);
    if falls(&sorted) < falls(&given) {
        let first = given.iter().zip(&sorted).find(|(a, b)| a != b).map_or(0, |(at, _)| found[*at].line);
        reports.notes.push(format!(
            "snapshots are not in order of their times, the first in line {first}; they were put in order"
        ));
        snapshots = sorted.iter().map(|at| &found[*at]).collect();
        times.sort_unstable();
        return (snapshots, Some(times));
    }
    let mut rates: Vec<f64> = (1..times.len())
        .map(|at| (sums[at] - sums[at - 1]) / (times[at] - times[at - 1]).max(1) as f64)
        .collect();
    rates.sort_by(f64::total_cmp);
    let usual = rates.get(rates.len() / 2).copied().unwrap_or(0.0);
    // Too little for the hour: the clock skipped it.
    let is_set = |at: usize, times: &[i64]| {
        (sums[at] - sums[at - 1]) / (times[at] - times[at - 1]).max(1) as f64 * 3.0 < usual
    };
    let set = undo_summer_time(&stamps, &mut times, is_set);
    reports.notes.extend(explain_set(&set, |at| format!("line {} ({})", found[at].line, show(times[at]))));
    (snapshots, Some(times))
}

/// Reports of what was done between snapshots.
fn subtract(reports: &mut Reports, all: &Snapshots, options: &Options) {
    // In the order of their names, as the log may list them in any.
    let disks: Vec<(u32, u32)> =
        all.disks.iter().map(|(name, number)| (*number, reports.disk(name, 0))).collect();
    let (snapshots, times) = in_order(reports, &all.found, options.interval.is_none());
    let given_ns = options.interval.map_or(NS_PER_S, |interval| interval.0);
    let (mut resets, mut still) = (Vec::new(), Vec::new());
    for number in 1..snapshots.len() {
        let (before, after) = (snapshots[number - 1], snapshots[number]);
        let length_ns = match &times {
            Some(times) => u64::try_from(times[number] - times[number - 1]).unwrap_or(0),
            None => given_ns,
        };
        let time = times.as_ref().map(|times| times[number]);
        if length_ns == 0 {
            still.push((after.line, time));
            continue;
        }
        reports.begin_at(after.line, time.map(Stamp::Instant), false);
        reports.lasts(times.is_some().then_some(length_ns));
        for (number, disk) in &disks {
            let Some(totals) = after.totals(*number) else { continue };
            let none = all.cgroup.then_some(Totals::default());
            let Some(before) = before.totals(*number).or(none) else { continue };
            match totals.growth(&before, length_ns as f64 / NS_PER_S as f64, Width::Bits32) {
                Some(amounts) => reports.add(*disk, amounts),
                None => resets.push((after.line, time)),
            }
        }
    }
    let mut lose = |places: &[(u64, Option<i64>)], what: &str| {
        let Some((line, time)) = places.first() else { return };
        let time = time.map(|time| format!(" ({})", show(time))).unwrap_or_default();
        let count = places.len();
        reports
            .losses
            .push(format!("{what} {count} times, first in line {line}{time}; those intervals were left out"));
    };
    lose(&resets, "totals started anew (a reboot, or a disk that went away)");
    lose(&still, "the clock stood still or stepped back");
}
