//! The functions of our own are those of the platform, but for the last bits.

use drivecast_block::math;
use proptest::prelude::*;

/// Whether two values are at most `apart` representable numbers from each other.
fn near(a: f64, b: f64, apart: u64) -> bool {
    a == b || (a.is_nan() && b.is_nan()) || a.to_bits().abs_diff(b.to_bits()) <= apart
}

proptest! {
    #[test]
    fn logarithms(x in prop::num::f64::POSITIVE | prop::num::f64::SUBNORMAL) {
        let x = x.abs();
        prop_assert!(near(math::ln(x), x.ln(), 2), "ln({x})");
        prop_assert!(near(math::log2(x), x.log2(), 2), "log2({x})");
        prop_assert!(near(math::log10(x), x.log10(), 2), "log10({x})");
    }

    #[test]
    fn exponentials(x in -740.0..709.0_f64) {
        prop_assert!(near(math::exp(x), x.exp(), 2), "exp({x})");
        prop_assert!(near(math::exp_m1(x), x.exp_m1(), 2), "exp_m1({x})");
    }

    #[test]
    fn what_is_small(power in -300.0..-0.01_f64, is_below in any::<bool>()) {
        let x = 10f64.powf(power) * if is_below { -1.0 } else { 1.0 };
        prop_assert!(near(math::ln_1p(x), x.ln_1p(), 2), "ln_1p({x})");
        prop_assert!(near(math::exp_m1(x), x.exp_m1(), 2), "exp_m1({x})");
    }

    #[test]
    fn powers(x in 0.0..1e9_f64, y in -30.0..30.0_f64, n in 0_u32..40) {
        prop_assert!(near(math::pow(x, y), x.powf(y), 2), "{x}^{y}");
        prop_assert!(near(math::powi(x, n), x.powi(n as i32), 40), "{x}^{n}");
    }
}
