//! One seed, named streams.
//!
//! Everything random draws from a stream of its own, derived from the run's seed and the stream's name, so that adding
//! a draw in one place changes nothing anywhere else. PCG-64 (MCG variant, O'Neill 2014) seeded by SplitMix64 over
//! FNV-1a of the name.

use rand_pcg::Pcg64Mcg;

/// The generator that every stream is.
pub type Stream = Pcg64Mcg;

/// The random stream `name` of the run with this `seed`.
pub fn stream(seed: u64, name: &str) -> Stream {
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let low = mix(seed ^ hash);
    let high = mix(low ^ seed.rotate_left(32));
    Pcg64Mcg::new(u128::from(high) << 64 | u128::from(low))
}

/// A hash in which every bit depends on every bit of the key: SplitMix64 (Steele, Lea and Flood 2014).
#[inline(always)]
pub fn mix(key: u64) -> u64 {
    let mut z = key.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
