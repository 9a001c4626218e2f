//! Readers of logs: each trial puts any bytes behind what detection asks for, and reads the log to its end.

use drivecast_trace::{CounterSummary, FORMATS, Log, Options, Summary, open_bytes};

/// How counter logs start, so that every reader is reached.
const COUNTERS: [&[u8]; 9] = [
    b"\"(PDH-CSV 4.0)\",\"\\\\H\\PhysicalDisk(0)\\Disk Reads/sec\",\"\\\\H\\PhysicalDisk(0)\\Disk Writes/sec\",\"\\\\H\\PhysicalDisk(0)\\Disk Read Bytes/sec\",\"\\\\H\\PhysicalDisk(0)\\Disk Write Bytes/sec\"\n\"11/21/2026 14:00:00\",",
    b"Linux 6 (h) 11/21/26 (1 CPU)\n\n11/21/26 14:00:00\nDevice r/s w/s rkB/s wkB/s\nsda 1 2 3 4\n",
    b"1795362720\n 8 0 sda 1 0 8 1 1 0 8 1 0 1 1\n",
    b"1795362720\n8:0 rbytes=1 wbytes=1 rios=1 wios=1\n",
    b"{\"status\": \"success\", \"data\": {\"resultType\": \"matrix\", \"result\": [{\"metric\": {\"__name__\": \"node_disk_",
    b"{\"MetricDataResults\": [{\"Label\": \"VolumeReadOps\", \"Timestamps\": [",
    b"{\"sysstat\": {\"hosts\": [{\"statistics\": [{\"timestamp\": {\"date\": \"",
    b"Linux 6 (h) \t11/21/26 \t_x86_64_\t(1 CPU)\n\n11:50:01 PM DEV tps rkB/s wkB/s await\n11:55:01 PM sda 4 3 1 0.7\n",
    b"# hostname;interval;timestamp;DEV;tps;rkB/s;wkB/s;await\nh;60;2026-11-18 00:00:00 UTC;a;4;3,0;1;0.7\n",
];

/// Any bytes at all: decompression, detection, archives, Parquet.
pub(crate) fn detection(bytes: &[u8]) {
    read(bytes.to_vec());
}

/// blktrace records whose magic number is right, so that the rest of the record is what is tried.
pub(crate) fn blktrace(bytes: &[u8]) {
    let mut log = bytes.to_vec();
    for record in log.chunks_exact_mut(48) {
        record[..4].copy_from_slice(&[0x07, 0x74, 0x61, 0x65]);
        // Without payload the records stay aligned.
        record[46..].fill(0);
    }
    read(log);
}

/// VSCSI records of version 1 whose first ones are plausible, so that detection lets them in.
pub(crate) fn vscsi(bytes: &[u8]) {
    let mut log = Vec::new();
    for number in 0..64_u64 {
        log.extend([0; 4]);
        log.extend(512_u32.to_le_bytes());
        log.extend([1, 0, 0, 0, 0x28, 0, 0, 1]);
        log.extend((number * 8).to_le_bytes());
        log.extend((number * 100).to_le_bytes());
    }
    for record in bytes.chunks(32) {
        let mut record = record.to_vec();
        if let Some(version) = record.get_mut(15) {
            *version = 1;
        }
        log.extend(record);
    }
    read(log);
}

/// Messages of OCTF behind some that are in order, so that detection lets them in; each gets its length.
pub(crate) fn octf(bytes: &[u8]) {
    // A header with the time 1000, then a read of 8 sectors at 80.
    let event = [15, 0x0a, 3, 0x10, 0xe8, 7, 0x12, 8, 0x08, 80, 0x10, 8, 0x28, 1, 0x20, 16];
    let mut log = event.repeat(16);
    for message in bytes.chunks(24) {
        log.push(message.len() as u8);
        log.extend_from_slice(message);
    }
    read(log);
}

/// Lines behind some that are MSR Cambridge without doubt.
pub(crate) fn msr(bytes: &[u8]) {
    let mut log = b"128166372003061629,hm,1,Read,383496192,32768,413\n".repeat(400);
    log.extend_from_slice(bytes);
    read(log);
}

/// A text format that is asked for: its own sample, then anything. The first byte chooses which.
pub(crate) fn text(bytes: &[u8]) {
    let texts: Vec<_> = FORMATS.iter().filter(|format| !format.is_binary()).collect();
    let Some((which, rest)) = bytes.split_first() else { return };
    let description = texts[usize::from(*which) % texts.len()];
    let mut log = description.sample.repeat(200).into_bytes();
    log.extend_from_slice(rest);
    read_as(log, &Options { format: Some(description.name.to_owned()), ..Options::default() });
}

/// Any mapping of columns, and any table under it: the first line is the mapping.
pub(crate) fn mapping(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (mapping, table) = text.split_once('\n').unwrap_or((text, ""));
    read_as(table.as_bytes().to_vec(), &Options { csv: Some(mapping.to_owned()), ..Options::default() });
}

/// Counter logs: the first byte chooses how they start.
pub(crate) fn counters(bytes: &[u8]) {
    let Some((choice, rest)) = bytes.split_first() else { return };
    let mut log = COUNTERS[usize::from(*choice) % COUNTERS.len()].to_vec();
    log.extend_from_slice(rest);
    read(log);
}

/// Reports in a document that starts as sysstat's does.
pub(crate) fn iostat(bytes: &[u8]) {
    let mut log =
        br#"{"sysstat": {"hosts": [{"statistics": [{"disk": [{"disk_device": "sda", "r/s": "#.to_vec();
    log.extend_from_slice(bytes);
    read(log);
}

/// Parquet between its two magic numbers: footers and pages that are damaged.
pub(crate) fn parquet(bytes: &[u8]) {
    read([b"PAR1", bytes, b"PAR1"].concat());
}

/// The JSON that Parquet files carry.
pub(crate) fn summary(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(summary) = Summary::from_json(text) {
        assert!(summary.tally("issue").is_none_or(|tally| tally.event == "issue"));
    }
    let _ = CounterSummary::from_json(text);
}

fn read(bytes: Vec<u8>) {
    read_as(bytes, &Options::default());
}

/// Any bytes as a log; the records of a trace are in order and end within 64 bits.
pub(crate) fn read_as(bytes: Vec<u8>, options: &Options) {
    match open_bytes(vec![("x_lat.1.log".to_owned(), bytes)], options) {
        Ok(Log::Trace(mut trace)) => {
            let (mut batch, mut latest) = (Vec::new(), 0);
            while let Ok(true) = trace.fill(&mut batch) {
                for record in &batch {
                    assert!(record.time.0 >= latest, "records come in order of time");
                    assert!(
                        record.offset.checked_add(u64::from(record.size)).is_some(),
                        "a request ends within 64 bits"
                    );
                    latest = record.time.0;
                }
            }
            let _ = trace.summary();
        }
        Ok(Log::Counters(log)) => {
            for sample in log.samples() {
                let figures = [sample.reads, sample.writes, sample.read_bytes, sample.written_bytes];
                let more = [sample.flushes, sample.queue_depth, sample.utilization];
                assert!(
                    figures
                        .into_iter()
                        .chain(more.into_iter().flatten())
                        .all(|one| one.is_finite() && one >= 0.0),
                    "counts are numbers, and none is negative: {sample:?}"
                );
            }
        }
        Err(error) => drop(error.to_string()),
    }
}
