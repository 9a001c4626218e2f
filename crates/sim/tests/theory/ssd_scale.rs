//! The error of simulating less flash than a drive has: full size against reduced, on drives small enough for
//! both.

use crate::closed_forms;
use crate::drives::{Uniform, filled, small, write};
use drivecast_block::{Device, Request};
use drivecast_sim::spec::{GarbageCollection, SpecError, SsdSpec};
use drivecast_sim::ssd::{Ftl, Geometry, Layout, Preload, Ssd, wear};

/// 2 GiB of data on 16 dies, of 70 to 90 blocks of 512 pages.
fn large(spare_factor: f64) -> SsdSpec {
    let logical_bytes = 2 << 30;
    SsdSpec {
        logical_bytes,
        physical_bytes: (logical_bytes as f64 / (1.0 - spare_factor)) as u64,
        pages_per_block: 128,
        dies_per_channel: 4,
        ..small()
    }
}

fn amplification(ssd: &mut Ssd, window: u64, workload: impl FnMut() -> Request) -> f64 {
    let options = wear::Options { tolerance: 0.003, ..wear::Options::new(window) };
    let wear = wear::measure(ssd, workload, &options).unwrap();
    assert!(wear.steady, "{wear:?}");
    ssd.ftl().audit().unwrap();
    wear.write_amplification
}

/// A drive of which about so many pages are rewritten, in writes of 4 KiB.
fn scaled(spec: &SsdSpec, pages: u64, preload: &Preload) -> Result<Ssd, SpecError> {
    Ssd::scaled(spec, Layout::scale_to(spec, pages, preload)?, preload, 4096, 1)
}

fn agree(what: &str, full: f64, reduced: f64, tolerance: f64) {
    println!("{what}: {full:.4} in full, {reduced:.4} reduced, {:+.2} %", 100.0 * (reduced / full - 1.0));
    assert!((reduced / full - 1.0).abs() < tolerance, "{what}: {full} in full, {reduced} reduced");
}

#[test]
fn a_scaled_drive_has_the_amplification_of_the_full_one() {
    for (spare_factor, streams, pages) in [(0.1, 1, 250_000), (0.25, 1, 250_000), (0.13, 2, 60_000)] {
        let spec = SsdSpec { streams, ..large(spare_factor) };
        let mut found = [0.0; 2];
        for (found, mut ssd) in found.iter_mut().zip(
            [Ssd::new(&spec, &Preload::whole(&spec), 1), scaled(&spec, pages, &Preload::whole(&spec))]
                .map(Result::unwrap),
        ) {
            let capacity = ssd.capacity().0;
            wear::fill(&mut ssd, capacity);
            let mut random = Uniform::new(5, "writes");
            *found = amplification(&mut ssd, capacity, || write(random.below(capacity / 4096)));
        }
        agree(
            &format!("S_f {spare_factor}, {streams} streams, {pages} pages of flash"),
            found[0],
            found[1],
            0.02,
        );
    }
}

/// Amplification when only `written` pages of a full drive are rewritten, `stride` apart.
fn rewriting(ssd: &mut Ssd, written: u64, stride: u64) -> f64 {
    let mut random = Uniform::new(6, "writes");
    amplification(ssd, written * 4096, || write(random.below(written) * stride))
}

#[test]
fn cold_data_that_lies_together_may_be_left_out() {
    let spec = large(0.1);
    let pages = spec.logical_bytes / 4096;
    for share in [2, 4] {
        let mut full = filled(&spec);
        let preload = Preload { written_pages: pages / share, data_pages: pages };
        let mut reduced = Ssd::new(&spec, &preload, 1).unwrap();
        assert!(reduced.layout().geometry.pages() < full.layout().geometry.pages());
        wear::fill(&mut reduced, spec.logical_bytes / share);
        let mut shrunk = scaled(&spec, 120_000, &preload).unwrap();
        let left = shrunk.capacity().0 / share;
        assert!(left < spec.logical_bytes / share);
        wear::fill(&mut shrunk, left);
        let shrunk = rewriting(&mut shrunk, left / 4096, 1);
        let [full, reduced] = [&mut full, &mut reduced].map(|ssd| rewriting(ssd, pages / share, 1));
        agree(&format!("1/{share} of the data rewritten"), full, reduced, 0.01);
        agree(&format!("1/{share} of the data rewritten, shrunk"), full, shrunk, 0.025);
    }
}

#[test]
fn one_frontier_never_parts_cold_pages_strewn_among_hot_ones() {
    // Desnoyers' mixed formula with a class that is never written: each cold page is copied once a turn of
    // the log.
    let spec = large(0.2);
    let pages = spec.logical_bytes / 4096;
    let mut full = filled(&spec);
    let found = rewriting(&mut full, pages / 2, 2);
    let geometry = full.layout().geometry;
    let in_use = f64::from(geometry.dies * (geometry.blocks_per_die - 1) * geometry.pages_per_block);
    let (hot, cold) = (0.5 * pages as f64, 0.5 * pages as f64);
    let fifo = closed_forms::falls_through_zero(1.0 + 1e-9, 1e3, |a| {
        1.0 / (1.0 - (-in_use / (hot * a)).exp()) + cold * a / in_use - a
    });
    // Greedy does about as well as FIFO here.
    println!("half of the pages strewn and never rewritten: {found:.3}, FIFO by formula {fifo:.3}");
    assert!((found / fifo - 1.0).abs() < 0.05, "{found} against {fifo}");
}

/// Steady amplification of 32 Ki pages in `ratio` times as much flash; one write in ten goes to the nine cold
/// tenths.
fn in_flash_of(ratio: u32, skewed: bool) -> f64 {
    let written = 32_768;
    let geometry = Geometry { dies: 1, blocks_per_die: 1 + 128 * ratio, pages_per_block: 256 };
    let mut ftl = Ftl::new(geometry, written, written, 8, GarbageCollection::Greedy).unwrap();
    let mut random = Uniform::new(7, "writes");
    let mut write = |ftl: &mut Ftl, count: u64| {
        for _ in 0..count {
            let hot = skewed && random.below(10) > 0;
            let lpn = random.below(if hot { written / 10 } else { written });
            ftl.write(lpn, &mut ());
        }
    };
    let turn = 10 * geometry.pages();
    write(&mut ftl, turn);
    let before = ftl.stats();
    write(&mut ftl, turn);
    ftl.stats().since(&before).write_amplification()
}

#[test]
fn spare_beyond_the_cap_changes_little() {
    agree("uniform, 16 times the data against 32", in_flash_of(32, false), in_flash_of(16, false), 0.001);
    agree("skewed, 16 times the data against 32", in_flash_of(32, true), in_flash_of(16, true), 0.03);
}
