//! Specifications that no drive can have are refused, by field.

use crate::drives::small;
use drivecast_sim::spec::{BackgroundGc, SsdSpec};
use drivecast_sim::ssd::{Layout, Preload, Ssd};

#[test]
fn each_impossible_field_is_named() {
    type Change = fn(&mut SsdSpec);
    let cases: &[(&str, Change)] = &[
        ("logical_bytes", |spec| spec.logical_bytes = 0),
        ("logical_bytes", |spec| spec.logical_bytes += 512),
        ("logical_bytes", |spec| spec.logical_bytes = spec.physical_bytes),
        ("logical_bytes", |spec| spec.logical_bytes = u64::MAX - 4095),
        ("physical_bytes", |spec| spec.physical_bytes = spec.logical_bytes + 1),
        ("physical_bytes", |spec| spec.physical_bytes = spec.logical_bytes + (8 << 20)),
        ("physical_bytes", |spec| spec.pages_per_block = 100_000),
        ("channels", |spec| spec.channels = 4_000_000_000),
        ("partition", |spec| spec.partition = 0.0),
        ("partition", |spec| spec.partition = 1.01),
        ("partition", |spec| spec.partition = f64::NAN),
        ("mapping_bytes", |spec| spec.mapping_bytes = 0),
        ("mapping_bytes", |spec| spec.mapping_bytes = 5000),
        ("mapping_bytes", |spec| spec.mapping_bytes = 32_768),
        ("page_bytes", |spec| spec.page_bytes = 0),
        ("pages_per_block", |spec| spec.pages_per_block = 0),
        ("channels", |spec| spec.channels = 0),
        ("dies_per_channel", |spec| spec.dies_per_channel = 0),
        ("planes", |spec| spec.planes = 0),
        ("read_ns", |spec| spec.read_ns = 0),
        ("queue_depth", |spec| spec.queue_depth = 0),
        ("buffer_bytes", |spec| spec.buffer_bytes = 4096),
        ("link_bytes_per_s", |spec| spec.link_bytes_per_s = 0.0),
        ("channel_bytes_per_s", |spec| spec.channel_bytes_per_s = f64::INFINITY),
        ("background_gc", |spec| spec.background_gc = Some(BackgroundGc { delay_ns: 0, reserve: 1.0 })),
        ("slc_program_ns", |spec| spec.slc_cache_bytes = 64 << 20),
        ("slc_dynamic_share", |spec| spec.slc_dynamic_share = 1.1),
        ("slc_fold_share", |spec| spec.slc_fold_share = -0.1),
        ("write_bytes_per_s", |spec| spec.write_bytes_per_s = Some(-1.0)),
    ];
    for (i, (field, change)) in cases.iter().enumerate() {
        let mut spec = small();
        change(&mut spec);
        let error = Ssd::new(&spec, &Preload::whole(&spec), 1).expect_err("an impossible drive");
        assert_eq!(error.field, *field, "case {i}: {error}");
        assert_eq!(
            Layout::scaled(&spec, 0.1, &Preload::whole(&spec), 4096).expect_err("an impossible drive").field,
            *field,
            "case {i}"
        );
    }
}

#[test]
fn a_cache_has_two_rows_for_each_die() {
    let spec = SsdSpec { slc_cache_bytes: 15 * 16_384, slc_program_ns: 1, slc_read_ns: 1, ..small() };
    let error = Ssd::new(&spec, &Preload::whole(&spec), 1).expect_err("8 dies of rows of 16 KiB");
    assert_eq!(error.field, "slc_cache_bytes");
}

#[test]
fn a_refusal_states_limit_and_value() {
    let spec = SsdSpec { partition: 1.5, ..small() };
    let error = Ssd::new(&spec, &Preload { written_pages: 1, data_pages: 1 }, 1).expect_err("too large");
    assert_eq!(error.to_string(), "`partition` must be in (0, 1], found 1.5");
}

#[test]
fn a_terabyte_drive_costs_what_the_workload_touches() {
    // 7.68 TB on 8 TiB of flash, 128 dies; a workload that rewrites 1 GB of 5 TB.
    let spec = SsdSpec {
        logical_bytes: 7_680_000_000_000 / 4096 * 4096,
        physical_bytes: 8 << 40,
        planes: 4,
        pages_per_block: 1024,
        channels: 16,
        dies_per_channel: 8,
        buffer_bytes: 64 << 20,
        ..small()
    };
    let ssd = Ssd::new(&spec, &Preload::of_bytes(&spec, 1 << 30, 5_000_000_000_000), 1).unwrap();
    assert!(ssd.ftl().memory_bytes() < 64 << 20, "{}", ssd.ftl().memory_bytes());
    assert_eq!(ssd.layout().scale, 1.0);
    let scaled = Ssd::scaled(
        &spec,
        Layout::scale_to(&spec, 4 << 20, &Preload::whole(&spec)).unwrap(),
        &Preload::whole(&spec),
        4096,
        1,
    )
    .unwrap();
    assert!(scaled.layout().written_pages <= 4 << 20);
}
