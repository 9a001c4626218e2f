//! Any line as a design: refused with a place inside the line, or resolved without panic.
#![no_main]

use drivecast_sim::design::Design;
use libfuzzer_sys::fuzz_target;
use std::collections::BTreeMap;

fuzz_target!(|line: &str| {
    match Design::parse(line) {
        Ok(design) => {
            if let Ok(resolved) = design.resolve(&BTreeMap::new()) {
                let _ = (resolved.capacity(), resolved.root().rebuilding(), design.controller_names());
            }
        }
        Err(error) => assert!(error.at <= line.len()),
    }
});
