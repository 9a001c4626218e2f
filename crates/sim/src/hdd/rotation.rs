//! The spindle: exact uniform rotation.
//!
//! **Model.** The platters turn at a constant rate for ever, so the angle under the heads is a function of time alone:
//! `angle(t) = (t mod T) / T + φ`, with `T = 60 s / rpm` and a phase `φ` drawn once. Angles are whole ticks of 2⁻²⁷
//! revolution (0.03 ns at 15,000 rpm) in a `u32`; times up to 32 revolutions are counted in the same ticks, so that
//! "how long until this sector comes round" is a subtraction and a mask.
//!
//! **Error.** `t / T` is a product with a 64-bit fixed-point reciprocal that wraps as the angle does: the rate of
//! rotation is off by less than 10⁻¹² of itself, and nothing accumulates. **Left out:** spindle speed variation and
//! spin-up.

use crate::spec::SpecError;
use drivecast_block::Nanos;
use drivecast_block::math;

/// Ticks in a revolution.
pub(super) const REVOLUTION: u32 = 1 << 27;

/// Selects the angle from a sum of ticks.
pub(super) const ANGLE: u32 = REVOLUTION - 1;

/// A sector whose start passed by less than this still counts as reached (2 × 10⁻⁶ revolution, 8 ns at 15,000 rpm): times
/// are whole nanoseconds, and a transfer that follows another without a gap must not lose a revolution to rounding.
pub(super) const SLACK: u32 = 1 << 8;

/// A spindle at constant speed.
#[derive(Clone, Debug)]
pub(super) struct Rotation {
    /// 2⁶⁴ / T.
    turns_per_ns: u64,
    /// T in ns.
    pub(super) period_ns: f64,
    /// T in 1/16 ns.
    period_16ths: u64,
    /// The angle at time zero, in 2⁻⁶⁴ revolution.
    phase: u64,
}

impl Rotation {
    pub(super) fn new(rpm: f64, phase: u64) -> Rotation {
        let period_ns = 60e9 / rpm;
        let turns_per_ns = (math::powi(2.0, 64) / period_ns).round() as u64;
        Rotation { turns_per_ns, period_ns, period_16ths: (period_ns * 16.0).round() as u64, phase }
    }

    /// The angle under the heads.
    #[inline]
    pub(super) fn angle(&self, at: Nanos) -> u32 {
        (at.0.wrapping_mul(self.turns_per_ns).wrapping_add(self.phase) >> 37) as u32
    }

    /// The span of some ticks, rounded up: what comes round has come round by then.
    #[inline]
    pub(super) fn span(&self, ticks: u32) -> Nanos {
        Nanos((u64::from(ticks) * self.period_16ths).div_ceil(1 << 31))
    }

    /// The ticks of a span, rounded up; the span must be below 32 revolutions.
    pub(super) fn ticks(&self, span: Nanos) -> u32 {
        (span.0 as f64 / self.period_ns * f64::from(REVOLUTION)).ceil() as u32
    }

    /// The ticks of a time that takes at most so many revolutions; `field` is named in the error.
    pub(super) fn ticks_within(
        &self,
        field: &'static str,
        ns: u64,
        revolutions_max: u32,
    ) -> Result<u32, SpecError> {
        let max = (f64::from(revolutions_max) * self.period_ns) as u64;
        if ns > max {
            let limit = format!("at most {revolutions_max} revolutions ({max} ns)");
            return Err(SpecError::new(field, limit, ns));
        }
        Ok(self.ticks(Nanos(ns)))
    }

    /// When `target` is under the heads, at `from` or later; up to [`SLACK`] earlier if it has just gone by, so that what
    /// follows keeps to the rotation instead of gathering the rounding of each step.
    #[inline]
    pub(super) fn meet(&self, target: u32, from: Nanos) -> Nanos {
        let ticks = target.wrapping_sub(self.angle(from)).wrapping_add(SLACK) & ANGLE;
        match ticks.checked_sub(SLACK) {
            Some(wait) => from + self.span(wait),
            None => Nanos(from.0.saturating_sub(self.span(SLACK - ticks).0)),
        }
    }
}
