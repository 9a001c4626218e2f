//! Loss of data in RAID groups, by Monte Carlo.
//!
//! Model. A group has n drives and tolerates k failures; an array is so many groups that fail on their own. A *mission* is one
//! group over the years requested.
//!
//! - **Failures.** A drive fails of several causes that compete, each a Weibull: of its age (chance with shape 1) or of its
//!   flash's wear, counted in shares of the rated cycles; a cause may concern a share of the drives only, as infant mortality
//!   does ([`Cause`]). Their cumulative hazards add.
//! - **Repair.** Each failure orders a drive, which comes after the operator's delay; hot spares are drives that have
//!   come already. With a drive at hand a rebuild begins, one at a time in a group, and takes a time of its own
//!   ([`Delay`]). The new drive is unworn.
//! - **Planned replacement** at a share of the rated cycles, by copying the old drive or by pulling and rebuilding it.
//! - **Sectors.** Latent errors arise at a rate that grows with wear and are mended by a scrub that passes each sector
//!   once in a period; so on average half a period's errors, or all since the drive was new without scrubbing, lie on
//!   each drive. Reading adds UBER × bits. A rebuild with no redundancy left meets those of all drives that it reads.
//! - **Loss** is a failure more than the group tolerates (what is not yet rebuilt is lost), or a sector that a rebuild without
//!   redundancy cannot read (one sector is lost, and the group continues).
//!
//! Left out: two latent errors in one row of a group with a failed drive; spares that fail on the shelf; groups that compete for
//! one pool of spares; failures of controllers, shelves, software and people.
//!
//! Method ([`mission`]): losses are rare, so they are never waited for. The first failure is forced into the mission; where
//! one more failure is the loss, its chance is computed and scored, and the mission continues without it; on the way
//! there failures are made likelier. Each step multiplies a weight by true over sampled probability, so every mean is
//! unbiased: importance sampling with forced transitions (Shahabuddin 1994; Nicola, Nakayama, Heidelberger and Goyal
//! 1993) and conditional expectation at the last step.
//!
//! Sources: Elerath and Pecht 2007 (latent defects, Weibull failures, rebuilds and scrubs); Greenan, Plank and Wylie 2010
//! (NOMDL); Balakrishnan and others 2010 (wear of groups).

mod cause;
mod curve;
mod delay;
mod estimate;
mod group;
mod mission;
mod sector;
mod spec;

pub use cause::{Cause, Clock};
pub use delay::Delay;
pub use estimate::{Estimate, Loss, Options, lose};
pub use sector::{Growth, Sectors};
pub use spec::{Replacement, Slot, Spec};
