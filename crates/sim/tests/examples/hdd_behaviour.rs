//! What a disk does, case by case.

use crate::*;

#[test]
fn short_stroking_offers_the_outer_part() {
    let spec = HddSpec { partition: 0.25, ..fast_disk() };
    assert_eq!(disk(&spec).capacity(), Bytes(75_000_000_000 / 512 * 512));
}
