//! Lines behind some that are MSR Cambridge without doubt.

#![no_main]
mod reading;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut log = b"128166372003061629,hm,1,Read,383496192,32768,413\n".repeat(400);
    log.extend_from_slice(bytes);
    reading::read(log);
});
