//! Where the records of a trace come from: block events that are matched, or requests as the log has them.

use crate::decompress::Input;
use crate::error::TraceError;
use crate::event::BlockEvent;
use crate::merge::Merge;
use crate::options::{DeviceNumber, Event, Options};
use crate::pair::Pair;
use crate::processes::Processes;
use crate::stream::{Decode, Stream, Timed};
use crate::summary::{DeviceSummary, FileSummary, Summary, Tally};
use drivecast_block::{Nanos, Record};

/// The most records in a batch.
pub const BATCH_RECORDS: usize = 65_536;

/// A source of records in order of time.
pub(crate) trait Rows: Send {
    /// Adds records until `batch` has [`BATCH_RECORDS`]; none added means the end.
    fn fill(&mut self, batch: &mut Vec<Record>) -> Result<(), TraceError>;

    /// Adds what has been seen so far.
    fn describe(&self, summary: &mut Summary);

    /// What the files lack or what had to be skipped, once all has been read.
    fn losses(&self) -> Vec<String>;

    /// The summary that a Parquet file carries.
    fn stored(&self) -> Option<&Summary> {
        None
    }
}

/// Block events, merged over the files, then matched.
pub(crate) struct BlockRows<D: Decode> {
    merge: Merge<D>,
    pair: Pair,
    event: Event,
    device: Option<DeviceNumber>,
    ended: bool,
}

impl<D: Decode<Item = BlockEvent> + Send> Rows for BlockRows<D> {
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

    fn losses(&self) -> Vec<String> {
        losses(&self.merge)
    }
}

impl<D: Decode<Item = BlockEvent> + Send + 'static> BlockRows<D> {
    /// Opens files of block events, the `usual` ones as rows where the caller does not choose.
    pub(crate) fn open(
        inputs: Vec<Input>,
        options: &Options,
        usual: Event,
        decoder: impl Fn(&str, &[u8]) -> Result<D, TraceError>,
    ) -> Result<Box<dyn Rows>, TraceError> {
        let (event, device) = (options.event.unwrap_or(usual), options.device()?);
        let pair = Pair::new(event, device.map(DeviceNumber::raw));
        Ok(Box::new(BlockRows { merge: Merge::of(inputs, decoder)?, pair, event, device, ended: false }))
    }
}

