//! Designs as people write them, right and wrong.

use crate::controller::free;
use drivecast_block::{Bytes, Nanos};
use drivecast_sim::design::{Design, Element};
use drivecast_sim::raid::{Level, Pace};
use drivecast_sim::spec::{CacheSpec, ControllerSpec, DriveSpec, GarbageCollection, Seek};
use std::collections::BTreeMap;

/// A catalog of two drives.
pub(crate) fn catalog() -> BTreeMap<String, DriveSpec> {
    let given = |line: &str| {
        let resolved = Design::parse(line).unwrap().resolve(&BTreeMap::new()).unwrap();
        resolved.root().drives()[0].1.clone()
    };
    BTreeMap::from([
        (
            "quick-1gb".to_owned(),
            given("ssd(logical=1GiB, spare_factor=0.2, channels=2, dies_per_channel=2)"),
        ),
        ("slow-300gb".to_owned(), given("hdd(capacity=300GB, rpm=15000, seek_mean=3.5ms)")),
    ])
}

fn capacity(line: &str) -> Bytes {
    Design::parse(line).unwrap().resolve(&catalog()).unwrap().capacity()
}

#[test]
fn capacities() {
    assert_eq!(capacity("quick-1gb"), Bytes::gib(1));
    assert_eq!(capacity("quick-1gb[partition=0.5]"), Bytes::mib(512));
    assert_eq!(capacity("raid0(8 * quick-1gb)"), Bytes::gib(8));
    assert_eq!(capacity("raid1(3 * quick-1gb)"), Bytes::gib(1));
    assert_eq!(capacity("raid5(4 * quick-1gb)"), Bytes::gib(3));
    assert_eq!(capacity("raid6(6 * quick-1gb, chunk=16KiB)"), Bytes::gib(4));
    assert_eq!(capacity("raid10(8 * quick-1gb, chunk=64KiB, controller=software)"), Bytes::gib(4));
    assert_eq!(capacity("raid0(2 * raid5(3 * quick-1gb))"), Bytes::gib(4));
    assert_eq!(capacity("raid50(8 * quick-1gb, groups=2)"), Bytes::gib(6));
    assert_eq!(capacity("raid60(12 * quick-1gb, groups=3)"), Bytes::gib(6));
    assert_eq!(capacity("raid10(2 * quick-1gb, quick-1gb, quick-1gb)"), Bytes::gib(2));
}

/// Level, groups, spares and drives that wait.
fn shape(line: &str) -> Option<(Option<Level>, usize, usize, usize)> {
    let resolved = Design::parse(line).unwrap().resolve(&catalog()).unwrap();
    let waiting = resolved.root().waiting();
    resolved.root().shape().map(|shape| (shape.level, shape.groups, shape.spares, waiting))
}

#[test]
fn shapes() {
    assert_eq!(shape("quick-1gb"), Some((None, 1, 0, 0)));
    assert_eq!(shape("raid5(4 * quick-1gb)"), Some((Some(Level::Raid5), 1, 0, 0)));
    assert_eq!(shape("raid5(5 * quick-1gb, spares=1)"), Some((Some(Level::Raid5), 1, 1, 1)));
    assert_eq!(shape("raid10(9 * quick-1gb, spares=1)"), Some((Some(Level::Raid10), 4, 1, 1)));
    assert_eq!(shape("raid60(12 * quick-1gb, groups=3)"), Some((Some(Level::Raid60), 3, 0, 0)));
}

#[test]
fn arrays_of_arrays_have_the_shape_of_what_may_fail() {
    assert_eq!(shape("raid0(2 * raid5(4 * quick-1gb))"), Some((Some(Level::Raid50), 2, 0, 0)));
    assert_eq!(shape("raid0(3 * raid1(3 * quick-1gb))"), Some((Some(Level::Raid10), 3, 0, 0)));
    assert_eq!(shape("raid0(2 * raid6(6 * quick-1gb, spares=1))"), Some((Some(Level::Raid60), 2, 2, 2)));
    assert_eq!(shape("raid1(2 * raid0(4 * quick-1gb))"), None);
    assert_eq!(shape("raid0(2 * raid0(4 * quick-1gb))"), None);
    assert_eq!(shape("raid5(3 * raid1(2 * quick-1gb))"), None);
    let uneven = "raid0(raid1(2 * quick-1gb), raid1(3 * quick-1gb))";
    assert_eq!(shape(uneven), None, "groups that fail differently");
}

