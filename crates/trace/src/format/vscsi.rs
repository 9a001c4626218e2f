//! VSCSI: the requests to a hypervisor's virtual SCSI disk (CloudPhysics traces), little-endian records.
//!
//! ```text
//! version 1, 32 bytes:  0 sn u32   4 length u32   8 sg u32   12 command u16   14 version u16   16 LBN u64   24 time u64
//! version 2, 40 bytes:  0 command u16   2 version u16   4 sn u32   8 length u32   12 sg u32   16 LBN u64   24 time u64   32 response u64
//! ```
//!
//! Length in bytes, LBN in 512-byte blocks, time in microseconds; the high byte of `version` is 1 or 2. No file of version 2
//! was at hand to check that its response time is in microseconds too: that is assumed, and the summary notes it.
//! The records do not name a disk, so `stream` is 0.

use crate::description::{Content, Description, Evidence, Reading, Verdict};
use crate::error::{Place, TraceError};
use crate::event::SECTOR_BYTES;
use crate::field::array;
use crate::rows::RequestRows;
use crate::stream::{At, BACKWARDS_NS_MAX, Decode};
use drivecast_block::{Nanos, Op, Record};

pub(crate) static FORMAT: Description = Description {
    name: "vscsi",
    title: "VSCSI, versions 1 (32 bytes) and 2 (40 bytes)",
    detected_by: "the first 64 records all have the version, a SCSI command, a plausible size, address and time step",
    content: Content::Requests {
        row: "a read, write or cache synchronisation",
        stream: "0 (the records name no disk)",
        latency: "version 2: response time, assumed µs",
    },
    sample: "binary: records of 32 or 40 bytes, without a magic number",
    evidence: Evidence::Shape,
    fits: |head| Verdict::from(detect(head.bytes).is_some()),
    reading: Reading::Binary(|inputs, options| {
        RequestRows::open(inputs, options, |_, head| Ok(Vscsi::new(detect(head).unwrap_or(Version::One))))
    }),
};

/// Records examined before a file is taken for VSCSI.
const PROBE: usize = 64;
/// No SCSI transfer is larger.
const LENGTH_MAX: u32 = 256 << 20;
/// Neighbours further apart than a year are not a trace.
const STEP_US_MAX: u64 = 366 * 86_400 * 1_000_000;
const NS_PER_US: u64 = 1_000;

/// The two layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

impl Version {
    const fn record_bytes(self) -> usize {
        match self {
            Version::One => 32,
            Version::Two => 40,
        }
    }

    const fn number(self) -> u16 {
        match self {
            Version::One => 1,
            Version::Two => 2,
        }
    }
}

/// The fields both layouts have.
#[derive(Clone, Copy)]
struct Fields {
    command: u16,
    version: u16,
    length: u32,
    lbn: u64,
    time_us: u64,
    response_us: Option<u64>,
}

#[inline(always)]
fn fields(record: &[u8], version: Version) -> Fields {
    let (command_at, version_at, length_at) = match version {
        Version::One => (12, 14, 4),
        Version::Two => (0, 2, 8),
    };
    Fields {
        command: u16::from_le_bytes(array(record, command_at)),
        version: u16::from_le_bytes(array(record, version_at)),
        length: u32::from_le_bytes(array(record, length_at)),
        lbn: u64::from_le_bytes(array(record, 16)),
        time_us: u64::from_le_bytes(array(record, 24)),
        response_us: match version {
            Version::One => None,
            Version::Two => Some(u64::from_le_bytes(array(record, 32))),
        },
    }
}

/// Whether the first records are plausible, all of them, in one of the layouts.
fn detect(head: &[u8]) -> Option<Version> {
    [Version::One, Version::Two].into_iter().find(|&version| {
        let mut records = head.chunks_exact(version.record_bytes()).take(PROBE).map(|r| fields(r, version));
        let Some(first) = records.next() else { return false };
        let mut time_us = first.time_us;
        plausible(first, version)
            && records.all(|record| {
                let step_us = record.time_us.abs_diff(std::mem::replace(&mut time_us, record.time_us));
                plausible(record, version) && step_us <= STEP_US_MAX
            })
    })
}

fn plausible(record: Fields, version: Version) -> bool {
    record.version >> 8 == version.number()
        && known(record.command)
        && record.length <= LENGTH_MAX
        && record.lbn < u64::MAX / SECTOR_BYTES / 2
}

/// Commands that disks are sent (SCSI block and primary commands).
fn known(command: u16) -> bool {
    matches!(
        command,
        0x00 | 0x03 | 0x08 | 0x0a | 0x12 | 0x15 | 0x16 | 0x17 | 0x1a | 0x1b | 0x25 | 0x28 | 0x2a | 0x2e | 0x2f
            | 0x34 | 0x35 | 0x3b | 0x3c | 0x41 | 0x42 | 0x4d | 0x55 | 0x5a | 0x5e | 0x5f | 0x83..=0x85
            | 0x88..=0x8f | 0x91 | 0x93 | 0x9e | 0xa0 | 0xa3 | 0xa4 | 0xa8 | 0xaa | 0xae
    )
}

