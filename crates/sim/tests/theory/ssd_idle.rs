//! After idle time: a burst at the rate of a fresh drive, as long as the reserve lasts.

use crate::drives::{Uniform, closed_loop, filled, new_drive, rate, small, write};
use drivecast_block::{Device, Nanos};
use drivecast_sim::spec::{BackgroundGc, SsdSpec};
use drivecast_sim::ssd::Ssd;

const DEPTH: u64 = 32;

/// A drive that cleans half its spare free after a millisecond of rest.
fn resting() -> SsdSpec {
    SsdSpec { background_gc: Some(BackgroundGc { delay_ns: 1_000_000, reserve: 0.5 }), ..small() }
}

/// A drive in the steady state of random writes.
fn steady(spec: &SsdSpec, random: &mut Uniform) -> Ssd {
    let pages = spec.logical_bytes / 4096;
    let mut ssd = filled(spec);
    (0..4 * pages).for_each(|_| ssd.age(write(random.below(pages))));
    ssd
}

/// Free blocks of a die that the reserve comes to, as in `drive/idle.rs`: 40 blocks, of which 32 hold data.
const RESERVE: u64 = 4;
/// Pages that go into them before the last one is touched, over 8 dies of blocks of 256 pages.
const BURST: usize = 8 * (RESERVE as usize - 1) * 256;

#[test]
fn a_burst_runs_at_the_fresh_rate_until_the_reserve_is_used() {
    let (spec, mut random) = (resting(), Uniform::new(8, "writes"));
    let pages = spec.logical_bytes / 4096;
    let mut new = new_drive(&spec);
    let (fill, _) = closed_loop(&mut new, Nanos(0), DEPTH, 20_000, |id| write(id % pages));
    let fresh = rate(&fill[5_000..]);

    let mut ssd = steady(&spec, &mut random);
    let (before, _) = closed_loop(&mut ssd, Nanos(0), DEPTH, 60_000, |_| write(random.below(pages)));
    let worn = rate(&before[20_000..]);
    let mut ssd = steady(&spec, &mut random);
    ssd.idle();
    let (after, _) =
        closed_loop(&mut ssd, Nanos(0), DEPTH, 4 * BURST + 400_000, |_| write(random.below(pages)));
    let burst = rate(&after[500..BURST * 9 / 10]);
    let (behind, later) = (rate(&after[2 * BURST..3 * BURST]), rate(&after[after.len() - 60_000..]));
    println!(
        "fresh {fresh:.0}, steady {worn:.0}; after idle {burst:.0} for {BURST} writes, then {behind:.0}, {later:.0}"
    );
    assert!((burst / fresh - 1.0).abs() < 0.03, "{burst} after idle, {fresh} fresh");
    assert!(behind < 0.6 * fresh, "{behind}: the reserve should be used");
    assert!((later / worn - 1.0).abs() < 0.02, "{later} in the end, {worn} before");
}

#[test]
fn resting_on_the_clock_leads_where_resting_outside_it_leads() {
    let (spec, pages) = (resting(), small().logical_bytes / 4096);
    let burst = |on_the_clock: bool| {
        let mut random = Uniform::new(9, "writes");
        let mut ssd = steady(&spec, &mut random);
        let mut start = Nanos(0);
        ssd.reset_counters();
        if on_the_clock {
            let mut done = Vec::new();
            ssd.submit(start, write(0));
            while let Some(next) = ssd.next() {
                ssd.advance(next, &mut done);
            }
            start = Nanos(20_000_000_000);
        } else {
            ssd.idle();
        }
        let (done, _) = closed_loop(&mut ssd, start, DEPTH, BURST, |_| write(random.below(pages)));
        assert_eq!(ssd.ftl().audit(), Ok(()));
        (rate(&done[500..BURST * 9 / 10]), ssd.counters().flash_copied_pages)
    };
    let ((clock, clock_copies), (direct, direct_copies)) = (burst(true), burst(false));
    println!(
        "burst at {clock:.0} after 20 s, {direct:.0} after idle outside time; copies {clock_copies}, {direct_copies}"
    );
    assert!((clock / direct - 1.0).abs() < 0.01);
    assert!((clock_copies as f64 / direct_copies as f64 - 1.0).abs() < 0.02);
}

#[test]
fn a_command_ends_the_rest() {
    // The delay never passes between commands: nothing is cleaned ahead.
    let (spec, pages) = (resting(), small().logical_bytes / 4096);
    let run = |spec: &SsdSpec| {
        let mut random = Uniform::new(10, "writes");
        let mut ssd = steady(spec, &mut random);
        closed_loop(&mut ssd, Nanos(0), 1, 5_000, |_| write(random.below(pages)))
    };
    assert_eq!(run(&spec), run(&small()));
}
