//! Disks for tests, with erased flash and data in memory unless a test says otherwise.

use drivecast_attach::{Disk, Kept, Settings};
use drivecast_block::Bytes;
use drivecast_sim::design::Design;
use drivecast_sim::run::{DiskOptions, State};
use std::collections::BTreeMap;

/// How a disk of so many bytes behaves: nothing is done to it.
pub(crate) fn settings(size: u64) -> Settings {
    Settings {
        disk: DiskOptions { size: Some(Bytes(size)), state: State::Fresh, fill: 0.0, seed: 1 },
        kept: Kept::Memory(size),
        speed: 1.0,
        error_rate: 0.0,
        may_cut: false,
        record: false,
    }
}

/// The disk of a line that names no drive of a catalog.
pub(crate) fn disk(line: &str, settings: Settings) -> Disk {
    let design = Design::parse(line).and_then(|design| design.resolve(&BTreeMap::new())).expect("a design");
    Disk::new(design, settings).expect("a disk")
}