#[test]
fn a_spare_that_is_being_rebuilt_does_not_wait() {
    let rebuilt = "raid6(6 * quick-1gb, spares=2, degraded=1, rebuild=50MB/s)";
    assert_eq!(shape(rebuilt), Some((Some(Level::Raid6), 1, 2, 1)));
}

#[test]
fn options_arrive() {
    let design = Design::parse("raid0(2 * quick-1gb, chunk=128KiB, overhead=5us, controller=none)").unwrap();
    let resolved = design.resolve(&catalog()).unwrap();
    let Element::Array { array, members } = resolved.root() else { panic!("an array") };
    assert_eq!(
        (array.level, array.chunk, array.overhead, members.len()),
        (Level::Raid0, Bytes::kib(128), Nanos::from_us(5), 2)
    );
    assert_eq!(design.drive_names(), ["quick-1gb"]);
    assert!(design.assumed().is_empty());
}

#[test]
fn failures_arrive() {
    let redundancy = |line: &str| {
        let resolved = Design::parse(line).unwrap().resolve(&catalog()).unwrap();
        let Element::Array { array, .. } = resolved.root() else { panic!("an array") };
        array.redundancy.clone()
    };
    let found = redundancy("raid10(9 * quick-1gb, spares=1, degraded=3, rebuild=50MB/s)");
    assert_eq!((found.failed.as_slice(), found.rebuilding()), ([0, 2, 4].as_slice(), [0].as_slice()));
    assert_eq!((found.spares, found.rebuild, found.log), (1, Some(Pace::Rate(50e6)), false));
    let found = redundancy("raid60(8 * quick-1gb, failed=5+1, log=yes)");
    assert_eq!((found.failed.as_slice(), found.rebuild, found.log), ([1, 5].as_slice(), None, true));
    let found = redundancy("raid5(6 * quick-1gb, spares=2, degraded=1, rebuild=0.3)");
    assert_eq!((found.rebuild, found.rebuilding().len()), (Some(Pace::Share(0.3)), 1));
    assert_eq!(capacity("raid5(6 * quick-1gb, spares=2)"), Bytes::gib(3));
    assert_eq!(capacity("raid5(4 * quick-1gb, log=yes)"), Bytes(3 * ((1 << 30) - (1 << 24))));
    let design = Design::parse("raid5(5 * quick-1gb, spares=1, degraded=1)").unwrap();
    assert!(design.assumed().iter().any(|one| one.name == "raid5.rebuild" && one.value == "200MB/s"));
}

#[test]
fn drives_by_their_parameters() {
    let design = Design::parse(
        "ssd(logical=4GiB, spare_factor=0.28, pages_per_block=64, page=4KiB, gc=fifo, read=75us, suspend=20us)",
    )
    .unwrap();
    let resolved = design.resolve(&BTreeMap::new()).unwrap();
    let [(_, DriveSpec::Ssd(ssd))] = resolved.root().drives()[..] else { panic!("one drive") };
    assert_eq!(ssd.physical_bytes, (4.0 * f64::from(1 << 30) / 0.72_f64).round() as u64);
    assert_eq!((ssd.pages_per_block, ssd.read_ns, ssd.suspend_ns), (64, 75_000, Some(20_000)));
    assert_eq!(ssd.gc, GarbageCollection::Fifo);
    let assumed: Vec<_> = design.assumed().iter().map(|assumed| assumed.name.as_str()).collect();
    assert!(assumed.contains(&"ssd.program") && !assumed.contains(&"ssd.read"), "{assumed:?}");

    let over = Design::parse("ssd(logical=1GiB, over_provisioning=0.28)")
        .unwrap()
        .resolve(&BTreeMap::new())
        .unwrap();
    let [(_, DriveSpec::Ssd(ssd))] = over.root().drives()[..] else { panic!("one drive") };
    assert_eq!(ssd.physical_bytes, (1.28 * f64::from(1 << 30)).round() as u64);

    let disk = Design::parse("hdd(capacity=300GB, rpm=15000, seek_mean=3.5ms)").unwrap();
    let resolved = disk.resolve(&BTreeMap::new()).unwrap();
    let [(_, DriveSpec::Hdd(hdd))] = resolved.root().drives()[..] else { panic!("one drive") };
    assert_eq!(hdd.seek, Seek::Sheet { track_ns: 250_000, mean_ns: 3_500_000, full_ns: 7_350_000 });
}

