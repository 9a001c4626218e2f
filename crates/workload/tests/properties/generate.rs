//! Requests lie where they may, and the same seed gives the same requests.

use drivecast_block::{Bytes, Nanos, Op, Record};
use drivecast_workload::{Arrivals, Generator, Replay, SpecError, WorkloadSpec};
use proptest::prelude::*;

const LINES: [&str; 10] = [
    "random(4KiB, read=0.7)",
    "random(3 * 512B, 2 * 12KiB, 1MiB, read=0.2, trim=0.3, span=0.5)",
    "random(6KiB, read=0, align=4KiB)",
    "sequential(128KiB, read=0)",
    "sequential(512B, 24KiB, read=0.5, trim=0.1, align=4KiB, span=0.9)",
    "hotcold(4KiB, hot=0.2, share=0.8, read=0)",
    "random(3 * 16KiB[read=0.75], 4KiB[read=0], read=1)",
    "random(12KiB[read=1, sequential=0.7], 3 * 4KiB[read=0], sequential=0.2, trim=0.1, span=0.9)",
    "jesd219",
    "iometer-webserver(span=0.7)",
];

fn generators() -> impl Strategy<Value = (WorkloadSpec, Generator, Generator, u64)> {
    (0..LINES.len(), 1u64 << 14..1 << 20, any::<u64>()).prop_map(|(line, sectors, seed)| {
        let spec = WorkloadSpec::parse(LINES[line]).expect("the line is valid");
        let capacity = Bytes(sectors * 4096 + 512);
        let make = || Generator::new(&spec, capacity, seed).expect("64 MiB hold every request");
        (spec.clone(), make(), make(), capacity.0)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn requests_lie_within_the_span_and_aligned((spec, mut generator, mut twin, capacity) in generators()) {
        let span = (capacity as f64 * spec.span_fraction) as u64;
        prop_assert!(generator.span().0 <= span);
        for _ in 0..2000 {
            let io = generator.next();
            prop_assert_eq!(io, twin.next());
            prop_assert!(io.offset + u64::from(io.size) <= span);
            prop_assert!(spec.sizes.iter().any(|share| share.size_bytes == io.size));
            let sequential = spec.pattern.name() == "sequential" && io.op != Op::Discard;
            let align = match spec.align_bytes {
                Some(align) => align,
                None if spec.pattern.name() == "jesd219" => if io.size < 4096 { 512 } else { 4096 },
                None if sequential => 512,
                None => io.size,
            };
            prop_assert_eq!(io.offset % u64::from(align), 0);
        }
    }

    #[test]
    fn a_device_too_small_is_refused(line in 0..LINES.len(), sectors in 0..64u64) {
        let spec = WorkloadSpec::parse(LINES[line]).expect("the line is valid");
        match Generator::new(&spec, Bytes(sectors * 512), 1) {
            Err(error) => prop_assert!(matches!(error, SpecError::TooSmall { .. }), "{}", error),
            Ok(mut generator) => {
                let io = generator.next();
                prop_assert!(io.offset + u64::from(io.size) <= sectors * 512);
            }
        }
    }

    #[test]
    fn other_read_fractions_keep_the_addresses(seed in any::<u64>(), read in 0.0..=1.0f64) {
        let make = |line: &str| {
            let spec = WorkloadSpec::parse(line).expect("the line is valid");
            Generator::new(&spec, Bytes::mib(64), seed).expect("64 MiB hold every request")
        };
        let (mut mixed, mut writes) = (make(&format!("jesd219(read={read})")), make("jesd219(read=0)"));
        for _ in 0..200 {
            let (one, other) = (mixed.next(), writes.next());
            prop_assert_eq!((one.offset, one.size), (other.offset, other.size));
        }
    }

    #[test]
    fn arrivals_never_fall(rate in 1e-3..1e9f64, seed in any::<u64>()) {
        let times: Vec<Nanos> = Arrivals::new(rate, seed).take(500).collect();
        prop_assert!(times.is_sorted());
    }

    #[test]
    fn replay_gives_the_window_on_its_own_clock(
        gaps in prop::collection::vec(0..1000u64, 0..100),
        from in 0..60_000u64,
        length in 0..60_000u64,
        scale in prop_oneof![Just(1.0), 0.0..4.0f64],
    ) {
        let mut now = 0;
        let records: Vec<Record> = gaps.iter().map(|gap| {
            now += gap;
            Record { time: Nanos(now), offset: now, size: 512, stream: 0, op: Op::Read, latency: None, fua: false }
        }).collect();
        let window = Nanos(from)..Nanos(from + length);
        let found: Vec<Record> = Replay::new(&records, window.clone(), scale).collect();
        let inside = records.iter().filter(|record| window.contains(&record.time));
        let expected: Vec<(u64, u64)> =
            inside.map(|record| (record.offset, ((record.time.0 - from) as f64 * scale) as u64)).collect();
        prop_assert_eq!(found.iter().map(|record| (record.offset, record.time.0)).collect::<Vec<_>>(), expected);
    }
}
