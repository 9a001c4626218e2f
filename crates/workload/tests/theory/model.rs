//! What a model's parameters say must come out of its requests.

use drivecast_block::{Bytes, Nanos, Op, Record};
use drivecast_workload::Model;
use drivecast_workload::model::{Mixture, Quantiles};

fn model(stream: &str) -> Model {
    let text = format!(
        "schema_version = 1\nname = \"m\"\nspan_bytes = 1_048_576_000\n\n[[streams]]\nname = \"s\"\n{stream}"
    );
    Model::read(&text, "m.toml").expect("a model of these tests")
}

fn records(stream: &str, seconds: u64) -> Vec<Record> {
    let mixture = Mixture::new(&model(stream), Bytes::gib(1), 1).expect("a model of these tests");
    mixture.records(Nanos(seconds * 1_000_000_000)).collect()
}

const PAGE: &str = "sizes = [{ bytes = 4096, share = 1.0 }]\n";

#[test]
fn the_mean_of_a_table_is_that_of_its_draws() {
    let table = Quantiles(vec![(0.25, 1.0), (0.5, 1.0), (0.9, 8.0), (1.0, 100.0)]);
    let points = 100_000;
    let sum: f64 = (0..points).map(|point| table.value((f64::from(point) + 0.5) / f64::from(points))).sum();
    assert!((sum / f64::from(points) / table.mean() - 1.0).abs() < 1e-3);
}

#[test]
fn an_open_stream_keeps_its_rate_whatever_its_batches_and_steps() {
    for arrivals in [
        "rate_iops = 400.0",
        "rate_iops = 400.0, batch = { requests = [[0.5, 1.0], [1.0, 64.0]], spacing_s = 1e-5 }",
        "rate_iops = 400.0, batch = { requests = 8, spacing_s = 1e-4 }, burst = { batches = 4, spacing_s = 1e-3 }",
        "rate_iops = 400.0, rate_over_time = { period_s = 10.0, steps = [[0.0, 0.0], [2.0, 5.0], [3.0, 0.5]] }",
        "rate_iops = 400.0, gaps = [[0.5, 0.1], [1.0, 10.0]]",
    ] {
        let stream = format!(
            "{PAGE}address = {{ pattern = \"random\" }}\narrivals = {{ loop = \"open\", {arrivals} }}\n"
        );
        let count = records(&stream, 100).len() as f64;
        assert!((count / 40_000.0 - 1.0).abs() < 0.03, "{arrivals}: {count}");
    }
}

#[test]
fn steps_decide_when_requests_come() {
    let steps = "rate_over_time = { period_s = 10.0, steps = [[0.0, 0.0], [2.0, 3.0], [4.0, 1.0]] }";
    let stream = format!(
        "{PAGE}address = {{ pattern = \"random\" }}\narrivals = {{ loop = \"open\", rate_iops = 1200.0, {steps} }}\n"
    );
    let times: Vec<f64> =
        records(&stream, 100).iter().map(|record| record.time.as_secs_f64() % 10.0).collect();
    let within = |from: f64, to: f64| times.iter().filter(|at| (from..to).contains(*at)).count() as f64;
    assert_eq!(within(0.0, 1.999), 0.0);
    assert!((within(2.0, 4.0) / within(4.0, 10.0) - 1.0).abs() < 0.05);
}

#[test]
fn listed_bursts_come_when_they_are_listed() {
    let listed = "listed = { period_s = 10.0, bursts = [[1.0, 300, 0.5], [4.0, 100, 0.0]] }";
    let batch = "batch = { requests = [[0.5, 1.0], [1.0, 8.0]], spacing_s = 1e-6 }";
    let stream = format!(
        "{PAGE}address = {{ pattern = \"random\" }}\narrivals = {{ loop = \"open\", rate_iops = 40.0, {batch}, {listed} }}\n"
    );
    let times: Vec<f64> = records(&stream, 100).iter().map(|record| record.time.as_secs_f64()).collect();
    assert_eq!(times.len(), 4000);
    for period in 0..10 {
        let within = |from: f64, to: f64| {
            let from_to = f64::from(period) * 10.0 + from..f64::from(period) * 10.0 + to;
            times.iter().filter(|at| from_to.contains(at)).count()
        };
        assert_eq!((within(1.0, 1.6), within(4.0, 4.1)), (300, 100));
        // At an even rate, half of a burst comes in half of its time; a batch more or less.
        assert!(within(1.0, 1.25).abs_diff(150) <= 8, "{}", within(1.0, 1.25));
    }
}

#[test]
fn a_size_follows_another_as_often_as_it_says() {
    let sizes = "sizes = [{ bytes = 4096, share = 0.5, next = [0.9, 0.1] }, { bytes = 8192, share = 0.5, next = [0.1, 0.9] }]\n";
    let stream = format!(
        "{sizes}address = {{ pattern = \"random\" }}\narrivals = {{ loop = \"open\", rate_iops = 1000.0 }}\n"
    );
    let found: Vec<u32> = records(&stream, 100).iter().map(|record| record.size).collect();
    let same = found.windows(2).filter(|pair| pair[0] == pair[1]).count() as f64 / found.len() as f64;
    let small = found.iter().filter(|&&size| size == 4096).count() as f64 / found.len() as f64;
    assert!((same - 0.9).abs() < 0.01 && (small - 0.5).abs() < 0.03, "{same} {small}");
}

