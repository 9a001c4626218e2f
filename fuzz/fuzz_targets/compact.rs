#![no_main]
#![allow(dead_code, reason = "each target is one of the trials")]
#[path = "../trials/workload.rs"]
mod workload;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| workload::recording(bytes));
