//! The JSON of a profile, whole: a change of a key is a change of the schema.

use crate::examples_profile::ten_records;
use crate::properties_trace::profile;
use drivecast_block::Nanos;
use serde_json::{Value, json};

const ROWS: usize = 3;

#[test]
fn the_document_of_ten_records() {
    let mut found =
        serde_json::to_value(profile(&ten_records(), Nanos(2_000_000_000))).expect("a profile serialises");
    // 13,585 bins would hide the rest: each row of the map is shown by its sum.
    let sum = |row: &Value| row.as_array().into_iter().flatten().filter_map(Value::as_u64).sum::<u64>();
    let rows: Vec<u64> = found["heat_map"]["counts"].as_array().into_iter().flatten().map(sum).collect();
    found["heat_map"]["counts"] = json!(format!("{rows:?}"));
    shorten(&mut found);
    insta::assert_json_snapshot!(found);
}

/// Leaves the first rows of long tables, which show the keys, and tells how many follow.
fn shorten(value: &mut Value) {
    match value {
        Value::Array(rows) => {
            let more = rows.len().saturating_sub(ROWS);
            rows.truncate(ROWS);
            rows.iter_mut().for_each(shorten);
            if more > 0 {
                rows.push(json!(format!("and {more} more")));
            }
        }
        Value::Object(fields) => fields.values_mut().for_each(shorten),
        _ => (),
    }
}
