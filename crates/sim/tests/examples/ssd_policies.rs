//! What a drive does beyond cleaning: fullness, mapping units, compression, bad blocks, and its end.

use crate::closed_forms::greedy;
use crate::drives::{Uniform, new_drive, request, small};
use drivecast_block::{Device, Op, Request};
use drivecast_sim::spec::{GarbageCollection, SsdSpec};
use drivecast_sim::ssd::{Ftl, FtlFault, Geometry, Layout, Policy, Preload, Ssd, wear};

/// Random writes of `size` bytes to the whole of a drive.
fn random(capacity: u64, size: u64) -> impl FnMut() -> Request {
    let mut random = Uniform::new(11, "writes");
    move || request(0, Op::Write, random.below(capacity / size) * size, size as u32)
}

/// Steady write amplification of a full drive under random writes of `size` bytes; and α, as it is without the blocks
/// kept free.
fn amplification(spec: &SsdSpec, size: u64) -> (f64, f64) {
    let mut ssd = new_drive(spec);
    let capacity = ssd.capacity().0;
    wear::fill(&mut ssd, capacity);
    let found = wear::measure(&mut ssd, random(capacity, size), &wear::Options::new(capacity)).unwrap();
    assert!(found.steady && ssd.fault().is_none(), "{found:?}");
    ssd.ftl().audit().unwrap();
    let Geometry { dies, blocks_per_die, pages_per_block } = ssd.layout().geometry;
    let flash = f64::from(dies * (blocks_per_die - 1) * pages_per_block);
    (found.write_amplification, flash / ssd.ftl().live_pages() as f64)
}

/// A drive of one die with blocks enough for chance to matter little.
fn one_die() -> SsdSpec {
    SsdSpec { channels: 1, dies_per_channel: 1, pages_per_block: 16, ..small() }
}

#[test]
fn a_full_drive_is_rewritten_at_every_spare_factor() {
    for spare_factor in [0.03, 0.07, 0.15, 0.28, 0.5] {
        let logical_bytes = 128 << 20;
        let physical_bytes = (logical_bytes as f64 / (1.0 - spare_factor)) as u64;
        let (found, alpha) = amplification(&SsdSpec { logical_bytes, physical_bytes, ..one_die() }, 4096);
        let error = found / greedy(alpha, 64) - 1.0;
        assert!(error.abs() < 0.015, "S_f {spare_factor}: {found}, {:+.2} %", 100.0 * error);
    }
}

#[test]
fn a_larger_mapping_unit_multiplies_the_flash_a_small_write_takes() {
    // A write of 4 KiB rewrites its whole unit: bytes programmed a byte of the host are k times the amplification in units.
    for k in [1, 2, 4, 16] {
        let mapping_bytes = 4096 * k;
        let spec = SsdSpec { mapping_bytes, page_bytes: 65_536, pages_per_block: 16, ..one_die() };
        let mut ssd = new_drive(&spec);
        let capacity = ssd.capacity().0;
        wear::fill(&mut ssd, capacity);
        // Eight drive writes in units.
        let writes = 8 * capacity / u64::from(mapping_bytes);
        let mut next = random(capacity, 4096);
        (0..writes).for_each(|_| ssd.age(next()));
        let before = ssd.counters();
        (0..writes).for_each(|_| ssd.age(next()));
        let programmed = ssd.counters().flash_programmed_pages - before.flash_programmed_pages;
        let found = (programmed * u64::from(mapping_bytes)) as f64 / (writes * 4096) as f64;
        let Geometry { blocks_per_die, pages_per_block, .. } = ssd.layout().geometry;
        let flash = f64::from((blocks_per_die - 1) * pages_per_block);
        let expected = f64::from(k) * greedy(flash / ssd.ftl().live_pages() as f64, pages_per_block);
        assert!((found / expected - 1.0).abs() < 0.015, "{k} pages a unit: {found}, theory {expected}");
    }
}

#[test]
fn compressed_data_takes_its_share_of_flash() {
    let spec = SsdSpec { logical_bytes: 128 << 20, physical_bytes: 160 << 20, ..one_die() };
    let (plain, alpha) = amplification(&spec, 4096);
    for compression in [0.8, 0.5, 0.25] {
        let (found, wider) = amplification(&SsdSpec { compression, ..spec.clone() }, 4096);
        // A row of 4 pages holds 4/c, and so does a block of 64.
        assert!((wider / (alpha / compression) - 1.0).abs() < 0.01, "{wider} against {alpha}/{compression}");
        let expected = compression * greedy(wider, (64.0 / compression) as u32);
        assert!((found / expected - 1.0).abs() < 0.015, "{compression}: {found}, theory {expected}");
        assert!(found < plain && (compression > 0.5 || found < 1.0), "{compression}: {found}");
    }
    let sequential = SsdSpec { compression: 0.5, ..spec };
    let mut ssd = new_drive(&sequential);
    let mut at = 0;
    let next = || {
        at = (at + (1 << 20)) % sequential.logical_bytes;
        request(0, Op::Write, at, 1 << 20)
    };
    let found = wear::measure(&mut ssd, next, &wear::Options::new(128 << 20)).unwrap();
    assert!((found.write_amplification - 0.5).abs() < 0.001, "{found:?}");
}

