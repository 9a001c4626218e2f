//! Tables by a mapping that the caller gives.

use crate::writer::{noted, read, read_ok};
use drivecast_block::{Nanos, Op, Record};
use drivecast_trace::{Options, Summary};

fn mapped(mapping: &str) -> Options {
    Options { csv: Some(mapping.to_owned()), ..Options::default() }
}

fn table(mapping: &str, text: &str) -> (Vec<Record>, Summary) {
    read_ok(text.as_bytes().to_vec(), &mapped(mapping))
}

fn refused(mapping: &str, text: &str) -> String {
    read(text.as_bytes().to_vec(), &mapped(mapping)).unwrap_err().to_string()
}

const TEXT: &str = "ts,host,type,lba,len\n1000,\"a,b\",R,8,4096\n1010.5,c,w,16,512\n";

#[test]
fn by_name_and_by_number() {
    let (records, summary) = table("time=ts:us,op=type:R/W,offset=lba:512,size=len:1", TEXT);
    let first = Record {
        time: Nanos(0),
        offset: 4096,
        size: 4096,
        stream: 0,
        op: Op::Read,
        latency: None,
        fua: false,
    };
    let second = Record {
        time: Nanos(10_500),
        offset: 8192,
        size: 512,
        stream: 0,
        op: Op::Write,
        latency: None,
        fua: false,
    };
    assert_eq!(records, [first, second]);
    assert_eq!(summary.format, "csv");
    assert_eq!(
        summary.coding.as_deref(),
        Some("time in us, offset in 512 B, size in 1 B, `R` reads, `W` writes")
    );
    assert_eq!(table("time=1:us,op=3:R/W,offset=4:512,size=5:1", TEXT).0, records);
    assert_eq!(table("time=TS:us,op=3,offset=lba:512B,size=5", TEXT).0, records);
}

#[test]
fn streams_by_name_rows_to_keep_and_completion_times() {
    let text =
        "done took vol what at n kind\n2000 500 v9 0 1 2 D\n2000 500 v9 0 1 2 C\n2600 600 v1 1 3 4 C\n";
    let mapping =
        "sep=space,end=done:ns,latency=took:ns,stream=vol,op=what:0/1,offset=at:4KiB,size=n:512,keep=kind:C";
    let (records, summary) = table(mapping, text);
    let read = Record {
        time: Nanos(0),
        offset: 4096,
        size: 1024,
        stream: 0,
        op: Op::Read,
        latency: Some(Nanos(500)),
        fua: false,
    };
    let write = Record {
        time: Nanos(500),
        offset: 12_288,
        size: 2048,
        stream: 1,
        op: Op::Write,
        latency: Some(Nanos(600)),
        fua: false,
    };
    assert_eq!(records, [read, write]);
    assert!(
        noted(&summary, "1 rows were left out by `keep`")
            && noted(&summary, "in order of appearance: v9, v1")
    );
}

#[test]
fn without_times_the_interval_holds() {
    let interval = Some(Nanos(5));
    let options = Options { interval, ..mapped("op=*:W,offset=1:4096,size=2:4096,sep=tab") };
    let (records, summary) = read_ok(b"1\t1\n7\t2\n".to_vec(), &options);
    assert_eq!((records[1].time, records[1].op, records[1].offset), (Nanos(5), Op::Write, 28_672));
    assert!(noted(&summary, "(as given)"));
}

#[test]
fn a_mapping_that_cannot_be_is_refused() {
    for (mapping, expected) in [
        ("time=ts:us,op=type,offset=lba:512", "expected a column for `size`"),
        ("time=ts:us,offset=lba:512,size=len", "(`op=*:R` where all are reads)"),
        ("time=ts,op=type,offset=lba,size=len", "a unit of time behind `:`"),
        ("when=ts:us", "one of the roles time, end, latency"),
        ("time=ts:us,end=ts:us,op=type,offset=lba,size=len", "`time` or `end`, not both"),
        (
            "time=ts:us,op=kind,offset=lba,size=len",
            "a column `kind` in the header, or a column number, found the columns ts, host, type",
        ),
        ("time=0:us,op=3,offset=4,size=5", "a column number from 1"),
        ("time=1:us,op=3,offset=4,size=4", "a column of its own for each role"),
        ("time=1:us,op=3:a/b/c/d/e,offset=4,size=5", "at most four kinds"),
        ("nonsense", "`role=column:coding`"),
    ] {
        let message = refused(mapping, TEXT);
        assert!(
            message.starts_with("--csv: expected ") && message.contains(expected),
            "{mapping}: {message}"
        );
    }
    let line = refused("time=1:us,op=3:R/W,offset=4:512,size=5:1", "1,x,R,8,512\n2,x,T,8,512\n");
    assert!(line.contains("line 2: expected a known operation"), "{line}");
}

#[test]
fn what_sticks_to_a_number_is_refused() {
    for (mapping, text) in [
        ("sep=space,time=1:s,op=2:R/W,offset=3,size=4", "1 R 0 512 more\n2 R 0 512x\n"),
        ("time=1:s,op=2:R/W,offset=3,size=4", "1,R,0,512,more\n2,R,0,512x\n"),
        ("time=1:s,op=2:R/W,offset=3,size=4", "1,R,0,512\n2x,R,0,512\n"),
    ] {
        assert!(refused(mapping, text).contains("line 2"), "{mapping}");
    }
}

#[test]
fn a_column_that_is_not_there() {
    let message = refused("time=1:us,op=3:R/W,offset=4:512,size=9:1", "1,x,R,8,512\n2,x,R,8,512\n");
    assert!(message.contains("expected a further column"), "{message}");
}
