#![no_main]
#![allow(dead_code, reason = "each target is one of the trials")]
#[path = "../trials/trace.rs"]
mod trace;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trace::text(bytes));
