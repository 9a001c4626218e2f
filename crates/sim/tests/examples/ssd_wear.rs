//! Wear without time.

use crate::closed_forms::greedy;
use crate::drives::{Uniform, filled, new_drive, request, small, write};
use drivecast_block::{Device, Op};
use drivecast_sim::ssd::{EraseSpread, wear};

#[test]
fn the_interval_holds_the_theory() {
    let spec = small();
    let pages = spec.logical_bytes / 4096;
    let mut ssd = filled(&spec);
    let mut random = Uniform::new(13, "writes");
    let options = wear::Options::new(spec.logical_bytes);
    let found = wear::measure(&mut ssd, || write(random.below(pages)), &options).unwrap();
    assert!(found.steady, "{found:?}");
    let expected = greedy(8.0 * 39.0 * 256.0 / pages as f64, 256);
    // 40 blocks a die are few: chance on so few adds 0.75/40.
    let error = found.write_amplification / expected - 1.0;
    assert!(error > 0.0 && error < 0.03, "{found:?} against {expected}");
    assert!(found.write_amplification_low < found.write_amplification);
    assert!(found.write_amplification_high - found.write_amplification < 0.006 * found.write_amplification);
    let erased = found.flash_erases * 256;
    let programmed = found.flash_host_pages + found.flash_copied_pages;
    assert!(erased.abs_diff(programmed) < 256 * 16, "{erased} pages erased, {programmed} programmed");
    assert_eq!(found.written_bytes, found.flash_host_pages * 4096);
}

#[test]
fn sequential_writes_are_not_amplified() {
    let spec = small();
    let mut ssd = filled(&spec);
    let mut at = 0;
    let mut next = || {
        at = (at + (1 << 20)) % spec.logical_bytes;
        request(0, Op::Write, at, 1 << 20)
    };
    let found = wear::measure(&mut ssd, &mut next, &wear::Options::new(spec.logical_bytes)).unwrap();
    assert!(found.steady && found.write_amplification < 1.001, "{found:?}");
}

#[test]
fn a_workload_that_writes_nothing_has_no_wear() {
    let spec = small();
    let mut ssd = new_drive(&spec);
    let options = wear::Options::new(spec.logical_bytes);
    assert_eq!(wear::measure(&mut ssd, || request(0, Op::Read, 0, 4096), &options), None);
    assert_eq!(ssd.counters().flash_host_pages, 0);
}

#[test]
fn erases_are_spread_over_the_blocks() {
    let spec = small();
    let pages = spec.logical_bytes / 4096;
    let mut ssd = new_drive(&spec);
    let mut random = Uniform::new(14, "writes");
    (0..30 * pages).for_each(|_| ssd.age(write(random.below(pages))));
    let EraseSpread { most, mean, .. } = ssd.ftl().erase_spread();
    assert!(mean > 20.0 && f64::from(most) < 1.6 * mean, "{most} at most, {mean} on average");
}
