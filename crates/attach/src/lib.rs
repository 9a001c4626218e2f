//! A simulated design as a block device, in the time of the clock: a program reads and writes it, and waits as long as it would for
//! the drives.
//!
//! MODEL. The simulator jumps from event to event; here the same devices wait for the clock. One thread serves one [`Disk`]: it
//! takes requests from a [`Front`], hands them to the device at the time they came, sleeps until [`SPIN`](drivecast_target::SPIN)
//! before the next event of the device, and watches the clock for the rest. What is complete is answered then:
//!
//! ```text
//! time of the design = speed × (clock − start)
//! issued   = time it was taken in − c/2        the program had sent it by then; never before what has happened on the device
//! answered = time complete − c/2               so that the program has it in time
//! lateness = time the answer was sent + c/2 − time complete
//! latency  = time the answer was sent + c/2 − issued
//! ```
//!
//! c is what the front itself costs, there and back: measured when the disk is made, as the time of a read that no device takes
//! part in, where nothing comes between (`ping.rs`). A request that meets others on the device is taken as issued up to c later, for the device
//! has already come so far. What is answered late is counted, by how much and by kind ([`Lateness`]): a machine that cannot carry the load says so.
//!
//! Data are apart from time ([`data::Data`]): in memory, in a sparse file, or nowhere. A write is in the data when it comes and
//! complete when the device says; a read takes its data when it is complete. A flush and forced unit access take their time on the
//! device, and decide what a power cut leaves. With [`Kept::File`] they may also be answered only once the real storage under the
//! file has them: what that takes beyond the device's time is lateness.
//!
//! Left out: the host's queues and processor, which are those of the program itself; data do not travel through a link of
//! the design twice; without the flush of the real storage, a crash of this machine may lose data of the file.

#[cfg(not(target_os = "linux"))]
compile_error!("drivecast-attach polls as Linux does");

pub mod data;
mod disk;
mod errno;
mod front_end;
pub mod fuse;
mod idle_states;
mod lateness;
pub mod nbd;
mod ping;
mod recent_activity;
mod serve;
pub mod vhost_user;
mod wakeup;

pub use data::{Data, Kept};
pub use disk::{Answer, Ask, AttachError, Disk, Settings};
pub use errno::Errno;
pub use front_end::Front;
pub use lateness::{Late, Lateness};
pub use recent_activity::{Activity, OfOp, Span};
pub use serve::{Ended, Server};
