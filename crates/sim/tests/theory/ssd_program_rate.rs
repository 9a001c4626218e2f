//! The rate of all programs, against what random writes leave of it.

use crate::drives::{Uniform, closed_loop, filled, request, small};
use drivecast_block::{Device, Nanos, Op};
use drivecast_sim::spec::SsdSpec;

/// Steady random writes of 4 KiB: requests a second, and write amplification in mapping units.
fn steady(spec: &SsdSpec) -> (f64, f64) {
    let mut ssd = filled(spec);
    let pages = spec.logical_bytes / 4096;
    let mut random = Uniform::new(6, "writes");
    let mut write = |id| request(id, Op::Write, random.below(pages) * 4096, 4096);
    (0..4 * pages).for_each(|id| ssd.age(write(id)));
    ssd.reset_counters();
    let (completions, _) = closed_loop(&mut ssd, Nanos(0), 32, 100_000, write);
    let from = completions.len() / 5;
    let span = completions[completions.len() - 1].at.since(completions[from].at);
    let counters = ssd.counters();
    let programs = (counters.flash_host_pages + counters.flash_copied_pages) as f64;
    ((completions.len() - 1 - from) as f64 / span.as_secs_f64(), programs / counters.flash_host_pages as f64)
}

/// A drive held back by nothing but its programs: W = B / (A u), whether B is below the link's rate or above it, and
/// though the host sends less than the mapping unit u.
#[test]
fn random_writes_share_the_program_rate_with_copies_and_the_rest_of_their_units() {
    let programs = 150e6;
    for (mapping_bytes, link_bytes_per_s) in [(4096, 560e6), (4096, 100e6), (16_384, 560e6)] {
        let spec = SsdSpec {
            mapping_bytes,
            link_bytes_per_s,
            write_bytes_per_s: Some(programs),
            read_ns: 100,
            program_ns: 100,
            erase_ns: 100,
            read_command_ns: 0,
            write_command_ns: 0,
            channel_bytes_per_s: 1e12,
            ..small()
        };
        let (found, amplification) = steady(&spec);
        let expected = programs / (amplification * f64::from(mapping_bytes));
        println!(
            "unit {mapping_bytes}, link {link_bytes_per_s:e}: {found:.0} writes/s, by B/(A u) {expected:.0}"
        );
        assert!((found / expected - 1.0).abs() < 0.02, "{mapping_bytes}: {found} of {expected}");
    }
}
