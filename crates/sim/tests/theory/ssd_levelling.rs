//! Wear levelling: the spread of erase counts under hot and cold data.

use crate::drives::Uniform;
use drivecast_sim::spec::WearLevelling;
use drivecast_sim::ssd::{EraseSpread, Ftl, Geometry, Policy, Stats};

const GEOMETRY: Geometry = Geometry { dies: 1, blocks_per_die: 512, pages_per_block: 32 };
const SPREAD: u32 = 20;

/// Fills a drive in order, then writes its first tenth only, until a block was erased `turns` times on average; the spread
/// each quarter of the way.
fn wear(wear_levelling: WearLevelling, turns: u64) -> ([EraseSpread; 4], Stats) {
    let data = 14_000;
    let policy = Policy { wear_levelling, wear_spread: SPREAD, ..Policy::default() };
    let mut ftl = Ftl::new(GEOMETRY, data, data, 8, policy).unwrap();
    let mut random = Uniform::new(3, "writes");
    (0..data).for_each(|lpn| ftl.write(lpn, &mut ()));
    let quarters = [1, 2, 3, 4].map(|quarter| {
        while ftl.stats().erases < quarter * turns / 4 * u64::from(GEOMETRY.blocks_per_die) {
            ftl.write(random.below(data / 10), &mut ());
        }
        ftl.erase_spread()
    });
    ftl.audit().unwrap();
    (quarters, ftl.stats())
}

#[test]
fn without_static_levelling_the_spread_grows_with_the_writes() {
    for levelling in [WearLevelling::None, WearLevelling::Dynamic] {
        let ([first, .., last], stats) = wear(levelling, 200);
        // Blocks full of data that is never written are never erased.
        assert_eq!((last.least, stats.levelled_pages), (0, 0), "{levelling:?}");
        assert!(last.most > 3 * first.most && last.deviation > 3.0 * first.deviation, "{first:?} {last:?}");
        assert!(f64::from(last.most) > 2.0 * last.mean, "{last:?}");
    }
}

#[test]
fn static_levelling_bounds_the_spread() {
    let (quarters, stats) = wear(WearLevelling::Static, 400);
    println!("{quarters:?} {stats:?}");
    for spread in &quarters[1..] {
        // A block may be erased a few times more while those at the bottom are raised one after another.
        assert!(spread.most - spread.least <= SPREAD + 5, "{spread:?}");
        assert!(spread.deviation < f64::from(SPREAD) / 2.0, "{spread:?}");
    }
    assert!((quarters[3].mean - 400.0).abs() < 2.0, "{:?}", quarters[3]);
    // The data of a block moves about once in `SPREAD` erasures of it.
    let moves = stats.levelled_pages as f64 / 32.0 / stats.erases as f64;
    assert!(moves > 0.2 / f64::from(SPREAD) && moves < 2.0 / f64::from(SPREAD), "{moves} moves an erasure");
    assert!(stats.copied_pages >= stats.levelled_pages);
}
