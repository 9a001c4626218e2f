//! What counter logs have in common: stamps, text, reports of several disks, and the way from there to the samples of one.

mod absent;
mod boot;
pub(crate) mod choice;
pub(crate) mod clock;
pub(crate) mod cumulative;
pub(crate) mod disk_report;
mod disk_total;
pub(crate) mod joined_logs;
pub(crate) mod json;
mod little;
pub(crate) mod log;
mod repeat;
pub(crate) mod reports;
mod sequence;
pub(crate) mod text;
