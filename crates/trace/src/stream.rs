//! One file as a stream of records in order of time.
//!
//! Files are decoded in chunks into a small buffer. A per-CPU file can be locally out of order (an interrupt may take its
//! time stamp before, and its place in the buffer after, the event that it interrupts), so the last
//! [`WINDOW`] records of a chunk are held back and sorted together with the next chunk. A record that comes later
//! than that is given the time of the last record released, and counted: order is a promise, exact time is then lost.

use crate::decompress::Input;
use crate::error::TraceError;
use crate::processes::Processes;

/// Records held back to be sorted with what follows.
pub(crate) const WINDOW: usize = 1024;
/// Records decoded at a time.
const CHUNK: usize = 8 * 1024;
/// Bytes read at a time.
const READ_BYTES: usize = 256 * 1024;
/// A record this much earlier than one before it in its file is not disorder, but two recordings in one file.
pub(crate) const BACKWARDS_NS_MAX: u64 = 60_000_000_000;

/// What a stream carries: something with a time.
pub(crate) trait Timed: Copy {
    fn time(&self) -> u64;
    fn set_time(&mut self, time: u64);

    /// Whether it asks for nothing and is left out.
    fn is_empty(&self) -> bool;

    /// What it should have had, where it cannot be.
    fn fault(&self) -> Option<&'static str>;
}

/// One format: bytes to items.
pub(crate) trait Decode {
    type Item: Timed;

    /// Takes whole records from the front of `bytes` until `items` has `full` of them; gives the number of bytes used.
    /// `at` is where `bytes` lies; at the `end` of the file nothing follows `bytes`.
    fn decode(
        &mut self,
        bytes: &[u8],
        at: At<'_>,
        end: bool,
        items: &mut Vec<Self::Item>,
        full: usize,
    ) -> Result<usize, TraceError>;

    /// What there is to say about the file when all of it has been read.
    fn notes(&self, file: &str) -> Vec<String>;

    /// What is missing in the file, or had to be skipped.
    fn losses(&self, file: &str) -> Vec<String>;

    /// The processes that the file names.
    fn processes(&self) -> Option<&Processes> {
        None
    }

    /// What the log calls the disk of a stream, where it is no number.
    fn disk_name(&self, _stream: u32) -> Option<String> {
        None
    }

    /// The disks of the file, where they are not its streams.
    fn disks(&self) -> Vec<DiskTally> {
        Vec::new()
    }

    /// Whether it assumes the times.
    fn assumes_times(&self) -> bool {
        false
    }
}

/// A disk in a trace, with its totals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DiskTally {
    pub(crate) name: String,
    pub(crate) requests: u64,
    pub(crate) bytes: u64,
}

/// A place in a file.
#[derive(Clone, Copy)]
pub(crate) struct At<'a> {
    pub(crate) file: &'a str,
    pub(crate) byte: u64,
}

/// One file.
pub(crate) struct Stream<D: Decode> {
    pub(crate) input: Input,
    pub(crate) decoder: D,
    raw: Vec<u8>,
    raw_start: usize,
    raw_end: usize,
    raw_at: u64,
    raw_ended: bool,
    items: Vec<D::Item>,
    next: usize,
    ready: usize,
    floor: u64,
    late: u64,
    late_ns_max: u64,
    leftover_bytes: usize,
}

impl<D: Decode> Stream<D> {
    pub(crate) fn new(input: Input, decoder: D) -> Stream<D> {
        Stream {
            input,
            decoder,
            raw: vec![0; READ_BYTES],
            raw_start: 0,
            raw_end: 0,
            raw_at: 0,
            raw_ended: false,
            items: Vec::with_capacity(CHUNK + WINDOW),
            next: 0,
            ready: 0,
            floor: 0,
            late: 0,
            late_ns_max: 0,
            leftover_bytes: 0,
        }
    }

    /// The items that are released and not yet taken.
    #[inline]
    pub(crate) fn ready(&self) -> &[D::Item] {
        &self.items[self.next..self.ready]
    }

