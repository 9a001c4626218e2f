//! Text of `biosnoop` (bcc, libbpf-tools, bpftrace): a completed request a line, under a header that names the columns.
//!
//! ```text
//! TIME(s)     COMM           PID    DISK      T SECTOR     BYTES  LAT(ms)
//! 0.000004    supervise      1950   xvda1     W 13092560   4096      0.74
//! ```
//!
//! The time is that of completion, so the request was issued `LAT` before; `QUE(ms)`, the wait before that, is left out.
//! `DISK` is the disk: addresses of several overlap, so that each has totals of its own, and the caller may want one.
//! A command may have blanks in its name: columns before it count from the left, those behind it from the right. The
//! plain `biosnoop.bt` of bpftrace prints neither sector nor size: there is no workload in it, and it is refused.

use crate::decompress::Input;
use crate::description::{Content, Description, Evidence, Head, Reading, Verdict};
use crate::error::TraceError;
use crate::event::SECTOR_BYTES;
use crate::field::Cursor;
use crate::lines::{Fault, Lines, ReadLine, probe};
use crate::options::Options;
use crate::processes::Processes;
use crate::rows::{RequestRows, Rows};
use crate::stream::DiskTally;
use drivecast_block::{Nanos, Op, Record};

pub(crate) static FORMAT: Description = Description {
    name: "biosnoop",
    title: "biosnoop text",
    detected_by: "a header line with `TIME`, `COMM`, `LAT` and `SECTOR`",
    content: Content::Requests {
        row: "a line: a completed request, issued its latency before",
        stream: "process id",
        latency: "`LAT`: from issue to completion",
    },
    sample: "TIME(s)     COMM           PID    DISK      T SECTOR     BYTES  LAT(ms)\n0.000004    supervise      1950   xvda1     W 13092560   4096      0.74\n0.000178    my job         1951   xvda1     R 13092432   8192      0.61\n",
    evidence: Evidence::Lines,
    fits,
    reading: Reading::Text(open),
};

/// Disks of which a trace has totals.
const DISKS_MAX: usize = 63;

/// A column of the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Time(u64),
    Command,
    Pid,
    Op,
    Sector,
    Size(u64),
    Latency(u64),
    Disk,
    Other,
}

fn column(name: &[u8]) -> Column {
    match name {
        b"TIME(s)" => Column::Time(1_000_000_000),
        b"TIME(ms)" => Column::Time(1_000_000),
        b"COMM" | b"PROCESS" => Column::Command,
        b"PID" | b"TID" => Column::Pid,
        b"DISK" | b"DEV" => Column::Disk,
        b"T" | b"TYPE" | b"RWBS" => Column::Op,
        b"SECTOR" => Column::Sector,
        b"BYTES" => Column::Size(1),
        b"SIZE(kb)" | b"SIZE(KB)" => Column::Size(1024),
        b"LAT(ms)" => Column::Latency(1_000_000),
        b"LAT(us)" => Column::Latency(1_000),
        _ => Column::Other,
    }
}

/// The columns of a header; `None` for a line that is none.
fn columns(line: &[u8]) -> Option<Vec<Column>> {
    let columns: Vec<_> =
        line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).map(column).collect();
    let has = |test: fn(&Column) -> bool| columns.iter().any(test);
    (has(|c| matches!(c, Column::Time(_)))
        && has(|c| *c == Column::Command)
        && has(|c| matches!(c, Column::Latency(_))))
    .then_some(columns)
}

fn fits(head: &Head<'_>) -> Verdict {
    let Some(columns) = head.lines.iter().find_map(|line| columns(line)) else { return Verdict::No };
    let has = |test: fn(&Column) -> bool| columns.iter().any(test);
    if has(|c| *c == Column::Sector) && has(|c| matches!(c, Column::Size(_))) && has(|c| *c == Column::Op) {
        return Verdict::Yes;
    }
    Verdict::Ambiguous {
        doubt: "this text of biosnoop names neither sector nor size, so there is no workload in it".into(),
        hint: "record with the biosnoop of bcc or libbpf-tools, or with `drivecast capture --trace`",
    }
}

fn open(inputs: Vec<Input>, options: &Options) -> Result<Box<dyn Rows>, TraceError> {
    // The disk is no stream: it is chosen here.
    let wanted = options.disk.clone();
    RequestRows::open(inputs, options, |file, head| {
        let header = probe(head).find_map(|line| columns(line).map(|columns| (columns, line.to_vec())));
        let (columns, header) = header.ok_or_else(|| TraceError::Set {
            path: file.to_owned(),
            expected: "a header line `TIME(s) COMM PID DISK T SECTOR BYTES LAT(ms)`".to_owned(),
            found: "none".to_owned(),
            hint: "keep the first line that biosnoop prints".to_owned(),
        })?;
        Ok(Lines::new(Biosnoop::new(columns, wanted.clone()), Some(header), options.strict))
    })
}

