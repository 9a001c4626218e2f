//! Any bytes at all: decompression, detection, archives, Parquet.

#![no_main]
mod reading;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reading::read(bytes.to_vec()));
