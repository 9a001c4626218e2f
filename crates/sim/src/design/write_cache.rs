//! Whether the disks of a design cache what is written: it decides how fast they write, and what a power cut loses.

use super::Element;
use crate::spec::DriveSpec;
use serde::Serialize;

/// The state of the write caches of a design's disks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WriteCache {
    /// On in all: a write is complete in the disk's buffer, and durable after a flush.
    On,
    /// Off in all: a write is complete on the medium.
    Off,
    /// On in some.
    Mixed,
}

impl Element {
    /// The write caches of the disks; none where there is no disk.
    pub fn write_cache(&self) -> Option<WriteCache> {
        let drives = self.drives();
        let disks = drives.iter().filter_map(|(_, spec)| match spec {
            DriveSpec::Hdd(disk) => Some(if disk.write_cache { WriteCache::On } else { WriteCache::Off }),
            DriveSpec::Ssd(_) | DriveSpec::Volume(_) => None,
        });
        disks.reduce(|all, disk| if all == disk { all } else { WriteCache::Mixed })
    }
}
