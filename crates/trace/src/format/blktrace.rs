//! blktrace: what the Linux block layer did, one file a CPU.
//!
//! A file is a sequence of `struct blk_io_trace` (linux/blktrace_api.h), 48 bytes each in the byte order of the machine that
//! recorded, each followed by `pdu_len` bytes of payload:
//!
//! ```text
//!  0 magic u32 (0x656174 << 8 | version 7)   4 sequence u32   8 time u64 (ns)   16 sector u64 (512 B)   24 bytes u32
//! 28 action u32   32 pid u32   36 device u32 (major << 20 | minor)   40 cpu u32   44 error u16   46 pdu_len u16
//! ```
//!
//! The low half of `action` is what happened, the high half carries category bits. Of all events three make a workload: Q
//! (queued: what the file system requested), D (issued: what the drive was sent, after merging and splitting) and C
//! (completed). Everything else is counted and left out; so are passthrough commands (`BLK_TC_PC`), which carry no
//! address. Write-zeroes requests look like writes: blktrace does not distinguish them.

use crate::description::{Content, Description, Evidence, Head, Reading, Verdict};
use crate::error::{Place, TraceError};
use crate::event::{BlockEvent, Kind, SECTOR_BYTES, SECTORS_MAX};
use crate::field::array;
use crate::options::Event;
use crate::processes::Processes;
use crate::rows::BlockRows;
use crate::stream::{At, BACKWARDS_NS_MAX, Decode};
use drivecast_block::Op;

pub(crate) static FORMAT: Description = Description {
    name: "blktrace",
    title: "blktrace, version 7, both byte orders",
    detected_by: "`07 74 61 65` or `65 61 74 07` at the first two records",
    content: Content::Requests {
        row: "a D event (`--event D`, the default) or a Q event (`--event Q`)",
        stream: "process id of the event",
        latency: "D→C, or Q→C",
    },
    sample: "binary: `07 74 61 65`, the magic of the first record",
    evidence: Evidence::Signature,
    fits,
    reading: Reading::PerCpu(|inputs, options| {
        BlockRows::open(inputs, options, Event::Issue, |_, head| {
            Ok(Blktrace::new(detect(head).map_or(Order::Little, |(order, _)| order)))
        })
    }),
};

/// Size of a record without payload.
const RECORD_BYTES: usize = 48;
/// The magic number of a record: three bytes, then the version.
const MAGIC: u32 = 0x6561_7400;
/// The only version that recorded traces have; 8 has longer records.
const VERSION: u32 = 7;

const WRITE: u32 = 1 << (16 + 1);
const FLUSH: u32 = 1 << (16 + 2);
const PASSTHROUGH: u32 = 1 << (16 + 9);
const NOTIFY: u32 = 1 << (16 + 10);
/// A note of what a process is called, in the payload.
const NAME: u32 = NOTIFY;
const DISCARD: u32 = 1 << (16 + 13);
const FUA: u32 = 1 << (16 + 15);
/// The kind of event in the low half of `action`; bit 8 only marks a control group in the payload.
const KIND: u32 = 0xff;
const QUEUE: u32 = 1;
const REQUEUE: u32 = 6;
const ISSUE: u32 = 7;
const COMPLETE: u32 = 8;

/// Byte order of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Little,
    Big,
}

fn fits(head: &Head<'_>) -> Verdict {
    match detect(head.bytes) {
        None => Verdict::No,
        Some((_, VERSION)) if head.bytes.len() >= RECORD_BYTES => Verdict::Yes,
        Some((_, VERSION)) => Verdict::Unreadable {
            expected: format!("a whole blktrace record of {RECORD_BYTES} bytes"),
            found: format!("{} bytes", head.bytes.len()),
            hint: "the recording was cut off inside its first record",
        },
        Some((_, version)) => Verdict::Unreadable {
            expected: format!("blktrace version {VERSION}"),
            found: format!("version {version}"),
            hint: "record it with a blktrace that writes version 7",
        },
    }
}

