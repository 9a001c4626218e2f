//! Bringing a drive to steady state outside time leads where running it there leads.

use crate::drives::{Uniform, closed_loop, filled, new_drive, rate, small, write};
use drivecast_block::{Device, Nanos};
use drivecast_sim::ssd::{Preload, Ssd};

#[test]
fn ageing_equals_the_long_way() {
    let spec = small();
    let pages = spec.logical_bytes / 4096;
    let count = 4 * pages as usize;
    let mut random = Uniform::new(11, "writes");

    let mut long = new_drive(&spec);
    let (fill, _) = closed_loop(&mut long, Nanos(0), 32, pages as usize, |id| write(id % pages));
    let start = fill[fill.len() - 1].at;
    let (run, _) = closed_loop(&mut long, start, 32, 3 * count, |_| write(random.below(pages)));
    let (fresh, long) = (rate(&fill), rate(&run[2 * count..]));

    let mut direct = filled(&spec);
    (0..2 * count).for_each(|_| direct.age(write(random.below(pages))));
    let (run, _) = closed_loop(&mut direct, Nanos(0), 32, count, |_| write(random.below(pages)));
    let direct = rate(&run);

    println!("fresh {fresh:.0} IOPS; steady the long way {long:.0}, after ageing {direct:.0}");
    assert!((direct / long - 1.0).abs() < 0.02, "{direct} after ageing, {long} the long way");
    assert!(fresh > 2.0 * long, "a fresh drive is faster: {fresh} against {long}");
}

#[test]
fn one_seed_one_outcome() {
    let run = || {
        let spec = small();
        let pages = spec.logical_bytes / 4096;
        let mut random = Uniform::new(12, "writes");
        let mut ssd = Ssd::new(&spec, &Preload::whole(&spec), 5).unwrap();
        (0..3 * pages).for_each(|_| ssd.age(write(random.below(pages))));
        (closed_loop(&mut ssd, Nanos(0), 16, 20_000, |_| write(random.below(pages))).0, ssd.counters())
    };
    assert_eq!(run(), run());
}
