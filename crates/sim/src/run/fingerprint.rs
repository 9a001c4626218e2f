//! A short name for what was simulated, so that a failure can be identified and reproduced.

use crate::design::Resolved;

/// A hash of the design as written and of every drive's specification: FNV-1a (64 bits) of the line and the drives as JSON, in
/// sixteen hexadecimal digits. Equal designs have equal fingerprints on every machine. In a browser it is of the line alone:
/// a report has its drives with it, and to write them as JSON takes a twentieth of the module.
pub fn fingerprint(design: &Resolved) -> String {
    #[cfg(feature = "native")]
    let specs = serde_json::to_string(&design.root().drives()).unwrap_or_default();
    #[cfg(not(feature = "native"))]
    let specs = "";
    let bytes = design.line().bytes().chain([0]).chain(specs.bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:016x}")
}
