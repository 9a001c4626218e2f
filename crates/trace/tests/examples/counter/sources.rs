//! What the registry states of each source, compared with its sample.

use super::read_bytes;
use drivecast_block::Sample;
use drivecast_trace::{Content, Description, FORMATS, Measure, Options};

fn reports(sample: &Sample, measure: Measure) -> bool {
    match measure {
        Measure::Requests => sample.reads > 0.0 && sample.writes > 0.0,
        Measure::Bytes => sample.read_bytes > 0.0 && sample.written_bytes > 0.0,
        Measure::Flushes => sample.flushes.is_some(),
        Measure::QueueDepth => sample.queue_depth.is_some(),
        Measure::Latency => sample.read_latency.is_some() && sample.write_latency.is_some(),
        Measure::Utilization => sample.utilization.is_some(),
    }
}

const MEASURES: [Measure; 6] = [
    Measure::Requests,
    Measure::Bytes,
    Measure::Flushes,
    Measure::QueueDepth,
    Measure::Latency,
    Measure::Utilization,
];

fn check(description: &Description, options: &Options) {
    let title = description.title;
    let Content::Counters { measures, merged: expected, .. } = description.content else { panic!("{title}") };
    let log = read_bytes(description.sample.as_bytes(), options).unwrap();
    assert_eq!(log.summary().format.as_str(), description.name, "{title}");
    assert_eq!(log.samples().len(), 2, "{title}");
    for sample in log.samples() {
        for measure in MEASURES {
            assert_eq!(reports(sample, measure), measures.contains(&measure), "{title}: {}", measure.name());
        }
        // 120 or 240 reads and 80 or 160 writes a second, whatever the interval: flushes are taken out of the writes.
        assert_eq!(sample.read_bytes, sample.written_bytes * 3.0, "{title}");
    }
    let mut merged = log.summary().merged.clone();
    merged.sort_by_key(|what| *what as u8);
    assert_eq!(merged, expected, "{title}");
}

#[test]
fn each_sample_is_recognised_and_reports_what_its_description_states() {
    for description in FORMATS.iter().filter(|format| !format.is_trace()) {
        check(description, &Options { strict: true, ..Options::default() });
    }
}

#[test]
fn each_sample_is_read_when_asked_for_by_name() {
    for description in FORMATS.iter().filter(|format| !format.is_trace()) {
        check(description, &Options { format: Some(description.name.to_owned()), ..Options::default() });
    }
}

#[test]
fn what_is_asked_for_and_is_not_there_is_refused() {
    let perfmon = Options { format: Some("perfmon".to_owned()), ..Options::default() };
    let message = read_bytes(b"time,reads\n1,2\n", &perfmon).unwrap_err();
    assert!(message.contains("expected `PhysicalDisk` counters"), "{message}");
}
