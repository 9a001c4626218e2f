//! Any text as each of the quantities: a finite value or a refusal.
#![no_main]

use drivecast_block::units;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = units::parse_bytes(text);
    let _ = units::parse_nanos(text);
    for value in [units::parse_fraction(text), units::parse_iops(text), units::parse_bytes_per_s(text)] {
        assert!(value.is_err() || value.is_ok_and(|value| value.is_finite() && value >= 0.0));
    }
});
