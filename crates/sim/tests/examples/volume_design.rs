//! Volumes as people write them in a line, right and wrong.

use drivecast_sim::design::{Design, Element};
use drivecast_sim::spec::{DriveSpec, VolumeSpec};
use std::collections::BTreeMap;

fn parsed(line: &str) -> (VolumeSpec, Vec<String>) {
    let design = Design::parse(line).unwrap();
    let assumed = design.assumed().iter().map(|one| format!("{}={}", one.name, one.value)).collect();
    let resolved = design.resolve(&BTreeMap::new()).unwrap();
    match resolved.root() {
        Element::Drive { spec, .. } => match &**spec {
            DriveSpec::Volume(volume) => (volume.clone(), assumed),
            other => panic!("a volume, not {other:?}"),
        },
        other => panic!("a drive, not {other:?}"),
    }
}

#[test]
fn what_the_line_leaves_open_is_assumed() {
    let (spec, assumed) = parsed("volume(capacity=1TB)");
    assert_eq!(
        assumed,
        [
            "volume.iops=no limit",
            "volume.throughput=no limit",
            "volume.parallelism=no limit",
            "volume.read=1ms",
            "volume.write=1ms",
            "volume.sigma=0.3",
            "volume.flush=as a write"
        ]
    );
    assert_eq!(
        (spec.capacity_bytes, spec.read.service_ns, spec.flush_ns),
        (1_000_000_000_000, 1e6, 1_000_000)
    );
    assert_eq!((spec.caps.iops, spec.caps.bytes, spec.front, spec.stalls), (None, None, None, None));
}

#[test]
fn parameters_arrive() {
    let (spec, assumed) = parsed(
        "volume(capacity=100GB, read=700us, write=900us, sigma=0.4, flush=1ms, parallelism=64, iops=279iops, \
         burst_iops=3000iops, credits=5400000, throughput=128MB/s, burst_throughput=250MB/s, throughput_credits=10GB, \
         credits_at_start=0.5, io_unit=256KiB, period=100ms, delay=50us, stream_throughput=1GB/s, tail=10ms, \
         tail_probability=0.001, tail_sigma=0.7, wake=30us, batch_max=128, read_command=8us, write_command=9us, front_sigma=0.2, \
         link_throughput=2GB/s, read_iops=1k, write_throughput=50MB/s, stall=4ms, stall_every=300ms, stall_sigma=0.1)",
    );
    assert!(assumed.is_empty(), "{assumed:?}");
    let json = serde_json::to_value(DriveSpec::Volume(spec)).unwrap();
    for (pointer, value) in [
        ("/kind", serde_json::json!("volume")),
        ("/read/service_ns", serde_json::json!(700_000.0)),
        ("/write/sigma", serde_json::json!(0.4)),
        ("/read/ns_per_byte", serde_json::json!(1.0)),
        ("/read/delay_ns", serde_json::json!(50_000.0)),
        ("/write/tail_ns", serde_json::json!(10_000_000.0)),
        ("/write/tail_probability", serde_json::json!(0.001)),
        ("/parallelism", serde_json::json!(64)),
        ("/caps/iops/per_s", serde_json::json!(279.0)),
        ("/caps/iops/burst_per_s", serde_json::json!(3000.0)),
        ("/caps/iops/credits", serde_json::json!(5_400_000.0)),
        ("/caps/iops/credits_at_start", serde_json::json!(0.5)),
        ("/caps/bytes/credits", serde_json::json!(10e9)),
        ("/caps/read_iops/per_s", serde_json::json!(1000.0)),
        ("/caps/write_bytes/per_s", serde_json::json!(50e6)),
        ("/caps/io_unit_bytes", serde_json::json!(262_144)),
        ("/caps/period_ns", serde_json::json!(100_000_000)),
        ("/front/wake_ns", serde_json::json!(30_000.0)),
        ("/front/batch_max", serde_json::json!(128)),
        ("/link_bytes_per_s", serde_json::json!(2e9)),
        ("/stalls/every_ns", serde_json::json!(300e6)),
    ] {
        assert_eq!(json.pointer(pointer), Some(&value), "{pointer}");
    }
}

#[test]
fn refusals_point_at_the_place() {
    let refusal = |line: &str| Design::parse(line).unwrap_err().to_string();
    for (line, part) in [
        ("volume(iops=3kiops)", "`volume` needs capacity=…, such as capacity=1TB"),
        ("volume(capacity=1TB, burst_iops=3000iops)", "burst_iops needs iops=…, the rate that lasts"),
        ("volume(capacity=1TB, credits=5)", "credits needs iops=…, the rate that lasts"),
        (
            "volume(capacity=1TB, iops=300iops, burst_iops=3000iops)",
            "burst_iops needs credits=…, what it may use up",
        ),
        ("volume(capacity=1TB, credits=many, iops=3iops)", "credits: expected a number from 0, found `many`"),
        ("volume(capacity=1TB, sigma=-1)", "sigma: expected a number from 0, found `-1`"),
        ("volume(capacity=1TB, stall=4ms)", "stall needs stall_every=…"),
        ("volume(capacity=1TB, tail_probability=0.1)", "tail_probability needs tail=…, such as tail=20ms"),
        ("volume(capacity=1TB, iop=3000iops)", "did you mean `iops`?"),
        ("volume(4 * x, capacity=1TB)", "`volume` takes key=value only"),
        ("volum(2 * x)", "did you mean `volume`?"),
    ] {
        let found = refusal(line);
        assert!(found.contains(part), "{line}: {found}");
    }
}

#[test]
fn unknown_fields_are_refused() {
    let json = r#"{"kind":"volume","capacity_bytes":1000000,"read":{"service_ns":1,"latency":2},"write":{"service_ns":1}}"#;
    let error = serde_json::from_str::<DriveSpec>(json).unwrap_err().to_string();
    assert!(error.contains("unknown field `latency`"), "{error}");
}

#[test]
fn a_named_volume_may_have_used_up_its_credits() {
    let known = |line: &str| {
        let design = Design::parse(line).unwrap().resolve(&BTreeMap::new()).unwrap();
        design.root().drives()[0].1.clone()
    };
    let drives = BTreeMap::from([
        ("cloud".to_owned(), known("volume(capacity=1GiB, iops=300iops, burst_iops=3000iops, credits=1000)")),
        ("plain".to_owned(), known("volume(capacity=1GiB, iops=300iops)")),
        ("disk".to_owned(), known("hdd(capacity=300GB)")),
    ]);
    let spent = Design::parse("cloud[credits_at_start=0]").unwrap().resolve(&drives).unwrap();
    let DriveSpec::Volume(spec) = spent.root().drives()[0].1 else { panic!("a volume") };
    assert_eq!(spec.caps.iops.unwrap().credits_at_start, 0.0);
    for name in ["plain", "disk"] {
        let line = format!("raid0(2 * {name}[credits_at_start=0.5])");
        let error = Design::parse(&line).unwrap().resolve(&drives).unwrap_err().to_string();
        assert!(
            error.contains(&format!("credits_at_start: `{name}` is no volume that keeps credits")),
            "{error}"
        );
    }
}
