//! Write amplification by formula, solved here rather than copied from a table. α is flash over data, b pages a block.

/// Bisects `f`, which falls through zero between `low` and `high`.
pub(crate) fn falls_through_zero(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if f(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// FIFO cleaning, uniform random writes (Desnoyers 2012; Menon 1995): 1 − 1/A = exp(−α/A).
pub(crate) fn fifo(alpha: f64) -> f64 {
    // At A = 1 the left side is smaller; it grows past the right one once.
    falls_through_zero(1.0 + 1e-12, 1e4, |a| (-alpha / a).exp() - (1.0 - 1.0 / a))
}

/// Greedy cleaning, uniform random writes, mean field (Bux and Iliadis 2010; Van Houdt 2013): m_i = 1/(λ i) from i = b
/// down until the shares of blocks sum to one; Σ i m_i = b/α gives λ; A = α/λ.
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

/// The emptiest of `d` random blocks, uniform random writes, mean field (Van Houdt 2013): with M_i the share of blocks of at
/// most i valid pages, λ (i + 1)(M_{i+1} − M_i) = 1 − (1 − M_i)^d, M_b = 1, Σ (1 − M_i) = b/α, A = α/λ.
pub(crate) fn d_choices(alpha: f64, b: u32, d: i32) -> f64 {
    let valid = |lambda: f64| {
        let (mut above, mut valid) = (1.0, 0.0);
        for i in (0..b).rev() {
            let scale = lambda * f64::from(i + 1);
            let (mut low, mut high) = (0.0, above);
            for _ in 0..40 {
                let m: f64 = 0.5 * (low + high);
                let is_low = scale * (above - m) > 1.0 - (1.0 - m).powi(d);
                (low, high) = if is_low { (m, high) } else { (low, m) };
            }
            above = low;
            valid += 1.0 - low;
        }
        valid
    };
    // A larger λ spreads the blocks over fewer valid pages.
    let (mut low, mut high) = (0.01_f64, 10.0_f64);
    for _ in 0..40 {
        let lambda = 0.5 * (low + high);
        (low, high) = if valid(lambda) > f64::from(b) / alpha { (lambda, high) } else { (low, lambda) };
    }
    alpha / low
}

/// A part of the data, and the part of the writes that goes to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Zone {
    pub(crate) data: f64,
    pub(crate) writes: f64,
}

/// Hot and cold data in one log, FIFO (Desnoyers 2012): A = Σ r_k/(1 − exp(−α r_k/(f_k A))).
pub(crate) fn mixed(alpha: f64, zones: &[Zone]) -> f64 {
    falls_through_zero(1.0 + 1e-12, 1e4, |a| {
        let of = |zone: &Zone| zone.writes / (1.0 - (-alpha * zone.writes / (zone.data * a)).exp());
        zones.iter().map(of).sum::<f64>() - a
    })
}

/// Two zones in logs of their own, FIFO, the spare split where Σ r_k A(α_k) is least: golden section over the share of
/// the first. A and that share.
pub(crate) fn separated(alpha: f64, [hot, cold]: [Zone; 2]) -> (f64, f64) {
    let cost = |share: f64| {
        let alpha_of = |zone: Zone, share: f64| 1.0 + (alpha - 1.0) * share / zone.data;
        hot.writes * fifo(alpha_of(hot, share)) + cold.writes * fifo(alpha_of(cold, 1.0 - share))
    };
    let ratio = 0.5 * (5.0_f64.sqrt() - 1.0);
    let (mut low, mut high) = (1e-3, 1.0 - 1e-3);
    for _ in 0..40 {
        let (a, b) = (high - ratio * (high - low), low + ratio * (high - low));
        if cost(a) < cost(b) {
            high = b;
        } else {
            low = a;
        }
    }
    (cost(0.5 * (low + high)), 0.5 * (low + high))
}

/// The share of addresses in use where a share q of the requests discards one of them and the others write to any.
pub(crate) fn in_use(q: f64) -> f64 {
    (1.0 - 2.0 * q) / (1.0 - q)
}

#[test]
fn the_formulas_agree_with_the_published_abstract() {
    // Xiang and Kurkoski, arXiv 1110.4245: over-provisioning 0.3 gives 2.36 by formula, 2.35 by simulation.
    assert!((fifo(1.3) - 2.36).abs() < 0.005, "{}", fifo(1.3));
    assert!((greedy(1.3, 256) - 2.35).abs() < 0.005, "{}", greedy(1.3, 256));
}