/// Whether the file starts with blktrace records: one, and a second one where the first puts it.
fn detect(head: &[u8]) -> Option<(Order, u32)> {
    let order = [Order::Little, Order::Big].into_iter().find(|&order| version(head, order).is_some())?;
    let found = version(head, order)?;
    if head.len() < RECORD_BYTES || found != VERSION {
        return Some((order, found));
    }
    let length = RECORD_BYTES + usize::from(half(head, 46, order));
    let second = head.get(length..).filter(|rest| rest.len() >= 4);
    second.is_none_or(|rest| version(rest, order).is_some()).then_some((order, found))
}

/// The version that a record with the right magic gives.
fn version(bytes: &[u8], order: Order) -> Option<u32> {
    let magic = (bytes.len() >= 4).then(|| word(bytes, 0, order))?;
    (magic & !0xff == MAGIC).then_some(magic & 0xff)
}

/// The characters before the first zero.
fn name(payload: &[u8]) -> &[u8] {
    payload.split(|byte| *byte == 0).next().unwrap_or_default()
}

#[inline(always)]
fn half(bytes: &[u8], at: usize, order: Order) -> u16 {
    match order {
        Order::Little => u16::from_le_bytes(array(bytes, at)),
        Order::Big => u16::from_be_bytes(array(bytes, at)),
    }
}

#[inline(always)]
fn word(bytes: &[u8], at: usize, order: Order) -> u32 {
    match order {
        Order::Little => u32::from_le_bytes(array(bytes, at)),
        Order::Big => u32::from_be_bytes(array(bytes, at)),
    }
}

#[inline(always)]
fn long(bytes: &[u8], at: usize, order: Order) -> u64 {
    match order {
        Order::Little => u64::from_le_bytes(array(bytes, at)),
        Order::Big => u64::from_be_bytes(array(bytes, at)),
    }
}

/// Decoder of one per-CPU file.
struct Blktrace {
    order: Order,
    latest: u64,
    sequence: u32,
    counts: Counts,
    processes: Processes,
}

/// What a file holds besides its Q, D and C events.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    passthrough: u64,
    requeued: u64,
    /// Records that the sequence numbers count and the file does not have.
    missing: u64,
}

impl Blktrace {
    fn new(order: Order) -> Blktrace {
        Blktrace { order, latest: 0, sequence: 0, counts: Counts::default(), processes: Processes::default() }
    }

    /// Decodes with the byte order known to the compiler.
    #[inline(always)]
    fn decode_in(
        &mut self,
        order: Order,
        bytes: &[u8],
        at: At<'_>,
        items: &mut Vec<BlockEvent>,
        full: usize,
    ) -> Result<usize, TraceError> {
        let mut used = 0;
        while items.len() < full {
            let Some(record) = bytes.get(used..used + RECORD_BYTES) else { break };
            if word(record, 0, order) != MAGIC | VERSION {
                return Err(bad_magic(record, at, used));
            }
            let length = RECORD_BYTES + usize::from(half(record, 46, order));
            if bytes.len() - used < length {
                break;
            }
            self.track(word(record, 4, order));
            if word(record, 28, order) == NAME {
                self.processes
                    .name(word(record, 32, order), name(&bytes[used + RECORD_BYTES..used + length]));
            }
            if let Some(event) = self.event(record, order, at, used)? {
                items.push(event);
            }
            used += length;
        }
        Ok(used)
    }

    #[inline(always)]
    fn event(
        &mut self,
        record: &[u8],
        order: Order,
        at: At<'_>,
        used: usize,
    ) -> Result<Option<BlockEvent>, TraceError> {
        let action = word(record, 28, order);
        let kind = match action & KIND {
            QUEUE => Kind::Queue,
            ISSUE => Kind::Issue,
            COMPLETE => Kind::Complete,
            other => {
                self.counts.requeued += u64::from(other == REQUEUE && action & NOTIFY == 0);
                return Ok(None);
            }
        };
        if action & (NOTIFY | PASSTHROUGH) != 0 {
            self.counts.passthrough += u64::from(action & NOTIFY == 0);
            return Ok(None);
        }
        let event = BlockEvent {
            time: long(record, 8, order),
            sector: long(record, 16, order),
            bytes: word(record, 24, order),
            pid: word(record, 32, order),
            device: word(record, 36, order),
            kind,
            op: match action & (WRITE | DISCARD) {
                0 => Op::Read,
                WRITE => Op::Write,
                _ => Op::Discard,
            },
            flush: action & FLUSH != 0,
            fua: action & FUA != 0,
            failed: half(record, 44, order) != 0,
        };
        if !event.bytes.is_multiple_of(SECTOR_BYTES as u32)
            || event.sector >= SECTORS_MAX
            || event.time.saturating_add(BACKWARDS_NS_MAX) < self.latest
        {
            return Err(self.refuse(&event, at, used));
        }
        self.latest = self.latest.max(event.time);
        Ok(Some(event))
    }

