//! Every text format: its own sample is recognised, as it alone, and read.

use crate::writer::{drain, noted, refused, trace};
use drivecast_block::{Nanos, Op, Record};
use drivecast_trace::{FORMATS, Options, Summary};

fn read(name: &str, text: &str, options: &Options) -> (Vec<Record>, Summary) {
    drain(trace(&[(name, text.as_bytes().to_vec())], options).unwrap()).unwrap()
}

fn sample(name: &str) -> &'static str {
    FORMATS.iter().find(|format| format.name == name).unwrap().sample
}

/// The name that a file of this format usually has, where the name matters.
fn usual(format: &str) -> &'static str {
    match format {
        "fio-lat" => "x_clat.1.log",
        "fio-bw" => "x_bw.1.log",
        _ => "log",
    }
}

/// The records of a format's own sample.
fn records(format: &str) -> Vec<Record> {
    let (records, summary) = read(usual(format), sample(format), &Options::default());
    assert_eq!(summary.format, format);
    records
}

fn row(time: u64, op: Op, offset: u64, size: u32, stream: u32, latency: Option<u64>) -> Record {
    Record { time: Nanos(time), offset, size, stream, op, latency: latency.map(Nanos), fua: false }
}

#[test]
fn each_sample_is_recognised() {
    for description in FORMATS.iter().filter(|format| format.is_trace() && !format.is_binary()) {
        assert!(!records(description.name).is_empty(), "{}", description.title);
        assert!(!description.detected_by.is_empty());
    }
}

#[test]
fn a_sample_reads_the_same_without_line_break_with_windows_line_breaks_and_when_asked_for() {
    for description in FORMATS.iter().filter(|format| format.is_trace() && !format.is_binary()) {
        let (name, expected) = (usual(description.name), records(description.name));
        for text in [description.sample.trim_end().to_owned(), description.sample.replace('\n', "\r\n")] {
            assert_eq!(read(name, &text, &Options::default()).0, expected, "{}", description.title);
        }
        let asked = Options { format: Some(description.name.to_owned()), ..Options::default() };
        assert_eq!(read("log", description.sample, &asked).0, expected, "{}", description.title);
    }
}

#[test]
fn tables() {
    assert_eq!(
        records("spc"),
        [
            row(0, Op::Write, 20_941_264 * 512, 8192, 0, None),
            row(2_335_000, Op::Write, 20_939_840 * 512, 8192, 0, None),
            row(699_014_000, Op::Read, 3_436_288 * 512, 15_872, 1, None),
        ]
    );
    assert_eq!(records("systor")[1], row(1_651_000, Op::Write, 8192, 8192, 1, Some(431_000)));
    assert_eq!(records("alibaba")[1], row(46_000, Op::Read, 59_110_326_272, 360_448, 725, None));
    assert_eq!(records("tencent")[0], row(0, Op::Read, 12_910_952 * 512, 65_536, 1063, None));
    assert_eq!(records("cloudphysics")[1], row(242_639_000, Op::Read, 42_932_746 * 512, 4096, 0, None));
    let zoned = format!("{}939000000 4 524288 524288 2\n", sample("mqsim"));
    let (found, summary) = read("log", &zoned, &Options::default());
    assert_eq!(found[2], row(487_000, Op::Discard, 256 << 20, 256 << 20, 4, None), "a zone is reset");
    assert!(noted(&summary, "`2` is taken for a discard"), "{:?}", summary.notes);
    assert_eq!(records("mqsim")[1], row(315_000, Op::Read, 197_570_570 * 512, 8192, 3, None));
    assert_eq!(records("disksim")[1], row(46_085_000, Op::Write, 3_962_268 * 512, 8192, 0, None));
    assert_eq!(records("dixtrac")[1], row(46_085_000, Op::Read, 3_962_268 * 512, 6144, 0, Some(6_657_000)));
    assert_eq!(records("arc")[2], row(2_000_000, Op::Read, 36_443 * 4096, 16_384, 0, None));
    assert_eq!(records("csv")[1], row(1_500, Op::Write, 0, 512, 7, None));
}

