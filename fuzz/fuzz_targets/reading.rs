//! Reads a log that lies in memory to its end, whatever it is.

use drivecast_trace::{Log, Options, open_bytes};

#[allow(dead_code, reason = "each target uses one of the two")]
pub(crate) fn read(bytes: Vec<u8>) {
    read_as(bytes, &Options::default());
}

pub(crate) fn read_as(bytes: Vec<u8>, options: &Options) {
    if let Ok(Log::Trace(mut trace)) = open_bytes(vec![("log".to_owned(), bytes)], options) {
        let (mut batch, mut latest) = (Vec::new(), 0);
        while let Ok(true) = trace.fill(&mut batch) {
            for record in &batch {
                assert!(record.time.0 >= latest, "records come in order of time");
                assert!(
                    record.offset.checked_add(u64::from(record.size)).is_some(),
                    "a request ends within 64 bits"
                );
                latest = record.time.0;
            }
        }
        let _ = trace.summary();
    }
}
