//! Compact recordings byte by byte, and what is said of bytes that are none.

use drivecast_block::{Nanos, Op, Record};
use drivecast_workload::{compact, expand};

fn record(us: u64, op: Op, offset: u64, size: u32) -> Record {
    Record { time: Nanos::from_us(us), offset, size, stream: 3, op, fua: false, latency: None }
}

fn some() -> [Record; 3] {
    let write = Record { fua: true, ..record(1, Op::Write, 8192, 4096) };
    [record(0, Op::Read, 4096, 4096), write, record(1, Op::Discard, 4096, 8192)]
}

#[test]
fn bytes_are_as_the_head_of_the_source_says() {
    let columns: [&[u8]; 5] = [&[0, 0xe8, 7, 0], &[2, 0, 3], &[1, 1, 2], &[0, 17, 3], &[3, 3, 3]];
    let head = [b'D', b'C', b'R', b'1', 12, 3, 4, 3, 3, 3, 3];
    assert_eq!(compact(&some()), [&head[..], &columns.concat()].concat());
    assert_eq!(expand(&compact(&some())).as_deref(), Ok(&some()[..]));
    assert_eq!(expand(&compact(&[])), Ok(vec![]));
}

#[test]
fn a_sequential_run_takes_seven_bytes_a_request() {
    let run: Vec<Record> = (0..1000).map(|n| record(n * 100, Op::Read, n * 65_536, 65_536)).collect();
    assert!(compact(&run).len() < 7 * run.len() + 50, "{}", compact(&run).len());
}

#[test]
fn what_is_wrong_is_said_with_its_byte() {
    let good = compact(&some());
    let with = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        bytes
    };
    let huge = [&b"DCR1\x00"[..], &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 9]].concat();
    let cases = [
        (b"PK\x03\x04 a zip".to_vec(), "byte 0: expected the magic number `DCR1`, found 50 4b 03 04"),
        (vec![], "byte 0: expected the magic number `DCR1`, found "),
        (b"DCR1".to_vec(), "byte 4: expected a whole header, found its end"),
        (with(4, 13), "byte 4: expected a shift of 12 or less, found 13"),
        (with(5, 4), "byte 7: expected a byte or more for each request, found 3"),
        (with(6, 5), "byte 6: expected columns as long as the rest, found 17 of 16"),
        (with(18, 0x83), "byte 21: expected a column as long as the others, found its end"),
        (good[..26].to_vec(), "byte 6: expected columns as long as the rest, found 16 of 15"),
        (with(22, 4), "byte 22: expected an operation from 0 to 3, found 4"),
        (with(15, 3), "byte 15: expected an offset within 64 bits, found -2"),
        (huge, "byte 15: expected a byte or more for each request, found 9"),
    ];
    for (bytes, said) in cases {
        assert_eq!(expand(&bytes).expect_err(said).to_string(), said);
    }
}
