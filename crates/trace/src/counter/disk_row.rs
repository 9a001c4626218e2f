//! One disk in one table of sysstat's, put together by the names of the columns: iostat's text and sar's have the same.
//!
//! Units: kB and MB are KiB and MiB; `sec`, `Blk` and the suffix `s` are 512 bytes. Where a table has only transfers,
//! requests are merged (see [`crate::report::reports`]); [`super::sysstat`] explains how flushes are separated from writes.

use crate::report::disk_report::DiskReport;
use crate::report::text::number;
use crate::summary::Merged;

const KIB: f64 = 1024.0;
const NS_PER_MS: f64 = 1e6;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Name,
    Reads,
    Writes,
    Flushes,
    Transfers,
    ReadBytes {
        unit: u32,
    },
    WrittenBytes {
        unit: u32,
    },
    ReadsMerged,
    WritesMerged,
    /// Bytes of the whole interval.
    Sum {
        unit: u32,
    },
    ReadMs,
    WriteMs,
    FlushMs,
    Ms,
    Depth,
    /// What waits before the device, which its depth and time leave out (Solaris).
    Waiting,
    WaitingMs,
    Utilization,
    /// Of all requests: the mean size in bytes, and how many of a hundred are reads.
    Size,
    ReadPercent,
    Other,
}

impl Column {
    /// What a heading names; the name of the disk is known by its place.
    pub(super) fn of(heading: &str) -> Column {
        const KIB: u32 = 1 << 10;
        const MIB: u32 = 1 << 20;
        match heading {
            "r/s" => Column::Reads,
            "w/s" => Column::Writes,
            "f/s" => Column::Flushes,
            "tps" => Column::Transfers,
            "rsec/s" | "rd_sec/s" | "Blk_read/s" => Column::ReadBytes { unit: 512 },
            "rkB/s" | "kB_read/s" | "kr/s" => Column::ReadBytes { unit: KIB },
            "rMB/s" | "MB_read/s" | "Mr/s" => Column::ReadBytes { unit: MIB },
            "wsec/s" | "wr_sec/s" | "Blk_wrtn/s" => Column::WrittenBytes { unit: 512 },
            "wkB/s" | "kB_wrtn/s" | "kw/s" => Column::WrittenBytes { unit: KIB },
            "wMB/s" | "MB_wrtn/s" | "Mw/s" => Column::WrittenBytes { unit: MIB },
            "rrqm/s" => Column::ReadsMerged,
            "wrqm/s" => Column::WritesMerged,
            "Blk_read" | "Blk_wrtn" => Column::Sum { unit: 512 },
            "kB_read" | "kB_wrtn" => Column::Sum { unit: KIB },
            "MB_read" | "MB_wrtn" => Column::Sum { unit: MIB },
            "r_await" | "ms/r" => Column::ReadMs,
            "w_await" | "ms/w" => Column::WriteMs,
            "f_await" => Column::FlushMs,
            "await" | "ms/t" | "svc_t" | "asvc_t" => Column::Ms,
            "wsvc_t" => Column::WaitingMs,
            "aqu-sz" | "avgqu-sz" | "actv" => Column::Depth,
            "wait" => Column::Waiting,
            "%util" | "%b" => Column::Utilization,
            _ => Column::Other,
        }
    }

    /// Bytes in a unit of the column, where it has bytes; else 1.
    pub(super) fn unit(self) -> f64 {
        match self {
            Column::ReadBytes { unit } | Column::WrittenBytes { unit } | Column::Sum { unit } => {
                f64::from(unit)
            }
            _ => 1.0,
        }
    }
}

/// A value with the unit that `--human` puts behind it, in units of the column.
pub(super) fn value(word: &str, column: Column) -> Option<f64> {
    let (digits, suffix) = match word.char_indices().next_back()? {
        (at, letter) if letter.is_ascii_alphabetic() || letter == '%' => (&word[..at], Some(letter)),
        _ => (word, None),
    };
    let plain = number(digits)?;
    Some(match suffix {
        None | Some('%') => plain * column.unit(),
        Some('s') => plain * 512.0,
        Some('B') => plain,
        Some('k') => plain * KIB,
        Some('M') => plain * KIB * KIB,
        Some('G') => plain * KIB * KIB * KIB,
        Some('T') => plain * KIB * KIB * KIB * KIB,
        Some(_) => return None,
    })
}

