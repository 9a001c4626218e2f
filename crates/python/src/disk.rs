//! A disk alone: response times of requests one at a time.

use crate::error::input;
use drivecast_block::{Bytes, Device, Nanos, Op, Request};
use drivecast_sim::hdd::Hdd;
use drivecast_sim::run;
use drivecast_sim::spec::DriveSpec;
use pyo3::prelude::*;

/// Response times in ns of reads and writes on a disk, one at a time, each a think time after the one before.
#[pyfunction]
#[pyo3(signature = (disk, reads, offsets, sizes, thinks_ns, *, seed))]
pub(crate) fn response_times(
    py: Python<'_>,
    disk: &str,
    reads: Vec<bool>,
    offsets: Vec<u64>,
    sizes: Vec<u32>,
    thinks_ns: Vec<u64>,
    seed: u64,
) -> PyResult<Vec<u64>> {
    let DriveSpec::Hdd(spec) = serde_json::from_str(disk).map_err(input)? else {
        return Err(input("expected a rotating disk, found flash"));
    };
    let mut hdd = Hdd::new(&spec, seed).map_err(input)?;
    if [offsets.len(), sizes.len(), thinks_ns.len()] != [reads.len(); 3] {
        return Err(input("expected an offset, a size and a think time for each request"));
    }
    let mut requests = Vec::with_capacity(reads.len());
    for (id, is_read) in reads.into_iter().enumerate() {
        let op = if is_read { Op::Read } else { Op::Write };
        let request =
            Request { id: id as u64, offset: Bytes(offsets[id]), size: sizes[id], stream: 0, op, fua: false };
        if offsets[id].checked_add(u64::from(sizes[id])).is_none_or(|end| end > hdd.capacity().0) {
            let capacity = hdd.capacity().0;
            return Err(input(format!("request {}: expected an end at most at {capacity} bytes", id + 1)));
        }
        requests.push((request, Nanos(thinks_ns[id])));
    }
    let times = py.detach(|| run::serial(&mut hdd, requests));
    Ok(times.into_iter().map(|time| time.0).collect())
}
