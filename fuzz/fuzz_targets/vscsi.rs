//! VSCSI records of version 1 whose first ones are plausible, so that detection lets them in.

#![no_main]
mod reading;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut log = Vec::new();
    for number in 0..64_u64 {
        log.extend([0; 4]);
        log.extend(512_u32.to_le_bytes());
        log.extend([1, 0, 0, 0, 0x28, 0, 0, 1]);
        log.extend((number * 8).to_le_bytes());
        log.extend((number * 100).to_le_bytes());
    }
    for record in bytes.chunks(32) {
        let mut record = record.to_vec();
        if let Some(version) = record.get_mut(15) {
            *version = 1;
        }
        log.extend(record);
    }
    reading::read(log);
});
