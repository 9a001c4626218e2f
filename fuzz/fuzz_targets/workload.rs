//! Any line as a workload: what is accepted prints as a line that reads back as the same.
#![no_main]

use drivecast_workload::WorkloadSpec;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &str| {
    if let Ok(spec) = WorkloadSpec::parse(line) {
        let printed = spec.to_string();
        assert_eq!(WorkloadSpec::parse(&printed).as_ref(), Ok(&spec), "{printed}");
    }
});
