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
    mod fuzzed;
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