#[test]
fn controllers_are_looked_up() {
    let slow_ports =
        ControllerSpec { port_bytes_per_s: Some(1e8), port_read_ns: 6_000, port_write_ns: 8_000, ..free() };
    let controllers = BTreeMap::from([("iop348".to_owned(), slow_ports)]);
    let line = "raid0(2 * raid5(3 * quick-1gb, controller=iop348), controller=software)";
    let design = Design::parse(line).unwrap();
    assert_eq!(design.controller_names(), ["software", "iop348"]);
    let resolved = design.resolve_with(&catalog(), &controllers).unwrap();
    let Element::Array { array, members } = resolved.root() else { panic!("an array") };
    assert!(array.controller.is_none(), "software costs nothing where the catalog does not have it");
    let Element::Array { array, members: drives } = &members[0] else { panic!("an array") };
    assert_eq!(array.controller.as_deref(), Some(&controllers["iop348"]));
    let Element::Drive { spec, .. } = &drives[0] else { panic!("a drive") };
    let DriveSpec::Ssd(ssd) = spec.as_ref() else { panic!("flash") };
    assert_eq!(ssd.link_bytes_per_s, 1e8, "drives fall back to the port's rate");
    assert_eq!((ssd.link_command_ns, ssd.link_write_command_ns), (6_000, Some(8_000)), "and to its times");

    let design = Design::parse("raid5(3 * quick-1gb, controller=iop384)").unwrap();
    let error = design.resolve_with(&catalog(), &controllers).unwrap_err();
    assert_eq!(error.message, "no controller `iop384` in the catalog");
    assert_eq!(error.hint.as_deref(), Some("did you mean `iop348`?"));
    assert!(error.line[error.at..].starts_with("iop384"));
    let broken = ControllerSpec { queue_depth: 0, ..free() };
    let error = Design::parse("raid5(3 * quick-1gb, controller=iop348)")
        .unwrap()
        .resolve_with(&catalog(), &BTreeMap::from([("iop348".to_owned(), broken)]))
        .unwrap_err();
    assert_eq!(error.message, "controller `iop348`: `queue_depth` must be at least 1, found 0");
}

#[test]
fn a_power_cut_loses_what_is_complete_in_memory_without_protection() {
    let cache = |battery| {
        let cache =
            CacheSpec { bytes: 1 << 29, battery, destage_above: 0.5, destage_stripes: 4, destage_depth: 1 };
        ControllerSpec { cache: Some(cache), ..free() }
    };
    let controllers = BTreeMap::from([
        ("plain".to_owned(), free()),
        ("battery".to_owned(), cache(true)),
        ("bare".to_owned(), cache(false)),
    ]);
    let (safe, volatile) =
        ("ssd(logical=64MiB, buffer_volatile=no)", "ssd(logical=64MiB, buffer_volatile=yes)");
    for (line, loses) in [
        (safe.to_owned(), false),
        (volatile.to_owned(), true),
        (format!("raid1(2 * {safe})"), false),
        (format!("raid1({safe}, {volatile})"), true),
        (format!("raid5(4 * {volatile}, controller=plain)"), true),
        (format!("raid5(4 * {volatile}, controller=battery)"), false),
        (format!("raid5(4 * {safe}, controller=bare)"), true),
        (format!("raid0(2 * raid1(2 * {volatile}, controller=battery), controller=plain)"), false),
        ("hdd(capacity=300GB, write_cache=on)".to_owned(), true),
        ("hdd(capacity=300GB, write_cache=off)".to_owned(), false),
    ] {
        let design = Design::parse(&line).unwrap().resolve_with(&catalog(), &controllers).unwrap();
        assert_eq!(design.root().is_volatile(), loses, "{line}");
    }
}

