//! What crosses to Python: values as plain objects, tables as Arrow.

use crate::error::input;
use arrow::array::{
    ArrayRef, DictionaryArray, Float64Array, RecordBatch, StringArray, UInt8Array, UInt64Array,
};
use arrow::datatypes::UInt8Type;
use drivecast_block::Op;
use drivecast_block::schema::{Column, LATENCIES, SECONDS};
use drivecast_sim::outcome::{Latency, Outcome, Second};
use drivecast_trace as trace;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use pyo3_arrow::PyRecordBatch;
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;

/// A value as dicts, lists, text, numbers and `None`.
pub(crate) struct Object(Value);

impl Object {
    pub(crate) fn new(value: impl Serialize) -> PyResult<Object> {
        serde_json::to_value(value).map(Object).map_err(input)
    }
}

impl<'py> IntoPyObject<'py> for Object {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        object(py, &self.0)
    }
}

fn object<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
        Value::String(text) => text.into_pyobject(py)?.into_any(),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => number.into_pyobject(py)?.into_any(),
            (None, Some(number)) => number.into_pyobject(py)?.into_any(),
            (None, None) => number.as_f64().into_pyobject(py)?.into_any(),
        },
        Value::Array(values) => {
            let items = values.iter().map(|value| object(py, value)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, items)?.into_any()
        }
        Value::Object(members) => {
            let dict = PyDict::new(py);
            for (key, value) in members {
                dict.set_item(key, object(py, value)?)?;
            }
            dict.into_any()
        }
    })
}

/// An outcome as a dict, its two tables as Arrow.
pub(crate) fn outcome(py: Python<'_>, mut outcome: Outcome) -> PyResult<Bound<'_, PyDict>> {
    let (seconds, latencies) = (std::mem::take(&mut outcome.seconds), std::mem::take(&mut outcome.latencies));
    let dict = Object::new(outcome)?.into_pyobject(py)?.cast_into::<PyDict>()?;
    dict.set_item("seconds", seconds_table(&seconds))?;
    dict.set_item("latencies", latencies_table(&latencies))?;
    Ok(dict)
}

fn seconds_table(rows: &[Second]) -> PyRecordBatch {
    let whole = |value: fn(&Second) -> u64| -> ArrayRef {
        Arc::new(UInt64Array::from_iter_values(rows.iter().map(value)))
    };
    let real = |value: fn(&Second) -> f64| -> ArrayRef {
        Arc::new(Float64Array::from_iter_values(rows.iter().map(value)))
    };
    table(
        SECONDS,
        vec![
            whole(|row| row.second),
            whole(|row| row.reads),
            whole(|row| row.writes),
            whole(|row| row.read_bytes),
            whole(|row| row.written_bytes),
            real(|row| row.queue_depth),
            real(|row| row.read_latency_ns_mean),
            real(|row| row.write_latency_ns_mean),
            whole(|row| row.read_latency_ns_max),
            whole(|row| row.write_latency_ns_max),
        ],
    )
}

fn latencies_table(rows: &[Latency]) -> PyRecordBatch {
    let names: ArrayRef = Arc::new(StringArray::from_iter_values(Op::ALL.iter().map(|op| op.name())));
    let code = |row: &Latency| Op::ALL.iter().position(|op| op.name() == row.op).unwrap_or(0) as u8;
    let codes = UInt8Array::from_iter_values(rows.iter().map(code));
    table(
        LATENCIES,
        vec![
            Arc::new(DictionaryArray::<UInt8Type>::new(codes, names)),
            Arc::new(UInt64Array::from_iter_values(rows.iter().map(|row| row.latency_ns))),
            Arc::new(UInt64Array::from_iter_values(rows.iter().map(|row| row.count))),
            Arc::new(Float64Array::from_iter_values(rows.iter().map(|row| row.quantile))),
        ],
    )
}

fn table(columns: &[Column], values: Vec<ArrayRef>) -> PyRecordBatch {
    let batch = RecordBatch::try_new(trace::schema(columns), values);
    PyRecordBatch::new(batch.expect("the columns are built for this schema"))
}
