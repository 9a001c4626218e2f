//! Reports in a document that starts as sysstat's does.

#![no_main]
mod reading;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut log =
        br#"{"sysstat": {"hosts": [{"statistics": [{"disk": [{"disk_device": "sda", "r/s": "#.to_vec();
    log.extend_from_slice(bytes);
    reading::read(log);
});
