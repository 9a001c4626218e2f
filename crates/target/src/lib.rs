//! A real file or block device behind the trait of the simulated ones.
//!
//! MODEL. The host that drives a simulated device drives a [`Target`] as well: the same sources, the same recorder, the same
//! conservation checks. What differs is who lets time pass. A simulated device jumps to its next event; a target waits for the
//! clock of the machine. Times are nanoseconds since the run began. A request counts from when it was *due*, so that one that
//! was issued late still counts its wait (coordinated omission); how late requests were issued is reported separately, as the lag:
//!
//! ```text
//! lag = time the kernel had taken it − time due         latency = time seen completed − time due
//! ```
//!
//! Requests go through io_uring, past the page cache (`O_DIRECT`). One thread issues and reaps; the last [`SPIN`] before a
//! request is due it watches the clock instead of sleeping, since a sleep ends late by more than a request takes.
//!
//! Left out: discards, which would change how a file lies on the disk, are counted and not issued. Offsets and sizes that the
//! disk cannot take are widened to whole sectors, and counted. All reads go to one buffer and all writes come from one, of
//! random bytes that no drive can compress. What a widened write overwrites beyond its own range is lost: a target is written to
//! only where all that it holds may be.
//!
//! A target that fails, and a run that is to stop, are the device's [fault](drivecast_block::Device::fault): the host ends
//! there, and its figures are of the time before.
//!
//! Source of the interface: `io_uring(7)`, `io_uring_enter2(2)`, `statx(2)`.

pub mod clock;
mod device;
mod error;
mod memory;
mod open;
mod ring;

pub use clock::SPIN;
pub use device::{Lag, Target};
pub use error::TargetError;
pub use open::{Access, Opened};
