//! What a disk does, case by case.

use crate::*;

#[test]
fn short_stroking_offers_the_outer_part() {
    let spec = HddSpec { partition: 0.25, ..fast_disk() };
    assert_eq!(disk(&spec).capacity(), Bytes(75_000_000_000 / 512 * 512));
}
#[test]
fn dbg() {
    let size = 256 << 10;
    let mut hdd = disk(&fast_disk());
    let base = (hdd.capacity().0 / size - 5_000) * size;
    let s = closed_loop(&mut hdd, 1, 4_000, |id| request(id, Op::Read, base + id * size, size as u32));
    let mut h = std::collections::BTreeMap::new();
    for x in &s {
        *h.entry((x.latency_ms() * 10.0) as u32).or_insert(0) += 1;
    }
    println!("{h:?}");
}
