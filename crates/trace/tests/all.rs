//! All tests of the crate in one binary.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod writer;

mod examples {
    mod blktrace;
    mod compression;
    mod convert;
    mod counter;
    mod iostat;
    mod msr;
    mod pairing;
    mod paths;
    mod vscsi;
}
mod properties {
    mod anything;
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
