//! Any mapping of columns, and any table under it: the first line is the mapping.

#![no_main]
mod reading;

use drivecast_trace::Options;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let (mapping, table) = text.split_once('\n').unwrap_or((text, ""));
    let options = Options { csv: Some(mapping.to_owned()), ..Options::default() };
    reading::read_as(table.as_bytes().to_vec(), &options);
});
