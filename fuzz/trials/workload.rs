//! Workloads as lines, as models and as compact recordings: what is accepted is written so that it reads back as the same.

use drivecast_block::{Bytes, Nanos};
use drivecast_workload::model::Mixture;
use drivecast_workload::{Model, WorkloadSpec, compact, expand};

/// Requests played of a model that was accepted.
const PLAYED: usize = 200;

/// Any line as a workload.
pub(crate) fn workload(bytes: &[u8]) {
    let Ok(line) = std::str::from_utf8(bytes) else { return };
    if let Ok(spec) = WorkloadSpec::parse(line) {
        let printed = spec.to_string();
        assert_eq!(WorkloadSpec::parse(&printed).as_ref(), Ok(&spec), "{printed}");
    }
}

/// Any text as a model, in TOML and in JSON; what is accepted plays within its span.
pub(crate) fn model(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let _ = Model::from_json(text);
    let Ok(model) = Model::read(text, "model") else { return };
    let written = model.to_toml();
    assert_eq!(Model::read(&written, "again").as_ref(), Ok(&model), "{written}");
    assert_eq!(Model::from_json(&model.to_json()).as_ref(), Ok(&model), "{}", model.to_json());
    let Ok(mixture) = Mixture::new(&model, Bytes(model.span_bytes), 1) else { return };
    let mut latest = Nanos::ZERO;
    for record in mixture.records(Nanos::from_secs_f64(1.0)).take(PLAYED) {
        assert!(record.end() <= model.span_bytes && record.time >= latest, "{record:?} of {written}");
        latest = record.time;
    }
}

/// Any bytes as a compact recording, as they are and behind its magic number; what is accepted is in order.
pub(crate) fn recording(bytes: &[u8]) {
    let whole = [b"DCR1", bytes].concat();
    for bytes in [bytes, &whole] {
        let Ok(records) = expand(bytes) else { continue };
        assert!(records.len() <= bytes.len() / 5, "memory is bounded by the input");
        assert!(records.is_sorted_by_key(|record| record.time));
        assert!(records.iter().all(|record| record.offset.checked_add(u64::from(record.size)).is_some()));
        assert_eq!(expand(&compact(&records)).as_ref(), Ok(&records));
    }
}