#[test]
fn only_the_used_share_of_a_zone_is_addressed() {
    let address =
        "address = { pattern = \"random\", zones = [{ from = 0.0, to = 0.5, share = 1.0, used = 0.1 }] }\n";
    let stream = format!("{PAGE}{address}arrivals = {{ loop = \"open\", rate_iops = 1000.0 }}\n");
    let extents: std::collections::BTreeSet<u64> =
        records(&stream, 100).iter().map(|record| record.offset >> 20).collect();
    // 1000 extents of 1 MiB, half of them in the zone.
    assert_eq!(extents.len(), 50);
    assert!(extents.iter().all(|&extent| extent < 500));
}

#[test]
fn streams_that_share_a_history_meet_again_where_the_other_was() {
    let arrivals = "arrivals = { loop = \"open\", rate_iops = 500.0 }\n";
    let new = "address = { pattern = \"random\", reuse = { share = 0.0, runs_ago = 1, among = \"both\" } }\n";
    let again = "address = { pattern = \"random\", reuse = { share = 1.0, runs_ago = [[1.0, 8.0]], among = \"both\" } }\n";
    let streams = format!("{PAGE}{new}{arrivals}\n[[streams]]\nname = \"t\"\n{PAGE}{again}{arrivals}");
    let found = records(&streams, 20);
    let seen: std::collections::BTreeSet<u64> =
        found.iter().filter(|record| record.stream == 0).map(|record| record.offset).collect();
    let second: Vec<u64> =
        found.iter().filter(|record| record.stream == 1).map(|record| record.offset).collect();
    let met = second.iter().filter(|offset| seen.contains(offset)).count();
    assert!(met as f64 > 0.95 * second.len() as f64, "{met} of {}", second.len());
}

#[test]
fn zones_runs_and_reuse_have_their_shares() {
    let open = "arrivals = { loop = \"open\", rate_iops = 1000.0 }\n";
    let zones = "zones = [{ from = 0.0, to = 0.1, share = 0.7 }, { from = 0.5, to = 1.0, share = 0.3 }]";
    let found = records(&format!("{PAGE}address = {{ pattern = \"random\", {zones} }}\n{open}"), 50);
    let hot = found.iter().filter(|record| record.offset < 104_857_600).count() as f64 / found.len() as f64;
    assert!((hot - 0.7).abs() < 0.01, "{hot}");
    assert!(found.iter().all(|record| !(104_857_600..524_288_000).contains(&record.offset)));

    let found =
        records(&format!("{PAGE}address = {{ pattern = \"sequential\", run_bytes = 65536 }}\n{open}"), 50);
    let follows = found.windows(2).filter(|pair| pair[1].offset == pair[0].end()).count() as f64;
    assert!((follows / found.len() as f64 - 15.0 / 16.0).abs() < 0.01);

    let reuse = "reuse = { share = 0.6, runs_ago = [[0.5, 1.0], [1.0, 100.0]] }";
    let found = records(&format!("{PAGE}address = {{ pattern = \"random\", {reuse} }}\n{open}"), 50);
    let mut places: Vec<u64> = found.iter().map(|record| record.offset).collect();
    places.sort_unstable();
    places.dedup();
    let again = 1.0 - places.len() as f64 / found.len() as f64;
    assert!((again - 0.6).abs() < 0.08, "{again}");
}

#[test]
fn zipf_puts_most_on_few_places_and_all_within_the_span() {
    let law = "address = { pattern = \"random\", law = \"zipf\", exponent = 1.0 }\n";
    let found = records(&format!("{PAGE}{law}arrivals = {{ loop = \"open\", rate_iops = 1000.0 }}\n"), 50);
    let mut counts = std::collections::BTreeMap::<u64, usize>::new();
    found.iter().for_each(|record| *counts.entry(record.offset).or_default() += 1);
    let most = *counts.values().max().unwrap() as f64 / found.len() as f64;
    // The first of 256,000 ranks has 1 / H(256000) = 0.0767 of the requests.
    assert!((most - 0.0767).abs() < 0.005, "{most}");
    assert!(found.iter().all(|record| record.end() <= 1_048_576_000 && record.offset % 4096 == 0));
}

#[test]
fn a_closed_stream_waits_for_its_completions() {
    let closed = "read = 1.0\naddress = { pattern = \"append\", from = 0.5, to = 0.6 }\narrivals = { loop = \"closed\", iodepth = 2, think_s = 0.001 }\n";
    let mut mixture =
        Mixture::new(&model(&format!("{PAGE}{closed}")), Bytes::gib(1), 1).expect("a model of these tests");
    for offset in [524_288_000, 524_292_096] {
        assert_eq!(mixture.due(), Some((Nanos::ZERO, 0)));
        let io = mixture.take(0);
        assert_eq!((io.op, io.offset), (Op::Read, offset));
    }
    assert_eq!(mixture.due(), None);
    mixture.complete(0, Nanos(5_000_000));
    assert_eq!(mixture.due(), Some((Nanos(6_000_000), 0)));
}
