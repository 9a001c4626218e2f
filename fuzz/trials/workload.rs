//! Workloads as lines and as models: what is accepted is written so that it reads back as the same.

use drivecast_block::{Bytes, Nanos};
use drivecast_workload::model::Mixture;
use drivecast_workload::{Model, WorkloadSpec};

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