    #[inline]
    pub(crate) fn take(&mut self, count: usize) {
        self.next += count;
    }

    /// The last `count` items that were taken.
    #[inline]
    pub(crate) fn taken(&self, count: usize) -> &[D::Item] {
        &self.items[self.next - count..self.next]
    }

    /// Releases more items once all released ones are taken; false at the end of the file.
    pub(crate) fn refill(&mut self) -> Result<bool, TraceError> {
        self.items.drain(..self.ready);
        (self.next, self.ready) = (0, 0);
        let held = self.items.len();
        while self.items.len() < CHUNK + WINDOW && self.decode()? {}
        self.sort(held);
        let hold = if self.exhausted() { 0 } else { WINDOW.min(self.items.len()) };
        self.ready = self.items.len() - hold;
        self.floor = self.items[..self.ready].last().map_or(self.floor, Timed::time);
        Ok(self.ready > 0)
    }

    /// Decodes what is in the buffer, after reading more where it was used up; false when nothing more can come.
    fn decode(&mut self) -> Result<bool, TraceError> {
        let at = At { file: &self.input.name, byte: self.raw_at };
        let bytes = &self.raw[self.raw_start..self.raw_end];
        let used = self.decoder.decode(bytes, at, self.raw_ended, &mut self.items, CHUNK + WINDOW)?;
        self.raw_start += used;
        self.raw_at += used as u64;
        if used > 0 {
            return Ok(true);
        }
        if self.raw_ended {
            self.leftover_bytes = self.raw_end - self.raw_start;
            return Ok(false);
        }
        self.read()?;
        Ok(true)
    }

    fn read(&mut self) -> Result<(), TraceError> {
        self.raw.copy_within(self.raw_start..self.raw_end, 0);
        (self.raw_start, self.raw_end) = (0, self.raw_end - self.raw_start);
        if self.raw_end == self.raw.len() {
            // One record fills the whole buffer (a very long line): enlarge it.
            self.raw.resize(self.raw.len() * 2, 0);
        }
        let read = self.input.fill(&mut self.raw[self.raw_end..])?;
        self.raw_end += read;
        self.raw_ended = self.raw_end < self.raw.len();
        Ok(())
    }

    fn exhausted(&self) -> bool {
        self.raw_ended && self.items.len() < CHUNK + WINDOW
    }

    /// Brings the items into order; those before `held` already are.
    fn sort(&mut self, held: usize) {
        let fresh = &self.items[held.saturating_sub(1)..];
        let ordered = fresh.is_sorted_by_key(Timed::time);
        if ordered && self.items.first().is_none_or(|item| item.time() >= self.floor) {
            return;
        }
        for item in &mut self.items[held..] {
            if item.time() < self.floor {
                self.late += 1;
                self.late_ns_max = self.late_ns_max.max(self.floor - item.time());
                item.set_time(self.floor);
            }
        }
        self.items.sort_by_key(Timed::time);
    }

    /// What there is to say about the file.
    pub(crate) fn notes(&self) -> Vec<String> {
        let file = &self.input.base_name;
        let mut notes = self.decoder.notes(file);
        if self.late > 0 {
            let (late, worst) = (self.late, self.late_ns_max);
            notes.push(format!(
                "{file}: {late} records came more than {WINDOW} records late (at most {worst} ns); they were given the time of the record before them"
            ));
        }
        notes
    }

    /// The processes that the file names.
    pub(crate) fn processes(&self) -> Option<&Processes> {
        self.decoder.processes()
    }

    /// What reads it.
    pub(crate) fn decoder(&self) -> &D {
        &self.decoder
    }

    /// What is missing in the file, or had to be skipped.
    pub(crate) fn losses(&self) -> Vec<String> {
        let file = &self.input.base_name;
        let mut losses = self.decoder.losses(file);
        losses.extend(self.input.loss());
        if self.leftover_bytes > 0 {
            let (at, leftover) = (self.raw_at, self.leftover_bytes);
            losses.push(format!(
                "{file}: cut off at byte {at}: an unfinished record of {leftover} bytes was left out"
            ));
        }
        losses
    }
}
