//! Compressed files: found by content, with the identity of what they hold, whole or cut off.

use crate::writer::{C, D, READ, event, little, noted, read, read_ok};
use drivecast_trace::Options;
use std::io::Write;

fn packed(bytes: &[u8]) -> [Vec<u8>; 3] {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(bytes).unwrap();
    let mut xz = liblzma::write::XzEncoder::new(Vec::new(), 1);
    xz.write_all(bytes).unwrap();
    let mut zstd = zstd::Encoder::new(Vec::new(), 1).unwrap();
    // As the program `zstd` does; without it damage can go unnoticed.
    zstd.include_checksum(true).unwrap();
    zstd.write_all(bytes).unwrap();
    [gzip.finish().unwrap(), xz.finish().unwrap(), zstd.finish().unwrap()]
}

fn sample() -> Vec<u8> {
    // Addresses that do not compress to nothing, so that a cut leaves part of the records.
    let at = |index: u64| index.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
    let pair = |index| {
        [event(index * 100, READ | D, at(index), 4096), event(index * 100 + 9, READ | C, at(index), 4096)]
    };
    little(&(0..20_000).flat_map(pair).collect::<Vec<_>>())
}

#[test]
fn compression_changes_nothing() {
    let plain = sample();
    let (records, summary) = read_ok(plain.clone(), &Options::default());
    assert_eq!(records.len(), 20_000);
    assert_eq!(summary.hash, blake3::hash(&plain).to_string());
    for bytes in packed(&plain) {
        assert_eq!(read_ok(bytes, &Options::default()), (records.clone(), summary.clone()));
    }
}

#[test]
fn several_streams_in_one_file_are_read_on() {
    let plain = sample();
    let cut = 48 * 1001;
    let (first, second) = (packed(&plain[..cut]), packed(&plain[cut..]));
    for (first, second) in first.into_iter().zip(second) {
        assert_eq!(read_ok([first, second].concat(), &Options::default()).0.len(), 20_000);
    }
}

#[test]
fn a_cut_file_gives_what_came_before() {
    for bytes in packed(&sample()) {
        let (records, summary) = read_ok(bytes[..bytes.len() / 2].to_vec(), &Options::default());
        assert!((1_000..20_000).contains(&records.len()), "{}", records.len());
        assert!(noted(&summary, "the compressed file is cut off after"), "{:?}", summary.notes);
    }
}

#[test]
fn a_damaged_file_is_an_error() {
    for mut bytes in packed(&sample()) {
        let middle = bytes.len() / 2;
        for byte in &mut bytes[middle..middle + 64] {
            *byte ^= 0x5a;
        }
        let Err(error) = read(bytes, &Options::default()) else { panic!("damage went unnoticed") };
        let error = error.to_string();
        assert!(error.contains("is damaged") || error.contains("byte "), "{error}");
    }
}
