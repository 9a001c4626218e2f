//! A trace that is being read.

use crate::decompress::Input;
use crate::error::TraceError;
use crate::format::blktrace::Blktrace;
use crate::format::{msr::Msr, vscsi::Vscsi};
use crate::merge::Merge;
use crate::options::{DeviceNumber, Event};
use crate::pair::Pair;
use crate::parquet::ParquetRows;
use crate::stream::{Decode, Stream};
use crate::summary::{DeviceSummary, FileSummary, Format, SUMMARY_SCHEMA_VERSION, Summary, Tally};
use drivecast_block::{Nanos, Record};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The most records that [`Trace::fill`] gives at once.
pub const BATCH_RECORDS: usize = 65_536;

/// A trace: records in order of time, pulled in batches, in constant memory.
pub struct Trace {
    rows: Rows,
    read: Arc<AtomicU64>,
    total_bytes: u64,
    notes: Vec<String>,
    counted: Counted,
}

/// Where the records come from.
pub(crate) enum Rows {
    Blktrace(Box<BlockRows>),
    Vscsi(RequestRows<Vscsi>),
    Msr(RequestRows<Msr>),
    Parquet(Box<ParquetRows>),
}

/// blktrace: events merged over the CPUs, then matched.
pub(crate) struct BlockRows {
    pub(crate) merge: Merge<Blktrace>,
    pub(crate) pair: Pair,
    pub(crate) event: Event,
    pub(crate) device: Option<DeviceNumber>,
    pub(crate) ended: bool,
}

/// Formats whose records are requests already.
pub(crate) struct RequestRows<D: Decode> {
    pub(crate) merge: Merge<D>,
    pub(crate) start: Option<u64>,
    pub(crate) tally: Tally,
    pub(crate) streams: Vec<u32>,
}

/// What was given out so far.
#[derive(Default)]
struct Counted {
    rows: u64,
    with_latency: u64,
    duration_ns: u64,
    complete: bool,
}

/// How far the reading of a log is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bytes of the files read, before decompression.
    pub bytes: u64,
    /// Bytes of the files, before decompression.
    pub total_bytes: u64,
    /// Rows given out.
    pub rows: u64,
}

impl Trace {
    pub(crate) fn new(rows: Rows, read: Arc<AtomicU64>, total_bytes: u64, notes: Vec<String>) -> Trace {
        Trace { rows, read, total_bytes, notes, counted: Counted::default() }
    }

    /// Clears `batch` and fills it with up to [`BATCH_RECORDS`] records in order of time; false at the end.
    ///
    /// # Errors
    /// The next record cannot be read or is not what the format asks for.
    pub fn fill(&mut self, batch: &mut Vec<Record>) -> Result<bool, TraceError> {
        batch.clear();
        match &mut self.rows {
            Rows::Blktrace(rows) => rows.fill(batch)?,
            Rows::Vscsi(rows) => rows.fill(batch)?,
            Rows::Msr(rows) => rows.fill(batch)?,
            Rows::Parquet(rows) => rows.fill(batch)?,
        }
        self.counted.rows += batch.len() as u64;
        self.counted.with_latency += batch.iter().filter(|record| record.latency.is_some()).count() as u64;
        match batch.last() {
            Some(last) => self.counted.duration_ns = last.time.0,
            None => self.counted.complete = true,
        }
        Ok(!batch.is_empty())
    }

    /// What has been seen so far; complete once [`Trace::fill`] gave false. Of Parquet: what was written into it.
    #[must_use]
    pub fn summary(&self) -> Summary {
        if let Rows::Parquet(rows) = &self.rows
            && let Some(summary) = rows.stored()
        {
            return summary.clone();
        }
        let mut summary = Summary {
            schema_version: SUMMARY_SCHEMA_VERSION,
            format: self.format(),
            files: Vec::new(),
            hash: String::new(),
            event: None,
            rows: self.counted.rows,
            rows_with_latency: self.counted.with_latency,
            duration_ns: self.counted.duration_ns,
            tallies: Vec::new(),
            devices: Vec::new(),
            notes: self.notes.clone(),
            complete: self.counted.complete,
        };
        match &self.rows {
            Rows::Blktrace(rows) => rows.describe(&mut summary),
            Rows::Vscsi(rows) => rows.describe(&mut summary),
            Rows::Msr(rows) => rows.describe(&mut summary),
            Rows::Parquet(rows) => rows.describe(&mut summary),
        }
        summary
    }

    /// The format of the files.
    #[must_use]
    pub fn format(&self) -> Format {
        match &self.rows {
            Rows::Blktrace(_) => Format::Blktrace,
            Rows::Vscsi(_) => Format::Vscsi,
            Rows::Msr(_) => Format::Msr,
            Rows::Parquet(_) => Format::Parquet,
        }
    }

    /// How far the reading is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let bytes = self.read.load(Ordering::Relaxed);
        Progress { bytes, total_bytes: self.total_bytes, rows: self.counted.rows }
    }
}

impl BlockRows {
    fn fill(&mut self, batch: &mut Vec<Record>) -> Result<(), TraceError> {
        loop {
            self.pair.drain(batch, BATCH_RECORDS);
            if batch.len() == BATCH_RECORDS || self.ended {
                return Ok(());
            }
            match self.merge.run(usize::MAX)? {
                Some(run) => {
                    if !run.iter().all(|event| self.pair.push(event)) {
                        return Err(self.too_many_devices());
                    }
                }
                None => self.end()?,
            }
        }
    }