#[test]
fn bad_blocks_are_spare_that_is_not_there() {
    let spec = SsdSpec { logical_bytes: 128 << 20, physical_bytes: 200 << 20, ..one_die() };
    let bad = SsdSpec { bad_blocks: 0.25, ..spec.clone() };
    let less = SsdSpec { physical_bytes: 150 << 20, ..spec.clone() };
    assert_eq!(
        Layout::new(&bad, &Preload::whole(&bad)).unwrap().geometry,
        Layout::new(&less, &Preload::whole(&less)).unwrap().geometry
    );
    let error = Ssd::new(&SsdSpec { bad_blocks: 0.4, ..spec }, &Preload::whole(&bad), 1).unwrap_err();
    assert_eq!(error.field, "physical_bytes");
}

#[test]
fn grown_bad_blocks_eat_the_reserve_and_then_end_the_drive() {
    let geometry = Geometry { dies: 2, blocks_per_die: 200, pages_per_block: 32 };
    let policy = Policy { erase_failure_rate: 0.001, seed: 4, ..Policy::default() };
    let data = geometry.pages() * 8 / 10;
    let mut ftl = Ftl::new(geometry, data, data, 8, policy).unwrap();
    let mut random = Uniform::new(5, "writes");
    (0..data).for_each(|lpn| ftl.write(lpn, &mut ()));
    let mut amplification = Vec::new();
    while ftl.fault().is_none() {
        let before = ftl.stats();
        (0..data).for_each(|_| ftl.write(random.below(data), &mut ()));
        let done = ftl.stats().since(&before);
        amplification.push((done.retired_blocks, done.write_amplification()));
    }
    // A fifth of the 400 blocks but for those that cleaning needs, and as a die must be at its end for the drive to be.
    let retired = ftl.stats().retired_blocks;
    assert!((50..=76).contains(&retired), "{retired} blocks retired");
    assert!(
        matches!(ftl.fault(), Some(FtlFault::NoReserve { retired_blocks, .. }) if *retired_blocks == retired)
    );
    let failed = retired as f64 / ftl.stats().erases as f64;
    assert!((failed / 0.001 - 1.0).abs() < 0.4, "{failed} of the erasures failed");
    // As the spare shrinks, each write costs more.
    let (early, late) = (amplification[1].1, amplification[amplification.len() - 2].1);
    assert!(late > 1.5 * early, "{early} early, {late} late");
    ftl.audit().unwrap();
    let before = ftl.stats();
    ftl.write(0, &mut ());
    assert!(ftl.stats().host_pages <= before.host_pages + 1 && ftl.fault().is_some());
}

#[test]
fn a_die_given_more_than_it_holds_runs_out_of_free_blocks() {
    let geometry = Geometry { dies: 2, blocks_per_die: 8, pages_per_block: 16 };
    for gc in [GarbageCollection::Greedy, GarbageCollection::Fifo, GarbageCollection::DChoices] {
        let mut ftl = Ftl::new(geometry, 150, 150, 8, gc).unwrap();
        (0..150).for_each(|lpn| _ = ftl.write_to(0, lpn, &mut ()));
        let fault = FtlFault::NoFreeBlock { die: 0, live_pages: 112, pages: 128 };
        assert_eq!(ftl.fault(), Some(&fault), "{gc:?}");
        assert_eq!(
            fault.to_string(),
            "die 0 ran out of free blocks: 112 pages of data on 128 pages of flash"
        );
        ftl.audit().unwrap();
    }
}

#[test]
fn a_drive_that_outgrows_three_bytes_a_page_goes_on_with_four() {
    // Just short of 2^24 places, of which few hold data: what is written beyond the plan brings more blocks.
    let geometry = Geometry { dies: 1, blocks_per_die: 65_535, pages_per_block: 256 };
    let logical = 1 << 30;
    let mut ftl = Ftl::new(geometry, logical, 512, 8, GarbageCollection::Greedy).unwrap();
    let narrow = ftl.memory_bytes();
    // Every write has a chunk of the map to itself: more than 2^24 slots.
    let lpns = || (0..33_000u64).map(|i| i * 512 * 37 % logical + i % 512);
    lpns().for_each(|lpn| ftl.write(lpn, &mut ()));
    assert!(ftl.physical_pages() > 1 << 24);
    assert!(ftl.memory_bytes() > narrow + (1 << 24) * 5 / 4);
    ftl.audit().unwrap();
    assert!(lpns().all(|lpn| ftl.lookup(lpn).is_some()));
    assert_eq!(ftl.live_pages(), 33_000);
}
