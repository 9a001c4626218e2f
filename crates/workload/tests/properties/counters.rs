//! What is spread over seconds adds up to what was logged.

use drivecast_block::{Nanos, Sample};
use drivecast_workload::{CounterOptions, CounterProfiler};
use proptest::prelude::*;

proptest! {
    #[test]
    fn seconds_add_up_whatever_the_interval(
        interval_ms in 300..5000u64,
        counts in prop::collection::vec((0.0..500.0f64, 0.0..500.0f64, 0.0..64.0f64), 1..50),
    ) {
        let mut profiler = CounterProfiler::new(CounterOptions::default());
        for (k, (reads, writes, queue_depth)) in counts.iter().enumerate() {
            profiler.push(&Sample {
                time: Nanos::from_ms(interval_ms * (k as u64 + 1)),
                interval: Nanos::from_ms(interval_ms),
                reads: *reads,
                writes: *writes,
                read_bytes: reads * 4096.0,
                written_bytes: writes * 8192.0,
                queue_depth: Some(*queue_depth),
                ..Sample::default()
            });
        }
        let found = profiler.finish();
        let reads: f64 = counts.iter().map(|(reads, _, _)| reads).sum();
        let depth = counts.iter().map(|(_, _, depth)| depth).sum::<f64>() / counts.len() as f64;
        prop_assert_eq!(found.reads, reads.round() as u64);
        prop_assert_eq!(found.seconds.iter().map(|row| row.reads).sum::<u64>(), found.reads);
        prop_assert_eq!(found.seconds.iter().map(|row| row.writes).sum::<u64>(), found.writes);
        prop_assert_eq!(found.seconds.iter().map(|row| row.written_bytes).sum::<u64>(), found.bytes_written);
        prop_assert!((found.queue_depth_mean.unwrap_or(-1.0) - depth).abs() < 1e-6);
        let json = serde_json::to_value(&found).expect("a profile serialises");
        for (key, value) in json.as_object().expect("an object") {
            prop_assert_eq!(value.is_null(), json["provenance"][key] == "undefined", "{}", key);
        }
    }
}