/// What a command does to the medium; `None` for one whose range the record does not have.
#[inline]
fn op(command: u16) -> Option<Op> {
    match command {
        0x08 | 0x28 | 0x88 | 0xa8 => Some(Op::Read),
        0x0a | 0x2a | 0x2e | 0x8a | 0x8e | 0xaa | 0xae => Some(Op::Write),
        0x35 | 0x91 => Some(Op::Flush),
        _ => None,
    }
}

/// Decoder of one file.
struct Vscsi {
    version: Version,
    latest: u64,
    other: u64,
    zero_length: u64,
}

impl Vscsi {
    pub(crate) fn new(version: Version) -> Vscsi {
        Vscsi { version, latest: 0, other: 0, zero_length: 0 }
    }

    /// A record as a request; `None` where it asks for no data and no flush.
    #[inline(always)]
    fn request(&mut self, fields: Fields) -> Result<Option<Record>, Fault> {
        let Some(op) = op(fields.command) else {
            self.other += 1;
            return if known(fields.command) { Ok(None) } else { Err(Fault::Command) };
        };
        if fields.length == 0 && op != Op::Flush {
            self.zero_length += 1;
            return Ok(None);
        }
        let time = fields.time_us.checked_mul(NS_PER_US).ok_or(Fault::Time)?;
        let offset = fields.lbn.checked_mul(SECTOR_BYTES).ok_or(Fault::Offset)?;
        offset.checked_add(u64::from(fields.length)).ok_or(Fault::Offset)?;
        if time.saturating_add(BACKWARDS_NS_MAX) < self.latest {
            return Err(Fault::Backwards);
        }
        if !fields.length.is_multiple_of(SECTOR_BYTES as u32) {
            return Err(Fault::Length);
        }
        self.latest = self.latest.max(time);
        Ok(Some(Record {
            time: Nanos(time),
            offset,
            size: if op == Op::Flush { 0 } else { fields.length },
            stream: 0,
            op,
            latency: fields.response_us.map(|us| Nanos(us.saturating_mul(NS_PER_US))),
            fua: false,
        }))
    }
}

/// What is wrong with a record.
#[derive(Clone, Copy)]
enum Fault {
    Command,
    Time,
    Offset,
    Backwards,
    Length,
}

impl Decode for Vscsi {
    type Item = Record;

    fn decode(
        &mut self,
        bytes: &[u8],
        at: At<'_>,
        _end: bool,
        items: &mut Vec<Record>,
        full: usize,
    ) -> Result<usize, TraceError> {
        let mut used = 0;
        while items.len() < full {
            let Some(record) = bytes.get(used..used + self.version.record_bytes()) else { break };
            let fields = fields(record, self.version);
            if fields.version >> 8 != self.version.number() {
                let expected = format!("version {} in the record", self.version.number());
                return Err(error(at, used, expected, format!("{:#06x}", fields.version)));
            }
            match self.request(fields) {
                Ok(request) => items.extend(request),
                Err(fault) => return Err(self.refuse(fault, fields, at, used)),
            }
            used += self.version.record_bytes();
        }
        Ok(used)
    }

    fn notes(&self, file: &str) -> Vec<String> {
        let mut notes = Vec::new();
        if self.other > 0 {
            notes.push(format!(
                "{file}: {} commands other than read, write and flush were left out",
                self.other
            ));
        }
        if self.zero_length > 0 {
            notes.push(format!("{file}: {} reads or writes of no bytes were left out", self.zero_length));
        }
        if self.version == Version::Two {
            notes.push(format!("{file}: response times are assumed to be in microseconds"));
        }
        notes
    }

    fn losses(&self, _file: &str) -> Vec<String> {
        Vec::new()
    }
}

impl Vscsi {
    #[cold]
    fn refuse(&self, fault: Fault, fields: Fields, at: At<'_>, used: usize) -> TraceError {
        let Fields { command, length, lbn, time_us, .. } = fields;
        let (expected, found) = match fault {
            Fault::Command => ("a SCSI command of a disk".to_owned(), format!("command {command:#04x}")),
            Fault::Time => ("a time below 2^64 ns".to_owned(), format!("{time_us} us")),
            Fault::Offset => ("a byte address below 2^64".to_owned(), format!("block {lbn}, {length} bytes")),
            Fault::Backwards => (format!("a time near or after {} ns", self.latest), format!("{time_us} us")),
            Fault::Length => ("a length that is a multiple of 512".to_owned(), format!("{length} bytes")),
        };
        error(at, used, expected, found)
    }
}

#[cold]
fn error(at: At<'_>, used: usize, expected: String, found: String) -> TraceError {
    TraceError::Record {
        file: at.file.to_owned(),
        at: Place::Byte(at.byte + used as u64),
        expected,
        found,
        hint: "the file is damaged here, or not VSCSI; to keep what lies before, cut it at this byte (`head -c`)"
            .to_owned(),
    }
}
