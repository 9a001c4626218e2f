//! Writers of the formats that the crate reads, and short ways to read them back.

use drivecast_block::{Nanos, Op, Record};
use drivecast_trace::{Log, Options, Summary, Trace, TraceError, open_bytes};

pub(crate) const READ: u32 = 1 << 16;
pub(crate) const WRITE: u32 = 1 << 17;
pub(crate) const FLUSH: u32 = 1 << 18;
pub(crate) const FUA: u32 = 1 << 31;
pub(crate) const PASSTHROUGH: u32 = 1 << 25;
pub(crate) const NOTIFY: u32 = 1 << 26;
pub(crate) const DISCARD: u32 = 1 << 29;
pub(crate) const Q: u32 = 1;
pub(crate) const D: u32 = 7;
pub(crate) const C: u32 = 8;

/// One blktrace record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    pub(crate) time: u64,
    pub(crate) sector: u64,
    pub(crate) bytes: u32,
    pub(crate) action: u32,
    pub(crate) pid: u32,
    pub(crate) device: u32,
    pub(crate) payload: u16,
}

pub(crate) fn event(time: u64, action: u32, sector: u64, bytes: u32) -> Event {
    Event { time, sector, bytes, action, pid: 7, device: 8 << 20 | 16, payload: 0 }
}

pub(crate) fn little(events: &[Event]) -> Vec<u8> {
    blktrace(events, false)
}

pub(crate) fn blktrace(events: &[Event], big: bool) -> Vec<u8> {
    let mut out = Vec::new();
    for (index, event) in events.iter().enumerate() {
        let mut put = |bytes: &[u8]| match big {
            true => out.extend(bytes.iter().rev()),
            false => out.extend(bytes),
        };
        put(&0x6561_7407_u32.to_le_bytes());
        put(&(index as u32 + 1).to_le_bytes());
        put(&event.time.to_le_bytes());
        put(&event.sector.to_le_bytes());
        for word in [event.bytes, event.action, event.pid, event.device, 0] {
            put(&word.to_le_bytes());
        }
        put(&0_u16.to_le_bytes());
        put(&event.payload.to_le_bytes());
        out.extend(std::iter::repeat_n(0xee, usize::from(event.payload)));
    }
    out
}

pub(crate) fn vscsi(records: &[Record], version: u16) -> Vec<u8> {
    let mut out = Vec::new();
    for (sn, record) in records.iter().enumerate() {
        let command: u16 = match record.op {
            Op::Read => 0x28,
            Op::Write => 0x2a,
            _ => 0x35,
        };
        let head = [command.to_le_bytes(), (version << 8).to_le_bytes()].concat();
        let counts = [(sn as u32).to_le_bytes(), record.size.to_le_bytes(), 1_u32.to_le_bytes()].concat();
        out.extend(if version == 2 { [head, counts].concat() } else { [counts, head].concat() });
        out.extend((record.offset / 512).to_le_bytes());
        out.extend((record.time.0 / 1000).to_le_bytes());
        if version == 2 {
            out.extend((record.latency.unwrap_or(Nanos(0)).0 / 1000).to_le_bytes());
        }
    }
    out
}

/// 2007-02-22, when the recordings of MSR Cambridge begin.
pub(crate) const MSR_START: u64 = 128_166_372_000_000_000;

pub(crate) fn msr(records: &[Record]) -> Vec<u8> {
    let mut out = String::new();
    for record in records {
        let time = MSR_START + record.time.0 / 100;
        let (kind, Record { offset, size, stream, .. }) =
            (if record.op == Op::Read { "Read" } else { "Write" }, record);
        let response = record.latency.unwrap_or(Nanos(0)).0 / 100;
        out += &format!("{time},hm,{stream},{kind},{offset},{size},{response}\n");
    }
    out.into_bytes()
}

fn varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// A protocol-buffer message: numbers by their tags.
fn message(fields: &[(u64, u64)]) -> Vec<u8> {
    let mut out = Vec::new();
    for &(tag, value) in fields {
        varint(tag << 3, &mut out);
        varint(value, &mut out);
    }
    out
}

/// An event of OCTF with its length: a header and one further message.
pub(crate) fn octf_event(time: u64, tag: u64, fields: &[(u64, u64)]) -> Vec<u8> {
    let mut body = Vec::new();
    for (tag, part) in [(1, message(&[(1, 1), (2, time)])), (tag, message(fields))] {
        varint(tag << 3 | 2, &mut body);
        varint(part.len() as u64, &mut body);
        body.extend(part);
    }
    let mut out = Vec::new();
    varint(body.len() as u64, &mut out);
    out.extend(body);
    out
}

/// Requests, each with its completion one microsecond later.
pub(crate) fn octf(records: &[Record]) -> Vec<u8> {
    let device = 8 << 20 | 16;
    let mut out = Vec::new();
    for record in records {
        let (sector, sectors) = (record.offset / 512, u64::from(record.size) / 512);
        let direction = 1 + u64::from(record.op == Op::Write);
        out.extend(octf_event(
            1 + record.time.0,
            2,
            &[(1, sector), (2, sectors), (4, device), (5, direction), (9, 77)],
        ));
        out.extend(octf_event(1_001 + record.time.0, 5, &[(1, sector), (2, sectors), (4, device), (5, 77)]));
    }
    out
}

/// The trace in some files that lie in memory.
pub(crate) fn trace(files: &[(&str, Vec<u8>)], options: &Options) -> Result<Trace, TraceError> {
    let files = files.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.clone())).collect();
    match open_bytes(files, options)? {
        Log::Trace(trace) => Ok(trace),
        Log::Counters(_) => panic!("a counter log"),
    }
}

/// All records of a trace, and its summary.
pub(crate) fn drain(mut trace: Trace) -> Result<(Vec<Record>, Summary), TraceError> {
    let (mut records, mut batch) = (Vec::new(), Vec::new());
    while trace.fill(&mut batch)? {
        records.extend_from_slice(&batch);
    }
    Ok((records, trace.summary()))
}

/// All records of one file in memory.
pub(crate) fn read(bytes: Vec<u8>, options: &Options) -> Result<(Vec<Record>, Summary), TraceError> {
    drain(trace(&[("log", bytes)], options)?)
}

pub(crate) fn read_ok(bytes: Vec<u8>, options: &Options) -> (Vec<Record>, Summary) {
    read(bytes, options).expect("the log is valid")
}

/// The message of an error.
pub(crate) fn refused(bytes: Vec<u8>) -> String {
    match read(bytes, &Options::default()) {
        Ok((records, _)) => panic!("accepted, {} records", records.len()),
        Err(error) => error.to_string(),
    }
}

pub(crate) fn noted(summary: &Summary, part: &str) -> bool {
    summary.notes.iter().any(|note| note.contains(part))
}
