//! The tables that stages hand to each other, for documents and tests.

use crate::object::Object;
use drivecast_block::schema::{COUNTERS, Column, Kind, LATENCIES, SECONDS, TRACE};
use pyo3::prelude::*;
use serde_json::{Value, json};

/// The tables: name, columns with type, nullability and meaning.
#[pyfunction]
pub(crate) fn tables() -> PyResult<Object> {
    let table = |name: &str, columns: &[Column]| json!({ "name": name, "columns": columns.iter().map(column).collect::<Vec<_>>() });
    Object::new(json!([
        table("trace", TRACE),
        table("counters", COUNTERS),
        table("seconds", SECONDS),
        table("latencies", LATENCIES)
    ]))
}

fn column(column: &Column) -> Value {
    let kind = match column.kind {
        Kind::U64 => "uint64",
        Kind::U32 => "uint32",
        Kind::Op => "read, write, flush or discard",
        Kind::F64 => "float64",
        Kind::Text => "text",
        Kind::Bool => "bool",
    };
    json!({ "name": column.name, "type": kind, "nullable": column.nullable, "doc": column.doc })
}
