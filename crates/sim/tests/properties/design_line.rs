//! No line makes the parser of designs panic, and what it accepts resolves or says where it does not.

use drivecast_sim::design::Design;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Lines near the grammar: names, numbers and punctuation in any order.
fn lines() -> impl Strategy<Value = String> {
    let words = [
        "raid0",
        "raid1",
        "raid5",
        "raid6",
        "raid10",
        "raid50",
        "raid60",
        "groups",
        "spares",
        "degraded",
        "failed",
        "rebuild",
        "log",
        "yes",
        "controller",
        "none",
        "ssd",
        "hdd",
        "(",
        ")",
        "[",
        "]",
        ",",
        "*",
        "=",
        "8",
        "2",
        "0",
        "chunk",
        "64KiB",
        "partition",
        "0.83",
        "logical",
        "4GiB",
        "spare_factor",
        "capacity",
        "300GB",
        "x-1",
        " ",
        "é",
        "4294967295",
        "overhead",
        "1ns",
        "1e9",
        "gc",
        "fifo",
    ];
    proptest::collection::vec(proptest::sample::select(words.to_vec()), 0..24)
        .prop_map(|words| words.concat())
}

proptest! {
    #[test]
    fn any_line_is_taken_or_refused(line in prop_oneof![lines(), any::<String>()]) {
        match Design::parse(&line) {
            Ok(design) => {
                let _ = design.resolve(&BTreeMap::new()).map(|resolved| resolved.capacity());
            }
            Err(error) => prop_assert!(error.at <= line.len() && !error.to_string().is_empty()),
        }
    }
}
