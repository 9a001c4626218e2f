//! Every measure of the one pass against a slow one written plainly.

use crate::properties_trace::{profile, traces};
use drivecast_block::{Nanos, Op, Record};
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};

const SECOND: u64 = 1_000_000_000;

fn data(records: &[Record]) -> Vec<Record> {
    records.iter().copied().filter(Record::has_data).collect()
}

fn blocks(record: &Record) -> std::ops::RangeInclusive<u64> {
    record.offset / 4096..=(record.end() - 1) / 4096
}

fn close(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-9 * expected.abs().max(1.0)
}

/// Nanoseconds in which each request was outstanding within `from..to`, summed.
fn depth_ns(records: &[Record], from: u64, to: u64) -> u64 {
    let overlap = |record: &Record| {
        let end = record.time.0 + record.latency.map_or(0, |latency| latency.0);
        end.min(to).saturating_sub(record.time.0.max(from))
    };
    records.iter().map(overlap).sum()
}

proptest! {
    #[test]
    fn counts_and_bytes(records in traces()) {
        let found = profile(&records, Nanos(60 * SECOND));
        let of = |op: Op| records.iter().filter(move |record| record.op == op && (record.size > 0 || op == Op::Flush));
        prop_assert_eq!(found.reads, of(Op::Read).count() as u64);
        prop_assert_eq!(found.writes, of(Op::Write).count() as u64);
        prop_assert_eq!(found.flushes, Some(of(Op::Flush).count() as u64));
        prop_assert_eq!(found.discards, Some(of(Op::Discard).count() as u64));
        prop_assert_eq!(found.bytes_written, of(Op::Write).map(|record| u64::from(record.size)).sum::<u64>());
        prop_assert_eq!(found.extent_bytes, Some(data(&records).iter().map(Record::end).max().unwrap_or(0)));
        for row in found.sizes.unwrap_or_default() {
            let same = |record: &&Record| record.op.name() == row.op && u64::from(record.size) == row.size_bytes;
            if row.size_bytes <= 1 << 20 {
                prop_assert_eq!(row.count, data(&records).iter().filter(same).count() as u64);
            }
        }
    }

    #[test]
    fn working_set_is_the_set_of_blocks(records in traces()) {
        let found = profile(&records, Nanos(60 * SECOND));
        let distinct = |wanted: &[Op]| {
            let accessed = data(&records).into_iter().filter(|record| wanted.contains(&record.op));
            Some(accessed.flat_map(|record| blocks(&record)).collect::<HashSet<_>>().len() as u64 * 4096)
        };
        prop_assert_eq!(found.working_set_bytes, distinct(&[Op::Read, Op::Write]));
        prop_assert_eq!(found.working_set_read_bytes, distinct(&[Op::Read]));
        prop_assert_eq!(found.working_set_write_bytes, distinct(&[Op::Write]));
    }

    #[test]
    fn overwrites_and_their_distances(records in traces()) {
        let found = profile(&records, Nanos(60 * SECOND));
        let (mut last, mut distances, mut written) = (HashMap::new(), Vec::new(), 0u64);
        for record in data(&records).iter().filter(|record| record.op == Op::Write) {
            for block in blocks(record) {
                distances.extend(last.insert(block, written).map(|before| written - before));
                written += 1;
            }
        }
        distances.sort_unstable();
        let share = (written > 0).then(|| distances.len() as f64 / written as f64);
        prop_assert_eq!(found.overwrite_fraction, share);
        let Some(quantiles) = found.update_distance_bytes else {
            prop_assert!(distances.is_empty());
            return Ok(());
        };
        for (q, found) in [(0.1, quantiles.q10), (0.5, quantiles.q50), (0.9, quantiles.q90)] {
            let rank = (q * distances.len() as f64).ceil() as usize - 1;
            let expected = distances[rank] as f64 * 4096.0;
            prop_assert!((found as f64 - expected).abs() <= 1e-3 * expected, "q{}: {} for {}", q, found, expected);
        }
    }

    #[test]
    fn peak_window_is_the_busiest_stretch(records in traces(), width in 1..8u64) {
        let found = profile(&records, Nanos(width * SECOND));
        let data = data(&records);
        let Some(window) = found.peak_window else {
            prop_assert!(data.is_empty());
            return Ok(());
        };
        let last = records[records.len() - 1].time.0;
        if last - records[0].time.0 <= width * SECOND {
            prop_assert_eq!(window.requests, data.len() as u64);
            prop_assert!(close(window.length_s, found.duration_s));
            return Ok(());
        }
        let within = |start: u64, width: u64| {
            let range = start * SECOND..(start + width) * SECOND;
            data.iter().filter(|record| range.contains(&record.time.0)).count() as u64
        };
        let starts = 0..=(last / SECOND + 1).saturating_sub(width);
        let best = starts.clone().map(|start| within(start, width)).max().unwrap_or(0);
        let first = starts.clone().find(|start| within(*start, width) == best).unwrap_or(0);
        prop_assert_eq!((window.requests, window.start_s, window.length_s), (best, first as f64, width as f64));
        let busiest = (first..first + width).map(|second| within(second, 1)).max().unwrap_or(0);
        prop_assert_eq!(window.iops_peak_1s, busiest as f64);
        if let Some(depth) = window.queue_depth_mean {
            let end = ((first + width) * SECOND).min(last);
            let expected = depth_ns(&records, first * SECOND, end) as f64 / (width * SECOND) as f64;
            prop_assert!(close(depth, expected), "{} for {}", depth, expected);
        }
    }

    #[test]
    fn queue_depth_is_the_overlap_of_latencies(records in traces()) {
        let found = profile(&records, Nanos(60 * SECOND));
        let Some(most) = found.queue_depth_max else {
            prop_assert!(records.iter().all(|record| record.latency.is_none()));
            return Ok(());
        };
        let (first, last) = (records[0].time.0, records[records.len() - 1].time.0);
        // At each issue: the earlier requests that have not ended yet, and the new one.
        let outstanding = |k: usize| {
            let now = records[k].time.0;
            let open = |record: &&Record| record.latency.is_some_and(|latency| record.time.0 + latency.0 > now);
            let new = u64::from(records[k].latency.is_some());
            records[..k].iter().filter(open).count() as u64 + new
        };
        prop_assert_eq!(most, (0..records.len()).map(outstanding).max().unwrap_or(0));
        if let Some(mean) = found.queue_depth_mean {
            prop_assert!(close(mean, depth_ns(&records, first, last) as f64 / (last - first) as f64));
        }
        for row in &found.seconds {
            let (from, to) = (row.second * SECOND, ((row.second + 1) * SECOND).min(last));
            let recorded = to.saturating_sub(from.max(first));
            let expected = if recorded == 0 { 0.0 } else { depth_ns(&records, from, to) as f64 / recorded as f64 };
            prop_assert!(close(row.queue_depth.unwrap_or(-1.0), expected));
        }
    }

    #[test]
    fn seconds_add_up(records in traces()) {
        let found = profile(&records, Nanos(60 * SECOND));
        let sum = |value: fn(&drivecast_workload::profile::SecondRow) -> u64| found.seconds.iter().map(value).sum::<u64>();
        prop_assert_eq!(sum(|row| row.reads), found.reads);
        prop_assert_eq!(sum(|row| row.writes), found.writes);
        prop_assert_eq!(Some(sum(|row| row.flushes)), found.flushes);
        prop_assert_eq!(sum(|row| row.read_bytes), found.bytes_read);
        prop_assert_eq!(sum(|row| row.written_bytes), found.bytes_written);
        let most = found.seconds.iter().map(|row| row.reads + row.writes).max().filter(|most| *most > 0);
        prop_assert_eq!(found.iops_peak_1s, most.map(|most| most as f64));
    }

    #[test]
    fn sequential_requests(records in traces()) {
        let found = profile(&records, Nanos(60 * SECOND));
        let data = data(&records);
        let overall = data.windows(2).filter(|pair| pair[1].offset == pair[0].end()).count();
        let (mut ends, mut by_stream) = (HashMap::new(), 0);
        let (mut runs, mut interleaved) = (Vec::<u64>::new(), 0);
        for record in &data {
            by_stream += usize::from(ends.insert(record.stream, record.end()) == Some(record.offset));
            if let Some(at) = runs.iter().rposition(|end| *end == record.offset) {
                runs.remove(at);
                interleaved += 1;
            }
            runs.push(record.end());
            if runs.len() > 16 {
                runs.remove(0);
            }
        }
        let share = |count: usize| (!data.is_empty()).then(|| count as f64 / data.len() as f64);
        prop_assert_eq!(found.sequential_fraction, share(overall));
        prop_assert_eq!(found.sequential_fraction_by_stream, share(by_stream));
        prop_assert_eq!(found.sequential_fraction_interleaved, share(interleaved));
    }

    #[test]
    fn interarrival_moments(records in traces()) {
        let found = profile(&records, Nanos(60 * SECOND)).interarrival;
        let times: Vec<u64> = data(&records).iter().map(|record| record.time.0).collect();
        let gaps: Vec<f64> = times.windows(2).map(|pair| (pair[1] - pair[0]) as f64).collect();
        let Some(found) = found else {
            prop_assert!(gaps.is_empty());
            return Ok(());
        };
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        prop_assert!(close(found.mean_ns, mean));
        let variance = gaps.iter().map(|gap| (gap - mean).powi(2)).sum::<f64>() / gaps.len() as f64;
        if let Some(cv) = found.cv {
            prop_assert!((cv - variance.sqrt() / mean).abs() < 1e-6);
        }
        let bins = ((times[times.len() - 1] - times[0]) / 100_000_000) as usize;
        let mut counts = vec![0f64; bins + 1];
        times.iter().for_each(|time| counts[((time - times[0]) / 100_000_000) as usize] += 1.0);
        let complete = &counts[..bins];
        match found.index_of_dispersion_100ms {
            None => prop_assert!(bins < 2),
            Some(found) => {
                let mean = complete.iter().sum::<f64>() / bins as f64;
                let variance = complete.iter().map(|n| (n - mean).powi(2)).sum::<f64>() / (bins as f64 - 1.0);
                prop_assert!((found - variance / mean).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn heat_map_holds_every_request_where_it_belongs(records in traces()) {
        let found = profile(&records, Nanos(60 * SECOND)).heat_map;
        let data = data(&records);
        let Some(map) = found else {
            prop_assert!(data.is_empty());
            return Ok(());
        };
        prop_assert!(map.time_bins <= 240 && map.address_bins <= 128);
        prop_assert!(map.counts.len() == map.time_bins && map.counts.iter().all(|row| row.len() == map.address_bins));
        let mut expected = vec![vec![0u64; map.address_bins]; map.time_bins];
        for record in &data {
            let time = (record.time.as_secs_f64() / map.time_bin_s) as usize;
            expected[time][(record.offset / map.address_bin_bytes) as usize] += 1;
        }
        prop_assert_eq!(map.counts, expected);
    }

    #[test]
    fn null_keys_are_the_undefined_ones(records in traces()) {
        let found = serde_json::to_value(profile(&records, Nanos(60 * SECOND))).expect("a profile serialises");
        for (key, value) in found.as_object().expect("an object") {
            let undefined = found["provenance"][key] == "undefined";
            prop_assert_eq!(value.is_null(), undefined, "{}", key);
        }
    }
}
