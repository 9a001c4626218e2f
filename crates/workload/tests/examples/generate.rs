//! A device too small is refused with what to do.

use drivecast_block::Bytes;
use drivecast_workload::{Generator, WorkloadSpec};

#[test]
fn a_zone_that_holds_no_request() {
    let spec = WorkloadSpec::parse("jesd219").expect("a built-in name");
    let error = Generator::new(&spec, Bytes::mib(1), 1).expect_err("5 % of 1 MiB hold no 64 KiB");
    let message = error.to_string();
    assert!(message.contains("`jesd219(read=0.4, iodepth=1)` does not fit 1 MiB"), "{message}");
    assert!(message.contains("64 KiB"), "{message}");
    assert!(message.contains("hint: "), "{message}");
}
