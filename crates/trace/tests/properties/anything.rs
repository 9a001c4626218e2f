//! No bytes make the reader panic, hang or break its promises.

use crate::writer::{self, C, D, READ, event, little, vscsi};
use crate::{seeds, trials};
use drivecast_block::{Nanos, Op, Record};
use drivecast_trace::{FORMATS, Log, Options, open_bytes};
use proptest::prelude::*;
use trials::{detection, read_as};

fn valid() -> impl Strategy<Value = Vec<u8>> {
    let blktrace = || {
        let pair = |index: u64| {
            [event(index, READ | D, index * 8, 4096), event(index + 3, READ | C, index * 8, 4096)]
        };
        little(&(0..50).flat_map(pair).collect::<Vec<_>>())
    };
    let records: Vec<_> = (0..50)
        .map(|index| Record {
            time: Nanos(index * 1000),
            offset: index * 512,
            size: 512,
            stream: 0,
            op: Op::Read,
            latency: None,
            fua: false,
        })
        .collect();
    let iostat = br#"{"sysstat": {"hosts": [{"statistics": [{"timestamp": "10:00:00", "disk": [{"disk_device": "a", "r/s": 1.0, "w/s": 1.0,
        "rkB/s": 1.0, "wkB/s": 1.0}]}]}]}}"#;
    let samples: Vec<Vec<u8>> = FORMATS
        .iter()
        .filter(|format| !format.is_binary())
        .map(|description| description.sample.repeat(3).into_bytes())
        .collect();
    prop_oneof![
        8 => prop::sample::select(samples),
        1 => Just(writer::octf(&records)),
        1 => Just(blktrace()),
        1 => Just(vscsi(&records, 1)),
        1 => Just(vscsi(&records, 2)),
        1 => Just(writer::msr(&records)),
        1 => Just(iostat.to_vec()),
        3 => prop::sample::select(counter_logs()),
        1 => Just(zstd::encode_all(&blktrace()[..], 1).unwrap()),
        1 => Just(parquet_of(blktrace())),
    ]
}

/// Small logs of every source of counters.
fn counter_logs() -> Vec<Vec<u8>> {
    let matrix = |name: &str| {
        format!(
            r#"{{"metric": {{"__name__": "node_disk_{name}_total", "device": "a"}}, "values": [[1, "1"], [2, "5"], [3, "2"]]}}"#
        )
    };
    let names = ["reads_completed", "writes_completed", "read_bytes", "written_bytes", "read_time_seconds"];
    let matrices: Vec<_> = names.iter().map(|name| matrix(name)).collect();
    let metric = |name: &str| {
        format!(
            r#"{{"Label": "Volume{name}", "Timestamps": ["2026-11-21T14:00:00Z", 1795000000], "Values": [1, 2]}}"#
        )
    };
    let metrics: Vec<_> = ["ReadOps", "WriteOps", "ReadBytes", "WriteBytes", "IdleTime"].map(metric).to_vec();
    let perfmon = "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\H\\PhysicalDisk(0 C:)\\Disk Reads/sec\",\"\\\\H\\PhysicalDisk(0 C:)\\Disk Writes/sec\",\
        \"\\\\H\\PhysicalDisk(0 C:)\\Disk Read Bytes/sec\",\"\\\\H\\PhysicalDisk(0 C:)\\Disk Write Bytes/sec\"\r\n\
        \"11/21/2026 14:00:00.000\",\" \",\"1,5\",\"2.5\",\"3\"\r\n\"11/21/2026 14:00:01.000\",\"1\",\"1,5\",\"2.5\",\"3\"\r\n";
    let texts = [
        r#"{"sysstat": {"hosts": [{"statistics": [{"timestamp": {"date": "2026-11-21", "time": "14:00:00", "interval": 1},
            "disk": [{"disk-device": "a", "tps": 2.0, "rkB": 1.0, "wkB": 1.0, "await": 1.0}]}]}]}}"#.to_owned(),
        "Linux 6 (h) 11/21/26 (1 CPU)\n\n11/21/26 14:00:00\nDevice r/s w/s rkB/s wkB/s f/s f_await w_await aqu-sz %util\n\
            sda 1,0 2.0 3k 4 1 1 1 0.1 1.0%\n\n11/21/26 14:00:01\nDevice r/s w/s rkB/s wkB/s\nsda 1 2 3 4\n".to_owned(),
        "Linux 6 (h) \t11/21/26 \t_x86_64_\t(1 CPU)\n\n11:50:01 PM DEV tps rkB/s wkB/s await %util\n11:55:01 PM sda 40,0 3k 1 0.7 0.6%\n\
            11:57:00 PM LINUX RESTART\n12:00:01 AM sda 4.0 30 10 0.7 0.6\nAverage: sda 4.0 30 10 0.7 0.6\n".to_owned(),
        "# hostname;interval;timestamp;DEV;tps;rd_sec/s;wr_sec/s;await[...]\nh;60;2026-11-18 00:00:00 UTC;a;4;3,0;1;0.7;b;4;3;1;0.7\n\
            h;-1;2026-11-18 00:00:30 UTC;LINUX-RESTART\nh;60;1795377486;a;4;3;1;0.7\n".to_owned(),
        "1795362720.5\n 8 0 sda 1 0 8 1 1 0 8 1 0 1 1 0 0 0 0 1 1\n1795362721\n 8 0 sda 3 0 24 2 2 0 16 2 0 2 2 0 0 0 0 1 1\n".to_owned(),
        "1795362720\n8:0 rbytes=1 wbytes=1 rios=1 wios=1\n1795362721\n8:0 rbytes=9 wbytes=9 rios=2 wios=2\n".to_owned(),
        format!(r#"{{"status": "success", "data": {{"resultType": "matrix", "result": [{}]}}}}"#, matrices.join(", ")),
        format!(r#"{{"MetricDataResults": [{}]}}"#, metrics.join(", ")),
        perfmon.to_owned(),
    ];
    let wide = perfmon.encode_utf16().flat_map(u16::to_le_bytes);
    let wide: Vec<u8> = [0xff, 0xfe].into_iter().chain(wide).collect();
    texts.into_iter().map(String::into_bytes).chain([wide]).collect()
}

