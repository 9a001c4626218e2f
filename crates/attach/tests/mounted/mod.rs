//! A disk as a file by FUSE, where this machine can mount by it.

use drivecast_attach::{Disk, Server, fuse};
use std::io::ErrorKind;
use std::path::Path;

/// Serves a disk as a file in a folder; none on a machine that cannot.
pub(crate) fn mounted(disk: Disk, folder: &Path) -> std::io::Result<Option<Server>> {
    match fuse::Fuse::new(folder, disk.size()) {
        Ok(front) => Server::new(disk, front).map(Some),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied) => {
            eprintln!("left out, for nothing can be mounted here: {error}");
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
