//! Rotating disks.
//!
//! **Model.** [`Hdd`] is a mechanism that does one thing at a time and a buffer in front of it. What it is made of:
//! zones, tracks and skew (`geometry`), the arm's curve (`seek`), exact rotation (`rotation`), positioning (`mechanism`),
//! the choice of the next command (`queue`), the buffer's segments (`cache`), reads and read-ahead (`reading`), cached writes
//! (`written`), what the mechanism does next (`service`), the disk seen from the host (`device`), and the state they share (`disk`). The equations and
//! their sources are at the top of each file and in docs/explanation/disk.md.
//!
//! A request that needs the medium takes
//!
//! ```text
//! overhead  +  move (seek, head switch, settling)  +  rotational wait  +  transfer
//! ```
//!
//! so that with one request outstanding, uniform over the disk, IOPS = 1 / (overhead + E[seek] + T/2 + transfer).
//!
//! **Left out:** more than one actuator, shingled recording, media caches, power states, faults, and the host's driver.

mod cache;
mod device;
mod disk;
mod geometry;
mod mechanism;
mod queue;
mod read_path;
mod rotation;
mod seek;
mod service;
mod sheet;
mod write_cache;

pub use disk::Hdd;
