//! Matching requests with their completions.
//!
//! The chosen event (Q or D) opens a row, which waits for its C. A completion covers a range of sectors: part of a
//! request, one request, or (seen from the queue) many that were merged. Its bytes are given to the waiting requests of
//! the same direction that it overlaps, those that start in its range first, and a request is complete when all its
//! bytes are. Of requests for the same range the newest is served first: for a true pair the mean latency is the same,
//! and a request whose completion was lost does not claim those of all its successors.
//!
//! Flushes carry no range. Issued, a flush is a request of its own and ends with the completion marked as a flush; queued, it
//! ends with the unmarked completion of zero bytes. A queued write with FUA ends here with its data, before the flush that
//! may follow.
//!
//! Rows leave in order of time. One that waits [`WAIT_NS_MAX`] of trace time, or that has [`WAITING_MAX`] rows behind it,
//! leaves without latency: memory stays constant, whatever completions are missing.

use crate::event::{BlockEvent, Kind, SECTOR_BYTES};
use crate::options::Event;
use crate::summary::Tally;
use drivecast_block::{Nanos, Op, Record};
use std::collections::{BTreeSet, VecDeque};

/// The longest a row waits: Linux gives up on a command after this time (the SCSI default).
const WAIT_NS_MAX: u64 = 30_000_000_000;
/// The most rows that wait.
const WAITING_MAX: usize = 1 << 20;
/// Waiting requests examined for one completion that starts inside them.
const LOOK_BACK_MAX: usize = 256;
/// Devices that can be distinguished: their index and a sector share 64 bits.
const DEVICES_MAX: usize = 512;
const SECTOR_BITS: u32 = 55;

/// A row that has not left yet.
#[derive(Clone, Copy)]
struct Row {
    record: Record,
    /// Device and first sector: where the request is among those waiting.
    key: u64,
    /// Bytes not completed yet.
    remaining: u32,
    done: bool,
}

/// Requests of one direction that wait, by device and sector, newest first.
#[derive(Default)]
struct Waiting {
    /// Key and the complement of the row's number.
    requests: BTreeSet<(u64, u64)>,
    /// The longest request so far.
    sectors_max: u64,
}

/// The state of matching.
pub(crate) struct Pair {
    event: Event,
    only: Option<u32>,
    rows: VecDeque<Row>,
    /// Number of the first row in `rows`.
    first: u64,
    reads: Waiting,
    writes: Waiting,
    discards: Waiting,
    flushes: Waiting,
    hits: Vec<(u64, u64)>,
    start: Option<u64>,
    now: u64,
    devices: Vec<(u32, u64)>,
    pub(crate) tallies: [Tally; 3],
    pub(crate) counts: Counts,
}

/// What was seen on the way.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    /// Completions for which no request waited.
    pub(crate) unmatched: u64,
    /// Completions with an error.
    pub(crate) failed: u64,
    /// Requests of zero bytes that are no flush.
    pub(crate) empty: u64,
}

impl Pair {
    pub(crate) fn new(event: Event, only: Option<u32>) -> Pair {
        Pair {
            event,
            only,
            rows: VecDeque::new(),
            first: 0,
            reads: Waiting::default(),
            writes: Waiting::default(),
            discards: Waiting::default(),
            flushes: Waiting::default(),
            hits: Vec::new(),
            start: None,
            now: 0,
            devices: Vec::new(),
            tallies: [Tally::new("queue"), Tally::new("issue"), Tally::new("complete")],
            counts: Counts::default(),
        }
    }

    /// The devices seen and their events.
    pub(crate) fn devices(&self) -> &[(u32, u64)] {
        &self.devices
    }

    /// Takes the next event in order of time; false where there are too many devices to distinguish.
    #[inline(always)]
    pub(crate) fn push(&mut self, event: &BlockEvent) -> bool {
        let Some(device) = self.device(event.device) else { return false };
        let start = *self.start.get_or_insert(event.time);
        self.now = event.time - start;
        if self.only.is_some_and(|only| only != event.device) {
            return true;
        }
        let key = (device as u64) << SECTOR_BITS | event.sector;
        if event.kind == Kind::Complete && event.op == Op::Flush && event.bytes > 0 {
            let completed = BlockEvent { op: self.direction(key), ..*event };
            self.tallies[event.kind as usize].add(completed.op, completed.bytes);
            self.complete(&completed, key);
            return true;
        }
        self.tallies[event.kind as usize].add(event.op, event.bytes);
        match (event.kind, self.event) {
            (Kind::Queue, Event::Queue) | (Kind::Issue, Event::Issue) => self.open(event, key),
            (Kind::Complete, _) => self.complete(event, key),
            _ => {}
        }
        true
    }

    /// The direction of a completion that does not record it: that of a request which waits at its place.
    fn direction(&self, key: u64) -> Op {
        let starts = |waiting: &Waiting| waiting.requests.range((key, 0)..=(key, u64::MAX)).next().is_some();
        match () {
            () if starts(&self.reads) => Op::Read,
            () if starts(&self.writes) => Op::Write,
            () if starts(&self.discards) => Op::Discard,
            () => Op::Read,
        }
    }

    #[inline(always)]
    fn device(&mut self, number: u32) -> Option<usize> {
        let index = match self.devices.iter().position(|(known, _)| *known == number) {
            Some(index) => index,
            None if self.devices.len() < DEVICES_MAX => {
                self.devices.push((number, 0));
                self.devices.len() - 1
            }
            None => return None,
        };
        self.devices[index].1 += 1;
        Some(index)
    }

    fn waiting(&mut self, op: Op) -> &mut Waiting {
        match op {
            Op::Read => &mut self.reads,
            Op::Write => &mut self.writes,
            Op::Flush => &mut self.flushes,
            Op::Discard => &mut self.discards,
        }
    }

