//! Counter logs, one source a file: what a machine's counters reported of a disk, interval by interval.
//!
//! All are read here, and not some in Python: a counter log is small, but it meets the same damage, compression and locale as
//! a trace, and one place for detection gives one style of message. Only the query to a Prometheus server lies outside.
//! A source has a file with its layout, a recogniser and a reader that fills [`crate::report::reports::Reports`].

pub(crate) mod cloudwatch;
pub(crate) mod collectl;
mod disk_row;
pub(crate) mod diskstats;
pub(crate) mod dstat;
pub(crate) mod iostat;
pub(crate) mod nmon;
pub(crate) mod perfmon;
mod perfmon_names;
pub(crate) mod prometheus;
mod rate_table;
pub(crate) mod sadf;
pub(crate) mod sar;
pub(crate) mod sysstat;
pub(crate) mod vdbench;
pub(crate) mod zpool;