#[test]
fn logs_of_fio() {
    assert_eq!(
        records("fio-iolog"),
        [row(0, Op::Read, 249_856, 4096, 0, None), row(5_485_000, Op::Write, 3_104_768, 4096, 0, None)]
    );
    let old = "fio version 2 iolog\n/d add\n/d open\n/d read 0 4096\n/d wait 500\n/e write 512 512\n/d sync 0 0\n/d close\n";
    assert_eq!(
        read("log", old, &Options::default()).0,
        [
            row(0, Op::Read, 0, 4096, 0, None),
            row(500_000, Op::Write, 512, 512, 1, None),
            row(500_000, Op::Flush, 0, 0, 0, None)
        ]
    );
    let (unpaced, summary) = read("log", &old.replace("/d wait 500\n", ""), &Options::default());
    assert_eq!(unpaced[2].time, Nanos(2_000_000));
    assert!(noted(&summary, "requests are 0.001 s apart (assumed"), "{:?}", summary.notes);
    // Without its first line it is known by where the actions come, and that is said.
    for (whole, version) in [(old, "version 2"), (sample("fio-iolog"), "version 3")] {
        let (_, cut) = whole.split_once('\n').unwrap();
        let (found, summary) = read("log", cut, &Options::default());
        assert_eq!((found, &*summary.format), (read("log", whole, &Options::default()).0, "fio-iolog"));
        assert!(noted(&summary, &format!("those of fio's {version}")), "{:?}", summary.notes);
        refused(cut.replace("read", "raed").into_bytes());
    }
    // Completed at 5 ms after 5.3 ms: issued at the start; the second one 22 us before 5 ms.
    assert_eq!(
        records("fio-lat"),
        [
            row(0, Op::Read, 249_856, 4096, 0, Some(5_340_594)),
            row(4_977_779, Op::Write, 3_104_768, 4096, 0, Some(22_221))
        ]
    );
    assert_eq!(records("fio-bw")[1], row(0, Op::Write, 3_104_768, 4096, 0, None));
}

#[test]
fn a_log_of_fio_that_cannot_be_told_asks_for_a_flag() {
    let unnamed = refused(sample("fio-lat").as_bytes().to_vec());
    assert!(unnamed.contains("hint: say `--format fio-lat` or `--format fio-bw`"), "{unnamed}");
    let without = refused(b"5, 100, 0, 4096, 0\n6, 100, 1, 4096, 0\n".to_vec());
    assert!(without.contains("`--log_offset=1`"), "{without}");
    let averaged = refused(b"99, 100, 0, 0, 0, 0\n".to_vec());
    assert!(averaged.contains("without `--log_avg_msec`"), "{averaged}");
}

#[test]
fn a_unit_of_time_that_cannot_be_ns_asks_for_a_flag() {
    let dense: String = (0..20).map(|ms| format!("{} 0 {} 8 1\n", ms * 3, ms * 8)).collect();
    let message = refused(dense.clone().into_bytes());
    assert!(
        message.contains("goes up by 45 in 15 requests") && message.contains("`--format disksim`"),
        "{message}"
    );
    let asked = Options { format: Some("disksim".to_owned()), ..Options::default() };
    assert_eq!(read("log", &dense, &asked).0[1].time, Nanos(3_000_000));
}

#[test]
fn events_of_the_block_layer() {
    assert_eq!(records("blkparse"), [row(2_100, Op::Write, 2048 * 512, 4096, 1234, Some(109_900))]);
    assert_eq!(records("ftrace"), [row(7_000, Op::Read, 8742 * 512, 1024, 13_084, Some(870_000))]);
    let events = "\
  fio-9  (     7) [000] ..... 10.000001: block_bio_queue: 7,0 WS 2048 + 8 [fio]
 a: b-9  [000] ..... 10.000002: block_rq_issue: 7,0 WS 4096 () 2048 + 8 none,0,0 [a: b]
  fio-9  [000] ..... 10.000003: block_plug: [fio]
  CPU:1 [LOST 12 EVENTS]
  kworker/1:1H-35 [001] ..s.. 10.000200: block_rq_issue: 7,0 FF 0 () 0 + 0 none,0,0 [kworker/1:1H]
  <idle>-0  [001] ..s.. 10.000302: block_rq_complete: 7,0 WS () 2048 + 8 none,0,0 [0]
  <idle>-0  [001] ..s.. 10.000400: block_rq_complete: 7,0 FF () 18446744073709551615 + 0 none,0,0 [0]
";
    let (found, summary) = read("log", events, &Options::default());
    assert_eq!(
        found,
        [
            row(1_000, Op::Write, 2048 * 512, 4096, 9, Some(300_000)),
            row(199_000, Op::Flush, 0, 0, 35, Some(200_000))
        ]
    );
    assert!(noted(&summary, "the kernel lost 12 events"));
    let strict = Options { strict: true, ..Options::default() };
    let refused = drain(trace(&[("log", events.into())], &strict).unwrap()).unwrap_err().to_string();
    assert!(refused.contains("the log is not whole: log: the kernel lost 12 events"), "{refused}");
}

#[test]
fn biosnoop() {
    let expected = [
        row(0, Op::Write, 13_092_560 * 512, 4096, 1950, Some(740_000)),
        row(0, Op::Read, 13_092_432 * 512, 8192, 1951, Some(610_000)),
    ];
    assert_eq!(records("biosnoop"), expected);
    let queued = "TIME(s)     COMM           PID    DISK      T SECTOR     BYTES   QUE(ms) LAT(ms)\n1.0    a b   1   sda     R 8   4096   9.00   0.50\n";
    assert_eq!(read("log", queued, &Options::default()).0, [row(0, Op::Read, 4096, 4096, 1, Some(500_000))]);
    let plain = refused(b"Attaching 4 probes...\nTIME(ms)     DISK    COMM             PID    LAT(ms)\n611          nvme0n1 bash             4179        10\n".to_vec());
    assert!(plain.contains("names neither sector nor size"), "{plain}");
}
