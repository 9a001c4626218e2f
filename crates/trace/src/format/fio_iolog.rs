//! fio's I/O log (`--write_iolog`), the file that fio replays (fio(1), "Trace file format"):
//!
//! ```text
//! fio version 2 iolog                     fio version 3 iolog
//! /dev/sdb read 249856 4096               231 /dev/sdb read 249856 4096
//! /dev/sdb wait 5000                      5716 /dev/sdb write 3104768 4096
//! file action [offset length]             time file action [offset length]
//! ```
//!
//! Version 2 has no times but waits of so many microseconds, each from the one before; version 3 has the time since the start. Its
//! unit is not documented: fio 3.33 writes microseconds, measured on a run of known rate. `sync` and `datasync` are
//! flushes; files are numbered in order of appearance. A log without its first line, as a part of one has none, is known by
//! where an action of fio comes in every line: second in version 2, third and behind a whole number in version 3.

use super::columns::INTERVAL_NS;
use crate::decompress::Input;
use crate::description::{Content, Description, Evidence, Reading, Verdict};
use crate::error::TraceError;
use crate::field::{Cursor, Names};
use crate::lines::{Fault, Lines, ReadLine};
use crate::options::Options;
use crate::rows::{RequestRows, Rows};
use drivecast_block::{Nanos, Op, Record};

pub(crate) static FORMAT: Description = Description {
    name: "fio-iolog",
    title: "fio I/O log, versions 2 and 3",
    detected_by: "the first line, `fio version 2 iolog` or `fio version 3 iolog`; else lines of `[time] file action offset length`",
    content: Content::Requests {
        row: "a read, write, trim or sync",
        stream: "file, numbered in order of appearance",
        latency: "none",
    },
    sample: "fio version 3 iolog\n23 ./f add\n227 ./f open\n231 ./f read 249856 4096\n5716 ./f write 3104768 4096\n9000 ./f close\n",
    evidence: Evidence::Lines,
    fits: |head| Verdict::from(version(head.bytes).or_else(|| by_lines(head.bytes)).is_some()),
    reading: Reading::Text(open),
};

const NS_PER_US: u64 = 1_000;

/// The version that the first line gives.
fn version(head: &[u8]) -> Option<u8> {
    match head.strip_prefix(b"fio version ")?.split_first()? {
        (b'2', rest) if rest.starts_with(b" iolog") => Some(2),
        (b'3', rest) if rest.starts_with(b" iolog") => Some(3),
        _ => None,
    }
}

/// What fio does to a file, and how many numbers follow.
const ACTIONS: [(&[u8], usize); 10] = [
    (b"read", 2),
    (b"write", 2),
    (b"trim", 2),
    (b"sync", 0),
    (b"datasync", 0),
    (b"sync_file_range", 0),
    (b"add", 0),
    (b"open", 0),
    (b"close", 0),
    (b"wait", 1),
];
/// Lines that are examined where there is no first line, and the fewest that decide.
const LINES_MAX: usize = 64;
const LINES_MIN: usize = 2;

/// The version that lines without a first one are in, if all are in one.
fn by_lines(head: &[u8]) -> Option<u8> {
    let whole = &head[..head.iter().rposition(|&byte| byte == b'\n')?];
    let lines: Vec<&[u8]> = whole.split(|&byte| byte == b'\n').take(LINES_MAX).collect();
    let first = line_version(lines.first()?)?;
    let are_alike = lines.iter().all(|line| line_version(line) == Some(first));
    (lines.len() >= LINES_MIN && are_alike).then_some(first)
}

/// The version that a line is in.
fn line_version(line: &[u8]) -> Option<u8> {
    let words: Vec<&[u8]> = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    let is_number = |word: &&[u8]| word.iter().all(u8::is_ascii_digit);
    let acts = |at: usize| {
        let rest = words.get(at + 1..)?;
        let (_, numbers) = ACTIONS.iter().find(|(name, _)| words.get(at) == Some(name))?;
        (rest.len() >= *numbers && rest.iter().all(is_number)).then_some(())
    };
    match (acts(1), acts(2)) {
        (Some(()), _) => Some(2),
        (None, Some(())) if is_number(&words[0]) => Some(3),
        _ => None,
    }
}

