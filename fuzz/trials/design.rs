//! Designs of arrays: refused with a place inside the line, or resolved without panic.

use drivecast_sim::design::Design;
use std::collections::BTreeMap;

/// Any line as a design.
pub(crate) fn design(bytes: &[u8]) {
    let Ok(line) = std::str::from_utf8(bytes) else { return };
    match Design::parse(line) {
        Ok(design) => {
            if let Ok(resolved) = design.resolve(&BTreeMap::new()) {
                let _ = (resolved.capacity(), resolved.root().rebuilding(), design.controller_names());
            }
        }
        Err(error) => assert!(error.at <= line.len() && !error.to_string().is_empty()),
    }
}
