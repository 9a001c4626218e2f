//! A text format that is asked for: its own sample, then anything. The first byte chooses which.

#![no_main]
mod reading;

use drivecast_trace::{DESCRIPTIONS, Options};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let texts: Vec<_> = DESCRIPTIONS.iter().filter(|description| !description.is_binary()).collect();
    let Some((which, rest)) = bytes.split_first() else { return };
    let description = texts[usize::from(*which) % texts.len()];
    let mut log = description.sample.repeat(200).into_bytes();
    log.extend_from_slice(rest);
    reading::read_as(log, &Options { format: Some(description.format), ..Options::default() });
});