    /// Sequence numbers count the records of a CPU from 1; notes about processes have the number 0. They are handed out
    /// before the place in the buffer, so an interrupt can swap two neighbours: a step back brings one that was missed.
    #[inline(always)]
    fn track(&mut self, sequence: u32) {
        if self.sequence.wrapping_add(1) == sequence {
            self.sequence = sequence;
        } else if sequence != 0 {
            self.count_gap(sequence);
        }
    }

    #[cold]
    fn count_gap(&mut self, sequence: u32) {
        let missing = sequence.wrapping_sub(self.sequence).wrapping_sub(1);
        if missing >= u32::MAX / 2 {
            self.counts.missing = self.counts.missing.saturating_sub(1);
            return;
        }
        // What comes before the first record of a file is not missing: the recording began there.
        self.counts.missing += if self.sequence == 0 { 0 } else { u64::from(missing) };
        self.sequence = sequence;
    }

    #[cold]
    fn refuse(&self, event: &BlockEvent, at: At<'_>, used: usize) -> TraceError {
        let BlockEvent { time, sector, bytes, .. } = *event;
        let (expected, found, hint) = if !bytes.is_multiple_of(SECTOR_BYTES as u32) {
            (
                "a size that is a multiple of 512 bytes".to_owned(),
                format!("{bytes} bytes"),
                "the file is damaged here",
            )
        } else if time.saturating_add(BACKWARDS_NS_MAX) < self.latest {
            (
                format!("a time near or after {} ns", self.latest),
                format!("{time} ns"),
                "do two recordings lie in one file? give each a file of its own",
            )
        } else {
            (
                "a sector below 2^55".to_owned(),
                format!("sector {sector}, whose byte address exceeds 2^64"),
                "the file is damaged here",
            )
        };
        let at_byte = Place::Byte(at.byte + used as u64);
        TraceError::Record { file: at.file.to_owned(), at: at_byte, expected, found, hint: hint.to_owned() }
    }
}

impl Decode for Blktrace {
    type Item = BlockEvent;

    fn decode(
        &mut self,
        bytes: &[u8],
        at: At<'_>,
        _end: bool,
        items: &mut Vec<BlockEvent>,
        full: usize,
    ) -> Result<usize, TraceError> {
        match self.order {
            Order::Little => self.decode_in(Order::Little, bytes, at, items, full),
            Order::Big => self.decode_in(Order::Big, bytes, at, items, full),
        }
    }

    fn notes(&self, file: &str) -> Vec<String> {
        let Counts { passthrough, requeued, .. } = self.counts;
        let mut notes = Vec::new();
        if passthrough > 0 {
            notes.push(format!(
                "{file}: {passthrough} events of passthrough commands carry no address and were left out"
            ));
        }
        if requeued > 0 {
            notes.push(format!("{file}: {requeued} requests were put back and issued again; each issue is a row, the first one without latency"));
        }
        notes
    }

    fn processes(&self) -> Option<&Processes> {
        Some(&self.processes)
    }

    fn losses(&self, file: &str) -> Vec<String> {
        match self.counts.missing {
            0 => Vec::new(),
            missing => vec![format!(
                "{file}: {missing} records are missing by their sequence numbers: the recorder could not keep up, or they were filtered out"
            )],
        }
    }
}

#[cold]
fn bad_magic(record: &[u8], at: At<'_>, used: usize) -> TraceError {
    let seen: [u8; 4] = array(record, 0);
    TraceError::Record {
        file: at.file.to_owned(),
        at: Place::Byte(at.byte + used as u64),
        expected: "the start of a blktrace record of version 7 (07 74 61 65, or 65 61 74 07)".to_owned(),
        found: crate::error::show_bytes(&seen),
        hint: "the file is damaged here; to keep what lies before, cut it at this byte (`head -c`)"
            .to_owned(),
    }
}
