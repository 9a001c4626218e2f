//! Write amplification by formula, solved here rather than copied from a table.

/// Bisects `f`, which falls through zero between `low` and `high`.
pub(crate) fn falls_through_zero(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if f(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// FIFO cleaning, uniform random writes (Desnoyers 2012; Menon 1995): 1 − 1/A = exp(−α/A), α physical over
/// logical.
pub(crate) fn fifo(alpha: f64) -> f64 {
    // At A = 1 the left side is smaller; it grows past the right one once.
    falls_through_zero(1.0 + 1e-12, 1e4, |a| (-alpha / a).exp() - (1.0 - 1.0 / a))
}

/// Greedy cleaning of blocks of `b` pages, uniform random writes, mean field (Bux and Iliadis 2010; Van Houdt
/// 2013): m_i = 1/(λ i) from i = b down until the shares of blocks sum to one; Σ i m_i = b/α gives λ; A =
/// α/λ.
pub(crate) fn greedy(alpha: f64, b: u32) -> f64 {
    let valid = |lambda: f64| {
        let (mut share, mut valid) = (0.0, 0.0);
        for i in (1..=b).rev() {
            let m = (1.0 / (lambda * f64::from(i))).min(1.0 - share);
            share += m;
            valid += m * f64::from(i);
        }
        valid
    };
    // A larger λ spreads the blocks over fewer valid pages.
    let lambda = falls_through_zero(1e-3, 1e3, |lambda| valid(lambda) - f64::from(b) / alpha);
    alpha / lambda
}

#[test]
fn the_formulas_agree_with_the_published_abstract() {
    // Xiang and Kurkoski, arXiv 1110.4245: over-provisioning 0.3 gives 2.36 by formula, 2.35 by simulation.
    assert!((fifo(1.3) - 2.36).abs() < 0.005, "{}", fifo(1.3));
    assert!((greedy(1.3, 256) - 2.35).abs() < 0.005, "{}", greedy(1.3, 256));
}
