//! Trace formats, one file each: how a record lies in the file, and nothing else. Plain tables share one file, and differ by
//! their mapping.

pub(crate) mod biosnoop;
pub(crate) mod blkparse;
pub(crate) mod blktrace;
mod columns;
mod evidence;
pub(crate) mod fio_iolog;
pub(crate) mod ftrace;
pub(crate) mod mapped;
mod mapping;
pub(crate) mod octf;
mod rwbs;
pub(crate) mod table;
pub(crate) mod vscsi;
