//! The JSON that Parquet files carry.

#![no_main]

use drivecast_trace::{CounterSummary, Summary};

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(summary) = Summary::from_json(text) {
        assert!(summary.tally("issue").is_none_or(|tally| tally.event == "issue"));
    }
    let _ = CounterSummary::from_json(text);
});