/// Reader of the lines.
struct Biosnoop {
    before: Vec<Column>,
    behind: Vec<Column>,
    processes: Processes,
    wanted: Option<String>,
    disks: Vec<DiskTally>,
}

impl Biosnoop {
    fn new(columns: Vec<Column>, wanted: Option<String>) -> Biosnoop {
        let at = columns.iter().position(|column| *column == Column::Command).unwrap_or(0);
        let (before, behind) = (columns[..at].to_vec(), columns[at + 1..].iter().rev().copied().collect());
        Biosnoop { before, behind, processes: Processes::default(), wanted, disks: Vec::new() }
    }

    /// Counts a request to a disk; whether it is the one that is wanted.
    fn counts(&mut self, disk: &[u8], bytes: u32) -> bool {
        let known = self.disks.iter().position(|known| known.name.as_bytes() == disk);
        let at = known.unwrap_or_else(|| {
            // More than a few disks in one log: how many no longer matters.
            self.disks.truncate(DISKS_MAX);
            self.disks
                .push(DiskTally { name: String::from_utf8_lossy(disk).into_owned(), ..DiskTally::default() });
            self.disks.len() - 1
        });
        self.disks[at].requests += 1;
        self.disks[at].bytes += u64::from(bytes);
        self.wanted.as_ref().is_none_or(|wanted| wanted.as_bytes() == disk)
    }
}

/// The fields of a line.
#[derive(Default)]
struct Fields<'a> {
    time: u64,
    latency: u64,
    pid: u64,
    sector: u64,
    size: u64,
    op: Option<Op>,
    disk: &'a [u8],
}

impl<'a> Fields<'a> {
    fn take(&mut self, column: Column, word: &'a [u8]) -> Result<(), Fault> {
        let mut cursor = Cursor::new(word);
        match column {
            Column::Time(unit) => self.time = cursor.scaled(unit).ok_or(Fault("a time"))?,
            Column::Latency(unit) => self.latency = cursor.scaled(unit).ok_or(Fault("a latency"))?,
            Column::Pid => self.pid = cursor.integer().ok_or(Fault("a process id"))?,
            Column::Sector => self.sector = cursor.integer().ok_or(Fault("a sector"))?,
            Column::Size(unit) => self.size = cursor.scaled(unit).ok_or(Fault("a size"))?,
            Column::Op => {
                self.op =
                    super::rwbs::action(word).map(|action| if action.none { Op::Flush } else { action.op })
            }
            Column::Disk => {
                self.disk = word;
                return Ok(());
            }
            Column::Command | Column::Other => return Ok(()),
        }
        if cursor.rest.is_empty() || column == Column::Op {
            Ok(())
        } else {
            Err(Fault("a number in each column"))
        }
    }
}

impl ReadLine for Biosnoop {
    type Item = Record;

    fn read(&mut self, line: &[u8]) -> Result<Option<Record>, Fault> {
        let mut fields = Fields::default();
        let mut cursor = Cursor::new(line);
        for &column in &self.before {
            fields.take(column, cursor.word())?;
        }
        let mut rest = cursor.rest.trim_ascii_end();
        for &column in &self.behind {
            let at = rest.iter().rposition(u8::is_ascii_whitespace).ok_or(Fault("a further column"))?;
            fields.take(column, &rest[at + 1..])?;
            rest = rest[..at].trim_ascii_end();
        }
        let op = fields.op.ok_or(Fault("`R` or `W`"))?;
        let size = u32::try_from(fields.size).map_err(|_| Fault("a size below 4 GiB"))?;
        if !self.counts(fields.disk, size) {
            return Ok(None);
        }
        self.processes.see(fields.pid as u32, rest);
        Ok(Some(Record {
            time: Nanos(fields.time.saturating_sub(fields.latency)),
            offset: fields.sector.checked_mul(SECTOR_BYTES).ok_or(Fault("a sector below 2^55"))?,
            size: if op == Op::Flush { 0 } else { size },
            stream: fields.pid as u32,
            op,
            latency: Some(Nanos(fields.latency)),
            fua: false,
        }))
    }

    fn fields(&self) -> &str {
        "TIME COMM PID DISK T SECTOR BYTES LAT"
    }

    fn disks(&self) -> Vec<DiskTally> {
        self.disks.clone()
    }

    fn processes(&self) -> Option<&Processes> {
        Some(&self.processes)
    }
}
