//! Quantities: a finite value or a refusal.

use drivecast_block::units;

/// Any text as each of the quantities.
pub(crate) fn quantity(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let _ = units::parse_bytes(text);
    let _ = units::parse_nanos(text);
    for value in [units::parse_fraction(text), units::parse_iops(text), units::parse_bytes_per_s(text)] {
        assert!(value.is_err() || value.is_ok_and(|value| value.is_finite() && value >= 0.0));
    }
}
