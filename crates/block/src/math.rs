//! Logarithms, exponentials and powers that are the same on every machine.
//!
//! **Model.** Add, subtract, multiply, divide, square root and rounding are exact by IEEE 754, so they are equal wherever they
//! run. The functions here are not: the standard library hands them to the platform's C library, and these differ in the last
//! bit, between Linux and macOS, and between a processor and WebAssembly. One bit may turn a draw, and with it a run. These
//! are those of musl, in Rust, as the crate `libm` has them, and an exponential of our own: the same operations in the same
//! order anywhere, within 2 units in the last place. So a seed gives the same bytes in a browser as on a server.
//! `tests/examples/tidy` holds the crates to them. Left out: what `rand_distr` computes in the tails of its draws.

/// The natural logarithm.
#[inline]
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// ln(1 + x), exact for small x, too.
#[inline]
pub fn ln_1p(x: f64) -> f64 {
    libm::log1p(x)
}

/// The logarithm to base 2.
#[inline]
pub fn log2(x: f64) -> f64 {
    libm::log2(x)
}

/// The logarithm to base 10.
#[inline]
pub fn log10(x: f64) -> f64 {
    libm::log10(x)
}

/// e^x.
///
/// x is k ln 2 + r with |r| ≤ ln 2 / 2; e^r is its series to r¹³ (the rest is below 2⁻⁵⁶), summed in pairs so that a processor
/// works on several at once; times 2^k. `libm`'s own divides, and takes a few times as long: each I/O of a cloud volume
/// draws one. Outside of what is normal, it is `libm`'s.
#[inline]
pub fn exp(x: f64) -> f64 {
    const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1; // its last bits are zero: k times it is exact (fdlibm)
    const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    const ROUND: f64 = 6_755_399_441_055_744.0; // 1.5 × 2^52: what is added to it has no fraction left
    if x.is_nan() || x.abs() > 700.0 {
        return libm::exp(x);
    }
    let shifted = x * std::f64::consts::LOG2_E + ROUND;
    let k = shifted - ROUND;
    let r = (x - k * LN_2_HIGH) - k * LN_2_LOW;
    let r2 = r * r;
    let (r4, r8) = (r2 * r2, r2 * r2 * (r2 * r2));
    let pair = |n: usize| INVERSE_FACTORIALS[n] + r * INVERSE_FACTORIALS[n + 1];
    let low = (pair(0) + r2 * pair(2)) + r4 * (pair(4) + r2 * pair(6));
    let tail = low + r8 * (pair(8) + r2 * pair(10));
    (1.0 + (r + r2 * tail)) * f64::from_bits(((k as i64 + 1023) as u64) << 52)
}

/// 1/2! to 1/13!.
const INVERSE_FACTORIALS: [f64; 12] = {
    let (mut all, mut n, mut factorial) = ([0.0; 12], 0, 1.0);
    while n < 12 {
        factorial *= (n + 2) as f64;
        all[n] = 1.0 / factorial;
        n += 1;
    }
    all
};

/// e^x − 1, exact for small x, too.
#[inline]
pub fn exp_m1(x: f64) -> f64 {
    libm::expm1(x)
}

/// x^y.
#[inline]
pub fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// The greatest common divisor.
pub const fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// x^n by squaring and multiplying: the order of the products is part of what is promised.
#[inline]
pub const fn powi(x: f64, n: u32) -> f64 {
    let (mut power, mut square, mut left) = (1.0, x, n);
    loop {
        if left & 1 == 1 {
            power *= square;
        }
        left >>= 1;
        if left == 0 {
            return power;
        }
        square *= square;
    }
}