    fn end(&mut self) -> Result<(), TraceError> {
        self.pair.end();
        self.ended = true;
        let Some(asked) = self.device else { return Ok(()) };
        let devices: Vec<_> =
            self.pair.devices().iter().map(|(raw, _)| DeviceNumber::from_raw(*raw)).collect();
        if devices.contains(&asked) {
            return Ok(());
        }
        let list: Vec<_> = devices.iter().map(DeviceNumber::to_string).collect();
        Err(TraceError::Absent {
            file: self.file(),
            asked: format!("events of device {asked}"),
            hint: format!(
                "it has events of {}",
                if list.is_empty() { "none".to_owned() } else { list.join(", ") }
            ),
        })
    }

    #[cold]
    fn too_many_devices(&self) -> TraceError {
        TraceError::Set {
            path: self.file(),
            expected: "a trace of at most 512 devices".to_owned(),
            found: "more".to_owned(),
            hint: "the file is damaged, or the trace must be taken of fewer devices".to_owned(),
        }
    }

    fn file(&self) -> String {
        self.merge.streams().first().map(|stream| stream.input.name.clone()).unwrap_or_default()
    }

    fn describe(&self, summary: &mut Summary) {
        describe_files(&self.merge, summary);
        summary.event = Some(self.event);
        summary.tallies = self.pair.tallies.to_vec();
        summary.devices = self
            .pair
            .devices()
            .iter()
            .map(|(raw, events)| DeviceSummary {
                device: DeviceNumber::from_raw(*raw).to_string(),
                events: *events,
            })
            .collect();
        if summary.complete {
            self.remark(summary);
        }
    }

    /// What only the whole trace can tell.
    fn remark(&self, summary: &mut Summary) {
        let counts = self.pair.counts;
        let mut note = |text: String| summary.notes.push(text);
        if summary.devices.len() > 1 && self.device.is_none() {
            let list: Vec<_> =
                summary.devices.iter().map(|d| format!("{} ({} events)", d.device, d.events)).collect();
            note(format!(
                "several devices share this trace: {}; choose one, or their addresses mix",
                list.join(", ")
            ));
        }
        let [queue, issue, complete] = &self.pair.tallies;
        let (chosen, other) = if self.event == Event::Queue { (queue, issue) } else { (issue, queue) };
        if chosen.events == 0 && other.events > 0 {
            note(format!(
                "no {} events were recorded, but {} {} events; choose the event `{}`",
                chosen.event, other.events, other.event, other.event
            ));
        }
        if complete.events == 0 && chosen.events > 0 {
            note("no completions were recorded: latency and queue depth are unknown".to_owned());
        } else if summary.rows > summary.rows_with_latency {
            let without = summary.rows - summary.rows_with_latency;
            note(format!(
                "{without} of {} rows have no completion in the trace, and so no latency",
                summary.rows
            ));
        }
        if counts.unmatched > 0 {
            note(format!("{} completions belong to no request in the trace", counts.unmatched));
        }
        if counts.failed > 0 {
            note(format!("{} completions report an error", counts.failed));
        }
        if counts.empty > 0 {
            note(format!("{} requests of no bytes that are no flush were left out", counts.empty));
        }
    }
}

impl<D: Decode<Item = Record>> RequestRows<D> {
    pub(crate) fn new(merge: Merge<D>) -> RequestRows<D> {
        RequestRows { merge, start: None, tally: Tally::new("request"), streams: Vec::new() }
    }

    fn fill(&mut self, batch: &mut Vec<Record>) -> Result<(), TraceError> {
        while batch.len() < BATCH_RECORDS {
            let Some(run) = self.merge.run(BATCH_RECORDS - batch.len())? else { break };
            let start = *self.start.get_or_insert(run.first().map_or(0, |first| first.time.0));
            for record in run {
                self.tally.add(record.op, record.size);
                if self.streams.last() != Some(&record.stream) && !self.streams.contains(&record.stream) {
                    // More than a few disks in one log: how many no longer matters.
                    self.streams.truncate(STREAMS_MAX);
                    self.streams.push(record.stream);
                }
                batch.push(Record { time: Nanos(record.time.0 - start), ..*record });
            }
        }
        Ok(())
    }

    fn describe(&self, summary: &mut Summary) {
        describe_files(&self.merge, summary);
        summary.tallies = vec![self.tally.clone()];
        if self.streams.len() > 1 {
            summary
                .notes
                .push("several disks share this trace (see `stream`): their addresses mix".to_owned());
        }
    }
}

/// Disks of a trace that are remembered.
const STREAMS_MAX: usize = 16;

fn describe_files<D: Decode>(merge: &Merge<D>, summary: &mut Summary) {
    let streams = merge.streams();
    summary.files = streams.iter().map(|stream| describe_file(&stream.input)).collect();
    summary.hash = hash_of(streams.iter().map(|stream| stream.input.hash()));
    if summary.complete {
        summary.notes.extend(streams.iter().flat_map(Stream::notes));
    }
}

pub(crate) fn describe_file(input: &Input) -> FileSummary {
    FileSummary { name: input.base_name.clone(), bytes: input.bytes(), hash: input.hash().to_string() }
}

/// One hash for a list of files.
fn hash_of(hashes: impl ExactSizeIterator<Item = blake3::Hash> + Clone) -> String {
    match hashes.len() {
        1 => hashes.map(|hash| hash.to_string()).collect(),
        _ => {
            let mut hasher = blake3::Hasher::new();
            hashes.for_each(|hash| {
                hasher.update(hash.as_bytes());
            });
            hasher.finalize().to_string()
        }
    }
}
