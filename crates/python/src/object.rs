//! What crosses to Python: values as plain objects, tables as Arrow.

use crate::error::input;
use arrow_array::types::{UInt8Type, UInt64Type};
use arrow_array::{
    ArrayRef, DictionaryArray, Float64Array, ListArray, RecordBatch, StringArray, UInt8Array, UInt64Array,
};
use arrow_schema::Schema;
use drivecast_block::Op;
use drivecast_block::schema::{Column, LATENCIES, SECONDS};
use drivecast_sim::outcome::{Latency, Outcome, Second};
use drivecast_trace as trace;
use drivecast_workload::profile::Profile;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use pyo3_arrow::{PyArray, PyRecordBatch};
use serde::Serialize;
use serde_json::Value;
use std::mem::take;
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
    let (seconds, latencies) = (take(&mut outcome.seconds), take(&mut outcome.latencies));
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

/// A profile as a dict, its tables as Arrow: of the rows' own fields. Rows that hold distributions stay objects.
pub(crate) fn profile(py: Python<'_>, mut profile: Profile) -> PyResult<Bound<'_, PyDict>> {
    let tables = [
        ("seconds", Some(rows(&take(&mut profile.seconds))?)),
        ("sizes", taken(&mut profile.sizes)?),
        ("alignment", taken(&mut profile.detail.alignment)?),
        ("reuse_distance_bytes", taken(&mut profile.detail.reuse_distance_bytes)?),
        ("popularity", taken(&mut profile.detail.popularity)?),
        ("working_set_growth", taken(&mut profile.detail.working_set_growth)?),
        ("dispersion", taken(&mut profile.detail.dispersion)?),
        ("streams", taken(&mut profile.detail.streams)?),
        ("latency_by_size", taken(&mut profile.detail.latency_by_size)?),
        ("latency_by_depth", taken(&mut profile.detail.latency_by_depth)?),
        ("latency_by_size_and_depth", taken(&mut profile.detail.latency_by_size_and_depth)?),
    ];
    let curves = profile.detail.miss_ratio_curves.iter_mut().flatten();
    let points = curves.map(|curve| rows(&take(&mut curve.points))).collect::<PyResult<Vec<_>>>()?;
    let hours = profile.detail.diurnal.as_mut().map(|day| rows(&take(&mut day.hours))).transpose()?;
    let cells = profile.heat_map.as_mut().map(|map| matrix(&take(&mut map.counts)));

    let dict = Object::new(profile)?.into_pyobject(py)?.cast_into::<PyDict>()?;
    for (key, table) in tables {
        dict.set_item(key, table)?;
    }
    for (at, points) in points.into_iter().enumerate() {
        dict.as_any().get_item("miss_ratio_curves")?.get_item(at)?.set_item("points", points)?;
    }
    if let Some(hours) = hours {
        dict.as_any().get_item("diurnal")?.set_item("hours", hours)?;
    }
    if let Some(cells) = cells {
        dict.as_any().get_item("heat_map")?.set_item("counts", cells)?;
    }
    Ok(dict)
}

fn taken<T: Serialize>(table: &mut Option<Vec<T>>) -> PyResult<Option<PyRecordBatch>> {
    table.take().map(|table| rows(&table)).transpose()
}

/// A table whose columns are the fields of its rows; without rows it has no columns.
fn rows(rows: &[impl Serialize]) -> PyResult<PyRecordBatch> {
    let rows = rows.iter().map(serde_json::to_value).collect::<Result<Vec<_>, _>>().map_err(input)?;
    let Some(Value::Object(first)) = rows.first() else {
        return Ok(PyRecordBatch::new(RecordBatch::new_empty(Arc::new(Schema::empty()))));
    };
    let columns = first.keys().map(|name| (name, column(&rows, name), true));
    let batch = RecordBatch::try_from_iter_with_nullable(columns);
    Ok(PyRecordBatch::new(batch.expect("a column has a value for each row")))
}

/// One field of all rows: text, whole numbers, or else numbers; null where a row has none.
fn column(rows: &[Value], name: &str) -> ArrayRef {
    let values = || rows.iter().map(|row| &row[name]);
    let known = |is: fn(&Value) -> bool| values().filter(|value| !value.is_null()).all(is);
    if known(Value::is_string) {
        Arc::new(values().map(Value::as_str).collect::<StringArray>())
    } else if known(Value::is_u64) {
        Arc::new(values().map(Value::as_u64).collect::<UInt64Array>())
    } else {
        Arc::new(values().map(Value::as_f64).collect::<Float64Array>())
    }
}

/// Lists of whole numbers.
fn matrix(lists: &[Vec<u64>]) -> PyArray {
    let lists = lists.iter().map(|list| Some(list.iter().copied().map(Some)));
    PyArray::from_array_ref(Arc::new(ListArray::from_iter_primitive::<UInt64Type, _, _>(lists)))
}

fn table(columns: &[Column], values: Vec<ArrayRef>) -> PyRecordBatch {
    let batch = RecordBatch::try_new(trace::schema(columns), values);
    PyRecordBatch::new(batch.expect("the columns are built for this schema"))
}
