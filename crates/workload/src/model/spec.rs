//! The parts of a model, and what each may hold.

use super::Quantiles;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the file.
pub const SCHEMA_VERSION: u32 = 1;

/// A workload model; see the module.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// What it is called.
    pub name: String,
    /// What it is of, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Addresses used, from 0.
    pub span_bytes: u64,
    /// What is used of a zone lies in extents of this size, a power of two: 1 MiB unless said.
    #[serde(default = "extent_bytes", skip_serializing_if = "is_extent")]
    pub extent_bytes: u64,
    /// What one pass lasts; absent: as long as one likes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_s: Option<f64>,
    /// The mixture.
    pub streams: Vec<Stream>,
    /// How values are known, by key (`span_bytes`, `streams.NAME.read`, …); `default` speaks for all that are not named.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub provenance: BTreeMap<String, Provenance>,
}

/// How a value is known, with the words that say so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Provenance {
    /// Counted in a log.
    Measured(String),
    /// Stated by a source.
    Published(String),
    /// Made to agree with a log.
    Fitted(String),
    /// Not known; the reason for the value.
    Assumed(String),
}

/// One stream of requests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stream {
    /// Its name, unlike that of the others.
    pub name: String,
    /// The share of reads among reads and writes.
    #[serde(default)]
    pub read: f64,
    /// The share of discards among all requests.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub trim: f64,
    /// The share of flushes among all requests.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub flush: f64,
    /// Sizes with shares.
    pub sizes: Vec<SizeOf>,
    /// Where runs begin, a multiple of 512.
    #[serde(default = "page_bytes")]
    pub align_bytes: u32,
    /// Where requests go.
    pub address: Address,
    /// When they come.
    pub arrivals: Arrivals,
}

fn page_bytes() -> u32 {
    4096
}

fn all() -> f64 {
    1.0
}

fn is_all(share: &f64) -> bool {
    *share == 1.0
}

fn extent_bytes() -> u64 {
    1 << 20
}

fn is_extent(bytes: &u64) -> bool {
    *bytes == extent_bytes()
}

fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

/// A size and its share of the requests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SizeOf {
    /// The size, a multiple of 512.
    pub bytes: u32,
    /// Its share; shares are relative to their sum.
    pub share: f64,
    /// The shares of all these sizes among the requests that follow one of this size; empty: those of all requests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<f64>,
}

/// A part of the span and its share of the requests.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ZoneOf {
    /// Where it begins, a fraction of the span.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// Its share of the requests (sequential: of the runs); shares are relative to their sum.
    pub share: f64,
    /// The share of its extents that is ever addressed, spread evenly over it.
    #[serde(default = "all", skip_serializing_if = "is_all")]
    pub used: f64,
}

impl ZoneOf {
    /// The whole span.
    pub const WHOLE: ZoneOf = ZoneOf { from: 0.0, to: 1.0, share: 1.0, used: 1.0 };
}

/// How popular the places of a zone are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Law {
    /// All alike.
    #[default]
    Uniform,
    /// The n-th most popular in proportion to 1/nᵉ, scattered over the zone.
    Zipf,
}

/// Addresses met again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reuse {
    /// The share of the runs that begin where an earlier one did.
    pub share: f64,
    /// How many runs of the stream ago.
    pub runs_ago: Quantiles,
    /// The streams among whose runs it looks: all with this word; absent: its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub among: Option<String>,
    /// The share of them that come in the order of before: as many runs ago as the run before them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub in_order: f64,
}

/// Runs that begin near the end of the one before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunStart {
    /// The share of the runs that skip forward from where the run before ended.
    #[serde(default)]
    pub forward: f64,
    /// The share of the runs that go back.
    #[serde(default)]
    pub back: f64,
    /// How far.
    pub bytes: Quantiles,
}

/// Where requests go. Fractions are of the span.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "pattern", rename_all = "lowercase", try_from = "super::file::AddressKeys")]
pub enum Address {
    /// Each request anywhere in its zone.
    Random {
        /// Parts of the span.
        zones: Vec<ZoneOf>,
        /// Popularity within a zone.
        law: Law,
        /// Of the Zipf law.
        #[serde(skip_serializing_if = "Option::is_none")]
        exponent: Option<f64>,
        /// Addresses met again, instead of drawn anew.
        #[serde(skip_serializing_if = "Option::is_none")]
        reuse: Option<Reuse>,
        /// Steps from the request before, instead of addresses drawn anew.
        #[serde(skip_serializing_if = "Option::is_none")]
        near: Option<RunStart>,
    },
    /// Runs of requests, each where the one before ended.
    Sequential {
        /// Parts of the span in which runs begin, or which are passed through.
        zones: Vec<ZoneOf>,
        /// How long runs are; absent: through the zone, again and again.
        #[serde(skip_serializing_if = "Option::is_none")]
        run_bytes: Option<Quantiles>,
        /// The same in requests.
        #[serde(skip_serializing_if = "Option::is_none")]
        run_requests: Option<Quantiles>,
        /// Runs met again.
        #[serde(skip_serializing_if = "Option::is_none")]
        reuse: Option<Reuse>,
        /// Runs that begin near the one before.
        #[serde(skip_serializing_if = "Option::is_none")]
        near: Option<RunStart>,
        /// Runs under way at once.
        interleaved: u32,
        /// The share of the requests that continue another of these than the one before.
        switch: f64,
    },
    /// A log, from the beginning again at its end.
    Append {
        /// Where it begins.
        from: f64,
        /// Where it ends.
        to: f64,
    },
}

/// When requests come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "loop", rename_all = "lowercase", try_from = "super::file::ArrivalKeys")]
pub enum Arrivals {
    /// As earlier ones complete.
    Closed {
        /// Requests outstanding.
        iodepth: u32,
        /// From a completion to the request that follows it.
        think_s: f64,
    },
    /// Whatever the device does. Poisson where nothing but the rate is given.
    Open(Open),
}

/// An open loop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Open {
    /// Requests a second, mean over the time.
    pub rate_iops: f64,
    /// Requests that come together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch: Option<Batch>,
    /// Batches that come together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub burst: Option<Burst>,
    /// Gaps from the beginning of a burst to that of the next, as multiples of one another: only their ratios count. Absent:
    /// exponential.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gaps: Option<Quantiles>,
    /// How the rate goes up and down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate_over_time: Option<RateOverTime>,
    /// The bursts one by one, instead of drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listed: Option<Listed>,
}

/// Requests that come together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Batch {
    /// How many.
    pub requests: Quantiles,
    /// From one to the next.
    pub spacing_s: Quantiles,
}

/// Bursts listed one by one: the few that decide the tail of the latency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listed {
    /// After which they repeat.
    pub period_s: f64,
    /// Of each when it begins, how many requests it has, and how long it takes.
    pub bursts: Vec<(f64, f64, f64)>,
}

/// Batches that come together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Burst {
    /// How many.
    pub batches: Quantiles,
    /// From the end of one to the next.
    pub spacing_s: Quantiles,
}

/// How a rate goes up and down, again and again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RateOverTime {
    /// After which it begins again.
    pub period_s: f64,
    /// From when on (seconds, rising from 0) the rate is multiplied by what; the mean over the period counts as 1.
    pub steps: Vec<(f64, f64)>,
}
