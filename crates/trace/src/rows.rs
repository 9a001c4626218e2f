//! Where the records of a trace come from: block events that are matched, or requests as the log has them.

use crate::decompress::Input;
use crate::error::TraceError;
use crate::event::BlockEvent;
use crate::merge::Merge;
use crate::options::{DeviceNumber, Event, Options};
use crate::pair::Pair;
use crate::processes::Processes;
use crate::stream::{Decode, DiskTally, Stream, Timed};
use crate::summary::{DeviceSummary, DiskSummary, FileSummary, Summary, Tally};
use drivecast_block::{Bytes, Nanos, Record};
use std::collections::BTreeMap;

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
    /// The disk that is wanted, and the streams that are it.
    only: Option<String>,
    found: Vec<u32>,
    start: Option<u64>,
    tally: Tally,
    disks: Disks,
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
            only: options.disk.clone(),
            found: Vec::new(),
            start: None,
            tally: Tally::new("request"),
            disks: Disks::default(),
        }))
    }
}

impl<D: Decode<Item = Record>> RequestRows<D> {
    /// What the log calls the disk of a stream.
    fn name(&self, stream: u32) -> String {
        let named = self.merge.streams().iter().find_map(|file| file.decoder().disk_name(stream));
        named.unwrap_or_else(|| stream.to_string())
    }

    /// Whether the reader of the lines knows disks that are not its streams, and gives only what is wanted.
    fn chooses_itself(&self) -> bool {
        self.merge.streams().iter().any(|file| !file.decoder().disks().is_empty())
    }

    /// The disks, busiest first.
    fn disks(&self) -> Vec<DiskTally> {
        let mut disks: Vec<DiskTally> = Vec::new();
        for disk in self.merge.streams().iter().flat_map(|file| file.decoder().disks()) {
            match disks.iter_mut().find(|known| known.name == disk.name) {
                Some(known) => {
                    known.requests += disk.requests;
                    known.bytes += disk.bytes;
                }
                None => disks.push(disk),
            }
        }
        if disks.is_empty() {
            let of = |(stream, [requests, bytes]): (u32, [u64; 2])| DiskTally {
                name: self.name(stream),
                requests,
                bytes,
            };
            disks = self.disks.all().map(of).collect();
        }
        disks.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.name.cmp(&b.name)));
        disks
    }

    /// Whether a new stream is the disk that is wanted: by its name, by its number, or by what its host calls it.
    fn is_wanted(&self, wanted: &str, stream: u32) -> bool {
        let name = self.name(stream);
        let of_host = name.strip_suffix(wanted).is_some_and(|host| host.ends_with('_'));
        // A name that is a number is meant as one.
        let by_number = stream.to_string() == wanted && name.parse::<u32>().is_err();
        name == wanted || of_host || by_number
    }

    /// The requested disk is not there, or is several.
    #[cold]
    fn refuse(&self) -> TraceError {
        let list: Vec<_> = self.disks().into_iter().take(DISKS_SHOWN).map(|disk| disk.name).collect();
        let requested = self.only.clone().unwrap_or_default();
        match &self.found[..] {
            [] => TraceError::Absent {
                file: self.merge.streams().first().map(|file| file.input.name.clone()).unwrap_or_default(),
                requested: format!("requests of disk `{requested}`"),
                hint: format!("it has requests of {}", list.join(", ")),
            },
            several => TraceError::Choice {
                option: "--disk",
                expected: "one disk".to_owned(),
                found: format!("`{requested}`, which several hosts have"),
                hint: several
                    .iter()
                    .map(|stream| format!("`--disk {}`", self.name(*stream)))
                    .collect::<Vec<_>>()
                    .join(" or "),
            },
        }
    }
}

impl<D: Decode<Item = Record> + Send> Rows for RequestRows<D> {
    fn fill(&mut self, batch: &mut Vec<Record>) -> Result<(), TraceError> {
        while batch.len() < BATCH_RECORDS {
            let before = batch.len();
            let Some(run) = self.merge.run(BATCH_RECORDS - before)? else {
                let lacks = self.only.is_some() && self.tally.events == 0;
                return if lacks { Err(self.refuse()) } else { Ok(()) };
            };
            let start = *self.start.get_or_insert(run.first().map_or(0, |first| first.time.0));
            for record in run {
                self.disks.add(record);
                batch.push(Record { time: Nanos(record.time.0 - start), ..*record });
            }
            if let Some(wanted) = self.only.clone().filter(|_| !self.chooses_itself()) {
                for stream in std::mem::take(&mut self.disks.new) {
                    if self.is_wanted(&wanted, stream) {
                        self.found.push(stream);
                    }
                }
                if self.found.len() > 1 {
                    return Err(self.refuse());
                }
                let mut end = before;
                for at in before..batch.len() {
                    if self.found.contains(&batch[at].stream) {
                        batch[end] = batch[at];
                        end += 1;
                    }
                }
                batch.truncate(end);
            }
            batch[before..].iter().for_each(|record| self.tally.add(record.op, record.size));
        }
        Ok(())
    }

    fn describe(&self, summary: &mut Summary) {
        describe_files(&self.merge, summary);
        summary.tallies = vec![self.tally.clone()];
        summary.assumed_times = self.merge.streams().iter().any(|file| file.decoder().assumes_times());
        let disks = if self.only.is_some() || !summary.complete { Vec::new() } else { self.disks() };
        if disks.len() < 2 {
            return;
        }
        let total =
            |disk: &DiskTally| format!("{} ({} requests, {})", disk.name, disk.requests, Bytes(disk.bytes));
        let shown: Vec<_> = disks.iter().take(DISKS_SHOWN).map(total).collect();
        let more = disks.len().saturating_sub(DISKS_SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        summary.notes.push(format!(
            "several disks share this trace, and their addresses mix: {}{more}; `--disk` chooses one",
            shown.join(", ")
        ));
        let of = |disk: DiskTally| DiskSummary {
            disk: disk.name,
            requests: disk.requests as f64,
            bytes: disk.bytes as f64,
        };
        summary.disks = disks.into_iter().map(of).collect();
    }

    fn losses(&self) -> Vec<String> {
        losses(&self.merge)
    }
}

/// Disks that messages list.
const DISKS_SHOWN: usize = 8;
/// Streams whose totals lie in a table; others cost a search.
const STREAMS_TABLE: usize = 1 << 16;
/// Streams that are counted at all.
const STREAMS_MAX: usize = 1 << 17;

/// Requests and bytes of each stream.
#[derive(Default)]
struct Disks {
    table: Vec<[u64; 2]>,
    others: BTreeMap<u32, [u64; 2]>,
    /// Streams seen since these were taken.
    new: Vec<u32>,
}

impl Disks {
    #[inline(always)]
    fn add(&mut self, record: &Record) {
        let at = record.stream as usize;
        let tally = if at < STREAMS_TABLE {
            if at >= self.table.len() {
                self.table.resize(at + 1, [0; 2]);
            }
            &mut self.table[at]
        } else if self.others.len() < STREAMS_MAX {
            self.others.entry(record.stream).or_default()
        } else {
            return;
        };
        if tally[0] == 0 {
            self.new.push(record.stream);
        }
        tally[0] += 1;
        tally[1] += u64::from(record.size);
    }

    fn all(&self) -> impl Iterator<Item = (u32, [u64; 2])> {
        let table = self.table.iter().enumerate().filter(|(_, tally)| tally[0] > 0);
        table
            .map(|(stream, tally)| (stream as u32, *tally))
            .chain(self.others.iter().map(|(stream, tally)| (*stream, *tally)))
    }
}

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
