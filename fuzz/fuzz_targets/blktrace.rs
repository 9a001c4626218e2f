//! blktrace records whose magic number is right, so that the rest of the record is what is tried.

#![no_main]
mod reading;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut log = bytes.to_vec();
    for record in log.chunks_exact_mut(48) {
        record[..4].copy_from_slice(&[0x07, 0x74, 0x61, 0x65]);
        // Without payload the records stay aligned.
        record[46..].fill(0);
    }
    reading::read(log);
});
