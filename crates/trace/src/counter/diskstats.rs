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
//! anew (a reboot, a disk pulled): see [`super::cumulative`]. A disk that does not appear in a snapshot did nothing in
//! `io.stat`, which leaves idle disks out, and is not there in `diskstats`.

use super::CounterLog;
use super::clock::{self, NS_PER_S, Stamp, line_up};
use super::cumulative::{Totals, Width};
use super::reports::{Per, Reports};
use super::text::{self, Lines};
use crate::decompress::Input;
use crate::error::TraceError;
use crate::options::Options;
use crate::summary::Format;
use std::collections::BTreeMap;

const HINT: &str = "record with `while date +%s.%N; cat /proc/diskstats; do sleep 1; done`";
const SECTOR_BYTES: f64 = 512.0;
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
        read_bytes: numbers[2] * SECTOR_BYTES,
        read_s: seconds(3),
        writes: numbers[4],
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
pub(super) fn detect(head: &[u8]) -> bool {
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
    disks: BTreeMap<String, Totals>,
}

/// All snapshots of a log; a last line that is cut off goes with its snapshot.
fn snapshots(lines: &mut Lines, notes: &mut Vec<String>) -> Result<(Vec<Snapshot>, bool), TraceError> {
    let mut found: Vec<Snapshot> = Vec::new();
    let mut cgroup = false;
    while let Some(line) = lines.next()? {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        if let Some((name, totals)) = disk(trimmed).filter(|_| !lines.cut()) {
            cgroup |= trimmed.contains("rios=");
            let again = found.last().is_none_or(|last| last.disks.contains_key(&name));
            if again {
                found.push(Snapshot { stamp: None, disks: BTreeMap::new() });
            }
            if let Some(last) = found.last_mut() {
                last.disks.insert(name, totals);
            }
        } else if let Some(stamp) = clock::parse(trimmed).filter(|_| !lines.cut()) {
            found.push(Snapshot { stamp: Some(stamp), disks: BTreeMap::new() });
        } else if lines.cut() {
            found.pop();
            notes.push(format!(
                "{}: cut off in line {}; the snapshot there was left out",
                lines.input().base_name,
                lines.number()
            ));
        } else {
            let expected = "a time, or the line of a disk (major, minor, name and at least 11 counts)";
            return Err(lines.refuse(expected, trimmed, HINT));
        }
    }
    Ok((found, cgroup))
}

/// Reads a log whole.
pub(super) fn read(input: Input, options: &Options) -> Result<CounterLog, TraceError> {
    let mut lines = Lines::new(input)?;
    let mut notes = Vec::new();
    let (snapshots, cgroup) = snapshots(&mut lines, &mut notes)?;
    if snapshots.len() < 2 {
        return Err(TraceError::Set {
            path: lines.input().name.clone(),
            expected: "at least two snapshots, for totals tell what happened between them".to_owned(),
            found: format!("{}", snapshots.len()),
            hint: HINT.to_owned(),
        });
    }
    let mut reports = Reports::new(Format::Diskstats, Per::Interval, HINT);
    reports.notes = notes;
    let mut stamps: Option<Vec<Stamp>> = snapshots.iter().map(|snapshot| snapshot.stamp).collect();
    if options.interval.is_some() {
        stamps = None;
    }
    let times = stamps.as_deref().and_then(line_up);
    let given_ns = options.interval.map_or(NS_PER_S, |interval| interval.0);
    let (mut resets, mut still) = (0, 0);
    for number in 1..snapshots.len() {
        let (before, after) = (&snapshots[number - 1], &snapshots[number]);
        let length_ns = match &times {
            Some(times) => u64::try_from(times[number] - times[number - 1]).unwrap_or(0),
            None => given_ns,
        };
        if length_ns == 0 {
            still += 1;
            continue;
        }
        let stamp = times.as_ref().map(|times| Stamp::Instant(times[number]));
        reports.begin(stamp, times.is_some().then_some(length_ns));
        for (name, totals) in &after.disks {
            let none = cgroup.then_some(Totals::default());
            let Some(before) = before.disks.get(name).copied().or(none) else { continue };
            let disk = reports.disk(name, 0);
            match totals.growth(&before, length_ns as f64 / NS_PER_S as f64, Width::Bits32) {
                Some(amounts) => reports.add(disk, amounts),
                None => resets += 1,
            }
        }
    }
    if resets > 0 {
        reports.notes.push(format!(
            "totals started anew {resets} times (a reboot, or a disk that went away); those intervals were left out"
        ));
    }
    if still > 0 {
        reports.notes.push(format!(
            "the clock stood still or stepped back {still} times; those intervals were left out"
        ));
    }
    reports.finish(&[lines.input()], options)
}
