//! A model of a recording.
//!
//! MODEL. Reads and writes are taken apart first. Requests of one operation that follow each other closely are a batch, batches
//! a burst; what is close is where the logarithms of the gaps fall into two groups (Otsu 1979). Bursts go to streams by how many
//! requests they have (few, a bulk, a flood) and, if many, whether these lie along long runs. The largest are listed one by one,
//! because they decide the tail of the latency. Each stream is then measured: sizes and what size follows which; batches, the
//! spacing in them and the gaps between them; the rate over time and the popularity of zones, as steps where the likelihood of
//! Poisson counts gains by another step (Scargle 1998); the share of a zone ever accessed; runs, how many are under way at once,
//! how far from the request before a run begins and how often where one of any stream of the operation began. Left out: what one
//! stream does because of another beyond the times at which both are busy, and sizes that depend on the place.

mod arrivals;
mod batches;
mod places;
mod split;
mod steps;
mod table;

use super::spec::Law;
use super::{Address, Model, ModelError, Provenance, SCHEMA_VERSION, SizeOf, Stream, ZoneOf};
use drivecast_block::{Op, Record};
use places::{Runs, Territory};
use split::Kind;
use std::collections::BTreeMap;

/// The span is a multiple of this.
const GRAIN_BYTES: u64 = /* 1 MiB */ 1 << 20;
/// The operations, and what their streams are called.
const OPS: [(Op, &str); 4] =
    [(Op::Read, "reads"), (Op::Write, "writes"), (Op::Flush, "flushes"), (Op::Discard, "discards")];

impl Model {
    /// Fits a model to records in order of time.
    ///
    /// # Errors
    /// [`ModelError::Fit`]: no request with data, or no time passes.
    pub fn fit(records: &[Record], name: &str) -> Result<Model, ModelError> {
        let refuse = |what: &str| ModelError::Fit(format!("`{name}`: {what}"));
        let end = records.iter().filter(|record| record.has_data()).map(Record::end).max();
        let end =
            end.ok_or_else(|| refuse("no reads and no writes, so there is nothing to fit a model to"))?;
        let duration_s = records.last().map_or(0.0, |last| last.time.as_secs_f64());
        if duration_s == 0.0 {
            return Err(refuse("all requests come at one time, so their rate is not known"));
        }
        let span_bytes = end.next_multiple_of(GRAIN_BYTES);
        let streams =
            OPS.iter().flat_map(|&(op, name)| of_op(records, op, name, span_bytes, duration_s)).collect();
        let data: Vec<Record> = records.iter().filter(|record| record.has_data()).copied().collect();
        let words = format!("{} requests of `{name}`", records.len());
        Ok(Model {
            schema_version: SCHEMA_VERSION,
            name: name.to_owned(),
            description: None,
            span_bytes,
            extent_bytes: places::extent_bytes(&Runs::find(&data, None)),
            duration_s: Some(duration_s),
            streams,
            provenance: BTreeMap::from([("default".to_owned(), Provenance::Measured(words))]),
        })
    }
}

/// The streams of one operation.
fn of_op(records: &[Record], op: Op, name: &str, span: u64, duration_s: f64) -> Vec<Stream> {
    let usable = |record: &&Record| record.op == op && (record.size > 0 || op == Op::Flush);
    let requests: Vec<Record> = records.iter().filter(usable).copied().collect();
    if op == Op::Flush {
        return if requests.is_empty() { Vec::new() } else { vec![flushes(name, &requests, duration_s)] };
    }
    let kinds = split::split(&requests);
    let runs: Vec<Runs> = kinds.iter().map(|kind| Runs::find(&kind.requests, Some(&kind.before))).collect();
    let returns = places::returns(&runs);
    let territory = Territory::find(&requests, span);
    let among = (kinds.len() > 1).then_some(name);
    let stream = |((kind, runs), returns): ((&Kind, &Runs), &Vec<Option<usize>>)| {
        let share = |wanted: Op| f64::from(u8::from(op == wanted));
        Stream {
            name: format!("{name}-{}", kind.name),
            read: share(Op::Read),
            trim: share(Op::Discard),
            flush: 0.0,
            sizes: table::sizes(&kind.requests),
            align_bytes: places::align(&kind.requests),
            address: places::fit(&kind.requests, runs, returns, (&territory, span), among),
            arrivals: arrivals::fit(kind, duration_s),
        }
    };
    kinds.iter().zip(&runs).zip(&returns).map(stream).collect()
}

/// The flushes: they have a time, but no place and no size.
fn flushes(name: &str, requests: &[Record], duration_s: f64) -> Stream {
    let kind = Kind { name: "all", requests: requests.to_vec(), before: Vec::new(), listed: None };
    Stream {
        name: name.to_owned(),
        read: 0.0,
        trim: 0.0,
        flush: 1.0,
        sizes: vec![SizeOf { bytes: 512, share: 1.0, next: Vec::new() }],
        align_bytes: 512,
        address: Address::Random {
            zones: vec![ZoneOf::WHOLE],
            law: Law::Uniform,
            exponent: None,
            reuse: None,
            near: None,
        },
        arrivals: arrivals::fit(&kind, duration_s),
    }
}
