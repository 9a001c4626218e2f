//! No line makes the parser of designs panic, and what it accepts resolves or says where it does not.

#[path = "../../../../fuzz/trials/design.rs"]
mod design;
#[path = "../../../../fuzz/trials/seeds.rs"]
mod seeds;

use drivecast_sim::design::{Contents, Design};
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
        "volume",
        "iops",
        "credits",
        "burst_iops",
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
        "d-choices",
        "gc_choices",
        "windowed-greedy",
        "gc_window",
        "streams",
        "stream_by",
        "host",
        "stream_spare",
        "optimal",
        "wear_levelling",
        "static",
        "compression",
        "bad_blocks",
        "erase_failure_rate",
        "0.5",
    ];
    proptest::collection::vec(proptest::sample::select(words.to_vec()), 0..24)
        .prop_map(|words| words.concat())
}

proptest! {
    #[test]
    fn any_line_is_taken_or_refused(line in prop_oneof![lines(), any::<String>()]) {
        design::design(line.as_bytes());
    }
}

#[test]
fn the_lines_that_fuzzing_starts_from() {
    seeds::replay(include_str!("../../../../fuzz/seeds/design.txt"), design::design);
}

/// What may be written for the flash translation layer, key by key, and a value that no drive can have.
const LAYER: [(&str, &[&str], &str); 11] = [
    ("gc", &["greedy", "fifo", "d-choices", "cost-benefit", "windowed-greedy"], "lifo"),
    ("gc_choices", &["1", "10"], "0"),
    ("gc_window", &["1", "64"], "0"),
    ("streams", &["1", "2", "8"], "65"),
    ("stream_by", &["frequency", "host"], "size"),
    ("stream_spare", &["shared", "equal", "optimal"], "all"),
    ("wear_levelling", &["none", "dynamic", "static"], "some"),
    ("wear_spread", &["1", "50"], "0"),
    ("compression", &["0.5", "1"], "0"),
    ("bad_blocks", &["0", "0.02"], "0.99"),
    ("erase_failure_rate", &["0", "0.0001"], "1"),
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn a_layer_as_written_is_built_and_a_value_beyond_its_limit_is_named(
        picks in proptest::collection::vec(proptest::option::of(any::<proptest::sample::Index>()), LAYER.len()),
        wrong in proptest::option::of(0..LAYER.len()),
    ) {
        let mut line = "ssd(logical=64MiB, spare_factor=0.4, pages_per_block=64".to_owned();
        for (index, ((key, values, beyond), pick)) in LAYER.iter().zip(&picks).enumerate() {
            match pick {
                _ if wrong == Some(index) => line += &format!(", {key}={beyond}"),
                Some(pick) => line += &format!(", {key}={}", pick.get(values)),
                None => {}
            }
        }
        line += ")";
        let contents = Contents::Span { span: 1.0, fill: 1.0, write_bytes: 4096 };
        let built = match Design::parse(&line) {
            Err(error) => Err(error.to_string()),
            Ok(design) => {
                let resolved = design.resolve(&BTreeMap::new()).unwrap();
                resolved.build(&contents, 1).map(drop).map_err(|error| error.to_string())
            }
        };
        match wrong {
            None => prop_assert_eq!(built, Ok(())),
            Some(index) => {
                let error = built.expect_err("a value beyond its limit");
                let (key, ..) = LAYER[index];
                // Blocks that are out of use leave too few: the limit is that of the flash.
                let named = if key == "bad_blocks" { "physical_bytes" } else { key };
                prop_assert!(error.contains(named) && (error.contains("expected") || error.contains("must be")), "{}", error);
            }
        }
    }
}
