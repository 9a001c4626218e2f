//! The stripe cache spares reads of what the array has read or written before, and no other; what is written stays.

use super::layout::layouts;
use crate::controller::free;
use crate::station::MEMBER;
use drivecast_block::{Bytes, Device, Nanos, Op, Request};
use drivecast_sim::fixed_service::{FixedService, Service};
use drivecast_sim::raid::layout::{Extent, Layout};
use drivecast_sim::raid::plan::{Extents, StripeRange};
use drivecast_sim::raid::{Array, Processor};
use drivecast_sim::spec::ControllerSpec;
use proptest::prelude::*;
use std::collections::BTreeSet;

const GRANULE: u64 = 512;

fn array(layout: Layout, stripe_cache_bytes: Option<u64>) -> Array {
    let service = Service::Constant(Nanos::from_us(100));
    let member = |seed| Box::new(FixedService::new(MEMBER, 1, service, seed)) as Box<dyn Device>;
    let members = (0..layout.members() as u64).map(member).collect();
    let spec = ControllerSpec { stripe_cache_bytes, ..free() };
    Array::new(layout, Nanos::ZERO, members).run_by(Processor::new(&spec))
}

/// Bytes read and written by the members for one write alone.
fn write(array: &mut Array, now: &mut Nanos, offset: u64, size: u32) -> [u64; 2] {
    let before = array.counters();
    array.submit(*now, Request { id: 0, offset: Bytes(offset), size, stream: 0, op: Op::Write, fua: false });
    let mut done = Vec::new();
    while let Some(at) = array.next() {
        *now = at;
        array.advance(at, &mut done);
    }
    assert_eq!(done.len(), 1);
    let after = array.counters();
    [after.read_bytes - before.read_bytes, after.written_bytes - before.written_bytes]
}

fn granules(extents: &[Extent]) -> impl Iterator<Item = (usize, u64)> {
    extents.iter().flat_map(|e| {
        (e.offset / GRANULE..(e.offset + u64::from(e.size)) / GRANULE).map(|granule| (e.member, granule))
    })
}

/// What either way to the parity of a range reads: what is written, and the rest of the data under it.
fn ways(layout: &Layout, range: &StripeRange) -> [BTreeSet<(usize, u64)>; 2] {
    let mut extents = Extents::default();
    range.writes(layout, &mut extents);
    let modified: BTreeSet<_> = granules(extents.as_slice()).collect();
    let data = |index| layout.data_member(range.stripe, index);
    let under: BTreeSet<_> = modified.iter().map(|(_, granule)| *granule).collect();
    let all = (0..layout.data_chunks()).flat_map(|index| under.iter().map(move |at| (data(index), *at)));
    let rest = all.filter(|granule| !modified.contains(granule)).collect();
    [modified, rest]
}

fn writes() -> impl Strategy<Value = Vec<(u64, u32)>> {
    // Few places, and sizes that meet each other's edges.
    prop::collection::vec((0_u64..40, 1_u32..24), 1..40)
}

proptest! {
    #[test]
    fn reads_are_spared_that_were_made(
        layout in layouts().prop_filter("parity", |layout| layout.level().parities() > 0),
        writes in writes(),
    ) {
        let [mut plain, mut cached] = [None, Some(1 << 30)].map(|bytes| array(layout, bytes));
        let mut times = [Nanos::ZERO; 2];
        let mut moved = BTreeSet::new();
        for (place, size) in writes {
            let (offset, size) = (place * 4096, size * 4096);
            if offset + u64::from(size) > layout.capacity().0 {
                continue;
            }
            let without = write(&mut plain, &mut times[0], offset, size);
            let with = write(&mut cached, &mut times[1], offset, size);
            prop_assert_eq!(with[1], without[1]);
            prop_assert!(with[0] <= without[0], "the cache reads more: {} for {}", with[0], without[0]);
            let mut least = 0;
            for range in StripeRange::split(&layout, offset, size) {
                let ways = ways(&layout, &range);
                least += ways.iter().map(|way| way.difference(&moved).count() as u64).min().unwrap_or(0);
                ways.into_iter().for_each(|way| moved.extend(way));
            }
            prop_assert!(with[0] >= least * GRANULE, "reads {} of {least} granules", with[0]);
        }
    }
}
