//! What counter logs have in common: stamps, text, reports of several disks, and the way from there to the samples of one.

mod added;
pub(crate) mod amounts;
pub(crate) mod clock;
pub(crate) mod cumulative;
pub(crate) mod joined;
pub(crate) mod json;
pub(crate) mod log;
mod repeat;
pub(crate) mod reports;
mod sequence;
pub(crate) mod text;
