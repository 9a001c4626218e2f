//! Quotients that may be undefined.

/// `a / b`, undefined where `b` is zero or the quotient is no finite number.
pub(super) fn ratio(a: f64, b: f64) -> Option<f64> {
    let quotient = a / b;
    quotient.is_finite().then_some(quotient)
}
