//! What holds for every quantity.

#[path = "../../../../fuzz/trials/quantity.rs"]
mod quantity;
#[path = "../../../../fuzz/trials/seeds.rs"]
mod seeds;

use drivecast_block::units::*;
use proptest::prelude::*;

#[test]
fn what_fuzzing_starts_from_is_a_quantity_or_refused() {
    seeds::replay(include_str!("../../../../fuzz/seeds/quantity.txt"), quantity::quantity);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_panics(text in any::<String>()) {
        quantity::quantity(text.as_bytes());
    }

    #[test]
    fn nothing_negative_or_endless_comes_out(text in "[-+]?[0-9.]{0,25} ?(%|iops|k|KiB|TB|us|y|s|/s)?") {
        quantity::quantity(text.as_bytes());
        prop_assert!(parse_fraction(&text).is_ok_and(|fraction| fraction <= 1.0) || parse_fraction(&text).is_err());
    }

    #[test]
    fn whole_numbers_come_back_exactly(n in any::<u64>()) {
        prop_assert_eq!(parse_bytes(&n.to_string()), Ok(Bytes(n)));
        prop_assert_eq!(parse_nanos(&format!("{n}ns")), Ok(Nanos(n)));
    }

    /// What is printed reads back as the same size, to the two decimals printed.
    #[test]
    fn sizes_read_back(n in any::<u64>()) {
        let text = Bytes(n).to_string();
        let back = parse_bytes(&text);
        prop_assert!(back.as_ref().is_ok_and(|back| (back.0 as f64 - n as f64).abs() <= 0.005 * n as f64), "{text}: {back:?}");
    }

    #[test]
    fn times_read_back(n in any::<u64>()) {
        let text = Nanos(n).to_string();
        let back = parse_nanos(&text);
        prop_assert!(back.as_ref().is_ok_and(|back| (back.0 as f64 - n as f64).abs() <= 0.05 * n as f64), "{text}: {back:?}");
    }

    #[test]
    fn larger_sizes_read_larger(a in 0.0..1e6, b in 0.0..1e6, unit in "(B|kB|KiB|MB|MiB|GB|GiB|TB|TiB)") {
        let read = |n: f64| parse_bytes(&format!("{n:.3}{unit}")).expect("in range");
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        prop_assert!(read(low) <= read(high));
    }
}