impl<D: Decode<Item = BlockEvent>> BlockRows<D> {
    fn end(&mut self) -> Result<(), TraceError> {
        self.pair.end();
        self.ended = true;
        let Some(requested) = self.device else { return Ok(()) };
        let devices: Vec<_> =
            self.pair.devices().iter().map(|(raw, _)| DeviceNumber::from_raw(*raw)).collect();
        if devices.contains(&requested) {
            return Ok(());
        }
        let list: Vec<_> = devices.iter().map(DeviceNumber::to_string).collect();
        Err(TraceError::Absent {
            file: self.file(),
            requested: format!("events of device {requested}"),
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

    /// What is known only of the whole trace.
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

/// Formats whose records are requests already.
pub(crate) struct RequestRows<D: Decode> {
    merge: Merge<D>,
    only: Option<u32>,
    start: Option<u64>,
    tally: Tally,
    streams: Vec<u32>,
}

impl<D: Decode<Item = Record> + Send + 'static> RequestRows<D> {
    /// Opens files of requests: of all streams, or of the only one that the caller wants.
    pub(crate) fn open(
        inputs: Vec<Input>,
        options: &Options,
        decoder: impl Fn(&str, &[u8]) -> Result<D, TraceError>,
    ) -> Result<Box<dyn Rows>, TraceError> {
        Ok(Box::new(RequestRows {
            merge: Merge::of(inputs, decoder)?,
            only: options.stream()?,
            start: None,
            tally: Tally::new("request"),
            streams: Vec::new(),
        }))
    }
}

impl<D: Decode<Item = Record>> RequestRows<D> {
    /// The stream that was requested is not there.
    #[cold]
    fn absent(&self, requested: u32) -> TraceError {
        let list: Vec<_> = self.streams.iter().map(u32::to_string).collect();
        let first = self.merge.streams().first();
        TraceError::Absent {
            file: first.map(|stream| stream.input.name.clone()).unwrap_or_default(),
            requested: format!("requests of disk {requested}"),
            hint: format!("it has requests of {}", list.join(", ")),
        }
    }
}

impl<D: Decode<Item = Record> + Send> Rows for RequestRows<D> {
    fn fill(&mut self, batch: &mut Vec<Record>) -> Result<(), TraceError> {
        while batch.len() < BATCH_RECORDS {
            let Some(run) = self.merge.run(BATCH_RECORDS - batch.len())? else {
                return match self.only {
                    Some(requested) if self.tally.events == 0 => Err(self.absent(requested)),
                    _ => Ok(()),
                };
            };
            let start = *self.start.get_or_insert(run.first().map_or(0, |first| first.time.0));
            for record in run {
                if self.streams.last() != Some(&record.stream) && !self.streams.contains(&record.stream) {
                    // More than a few disks in one log: how many no longer matters.
                    self.streams.truncate(STREAMS_MAX);
                    self.streams.push(record.stream);
                }
                if self.only.is_none_or(|only| only == record.stream) {
                    self.tally.add(record.op, record.size);
                    batch.push(Record { time: Nanos(record.time.0 - start), ..*record });
                }
            }
        }
        Ok(())
    }

    fn describe(&self, summary: &mut Summary) {
        describe_files(&self.merge, summary);
        summary.tallies = vec![self.tally.clone()];
        if self.streams.len() > 1 && self.only.is_none() {
            summary.notes.push(
                "several disks share this trace (see `stream`): their addresses mix; `--disk` chooses one"
                    .to_owned(),
            );
        }
    }

    fn losses(&self) -> Vec<String> {
        losses(&self.merge)
    }
}

/// Disks of a trace that are remembered.
const STREAMS_MAX: usize = 16;

/// What the files lack, and what they have twice.
fn losses<D: Decode>(merge: &Merge<D>) -> Vec<String> {
    let streams = merge.streams();
    let files: Vec<FileSummary> = streams.iter().map(|stream| stream.input.describe()).collect();
    streams.iter().flat_map(Stream::losses).chain(twins(&files)).collect()
}

fn describe_files<D: Decode>(merge: &Merge<D>, summary: &mut Summary) {
    let streams = merge.streams();
    summary.files = streams.iter().map(|stream| stream.input.describe()).collect();
    summary.hash = hash_of(streams.iter().map(|stream| stream.input.hash()));
    if summary.complete {
        summary.processes = Processes::merged(streams.iter().filter_map(Stream::processes));
        summary.notes.extend(streams.iter().flat_map(|stream| [stream.notes(), stream.losses()]).flatten());
        summary.notes.extend(twins(&summary.files));
    }
}

/// Files that hold the same: given twice, their requests count twice.
fn twins(files: &[FileSummary]) -> Option<String> {
    let twin = |(at, file): (usize, &FileSummary)| {
        let first = files[..at].iter().find(|other| file.bytes > 0 && other.hash == file.hash)?;
        Some(format!("{} and {} have the same content: their requests count twice", first.name, file.name))
    };
    files.iter().enumerate().find_map(twin)
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

impl Timed for Record {
    #[inline(always)]
    fn time(&self) -> u64 {
        self.time.0
    }

    fn set_time(&mut self, time: u64) {
        self.time = Nanos(time);
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.size == 0 && self.op != drivecast_block::Op::Flush
    }

    #[inline(always)]
    fn fault(&self) -> Option<&'static str> {
        self.offset.checked_add(u64::from(self.size)).is_none().then_some("an end below 2^64 bytes")
    }
}
