#![no_main]
#![allow(dead_code, reason = "each target is one of the trials")]
#[path = "../trials/design.rs"]
mod design;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| design::design(bytes));
