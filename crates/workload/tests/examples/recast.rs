//! Recordings recast by example.

use drivecast_block::{Nanos, Op, Record};
use drivecast_workload::{hurried, packed, spread};

const MIB: u64 = 1 << 20;

fn record(ms: u64, op: Op, offset: u64, size: u32) -> Record {
    Record {
        time: Nanos::from_ms(ms),
        op,
        offset,
        size,
        stream: 0,
        latency: Some(Nanos::from_ms(2)),
        fua: false,
    }
}

#[test]
fn packing_leaves_out_what_is_never_touched_and_keeps_what_is_near() {
    let far = 900 * MIB;
    let records = [
        record(0, Op::Read, far + 4096, 4096),
        record(1, Op::Write, 5 * MIB + 512, 512),
        record(2, Op::Read, far + MIB - 4096, 8192),
        record(3, Op::Flush, 0, 0),
        record(4, Op::Read, far + MIB + 4096, 4096),
    ];
    let offsets: Vec<u64> = packed(&records, MIB).iter().map(|record| record.offset).collect();
    assert_eq!(offsets, [MIB + 4096, 512, 2 * MIB - 4096, 0, 2 * MIB + 4096]);
}

#[test]
fn spreading_puts_touched_regions_at_even_distances() {
    let records = [
        record(0, Op::Write, 5 * MIB + 512, 4096),
        record(1, Op::Read, 6 * MIB, 4096),
        record(2, Op::Flush, 0, 0),
        record(3, Op::Read, 900 * MIB, 8192),
        record(4, Op::Read, 901 * MIB - 4096, 4096),
    ];
    let offsets = |to| -> Option<Vec<u64>> {
        spread(&records, MIB, to).map(|moved| moved.iter().map(|record| record.offset).collect())
    };
    assert_eq!(offsets(300 * MIB).unwrap(), [512, 100 * MIB, 0, 200 * MIB, 201 * MIB - 4096]);
    assert_eq!(offsets(3 * MIB), None, "three regions fill 3 MiB already");
    assert!(spread(&[], MIB, 300 * MIB).is_none());
}

#[test]
fn idle_time_is_cut_and_nothing_else() {
    let records = [
        record(0, Op::Read, 0, 4096),
        record(1, Op::Read, 0, 4096),  // done at 3 ms
        record(10, Op::Read, 0, 4096), // 7 ms idle
        record(15, Op::Read, 0, 4096), // 3 ms idle
    ];
    let at = |most| {
        hurried(&records, Nanos::from_ms(most)).iter().map(|r| r.time.0 / 1_000_000).collect::<Vec<_>>()
    };
    assert_eq!(at(100), [0, 1, 10, 15]);
    assert_eq!(at(5), [0, 1, 8, 13]);
    assert_eq!(at(1), [0, 1, 4, 7]);
    assert_eq!(at(0), [0, 1, 3, 5]);
}