#[test]
fn an_array_that_names_no_controller_is_software() {
    let software = ControllerSpec { host_command_ns: 1_000, ..free() };
    let hardware = ControllerSpec { host_command_ns: 2_000, ..free() };
    let controllers = BTreeMap::from([("software".to_owned(), software), ("iop348".to_owned(), hardware)]);
    let command_ns = |array: &Element| match array {
        Element::Array { array, .. } => array.controller.as_ref().map(|found| found.host_command_ns),
        _ => panic!("an array"),
    };
    for (line, outer, inner, named) in [
        ("raid0(2 * raid5(3 * quick-1gb))", Some(1_000), Some(1_000), vec!["software"]),
        ("raid0(2 * raid5(3 * quick-1gb), controller=iop348)", Some(2_000), None, vec!["iop348"]),
        (
            "raid0(2 * raid5(3 * quick-1gb, controller=iop348))",
            Some(1_000),
            Some(2_000),
            vec!["software", "iop348"],
        ),
        ("raid0(2 * raid5(3 * quick-1gb), controller=none)", None, None, vec![]),
    ] {
        let design = Design::parse(line).unwrap();
        assert_eq!(design.controller_names(), named, "{line}");
        let resolved = design.resolve_with(&catalog(), &controllers).unwrap();
        let Element::Array { members, .. } = resolved.root() else { panic!("an array") };
        assert_eq!((command_ns(resolved.root()), command_ns(&members[0])), (outer, inner), "{line}");
    }
    assert!(Design::parse("quick-1gb").unwrap().controller_names().is_empty(), "no array, no controller");
}

#[test]
fn a_disks_write_cache_is_an_option() {
    let is_on = |line: &str| {
        let resolved = Design::parse(line).unwrap().resolve(&catalog()).unwrap();
        let drives = resolved.root().drives().into_iter();
        let caches = drives.map(|(_, spec)| matches!(spec, DriveSpec::Hdd(disk) if disk.write_cache));
        caches.collect::<Vec<_>>()
    };
    assert_eq!(is_on("slow-300gb"), [false], "as the catalog has it");
    assert_eq!(is_on("raid1(slow-300gb[write_cache=on], slow-300gb[write_cache=off])"), [true, false]);
    assert_eq!(is_on("hdd(capacity=1TB, write_cache=on)"), [true]);
    let flash = Design::parse("quick-1gb[write_cache=off]").unwrap().resolve(&catalog()).unwrap();
    let [(_, DriveSpec::Ssd(ssd))] = flash.root().drives()[..] else { panic!("one drive") };
    assert!(ssd.write_through);
    assert!(refusal("slow-300gb[write_cache=maybe]", "maybe").contains("expected one of on, off"));
}

#[test]
fn wear_and_the_age_of_the_data_are_options_of_flash_whose_retries_are_known() {
    let worn = "ssd(logical=1GiB, worn_retry_rate=0.75, wear=0.5, data_age=0.25)";
    let design = Design::parse(worn).unwrap().resolve(&catalog()).unwrap();
    let [(_, DriveSpec::Ssd(ssd))] = design.root().drives()[..] else { panic!("one drive") };
    assert_eq!((ssd.worn_retry_rate, ssd.wear, ssd.data_age), (0.75, 0.5, 0.25));
    let mut drives = catalog();
    let Some(DriveSpec::Ssd(quick)) = drives.get_mut("quick-1gb") else { panic!("a flash drive") };
    quick.worn_retry_rate = 0.75;
    let design = Design::parse("quick-1gb[wear=0.8, data_age=0.1]").unwrap().resolve(&drives).unwrap();
    let [(_, DriveSpec::Ssd(ssd))] = design.root().drives()[..] else { panic!("one drive") };
    assert_eq!((ssd.wear, ssd.data_age), (0.8, 0.1));
    assert!(refusal("quick-1gb[wear=0.8]", "0.8").contains("not known how it slows the reads"));
    assert!(refusal("slow-300gb[data_age=1]", "1").contains("`slow-300gb` is no flash drive"));
}

/// What is wrong with a line; the caret's place is checked against `at`, a part of the line.
fn refusal(line: &str, at: &str) -> String {
    let error = match Design::parse(line) {
        Err(error) => error,
        Ok(design) => design.resolve(&catalog()).unwrap_err(),
    };
    assert!(line[error.at..].starts_with(at), "{error}");
    let hint = error.hint.map_or(String::new(), |hint| format!(" | {hint}"));
    error.message + &hint
}

