//! Lines that are read, and lines that are refused with the place and the reason.

use drivecast_block::{Bytes, Op};
use drivecast_workload::{Generator, Pattern, SizeShare, WorkloadSpec};

fn parse(line: &str) -> WorkloadSpec {
    WorkloadSpec::parse(line).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn refused(line: &str, at: usize, message: &str) {
    let error = WorkloadSpec::parse(line).expect_err("the line is wrong");
    assert!(error.message.contains(message), "{error}");
    assert_eq!(error.at, at, "{error}");
}

#[test]
fn the_lines_of_the_manual() {
    let spec = parse("random(4KiB, read=0.7, iodepth=32, span=1.0)");
    assert_eq!(spec.pattern, Pattern::Random);
    assert_eq!(
        spec.sizes,
        [SizeShare { size_bytes: 4096, weight: 1, read_fraction: None, sequential_fraction: None }]
    );
    assert_eq!((spec.read_fraction, spec.iodepth, spec.span_fraction), (0.7, Some(32), 1.0));
    let spec = parse("hotcold(4KiB, hot=0.2, share=0.8, read=0)");
    assert_eq!(spec.pattern, Pattern::HotCold { hot: 0.2, share: 0.8 });
    assert_eq!(parse("sequential(128KiB, read=0)").sizes[0].size_bytes, 131_072);
    assert_eq!(parse("random(16KiB, read=0.3, rate=1850iops)").rate_iops, Some(1850.0));
    let forced = parse("random(16KiB, read=0.3, fua=0.2)");
    assert_eq!(forced.fua_fraction, 0.2);
    assert_eq!(parse(&forced.to_string()), forced);
}

#[test]
fn weights_of_sizes() {
    let spec = parse("random(10 * 512B, 60 * 4KiB, 30 * 64KiB, read=80%)");
    let weights: Vec<(u32, u32)> = spec.sizes.iter().map(|share| (share.size_bytes, share.weight)).collect();
    assert_eq!(weights, [(512, 10), (4096, 60), (65_536, 30)]);
    assert_eq!(spec.read_fraction, 0.8);
}

#[test]
fn a_size_with_reads_of_its_own_is_a_stream() {
    let spec = parse("random(3 * 16KiB[read=0.75], 4KiB[read=0], 8KiB, read=1, rate=8000iops)");
    let own: Vec<Option<f64>> = spec.sizes.iter().map(|share| share.read_fraction).collect();
    assert_eq!(own, [Some(0.75), Some(0.0), None]);
    assert!(spec.writes());
    assert_eq!(parse(&spec.to_string()), spec);
    let mut generator = Generator::new(&spec, Bytes::mib(64), 1).unwrap();
    let mut counts = [[0_u32; 2]; 3];
    for _ in 0..50_000 {
        let io = generator.next();
        assert_eq!(io.size, [16_384, 4096, 8192][io.stream as usize]);
        counts[io.stream as usize][usize::from(io.op == Op::Write)] += 1;
    }
    let [[read, written], log, index] = counts;
    assert_eq!((log[0], index[1]), (0, 0), "one only writes, one only reads");
    let close = |found: u32, expected: f64| (f64::from(found) / expected - 1.0).abs() < 0.03;
    assert!(close(read, 22_500.0) && close(written, 7500.0) && close(log[1], 10_000.0), "{counts:?}");
    assert!(!parse("random(4KiB[read=1], read=0)").writes());
}

#[test]
fn writes_apart_from_reads_are_those_of_a_workload_that_only_writes() {
    let apart = parse("random(3 * 128KiB[read=1], 2 * 4KiB[read=0], 8KiB[read=0], read=0.5)");
    assert_eq!(apart.without_reads(), parse("random(2 * 4KiB, 8KiB, read=0)"));
    let mixed = parse("random(4KiB[read=0.5], 8KiB[read=0], read=0.5)");
    assert_eq!(mixed.without_reads(), mixed);
}

#[test]
fn named_mixes() {
    for (line, read, weights) in [
        ("jesd219", 0.4, 100),
        ("iometer-database", 0.67, 1),
        ("iometer-fileserver", 0.8, 100),
        ("iometer-webserver", 1.0, 100),
    ] {
        let spec = parse(line);
        assert_eq!(spec.read_fraction, read);
        assert_eq!(spec.sizes.iter().map(|share| share.weight).sum::<u32>(), weights, "{line}");
    }
    assert_eq!(parse("jesd219(read=0, iodepth=64)").iodepth, Some(64));
    let jobs = parse("random(4KiB, iodepth=4, jobs=8)");
    assert_eq!((jobs.iodepth, jobs.jobs), (Some(4), 8));
    assert_eq!(parse(&jobs.to_string()), jobs);
}

#[test]
fn refusals_point_at_the_fault() {
    refused("randon(4KiB)", 0, "unknown workload `randon`");
    refused("random", 0, "expected a request size");
    refused("random(read=0.5)", 0, "expected a request size");
    refused("random(4KiB, reads=0.5)", 13, "unknown option `reads`");
    refused("random(4KiB, hot=0.5)", 13, "unknown option `hot`");
    refused("random(4KiB, read=1.5)", 18, "a fraction from 0 to 1");
    refused("random(4KiB, fua=-1)", 17, "a fraction from 0 to 1");
    refused("random(1000B)", 7, "a multiple of 512 B");
    refused("random(0B)", 7, "a multiple of 512 B");
    refused("random(2GiB)", 7, "up to 1 GiB");
    refused("random(4KiB(8KiB))", 7, "with items of its own");
    refused("random(4KiB[rate=1])", 12, "unknown option `rate` of `4KiB`; known: read");
    refused("random(4KiB, sequential=2)", 24, "a fraction from 0 to 1");
    refused("hotcold(4KiB, sequential=0.5)", 25, "of `random(…)` only");
    refused("jesd219(4KiB)", 8, "has sizes of its own");
    refused("random(4KiB, iodepth=0)", 21, "expected 1 to");
    refused("random(4KiB, jobs=0)", 18, "expected 1 to 65536");
    refused("random(4KiB, iodepth=64, jobs=2000)", 30, "expected 1 to 1024 at this iodepth");
    refused("random(4KiB, rate=5, jobs=2)", 26, "of a closed loop only");
    refused("random(4KiB, rate=0)", 18, "above 0");
    refused("random(4KiB, span=0)", 18, "above 0");
    refused("random(4KiB, align=1000)", 19, "a multiple of 512 B");
    refused("hotcold(4KiB, hot=1)", 18, "below 1");
}

#[test]
fn a_refusal_names_the_nearest_known_word() {
    let error = WorkloadSpec::parse("sequental(4KiB)").expect_err("misspelt");
    assert_eq!(error.hint.as_deref(), Some("did you mean `sequential`?"));
}