fn parquet_of(bytes: Vec<u8>) -> Vec<u8> {
    let directory = tempfile::TempDir::new().unwrap();
    let (from, out) = (directory.path().join("log"), directory.path().join("log.parquet"));
    std::fs::write(&from, bytes).unwrap();
    drivecast_trace::convert(
        &[from],
        &out,
        &Options::default(),
        &mut |_| std::ops::ControlFlow::Continue(()),
    )
    .unwrap();
    std::fs::read(out).unwrap()
}

#[test]
fn the_logs_to_be_damaged_are_whole() {
    for bytes in counter_logs() {
        let opened = open_bytes(vec![("log".to_owned(), bytes.clone())], &Options::default());
        let Ok(Log::Counters(log)) = opened else { panic!("{}", String::from_utf8_lossy(&bytes)) };
        assert!(!log.samples().is_empty());
    }
}

#[test]
fn what_fuzzing_starts_from() {
    seeds::replay(include_str!("../../../../fuzz/seeds/mapping.txt"), trials::mapping);
    seeds::replay(include_str!("../../../../fuzz/seeds/summary.txt"), trials::summary);
    for bytes in [
        &include_bytes!("../../../../fuzz/seeds/parquet/plain")[..],
        include_bytes!("../../../../fuzz/seeds/parquet/gzip"),
        include_bytes!("../../../../fuzz/seeds/parquet/lz4"),
        include_bytes!("../../../../fuzz/seeds/parquet/snappy"),
        include_bytes!("../../../../fuzz/seeds/parquet/zstd"),
    ] {
        trials::parquet(bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        detection(&bytes);
    }

    /// What detection would keep out, behind a start that it lets in.
    #[test]
    fn any_bytes_behind_a_plausible_start(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        for trial in [
            trials::blktrace,
            trials::vscsi,
            trials::octf,
            trials::msr,
            trials::text,
            trials::counters,
            trials::iostat,
            trials::parquet,
        ] {
            trial(&bytes);
        }
    }

    #[test]
    fn valid_files_with_some_bytes_changed(
        mut bytes in valid(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        for (index, byte) in changes {
            let at = index.index(bytes.len());
            bytes[at] = byte;
        }
        detection(&bytes);
    }

    #[test]
    fn valid_files_cut_anywhere(bytes in valid(), cut in any::<prop::sample::Index>()) {
        detection(&bytes[..cut.index(bytes.len())]);
    }

    /// Detection keeps most damage out; a reader that is asked for takes anything.
    #[test]
    fn damaged_text_in_a_format_that_is_asked_for(
        which in any::<prop::sample::Index>(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..12),
        noise in proptest::collection::vec(any::<u8>(), 0..60),
    ) {
        let texts: Vec<_> = FORMATS.iter().filter(|format| !format.is_binary()).collect();
        let description = texts[which.index(texts.len())];
        let mut bytes = description.sample.repeat(200).into_bytes();
        for (index, byte) in changes {
            let at = index.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.extend(noise);
        read_as(bytes, &Options { format: Some(description.name.to_owned()), ..Options::default() });
    }

    #[test]
    fn any_mapping(mapping in "[a-z]{0,8}=?[a-z0-9*]{0,4}:?[a-z0-9/|]{0,6}(,(time|op|offset|size|keep|sep|end|gap|latency|stream)=[0-9a-z*]{1,3}(:[0-9a-zRW/]{1,5})?){0,6}", text in "([0-9RW,. ]{0,30}\n){0,6}") {
        read_as(text.into_bytes(), &Options { csv: Some(mapping), ..Options::default() });
    }

    #[test]
    fn any_summary(text in "\\PC{0,200}") {
        trials::summary(text.as_bytes());
    }
}
