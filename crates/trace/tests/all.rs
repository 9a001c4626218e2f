//! All tests of the crate in one binary.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod writer;

mod examples {
    mod blkparse;
    mod blktrace;
    mod compression;
    mod convert;
    mod counter;
    mod csv;
    mod disks;
    mod fio;
    mod ftrace;
    mod iostat;
    mod msr;
    mod octf;
    mod pairing;
    mod paths;
    mod processes;
    mod text;
    mod vscsi;
}
mod properties {
    mod anything;
    mod cut;
    mod packed;
    mod pairing;
    mod round_trip;
}
mod snapshots {
    mod messages;
}
mod golden {
    mod corpus;
    mod mariadb_oltp;
}

// What fuzz targets do with an input, and what they start from.
#[path = "../../../fuzz/trials/seeds.rs"]
mod seeds;
#[path = "../../../fuzz/trials/trace.rs"]
mod trials;

// Parts of the library that nothing else sees, with the tests in their files.
#[path = "../src/field.rs"]
#[allow(dead_code, reason = "its tests alone are of interest here")]
mod field;
#[cfg(unix)]
#[path = "../src/fifo.rs"]
mod fifo;
