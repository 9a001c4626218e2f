//! The cost of a write in member I/Os (theory.md 2.4): a small random write costs 1 on RAID 0, 2 on RAID 1 and 10, 4 on
//! RAID 5, 6 on RAID 6; a full stripe costs one write a member.

use crate::station::array;
use drivecast_block::{Bytes, Device, Nanos, Op, Request};
use drivecast_sim::fixed_service::Service;
use drivecast_sim::raid::Level;

/// Member reads and writes of one write.
fn cost(level: Level, members: usize, offset: u64, size: u32) -> [u64; 2] {
    let mut device = array(level, members, Bytes::kib(64), Service::Constant(Nanos::from_us(1)));
    device.submit(
        Nanos::ZERO,
        Request { id: 0, offset: Bytes(offset), size, stream: 0, op: Op::Write, fua: false },
    );
    let mut done = Vec::new();
    while let Some(at) = device.next() {
        device.advance(at, &mut done);
    }
    assert_eq!(done.len(), 1);
    let completed = device.counters().completed;
    [completed[Op::Read as usize], completed[Op::Write as usize]]
}

#[test]
fn small_random_writes() {
    for place in [0, 4096, 123 << 12, 4567 << 12] {
        assert_eq!(cost(Level::Raid0, 8, place, 4096), [0, 1]);
        assert_eq!(cost(Level::Raid1, 2, place, 4096), [0, 2]);
        assert_eq!(cost(Level::Raid10, 8, place, 4096), [0, 2]);
        assert_eq!(cost(Level::Raid5, 8, place, 4096), [2, 2]);
        assert_eq!(cost(Level::Raid6, 8, place, 4096), [3, 3]);
    }
}

#[test]
fn full_stripes_need_no_reads() {
    assert_eq!(cost(Level::Raid0, 8, 0, 8 << 16), [0, 8]);
    assert_eq!(cost(Level::Raid10, 8, 0, 4 << 16), [0, 8]);
    assert_eq!(cost(Level::Raid5, 8, 0, 7 << 16), [0, 8]);
    assert_eq!(cost(Level::Raid6, 8, 0, 6 << 16), [0, 8]);
    assert_eq!(cost(Level::Raid5, 8, 14 << 16, 14 << 16), [0, 16], "two stripes");
}

#[test]
fn large_partial_writes_reconstruct() {
    // Five of seven chunks: two reads of the rest, not five of the old data and one of parity.
    assert_eq!(cost(Level::Raid5, 8, 0, 5 << 16), [2, 6]);
    assert_eq!(cost(Level::Raid6, 8, 0, 4 << 16), [2, 6]);
    // Three members: reading the other chunk beats reading old data and old parity.
    assert_eq!(cost(Level::Raid5, 3, 0, 4096), [1, 2]);
}
