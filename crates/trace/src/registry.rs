//! The formats of logs. To add one: a file in `format/` (requests) or `counter/` (counters) that exports its description,
//! declared in the `mod.rs` of its folder, and a line here.

use crate::counter::{
    cloudwatch, collectl, diskstats, dstat, iostat, nmon, perfmon, prometheus, sadf, sar, sysstat, vdbench,
    zpool,
};
use crate::description::Description;
use crate::format::{biosnoop, blkparse, blktrace, fio_iolog, ftrace, octf, table, vscsi};

/// All formats but Parquet, in the order in which the documentation lists them: traces, then counters.
pub static FORMATS: &[&Description] = &[
    &blktrace::FORMAT,
    &blkparse::FORMAT,
    &ftrace::FORMAT,
    &biosnoop::FORMAT,
    &octf::FORMAT,
    &vscsi::FORMAT,
    &table::CLOUDPHYSICS,
    &table::MSR,
    &table::SPC,
    &table::SYSTOR,
    &table::ALIBABA,
    &table::TENCENT,
    &fio_iolog::FORMAT,
    &table::FIO_LAT,
    &table::FIO_BW,
    &table::MQSIM,
    &table::DISKSIM,
    &table::DIXTRAC,
    &table::ARC,
    &table::CSV,
    &iostat::FORMAT,
    &sysstat::IOSTAT,
    &sysstat::SADF,
    &sadf::FORMAT,
    &sar::FORMAT,
    &perfmon::PERFMON,
    &perfmon::ESXTOP,
    &diskstats::DISKSTATS,
    &diskstats::IO_STAT,
    &prometheus::FORMAT,
    &cloudwatch::FORMAT,
    &dstat::FORMAT,
    &collectl::FORMAT,
    &nmon::FORMAT,
    &zpool::FORMAT,
    &vdbench::FORMAT,
];

/// The names of the formats that `keep` lets through, each once.
pub(crate) fn names(keep: fn(&Description) -> bool) -> Vec<&'static str> {
    let mut names: Vec<_> = FORMATS.iter().filter(|format| keep(format)).map(|format| format.name).collect();
    names.dedup();
    names
}
