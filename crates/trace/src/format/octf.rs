//! OCTF, the traces of Open CAS's I/O tracer: protocol-buffer messages, each behind its length, one file a queue.
//!
//! A message is an `Event` (open-cas-telemetry-framework, `proto/trace.proto`): a header with sequence number and time in ns,
//! and one of I/O, completion, device, and three about files, which are left out. An I/O is a request to the block
//! layer, so it is a Q event here; a completion names no direction, which the matching finds out. Addresses and
//! sizes are in 512-byte sectors, devices as the kernel numbers them.

use crate::description::{Content, Description, Evidence, Reading, Verdict};
use crate::error::{Place, TraceError, show_bytes};
use crate::event::{BlockEvent, Kind, SECTOR_BYTES};
use crate::options;
use crate::rows::BlockRows;
use crate::stream::{At, BACKWARDS_NS_MAX, Decode, Timed};
use drivecast_block::Op;
use prost::Message;

pub(crate) static FORMAT: Description = Description {
    name: "octf",
    title: "OCTF (Open CAS)",
    detected_by: "the first eight messages are events with a time",
    content: Content::Requests { row: "an I/O: a Q event", stream: "0", latency: "I/O to completion" },
    sample: "binary: `38 0a 0a 08 1a 10`, a length and the header of the first event",
    evidence: Evidence::Shape,
    fits: |head| Verdict::from(detect(head.bytes)),
    reading: Reading::PerCpu(|inputs, options| {
        BlockRows::open(inputs, options, options::Event::Queue, |_, _| Ok(Octf::default()))
    }),
};

/// No event is longer: the longest hold the name of a file.
const MESSAGE_BYTES_MAX: usize = 64 * 1024;
/// Messages examined.
const PROBE: usize = 8;

#[derive(Clone, PartialEq, Message)]
struct Header {
    #[prost(uint64, tag = "2")]
    timestamp: u64,
}

#[derive(Clone, PartialEq, Message)]
struct Io {
    #[prost(uint64, tag = "1")]
    lba: u64,
    #[prost(uint32, tag = "2")]
    len: u32,
    #[prost(uint64, tag = "4")]
    device_id: u64,
    /// 1 read, 2 write, 3 discard.
    #[prost(int32, tag = "5")]
    operation: i32,
    #[prost(bool, tag = "6")]
    flush: bool,
}

#[derive(Clone, PartialEq, Message)]
struct Completion {
    #[prost(uint64, tag = "1")]
    lba: u64,
    #[prost(uint32, tag = "2")]
    len: u32,
    #[prost(bool, tag = "3")]
    error: bool,
    #[prost(uint64, tag = "4")]
    device_id: u64,
}

/// What is read of an `Event`; fields that are not listed are passed over.
#[derive(Clone, PartialEq, Message)]
struct Event {
    #[prost(message, optional, tag = "1")]
    header: Option<Header>,
    #[prost(message, optional, tag = "2")]
    io: Option<Io>,
    #[prost(message, optional, tag = "5")]
    completion: Option<Completion>,
}

/// A message with its length: how many bytes both take, and the message. `None` where it is not all there.
fn message(bytes: &[u8]) -> Result<Option<(usize, &[u8])>, &'static str> {
    let (mut length, mut at) = (0_usize, 0);
    loop {
        let Some(&byte) = bytes.get(at) else { return Ok(None) };
        length |= usize::from(byte & 0x7f) << (7 * at);
        at += 1;
        if byte & 0x80 == 0 {
            break;
        }
        if at == 3 {
            return Err("a message of at most 64 KiB");
        }
    }
    match length {
        0 => Err("a message of some bytes"),
        length if length > MESSAGE_BYTES_MAX => Err("a message of at most 64 KiB"),
        length => Ok(bytes.get(at..at + length).map(|message| (at + length, message))),
    }
}

fn event(bytes: &[u8]) -> Option<(u64, Event)> {
    let event = Event::decode(bytes).ok()?;
    let time = event.header.as_ref()?.timestamp;
    (time > 0).then_some((time, event))
}

/// Whether the file starts with events.
fn detect(head: &[u8]) -> bool {
    let (mut at, mut found) = (0, 0);
    while found < PROBE {
        match message(&head[at..]) {
            // A header takes at least a tag, a length, a tag and a time.
            Ok(Some((used, bytes))) if bytes.first() == Some(&0x0a) && event(bytes).is_some() => {
                at += used;
                found += 1;
            }
            Ok(None) => break,
            _ => return false,
        }
    }
    found > 0
}

/// Decoder of one file.
#[derive(Default)]
struct Octf {
    latest: u64,
    others: u64,
}

impl Octf {
    fn block_event(&mut self, time: u64, event: Event) -> Result<Option<BlockEvent>, &'static str> {
        let (kind, lba, len, device, op, flush, failed) = match (event.io, event.completion) {
            (Some(io), _) => {
                let op = match io.operation {
                    1 => Op::Read,
                    3 => Op::Discard,
                    _ => Op::Write,
                };
                (Kind::Queue, io.lba, io.len, io.device_id, op, io.flush, false)
            }
            // Not recorded: the matching looks up what waits there.
            (None, Some(done)) => {
                (Kind::Complete, done.lba, done.len, done.device_id, Op::Flush, false, done.error)
            }
            (None, None) => {
                self.others += 1;
                return Ok(None);
            }
        };
        let bytes = len.checked_mul(SECTOR_BYTES as u32).ok_or("a size below 4 GiB")?;
        let sector = if len == 0 { 0 } else { lba };
        let device = u32::try_from(device).map_err(|_| "a device number of 32 bits")?;
        let event = BlockEvent { time, sector, bytes, pid: 0, device, kind, op, flush, fua: false, failed };
        if time.saturating_add(BACKWARDS_NS_MAX) < self.latest {
            return Err("a time that is not more than 60 s before the event above");
        }
        self.latest = self.latest.max(time);
        event.fault().map_or(Ok(Some(event)), Err)
    }
}

impl Decode for Octf {
    type Item = BlockEvent;

    fn decode(
        &mut self,
        bytes: &[u8],
        at: At<'_>,
        _end: bool,
        items: &mut Vec<BlockEvent>,
        full: usize,
    ) -> Result<usize, TraceError> {
        let mut used = 0;
        while items.len() < full {
            let refuse = |expected: &str| TraceError::Record {
                file: at.file.to_owned(),
                at: Place::Byte(at.byte + used as u64),
                expected: expected.to_owned(),
                found: show_bytes(&bytes[used..]),
                hint: "the file is damaged here; to keep what lies before, cut it at this byte (`head -c`)"
                    .to_owned(),
            };
            let Some((length, message)) = message(&bytes[used..]).map_err(refuse)? else { break };
            let (time, event) = event(message).ok_or_else(|| refuse("an event with a time"))?;
            items.extend(self.block_event(time, event).map_err(refuse)?);
            used += length;
        }
        Ok(used)
    }

    fn notes(&self, file: &str) -> Vec<String> {
        match self.others {
            0 | 1 => Vec::new(),
            count => vec![format!("{file}: {count} events about files and devices were left out")],
        }
    }

    fn losses(&self, _file: &str) -> Vec<String> {
        Vec::new()
    }
}
