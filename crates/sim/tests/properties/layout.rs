//! The address map is a bijection: every user byte has one place, no two share one, parity has places of its own.

use drivecast_block::Bytes;
use drivecast_sim::raid::layout::{Layout, Level, Piece};
use proptest::prelude::*;
use std::collections::BTreeMap;

pub(crate) fn layouts() -> impl Strategy<Value = Layout> {
    let level = proptest::sample::select(Level::NAMES.map(|(_, level)| level).to_vec());
    let sizes = (0_usize..6, 2_usize..4, 12_u32..16, 1_u64..20, 0_u64..4096);
    (level, sizes).prop_map(|(level, (more, groups, chunk, stripes, rest))| {
        let groups = if level.is_grouped() { groups } else { 1 };
        let members = match level {
            Level::Raid10 => level.members_min() + 2 * more,
            _ => (level.members_min() + more) * groups,
        };
        let chunk = Bytes(1 << chunk);
        Layout::grouped(level, members, groups, chunk, Bytes(chunk.0 * stripes + rest))
    })
}

proptest! {
    #[test]
    fn every_chunk_has_its_own_place(layout in layouts()) {
        let chunk = layout.chunk().0;
        let stripes = layout.capacity().0 / layout.stripe_bytes();
        let mut taken: BTreeMap<(usize, u64), u32> = BTreeMap::new();
        let mut expected = 0;
        for stripe in 0..stripes {
            for index in 0..layout.data_chunks() {
                let offset = stripe * layout.stripe_bytes() + index as u64 * chunk;
                let size = u32::try_from(chunk).unwrap();
                let pieces: Vec<Piece> = layout.pieces(offset, size).collect();
                prop_assert_eq!(&pieces, &[Piece { stripe, index, start: 0, size }]);
                let extent = layout.extent(pieces[0]);
                for copy in 0..layout.copies() {
                    *taken.entry((extent.member + copy, extent.offset)).or_default() += 1;
                    expected += 1;
                }
            }
            for which in 0..layout.level().parities() {
                *taken.entry((layout.parity_member(stripe, which), layout.stripe_offset(stripe))).or_default() += 1;
                expected += 1;
            }
        }
        prop_assert!(taken.values().all(|times| *times == 1), "two chunks share a place");
        prop_assert_eq!(expected, stripes * layout.group_members() as u64, "every member chunk is used");
        prop_assert!(taken.keys().all(|(member, _)| *member < layout.members()));
    }

    #[test]
    fn pieces_tile_the_request(layout in layouts(), start in 0.0..1.0, size in 1_u32..200_000) {
        let offset = (layout.capacity().0 as f64 * start) as u64;
        let mut at = offset;
        for piece in layout.pieces(offset, size) {
            let base = piece.stripe * layout.stripe_bytes() + piece.index as u64 * layout.chunk().0;
            prop_assert_eq!(base + piece.start, at);
            prop_assert!(piece.start + u64::from(piece.size) <= layout.chunk().0);
            prop_assert!(piece.index < layout.data_chunks());
            at += u64::from(piece.size);
        }
        prop_assert_eq!(at, offset + u64::from(size));
    }

    #[test]
    fn parity_visits_every_member_equally(layout in layouts()) {
        for which in 0..layout.level().parities() {
            let mut visits = vec![0; layout.members()];
            (0..layout.members() as u64).for_each(|stripe| visits[layout.parity_member(stripe, which)] += 1);
            prop_assert!(visits.iter().all(|count| *count == 1));
        }
    }
}

#[test]
fn left_symmetric_as_md_draws_it() {
    // Four members: D0 D1 D2 P / D4 D5 P D3 / D8 P D6 D7 / P D9 D10 D11.
    let layout = Layout::new(Level::Raid5, 4, Bytes::kib(4), Bytes::kib(16));
    let places: Vec<Vec<usize>> =
        (0..4).map(|stripe| (0..3).map(|index| layout.data_member(stripe, index)).collect()).collect();
    assert_eq!(places, [[0, 1, 2], [3, 0, 1], [2, 3, 0], [1, 2, 3]]);
    assert_eq!([0, 1, 2, 3].map(|stripe| layout.parity_member(stripe, 0)), [3, 2, 1, 0]);
}
