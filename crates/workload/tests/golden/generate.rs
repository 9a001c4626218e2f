//! The requests of a seed are part of what a result promises: a change here changes every simulated figure, and is to be
//! told in the change log.

use drivecast_block::Bytes;
use drivecast_workload::{Arrivals, Generator, WorkloadSpec};

/// FNV-1a over operation, offset and size of the first 100,000 requests.
fn fingerprint(line: &str) -> u64 {
    let spec = WorkloadSpec::parse(line).expect("the line is valid");
    let mut generator = Generator::new(&spec, Bytes::gib(16), 1).expect("16 GiB hold every request");
    (0..100_000).fold(0xcbf2_9ce4_8422_2325, |hash, _| {
        let io = generator.next();
        [io.op as u64, io.offset, u64::from(io.size)]
            .into_iter()
            .fold(hash, |hash: u64, value| (hash ^ value).wrapping_mul(0x0000_0100_0000_01b3))
    })
}

#[test]
fn requests_of_seed_one() {
    let found = [
        "random(4KiB, read=0.7)",
        "hotcold(4KiB, hot=0.2, share=0.8, read=0, placement=contiguous)",
        "jesd219(trim=0.1, placement=contiguous)",
        "hotcold(4KiB, hot=0.2, share=0.8, read=0)",
        "jesd219(trim=0.1)",
    ]
    .map(fingerprint);
    let contiguous = [6_123_437_280_076_913_861, 11_476_107_382_746_544_237];
    let scattered = [2_155_143_744_155_167_941, 5_551_146_891_724_727_917];
    assert_eq!(found[0], 12_742_940_559_237_893_995);
    assert_eq!((&found[1..3], &found[3..]), (&contiguous[..], &scattered[..]));
}

#[test]
fn arrivals_of_seed_one() {
    let found: Vec<u64> = Arrivals::new(1000.0, 1).take(4).map(|time| time.0).collect();
    assert_eq!(found, [22_942, 2_945_680, 2_975_092, 3_491_061]);
}
