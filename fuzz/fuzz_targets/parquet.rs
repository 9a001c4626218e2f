#![no_main]
#![allow(dead_code, reason = "each target is one of the trials")]
#[path = "../trials/trace.rs"]
mod trace;

// The Parquet library answers some damaged files by a panic, which the reader turns into an error: the hook of
// libFuzzer, which aborts at any panic, gives way; a panic that no one catches still ends the run.
libfuzzer_sys::fuzz_target!(
    init: drop(std::panic::take_hook()),
    |bytes: &[u8]| trace::parquet(bytes)
);
