//! Random streams: stable for ever, apart from each other.

use drivecast_block::random::stream;
use rand_pcg::rand_core::Rng;

fn first<const N: usize>(seed: u64, name: &str) -> [u64; N] {
    let mut stream = stream(seed, name);
    std::array::from_fn(|_| stream.next_u64())
}

/// Whoever changes these changes every result that was ever published with a seed.
#[test]
fn first_values_are_pinned() {
    assert_eq!(first(0, "workload"), [0x4956_df45_6b31_fd47, 0x4c01_56b6_d5cd_99fe, 0x599d_a193_252f_91c9]);
    assert_eq!(first(1, "workload"), [0xd593_51c0_6eff_3556, 0x600f_7415_5016_62e6, 0x23e2_bb8e_1e1a_682b]);
    assert_eq!(first(1, "hdd-phase"), [0x8a94_d99c_c006_3f9d, 0x97dc_d1e1_1456_ad84, 0x03bf_12a2_745c_60df]);
}

#[test]
fn names_and_seeds_make_streams_of_their_own() {
    let names = ["", "a", "b", "ab", "ba", "gc", "workload", "workload-1", "workload-2", "hdd-phase"];
    let mut seen: Vec<[u64; 4]> =
        names.iter().flat_map(|name| (0..100).map(|seed| first(seed, name))).collect();
    let count = seen.len();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), count, "no two begin alike");
}

/// Bits of two streams agree half of the time: 64,000 of them within 5 standard deviations.
#[test]
fn streams_are_uncorrelated() {
    for (a, b) in
        [((1, "a"), (1, "b")), ((1, "a"), (2, "a")), ((0, "x"), (u64::MAX, "x")), ((7, "w1"), (7, "w2"))]
    {
        let (mut x, mut y) = (stream(a.0, a.1), stream(b.0, b.1));
        let differing: u32 = (0..1_000).map(|_| (x.next_u64() ^ y.next_u64()).count_ones()).sum();
        assert!(differing.abs_diff(32_000) < 633, "{a:?} and {b:?} differ in {differing} of 64000 bits");
    }
}