fn open(inputs: Vec<Input>, options: &Options) -> Result<Box<dyn Rows>, TraceError> {
    let given = options.interval;
    let files = Names::default();
    RequestRows::open(inputs, options, |_, head| {
        let waits = memchr::memmem::find(head, b" wait ").is_some();
        let timing = match version(head).or_else(|| by_lines(head)) {
            Some(2) if waits => Timing::Waits,
            Some(2) => Timing::Every(given.map_or(INTERVAL_NS, |given| given.0)),
            _ => Timing::Stamps,
        };
        let (given, headed) = (given.is_some(), version(head).is_some());
        let reader = Iolog { timing, given, headed, clock: 0, files: files.clone(), begun: false };
        Ok(Lines::new(reader, None, options.strict))
    })
}

/// Where the time of a request comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Timing {
    Stamps,
    Waits,
    Every(u64),
}

/// Reader of the lines.
struct Iolog {
    timing: Timing,
    given: bool,
    headed: bool,
    clock: u64,
    files: Names,
    begun: bool,
}

impl ReadLine for Iolog {
    type Item = Record;

    fn read(&mut self, line: &[u8]) -> Result<Option<Record>, Fault> {
        if !std::mem::replace(&mut self.begun, true) && version(line).is_some() {
            return Ok(None);
        }
        let mut cursor = Cursor::new(line);
        if self.timing == Timing::Stamps {
            cursor.skip_blanks();
            let time_us = cursor.integer().ok_or(Fault("a time in microseconds"))?;
            self.clock = time_us.checked_mul(NS_PER_US).ok_or(Fault("a time below 2^64 ns"))?;
        }
        let file = cursor.word();
        let action = cursor.word();
        let mut number = || {
            cursor.skip_blanks();
            cursor.integer()
        };
        let op = match action {
            b"read" => Op::Read,
            b"write" => Op::Write,
            b"trim" => Op::Discard,
            b"sync" | b"datasync" | b"sync_file_range" => Op::Flush,
            b"add" | b"open" | b"close" => return Ok(None),
            b"wait" => {
                let wait_us = number().ok_or(Fault("a wait in microseconds"))?;
                self.clock = self.clock.saturating_add(wait_us.saturating_mul(NS_PER_US));
                return Ok(None);
            }
            _ => return Err(Fault("an action of fio")),
        };
        let (offset, size) = match op {
            Op::Flush => (0, 0),
            _ => (number().ok_or(Fault("an offset in bytes"))?, number().ok_or(Fault("a length in bytes"))?),
        };
        let size = u32::try_from(size).map_err(|_| Fault("a length below 4 GiB"))?;
        let time = Nanos(self.clock);
        if let Timing::Every(interval_ns) = self.timing {
            self.clock = self.clock.saturating_add(interval_ns);
        }
        Ok(Some(Record {
            time,
            offset,
            size,
            stream: self.files.number(file).ok_or(Fault("one of at most 4096 files"))?,
            op,
            latency: None,
            fua: false,
        }))
    }

    fn fields(&self) -> &str {
        match self.timing {
            Timing::Stamps => "time file action offset length",
            _ => "file action offset length",
        }
    }

    fn disk_name(&self, stream: u32) -> Option<String> {
        self.files.name(stream)
    }

    fn assumes_times(&self) -> bool {
        matches!(self.timing, Timing::Every(_)) && !self.given
    }

    fn notes(&self) -> Vec<String> {
        let version = if self.timing == Timing::Stamps { 3 } else { 2 };
        let lines = format!(
            "the log has no first line: its lines are those of fio's version {version} (`{}`)",
            self.fields()
        );
        let timing = match self.timing {
            Timing::Every(interval_ns) => {
                let origin = if self.given { "as given" } else { "assumed; `--interval` sets it" };
                vec![format!(
                    "the log has no waits: requests are {} s apart ({origin})",
                    interval_ns as f64 / 1e9
                )]
            }
            Timing::Stamps => vec!["times are taken for microseconds, as fio 3.33 writes them".to_owned()],
            Timing::Waits => Vec::new(),
        };
        [if self.headed { Vec::new() } else { vec![lines] }, timing].concat()
    }
}
