#![no_main]
#![allow(dead_code, reason = "each target is one of the trials")]
#[path = "../trials/quantity.rs"]
mod quantity;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| quantity::quantity(bytes));