/// One disk, put together from the tables of a report.
#[derive(Clone, Default)]
pub(super) struct DiskRow {
    pub(super) name: String,
    reads: Option<f64>,
    writes: Option<f64>,
    flushes: Option<f64>,
    transfers: Option<f64>,
    read_bytes: Option<f64>,
    written_bytes: Option<f64>,
    reads_merged: Option<f64>,
    writes_merged: Option<f64>,
    read_ms: Option<f64>,
    write_ms: Option<f64>,
    flush_ms: Option<f64>,
    ms: Option<f64>,
    depth: Option<f64>,
    waiting: Option<f64>,
    waiting_ms: Option<f64>,
    size: Option<f64>,
    read_percent: Option<f64>,
    utilization_percent: Option<f64>,
    sum: Option<f64>,
}

impl DiskRow {
    /// A disk of which nothing is known yet.
    pub(super) fn of(name: &str) -> DiskRow {
        DiskRow { name: name.to_owned(), ..DiskRow::default() }
    }

    /// Takes a value.
    pub(super) fn set(&mut self, column: Column, value: f64) {
        let place = match column {
            Column::Reads => &mut self.reads,
            Column::Writes => &mut self.writes,
            Column::Flushes => &mut self.flushes,
            Column::Transfers => &mut self.transfers,
            Column::ReadBytes { .. } => &mut self.read_bytes,
            Column::WrittenBytes { .. } => &mut self.written_bytes,
            Column::ReadsMerged => &mut self.reads_merged,
            Column::WritesMerged => &mut self.writes_merged,
            Column::ReadMs => &mut self.read_ms,
            Column::WriteMs => &mut self.write_ms,
            Column::FlushMs => &mut self.flush_ms,
            Column::Ms => &mut self.ms,
            Column::Depth => &mut self.depth,
            Column::Waiting => &mut self.waiting,
            Column::WaitingMs => &mut self.waiting_ms,
            Column::Size => &mut self.size,
            Column::ReadPercent => &mut self.read_percent,
            Column::Utilization => &mut self.utilization_percent,
            Column::Sum { .. } => {
                self.sum = Some(self.sum.unwrap_or(0.0) + value);
                return;
            }
            Column::Name | Column::Other => return,
        };
        *place = Some(value);
    }

    /// Bytes of the interval and bytes a second, where a table has both: their ratio is the length of the interval.
    pub(super) fn sums(&self) -> Option<[f64; 2]> {
        Some([self.sum?, self.read_bytes? + self.written_bytes?])
    }

    /// The rates, and what they have together for reads and writes; none where requests or bytes are missing.
    pub(super) fn amounts(&self) -> Option<(DiskReport, Vec<Merged>)> {
        if let (Some(rate), Some(size), Some(percent), None) =
            (self.transfers, self.size, self.read_percent, self.reads)
        {
            let (reads, writes) = (rate * percent / 100.0, rate * (1.0 - percent / 100.0));
            let (read_bytes, written_bytes) = (Some(reads * size), Some(writes * size));
            let (reads, writes) = (Some(reads), Some(writes));
            return DiskRow { reads, writes, read_bytes, written_bytes, ..self.clone() }.amounts();
        }
        let ns = |ms: Option<f64>| ms.map(|ms| ms * NS_PER_MS);
        let plus = |a: Option<f64>, b: Option<f64>| a.map(|a| a + b.unwrap_or(0.0));
        let mut merged = Vec::new();
        if self.ms.is_some() && self.read_ms.is_none() {
            merged.push(Merged::Latency);
        }
        let mut found = DiskReport {
            read_bytes: self.read_bytes?,
            written_bytes: self.written_bytes?,
            reads_merged: self.reads_merged,
            writes_merged: self.writes_merged,
            queue_depth: plus(self.depth, self.waiting),
            read_latency_ns: ns(self.read_ms.or(plus(self.ms, self.waiting_ms))),
            write_latency_ns: ns(self.write_ms.or(plus(self.ms, self.waiting_ms))),
            utilization: self.utilization_percent.map(|percent| percent / 100.0),
            ..DiskReport::default()
        };
        match (self.reads, self.writes, self.transfers) {
            (Some(reads), Some(writes), _) => (found.reads, found.writes) = (reads, writes),
            (_, _, Some(requests)) => {
                merged.push(Merged::Requests);
                found = found.split(requests);
            }
            _ => return None,
        }
        if let Some(flushes) = self.flushes {
            let depth = flushes * self.flush_ms.unwrap_or(0.0) / 1e3;
            found = found.without_flushes(flushes, ns(self.flush_ms), depth);
        }
        Some((found, merged))
    }
}
