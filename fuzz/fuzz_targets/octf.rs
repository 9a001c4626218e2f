//! Messages of OCTF behind some that are in order, so that detection lets them in; each gets its length.

#![no_main]
mod reading;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // A header with the time 1000, then a read of 8 sectors at 80.
    let event = [15, 0x0a, 3, 0x10, 0xe8, 7, 0x12, 8, 0x08, 80, 0x10, 8, 0x28, 1, 0x20, 16];
    let mut log = event.repeat(16);
    for message in bytes.chunks(24) {
        log.push(message.len() as u8);
        log.extend_from_slice(message);
    }
    reading::read(log);
});
