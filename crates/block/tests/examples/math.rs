//! The functions that must be the same everywhere: bits of results, and nearness to the platform's.

use drivecast_block::math;

/// Bits, not values near by: what a machine computes here, every machine and every version of the library must. Another value
/// means that runs of the same seed differ from those of releases before.
#[test]
fn results_are_these_to_the_bit() {
    let found = [
        math::ln(0.1),
        math::ln_1p(-3.7e-5),
        math::log2(37.0),
        math::log10(4096.0),
        math::exp(-7.697_117_470_131_05),
        math::exp_m1(-2.5e-7),
        math::pow(0.731, 2.5),
        math::pow(10.0, -3.3),
        math::powi(1.1, 7),
    ]
    .map(f64::to_bits);
    assert_eq!(found, BITS, "{found:#x?}");
}

const BITS: [u64; 9] = [
    0xc002_6bb1_bbb5_5515,
    0xbf03_6625_d6e5_590c,
    0x4014_d67a_f16d_a765,
    0x400c_e61c_f8ef_36fe,
    0x3f3d_c31c_329f_0b48,
    0xbe90_c6f7_7d86_babc,
    0x3fdd_3d5f_33e8_0b1c,
    0x3f40_6c43_6388_7513,
    0x3fff_2df1_fb5a_7ed7,
];

#[test]
fn products_of_powers_are_those_of_squares() {
    assert_eq!([0, 1, 2, 3].map(|n| math::powi(0.3, n)), [1.0, 0.3, 0.3 * 0.3, 0.3 * (0.3 * 0.3)]);
    assert_eq!(math::powi(2.0, 64), 18_446_744_073_709_551_616.0);
}

#[test]
fn ends_are_those_of_the_standard() {
    assert_eq!(math::ln(0.0), f64::NEG_INFINITY);
    assert!(math::ln(-1.0).is_nan());
    assert_eq!((math::exp(710.0), math::exp(-746.0)), (f64::INFINITY, 0.0));
    assert_eq!((math::pow(0.0, 0.0), math::pow(5.0, 0.0), math::exp_m1(f64::NEG_INFINITY)), (1.0, 1.0, -1.0));
    assert_eq!((math::log2(8.0), math::log10(1000.0), math::ln_1p(0.0)), (3.0, 3.0, 0.0));
}
