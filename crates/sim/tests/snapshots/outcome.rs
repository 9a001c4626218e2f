//! The JSON of an outcome, whole: its shape is a promise.

use crate::host::record;
use drivecast_block::{Bytes, Nanos, Op};
use drivecast_sim::fixed_service::{FixedService, Service};
use drivecast_sim::run::{RunOptions, Workload, drive};

#[test]
fn outcome_json() {
    let mut device = FixedService::new(Bytes::mib(1), 1, Service::Constant(Nanos::from_us(100)), 1);
    let records = vec![
        record(0, Op::Read, 0, 4096),
        record(50, Op::Write, 4096, 8192),
        record(60, Op::Flush, 0, 0),
        record(1_200_000, Op::Read, 0, 4096),
    ];
    let options = RunOptions { seed: 1, ..RunOptions::default() };
    let outcome = drive(&mut device, "fixed", 1.0, &Workload::Records(records.into()), &options).unwrap();
    insta::assert_json_snapshot!(outcome);
}
