//! Reading never panics, and what is printed reads back as the same workload.

use crate::{seeds, trials};
use drivecast_workload::WorkloadSpec;
use proptest::prelude::*;

fn lines() -> impl Strategy<Value = String> {
    let patterns = prop_oneof![
        Just("random".to_owned()),
        Just("sequential".to_owned()),
        (1..100u32, 0..=100u32).prop_map(|(hot, share)| format!("hotcold|hot={hot}%, share=0.{share:02}")),
        Just("jesd219".to_owned()),
        Just("iometer-fileserver".to_owned()),
    ];
    let sizes = prop::collection::vec((1..100u32, 1..4096u32), 1..5);
    let options = (0.0..=1.0f64, 0.0..=1.0f64, 1..1024u32, prop::option::of(1e-3..1e9f64), 1e-6..=1.0f64);
    let align = prop::option::of((1..10_000u32).prop_map(|sectors| sectors * 512));
    (patterns, sizes, options, align).prop_map(
        |(pattern, sizes, (read, trim, iodepth, rate, span), align)| {
            let (name, own) = pattern.split_once('|').unwrap_or((&pattern, ""));
            let mut items = Vec::new();
            if !name.contains('9') && !name.contains('-') {
                items.extend(sizes.iter().map(|(weight, sectors)| format!("{weight} * {}B", sectors * 512)));
            }
            items.extend((!own.is_empty()).then(|| own.to_owned()));
            items.push(format!("read={read}, trim={trim}, iodepth={iodepth}, span={span}"));
            items.extend((name == "random").then(|| format!("4KiB[sequential={read}], sequential={trim}")));
            items.extend(rate.map(|rate| format!("rate={rate}")));
            items.extend(align.map(|align| format!("align={align}")));
            format!("{name}({})", items.join(", "))
        },
    )
}

#[test]
fn the_lines_that_fuzzing_starts_from() {
    seeds::replay(include_str!("../../../../fuzz/seeds/workload.txt"), trials::workload);
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(line in "\\PC{0,60}") {
        trials::workload(line.as_bytes());
    }

    #[test]
    fn any_text_of_the_grammar_is_read_or_refused(
        line in "(random|hotcold|jesd219|sequential)\\(([0-9]{1,3} \\* )?[0-9.]{1,9}(KiB|B|GB)?(, (read|span|rate|align|hot|iodepth|trim|fua|sequential)=[0-9.]{1,12}(iops|KiB|%)?){0,4}\\)",
    ) {
        trials::workload(line.as_bytes());
    }

    #[test]
    fn printed_lines_read_back(line in lines()) {
        let spec = WorkloadSpec::parse(&line).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let printed = spec.to_string();
        prop_assert_eq!(WorkloadSpec::parse(&printed).map_err(|error| TestCaseError::fail(error.to_string()))?, spec);
    }
}
