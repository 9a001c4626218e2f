//! Write plans: data and parity are written exactly where they change, and what is read suffices to compute the parity.

use super::layout::layouts;
use drivecast_block::Bytes;
use drivecast_sim::raid::layout::{Extent, Layout, Level};
use drivecast_sim::raid::plan::{Extents, StripeRange, discarded, written};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// The granules (512 B) of extents, as (member, granule).
fn granules(extents: &[Extent]) -> BTreeSet<(usize, u64)> {
    let each = |e: &Extent| {
        (e.offset / 512..e.offset / 512 + u64::from(e.size / 512)).map(|g| (e.member, g)).collect()
    };
    extents.iter().flat_map::<Vec<_>, _>(each).collect()
}

fn parity_layouts() -> impl Strategy<Value = Layout> {
    layouts().prop_filter("parity", |layout| layout.level().parities() > 0)
}

proptest! {
    #[test]
    fn row_plans_are_sound(layout in parity_layouts(), start in 0.0..1.0, length in 0.0..1.0) {
        let width = layout.stripe_bytes() / 512;
        let first = (start * width as f64) as u64;
        let count = 1 + (length * (width - first - 1) as f64) as u64;
        let write = StripeRange { stripe: 3, start: first * 512, end: (first + count) * 512 };
        let mut extents = Extents::default();
        write.writes(&layout, &mut extents);
        let all = granules(extents.as_slice());
        write.reads(&layout, &mut extents);
        let reads = granules(extents.as_slice());

        // The data written are those asked for; the granules of parity are those under them.
        let chunk = layout.chunk().0 / 512;
        let base = layout.stripe_offset(3) / 512;
        let data: BTreeSet<_> = (first..first + count)
            .map(|g| (layout.data_member(3, (g / chunk) as usize), base + g % chunk)).collect();
        let under: BTreeSet<_> = data.iter().map(|(_, g)| *g).collect();
        let mut expected = data.clone();
        for which in 0..layout.level().parities() {
            expected.extend(under.iter().map(|g| (layout.parity_member(3, which), *g)));
        }
        prop_assert_eq!(&all, &expected);

        // Either the old data and parity are read, or all data of the stripe under the parity become known.
        let known: BTreeSet<_> = reads.union(&data).copied().collect();
        let row_data = (0..layout.data_chunks()).map(|index| layout.data_member(3, index));
        let needed: BTreeSet<_> = row_data.flat_map(|m| under.iter().map(move |g| (m, *g))).collect();
        prop_assert!(reads == all || known == needed, "neither way to the parity is complete");
        if write.is_full(&layout) {
            prop_assert!(reads.is_empty());
        }
        let span = write.span(&layout);
        prop_assert_eq!(base + span.start / 512, *under.first().unwrap());
        prop_assert_eq!(base + span.end / 512, *under.last().unwrap() + 1);
    }

    #[test]
    fn writes_reach_every_copy_once(layout in layouts(), start in 0.0..0.5, size in 1_u32..100) {
        let offset = (layout.capacity().0 as f64 * start) as u64 / 512 * 512;
        let size = size * 512;
        prop_assume!(offset + u64::from(size) <= layout.capacity().0);
        let mut bytes = vec![0_u64; layout.members()];
        let mut list = Vec::new();
        written(&layout, offset, size, &mut Extents::default(), |extent| {
            bytes[extent.member] += u64::from(extent.size);
            list.push(extent);
        });
        let distinct = granules(&list).len() as u64 * 512;
        prop_assert_eq!(distinct, bytes.iter().sum::<u64>(), "a place is written twice");
        if layout.level().parities() == 0 {
            prop_assert_eq!(distinct, u64::from(size) * layout.copies() as u64);
        }
    }
}

#[test]
fn neighbouring_ends_need_two_runs_of_parity() {
    let layout = Layout::new(Level::Raid5, 5, Bytes::kib(64), Bytes::mib(1));
    let mut extents = Extents::default();
    let write = StripeRange { stripe: 0, start: 60 << 10, end: 68 << 10 };
    write.writes(&layout, &mut extents);
    let parity: Vec<_> = extents.as_slice().iter().filter(|extent| extent.member == 4).collect();
    assert_eq!(parity.iter().map(|extent| extent.size).sum::<u32>(), 8 << 10);
    assert_eq!(parity.len(), 2);
}

#[test]
fn discards_pass_whole_stripes_only_under_parity() {
    let layout = Layout::new(Level::Raid5, 3, Bytes::kib(4), Bytes::kib(64));
    let mut seen = Vec::new();
    // One stripe and a half (8 KiB a stripe): stripe 1 whole, stripe 2 in part.
    discarded(&layout, 8 << 10, 12 << 10, &mut Extents::default(), |extent| seen.push(extent));
    let stripe = |member| Extent { member, offset: 4 << 10, size: 4 << 10 };
    assert_eq!(seen, [stripe(0), stripe(1), stripe(2)]);
}
