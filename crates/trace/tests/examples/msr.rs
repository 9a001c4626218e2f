//! MSR Cambridge CSV.

use crate::writer::{MSR_START, noted, read_ok, refused};
use drivecast_block::{Nanos, Op, Record};
use drivecast_trace::Options;

fn line(tick: u64, rest: &str) -> String {
    format!("{},{rest}\n", MSR_START + tick)
}

#[test]
fn fields_and_units() {
    let text = line(0, "hm,1,Read,383496192,32768,413") + &line(25, "hm,1,Write,2822144,4000,2334");
    let (records, summary) = read_ok(text.clone().into_bytes(), &Options::default());
    assert_eq!(summary.format, "msr");
    let first = Record {
        time: Nanos(0),
        offset: 383_496_192,
        size: 32_768,
        stream: 1,
        op: Op::Read,
        latency: Some(Nanos(41_300)),
        fua: false,
    };
    assert_eq!(records[0], first);
    assert_eq!((records[1].time, records[1].size, records[1].op), (Nanos(2_500), 4_000, Op::Write));
    let windows = format!(
        "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime\r\n{}",
        text.replace('\n', "\r\n")
    );
    assert_eq!(read_ok(windows.into_bytes(), &Options::default()).0, records);
    assert_eq!(read_ok(text.trim_end().as_bytes().to_vec(), &Options::default()).0, records);
}

#[test]
fn a_cut_last_line_is_a_note() {
    let text = line(0, "hm,0,Read,0,512,1") + &line(1, "hm,0,Read,0,51");
    let (records, summary) = read_ok(text.trim_end().as_bytes().to_vec(), &Options::default());
    assert_eq!(records.len(), 1);
    assert!(noted(&summary, "cut off in line 2"));
}

#[test]
fn bad_lines_are_refused_with_their_number() {
    let good: String = (0..40).map(|tick| line(tick, "hm,0,Read,0,512,1")).collect();
    let refuse = |bad: &str| refused(format!("{good}{bad}\n").into_bytes());
    let op = refuse(line(50, "hm,0,Trim,0,512,1").trim_end());
    assert!(
        op.contains("line 41")
            && op.contains("a known operation in `")
            && op.contains("op=4:Read/Write")
            && op.contains("Trim"),
        "{op}"
    );
    assert!(refuse("x").contains("a time in `time=1:100ns,"));
    assert!(refuse(line(50, "hm,0,Read,-5,512,1").trim_end()).contains("expected an offset in"));
    assert!(refuse(line(50, "hm,0,Read,0,5000000000,1").trim_end()).contains("a size below 4 GiB"));
    assert!(
        refuse(line(50, "hm,0,Read,18446744073709551615,512,1").trim_end()).contains("an end below 2^64")
    );
    assert!(refuse("99999999999999999999999,hm,0,Read,0,512,1").contains("a time in"));
    assert!(refuse("1,hm,0,Read,0,512,1").contains("not more than 60 s before"));
    assert!(refuse(&"9".repeat(20_000)).contains("a line of at most 16 KiB"));
}

#[test]
fn a_few_bad_lines_are_skipped_counted_and_named() {
    let mut text: String = (0..500).map(|tick| line(tick, "hm,0,Read,0,512,1")).collect();
    text += &format!("{}\n", "x".repeat(1 << 20));
    text += &line(600, "hm,0,Read,0,512,1");
    text += "what is this\n";
    let (records, summary) = read_ok(text.clone().into_bytes(), &Options::default());
    assert_eq!(records.len(), 501);
    assert!(noted(
        &summary,
        "2 of 503 lines were skipped; the first: `log`, line 501: expected a line of at most 16 KiB"
    ));
    let strict = Options { strict: true, ..Options::default() };
    let refused = crate::writer::read(text.into_bytes(), &strict).unwrap_err().to_string();
    assert!(refused.contains("line 501"), "{refused}");
}

#[test]
fn headers_in_the_midst_are_passed_over() {
    let header = "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime\n";
    let part = line(0, "hm,1,Read,0,512,1");
    let (records, summary) =
        read_ok(format!("{header}{part}{header}{part}").into_bytes(), &Options::default());
    assert_eq!(records.len(), 2);
    assert!(noted(&summary, "the header line comes 2 times"), "{:?}", summary.notes);
}

#[test]
fn one_disk_of_several() {
    let text = line(0, "hm,0,Read,0,512,1") + &line(1, "hm,1,Read,4096,512,1");
    let only = |disk: &str| Options { disk: Some(disk.to_owned()), ..Options::default() };
    let (records, _) = read_ok(text.clone().into_bytes(), &only("1"));
    assert_eq!((records.len(), records[0].offset, records[0].time), (1, 4096, Nanos(100)));
    let absent = crate::writer::read(text.clone().into_bytes(), &only("7")).unwrap_err().to_string();
    assert!(absent.contains("has no requests of disk `7`") && absent.contains("hm_0, hm_1"), "{absent}");
    let wrong = crate::writer::read(text.into_bytes(), &only("sda")).unwrap_err().to_string();
    assert!(wrong.contains("has no requests of disk `sda`"), "{wrong}");
}

#[test]
fn empty_requests_are_counted_and_disks_pointed_out() {
    let text = line(0, "hm,0,Read,0,512,1") + &line(1, "hm,1,Read,0,0,1") + &line(2, "hm,1,Read,0,512,1");
    let (records, summary) = read_ok(text.into_bytes(), &Options::default());
    assert_eq!(records.len(), 2);
    assert!(noted(&summary, "1 reads or writes of no bytes") && noted(&summary, "several disks"));
}
