//! What is rented: sizes, rents, token buckets and credits. Kinds and instances cross as JSON, results as plain objects.

use crate::error::input;
use crate::object::Object;
use drivecast_assess::bucket::{self, Cap, Instance};
use drivecast_assess::credit::{self, Log};
use drivecast_assess::rental::{self, Kind, Setting};
use pyo3::prelude::*;
use serde::de::DeserializeOwned;

fn read<T: DeserializeOwned>(json: &str) -> PyResult<T> {
    serde_json::from_str(json).map_err(input)
}

/// GiB, IOPS and MiB/s.
type Rented = (u64, f64, f64);

fn setting((gib, iops, mibps): Rented) -> Setting {
    Setting { gib, iops, mibps }
}

/// The smallest setting of a kind that does as much; none where the kind does not reach it.
#[pyfunction]
pub(crate) fn rental_smallest(kind: &str, gib: u64, iops: f64, mibps: f64) -> PyResult<Option<Rented>> {
    let found = read::<Kind>(kind)?.smallest(gib, iops, mibps);
    Ok(found.map(|found| (found.gib, found.iops, found.mibps)))
}

/// What a size allows, with these IOPS or those that come with it; none where sizes are steps.
#[pyfunction]
pub(crate) fn rental_limits(kind: &str, gib: f64, iops: Option<f64>) -> PyResult<Option<Object>> {
    read::<Kind>(kind)?.limits(gib, iops).map(Object::new).transpose()
}

/// What a setting costs a month, in parts; none where there is no price.
#[pyfunction]
pub(crate) fn rental_month(kind: &str, rented: Rented) -> PyResult<Option<Object>> {
    read::<Kind>(kind)?.month(&setting(rented)).map(Object::new).transpose()
}

/// What a rent comes to over the years.
#[pyfunction]
pub(crate) fn rent_over_years(month_usd: f64, years: f64) -> f64 {
    rental::over_years(month_usd, years)
}

/// The chance that one of so many volumes is lost within the years.
#[pyfunction]
pub(crate) fn volumes_lost(afr: f64, years: f64, volumes: u32) -> f64 {
    rental::lost(afr, years, volumes)
}

/// The token buckets of a setting, of requests and of bytes, behind those of an instance.
#[pyfunction]
pub(crate) fn rental_caps(
    kind: &str,
    rented: Rented,
    instance: Option<&str>,
    saved_s: f64,
) -> PyResult<Object> {
    let instance: Option<Instance> = instance.map(read).transpose()?;
    Object::new(bucket::caps(&read(kind)?, &setting(rented), instance.as_ref(), saved_s))
}

/// Per second, credits and the burst of a token bucket.
type Bucket = (f64, Option<f64>, Option<f64>);

fn cap((per_s, credits, burst_per_s): Bucket) -> Cap {
    Cap { per_s, credits, burst_per_s, credits_at_start: None }
}

/// A token bucket as it begins with this share of its credits.
#[pyfunction]
pub(crate) fn cap_starting(of: Bucket, share: f64, lasts: bool, saved_s: f64) -> PyResult<Object> {
    Object::new(cap(of).starting(share, lasts, saved_s))
}

/// What a log leaves of the credits; of the log its duration, the start and length of its peak, and its hours of a day.
#[pyfunction]
pub(crate) fn credits_left(
    of: Bucket,
    log: (f64, f64, f64, f64),
    demand: Vec<(u64, f64)>,
) -> PyResult<Object> {
    let (duration_s, start_s, length_s, hours_per_day) = log;
    let log = Log { duration_s, start_s, length_s, hours_per_day };
    Object::new(credit::left(&log, &cap(of), demand.iter().copied()))
}