#[test]
fn refusals_point_at_the_place() {
    assert_eq!(
        refusal("raid10(8 * qiuck-1gb)", "qiuck"),
        "no drive `qiuck-1gb` in the catalog | did you mean `quick-1gb`?"
    );
    assert_eq!(refusal("raid5(2 * quick-1gb)", "raid5"), "`raid5` needs at least 3 members, found 2");
    assert_eq!(
        refusal("raid5(4 * quick-1gb, degraded=2)", "2"),
        "degraded: `raid5` survives at most 1 failed members, found 2"
    );
    assert!(refusal("raid0(4 * quick-1gb, degraded=1)", "1").contains("survives at most 0 failed"));
    assert_eq!(
        refusal("raid10(4 * quick-1gb, failed=2+3)", "2+3"),
        "failed: `raid10` does not survive the failure of 2+3"
    );
    assert_eq!(
        refusal("raid5(4 * quick-1gb, failed=4)", "4"),
        "failed: expected members from 0 to 3, found 4"
    );
    assert!(refusal("raid5(4 * quick-1gb, failed=first)", "first").contains("expected members as 0 or 0+5"));
    assert!(refusal("raid5(4 * quick-1gb, failed=1, degraded=1)", "1").contains("give one of"));
    assert!(refusal("raid5(4 * quick-1gb, rebuild=0.5)", "0.5").contains("nothing has failed"));
    assert!(refusal("raid5(4 * quick-1gb, degraded=1, rebuild=0.5)", "0.5").contains("needs a hot spare"));
    assert!(
        refusal("raid5(5 * quick-1gb, spares=1, degraded=1, rebuild=0)", "0")
            .contains("expected a rate such as 50MB/s or a share in (0, 1], found `0`")
    );
    assert_eq!(
        refusal("raid5(4 * quick-1gb, spares=2)", "raid5"),
        "`raid5` needs at least 3 members, found 2"
    );
    assert!(refusal("raid5(4 * quick-1gb, slow-300gb, spares=1)", "raid5").contains("differ in size"));
    assert!(refusal("raid10(4 * quick-1gb, log=yes)", "log").starts_with("unknown option `log`"));
    assert_eq!(
        refusal("raid50(8 * quick-1gb, groups=3)", "raid50"),
        "`raid50` needs 3 equal groups of at least 3 members, found 8 members"
    );
    assert_eq!(refusal("raid50(8 * quick-1gb, groups=1)", "1"), "groups: expected at least 2, found 1");
    assert!(refusal("raid5(8 * quick-1gb, groups=2)", "groups").starts_with("unknown option `groups`"));
    assert_eq!(
        refusal("raid10(3 * quick-1gb)", "raid10"),
        "`raid10` needs an even number of members, found 3"
    );
    assert_eq!(
        refusal("raid0(2 * quick-1gb, chunk=3KiB)", "3KiB"),
        "chunk: expected a power of two from 4 KiB to 16 MiB, found 3 KiB"
    );
    assert!(
        refusal("raid1(2 * quick-1gb, chunk=64KiB)", "chunk")
            .starts_with("unknown option `chunk` of `raid1`")
    );
    assert!(
        refusal("raid1(quick-1gb, slow-300gb)", "raid1").contains("differ in size: from 1 GiB to 300 GB")
    );
    assert!(refusal("quick-1gb[partition=1.5]", "1.5").starts_with("partition: expected a fraction"));
    assert!(refusal("quick-1gb[partition=0]", "0").starts_with("partition: expected a fraction above 0"));
    assert!(refusal("quick-1gb[depth=0]", "depth").starts_with("unknown option `depth`"));
    assert_eq!(
        refusal("radi5(3 * quick-1gb)", "radi5"),
        "`radi5` is no array, so it has no members | did you mean `raid5`?"
    );
    assert!(refusal("ssd(spare_factor=0.1)", "ssd").contains("needs logical="));
    assert!(refusal("ssd(logical=1GiB, spare_factor=0.1, physical=2GiB)", "ssd").contains("give one of"));
    assert!(refusal("ssd(quick-1gb)", "quick").contains("takes key=value only"));
    assert!(refusal("ssd(logical=1GiB, gc=lazy)", "lazy").contains("expected one of greedy, fifo"));
    assert!(refusal("raid0(4000000000 * quick-1gb)", "raid0").contains("at most 256 members"));
    assert!(refusal("raid0(200 * raid1(2 * quick-1gb))", "raid0").contains("at most 256 drives"));
    assert!(refusal("raid0(2 * hdd(capacity=2MB), chunk=16MiB)", "raid0").contains("too small"));
}

#[test]
fn a_pool_of_zfs_is_refused_with_what_is_nearest() {
    for (pool, level) in [("raidz2", "`raid6`"), ("mirror", "`raid1`"), ("slog", "a volume of its own")] {
        let said = refusal(&format!("{pool}(4 * quick-1gb)"), pool);
        assert!(said.contains("ZFS are left out; the nearest is") && said.contains(level), "{said}");
    }
}
