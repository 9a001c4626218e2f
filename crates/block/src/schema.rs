//! The tables that stages hand to each other, defined once.
//!
//! A table is a list of [`Column`]s. The Arrow schemas, the Parquet metadata and `docs/reference/tables.md` are made
//! from these lists. A simulated and a measured run fill the same outcome tables.

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// 64-bit unsigned: times, addresses, counts.
    U64,
    /// 32-bit unsigned: sizes, streams.
    U32,
    /// 8-bit code with the names of [`crate::Op::ALL`].
    Op,
    /// 64-bit float: rates, means, fractions.
    F64,
    /// UTF-8 text.
    Text,
    /// Yes or no.
    Bool,
}

/// One column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name, unit last.
    pub name: &'static str,
    /// Its type.
    pub kind: Kind,
    /// Whether values may be missing.
    pub nullable: bool,
    /// What it holds.
    pub doc: &'static str,
}

const fn column(name: &'static str, kind: Kind, doc: &'static str) -> Column {
    Column { name, kind, nullable: false, doc }
}

const fn optional(name: &'static str, kind: Kind, doc: &'static str) -> Column {
    Column { name, kind, nullable: true, doc }
}

/// A trace: one row a request, in order of time.
pub const TRACE: &[Column] = &[
    column("time_ns", Kind::U64, "when the request was issued, from the start of the trace"),
    column("op", Kind::Op, "read, write, flush or discard"),
    column("offset_bytes", Kind::U64, "first byte addressed"),
    column("size_bytes", Kind::U32, "bytes addressed; 0 for a flush"),
    column("stream", Kind::U32, "who issued it: process, CPU, disk or volume, as the format defines"),
    optional("latency_ns", Kind::U64, "time to completion, where the trace has completions"),
    optional("fua", Kind::Bool, "whether it was a write with forced unit access, where the log says so"),
];

/// A counter log: one row a disk and interval.
pub const COUNTERS: &[Column] = &[
    column("time_ns", Kind::U64, "end of the interval, from the start of the log"),
    column("interval_ns", Kind::U64, "length of the interval"),
    column("disk", Kind::Text, "name of the disk"),
    column("reads", Kind::F64, "reads completed in the interval"),
    column("writes", Kind::F64, "writes completed, without flushes where the log distinguishes them"),
    optional("flushes", Kind::F64, "flushes completed"),
    column("read_bytes", Kind::F64, "bytes read"),
    column("written_bytes", Kind::F64, "bytes written"),
    optional("queue_depth", Kind::F64, "mean requests outstanding"),
    optional("read_latency_ns", Kind::U64, "mean time of a read from issue to completion"),
    optional("write_latency_ns", Kind::U64, "mean time of a write from issue to completion"),
    optional("utilization", Kind::F64, "share of the interval with a request outstanding"),
    optional("reads_merged", Kind::F64, "reads joined to a neighbour before the disk saw them"),
    optional("writes_merged", Kind::F64, "writes joined to a neighbour before the disk saw them"),
];

/// The seconds of a run, simulated or measured: one row a second; of a simulated run longer than 2^20 s, only those in
/// which anything was in flight.
pub const SECONDS: &[Column] = &[
    column("second", Kind::U64, "seconds from the start of the run"),
    column("reads", Kind::U64, "reads completed in this second"),
    column("writes", Kind::U64, "writes completed"),
    column("read_bytes", Kind::U64, "bytes read"),
    column("written_bytes", Kind::U64, "bytes written"),
    column("queue_depth", Kind::F64, "requests outstanding, averaged over the second"),
    column("read_latency_ns_mean", Kind::F64, "mean latency of the reads completed"),
    column("write_latency_ns_mean", Kind::F64, "mean latency of the writes completed"),
    column("read_latency_ns_max", Kind::U64, "longest latency of the reads completed"),
    column("write_latency_ns_max", Kind::U64, "longest latency of the writes completed"),
];

/// The latency distribution of a run: one row an operation and histogram bucket.
pub const LATENCIES: &[Column] = &[
    column("op", Kind::Op, "read or write"),
    column("latency_ns", Kind::U64, "upper edge of the bucket"),
    column("count", Kind::U64, "requests in the bucket"),
    column("quantile", Kind::F64, "share of the requests at or below the edge"),
];