    #[inline(always)]
    fn open(&mut self, event: &BlockEvent, key: u64) {
        let op = match event.bytes {
            0 if event.flush => Op::Flush,
            0 => {
                self.counts.empty += 1;
                return;
            }
            _ => event.op,
        };
        let record = Record {
            time: Nanos(self.now),
            offset: event.sector * SECTOR_BYTES,
            size: event.bytes,
            stream: event.pid,
            op,
            fua: event.fua && op == Op::Write,
            latency: None,
        };
        let number = self.first + self.rows.len() as u64;
        self.rows.push_back(Row { record, key, remaining: event.bytes, done: false });
        let waiting = self.waiting(op);
        waiting.requests.insert((key, !number));
        waiting.sectors_max = waiting.sectors_max.max(u64::from(event.bytes) / SECTOR_BYTES);
    }

    #[inline(always)]
    fn complete(&mut self, event: &BlockEvent, key: u64) {
        self.counts.failed += u64::from(event.failed);
        if event.bytes == 0 {
            if event.flush == (self.event == Event::Issue) {
                self.complete_flush(key);
            }
            return;
        }
        let mut hits = std::mem::take(&mut self.hits);
        hits.clear();
        self.overlapping(event.op, key, event.bytes, &mut hits);
        self.counts.unmatched += u64::from(hits.is_empty());
        self.share(event, key, &hits);
        self.hits = hits;
    }

    /// The newest flush at this place ends.
    fn complete_flush(&mut self, key: u64) {
        let newest = self.flushes.requests.range((key, 0)..=(key, u64::MAX)).next().copied();
        let Some((at, number)) = newest else { return };
        if self.now - self.rows[(!number - self.first) as usize].record.time.0 <= WAIT_NS_MAX {
            self.flushes.requests.remove(&(at, number));
            self.finish(!number);
        }
    }

    /// Waiting requests that share bytes with a completion: as many as its bytes can serve.
    #[inline(always)]
    fn overlapping(&mut self, op: Op, key: u64, bytes: u32, hits: &mut Vec<(u64, u64)>) {
        let (rows, first, now) = (&self.rows, self.first, self.now);
        let row = |number: u64| {
            let row = &rows[(!number - first) as usize];
            (now - row.record.time.0 <= WAIT_NS_MAX).then_some(row)
        };
        let waiting = match op {
            Op::Read => &self.reads,
            Op::Write => &self.writes,
            Op::Flush => &self.flushes,
            Op::Discard => &self.discards,
        };
        let end = key + u64::from(bytes) / SECTOR_BYTES;
        let mut left = u64::from(bytes);
        for &(at, number) in waiting.requests.range((key, 0)..(end, 0)) {
            let Some(row) = row(number) else { continue };
            hits.push((at, number));
            left = left.saturating_sub(u64::from(row.remaining));
            if left == 0 {
                return;
            }
        }
        let lowest = key.saturating_sub(waiting.sectors_max);
        for &(at, number) in waiting.requests.range((lowest, 0)..(key, 0)).rev().take(LOOK_BACK_MAX) {
            let Some(row) = row(number) else { continue };
            if at + u64::from(row.record.size) / SECTOR_BYTES > key {
                hits.push((at, number));
                left = left.saturating_sub(u64::from(row.remaining));
                if left == 0 {
                    return;
                }
            }
        }
    }

    /// Gives the bytes of a completion to the requests it covers.
    #[inline(always)]
    fn share(&mut self, event: &BlockEvent, key: u64, hits: &[(u64, u64)]) {
        let end = key + u64::from(event.bytes) / SECTOR_BYTES;
        let mut left = u64::from(event.bytes);
        for &(at, number) in hits {
            let row = &mut self.rows[(!number - self.first) as usize];
            let row_end = at + u64::from(row.record.size) / SECTOR_BYTES;
            let shared = (end.min(row_end) - key.max(at)) * SECTOR_BYTES;
            let given = shared.min(u64::from(row.remaining)).min(left);
            left -= given;
            row.remaining -= given as u32;
            if row.remaining == 0 {
                let op = row.record.op;
                self.waiting(op).requests.remove(&(at, number));
                self.finish(!number);
            }
        }
    }

    #[inline(always)]
    fn finish(&mut self, number: u64) {
        let row = &mut self.rows[(number - self.first) as usize];
        row.record.latency = Some(Nanos(self.now).since(row.record.time));
        row.done = true;
    }

    /// Moves rows that may leave to `batch`, in order of time, until it has `full` of them.
    #[inline(always)]
    pub(crate) fn drain(&mut self, batch: &mut Vec<Record>, full: usize) {
        while batch.len() < full {
            let Some(row) = self.rows.front() else { break };
            if !row.done {
                let waited_ns = self.now - row.record.time.0;
                if waited_ns <= WAIT_NS_MAX && self.rows.len() <= WAITING_MAX {
                    break;
                }
                self.abandon();
            }
            if let Some(row) = self.rows.pop_front() {
                batch.push(row.record);
                self.first += 1;
            }
        }
    }

    /// No event follows: all rows may leave.
    pub(crate) fn end(&mut self) {
        for waiting in [Op::Read, Op::Write, Op::Flush, Op::Discard] {
            self.waiting(waiting).requests.clear();
        }
        self.rows.iter_mut().for_each(|row| row.done = true);
    }

    /// The front row waits no longer.
    #[cold]
    fn abandon(&mut self) {
        if let Some(&Row { record, key, .. }) = self.rows.front() {
            let number = !self.first;
            self.waiting(record.op).requests.remove(&(key, number));
        }
    }
}
