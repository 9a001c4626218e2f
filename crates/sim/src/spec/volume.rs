//! Parameters of a volume whose inside is not known: a cloud disk, a virtual disk, a LUN.
//!
//! What is not known is not modelled: there is no flash and no arm here, only what a user of the volume can see and
//! measure. A request passes these stations in order; each is absent unless its field is given:
//!
//! 1. **caps**: it waits, in order of submission, until every token bucket that counts it is out of debt;
//! 2. **front**: one processor (the hypervisor's or the client's I/O thread) that sleeps when it has nothing to do, needs
//!    `wake_ns` to wake up, takes what waits by then, up to `batch_max` requests, as one batch, works
//!    `command_ns + bytes × ns_per_byte` on each request of it, and hands all of it on together; then the next batch, or sleep;
//! 3. **servers**: it holds one of `parallelism` for a random time, `service_ns + bytes × ns_per_byte` in the median;
//! 4. **link**: its bytes go through one line after the others';
//! 5. **delay**: a round trip that holds nothing.
//!
//! See [`crate::volume`] for the model and where it comes from.

use super::default::{single, whole};
use serde::{Deserialize, Serialize};

/// A volume whose inside is not known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VolumeSpec {
    /// User capacity, bytes.
    pub capacity_bytes: u64,
    /// Share of the capacity in use, in (0, 1].
    #[serde(default = "whole")]
    pub partition: f64,
    /// Reads.
    pub read: VolumeOp,
    /// Writes.
    pub write: VolumeOp,
    /// Time of a flush, which waits for nothing: what a volume has acknowledged, it keeps. Nanoseconds.
    #[serde(default)]
    pub flush_ns: u64,
    /// Requests that are served at a time, reads and writes together; absent: any number.
    #[serde(default)]
    pub parallelism: Option<u32>,
    /// The processor that all requests pass before they are served; absent: none that takes time.
    #[serde(default)]
    pub front: Option<VolumeFront>,
    /// Rate of the one line that the bytes of reads and writes share, one request after another, bytes/s; absent: no limit.
    #[serde(default)]
    pub link_bytes_per_s: Option<f64>,
    /// What the provider allows; absent: no limit.
    #[serde(default)]
    pub caps: VolumeCaps,
    /// Moments at which the whole volume stalls; absent: never.
    #[serde(default)]
    pub stalls: Option<VolumeStalls>,
}

/// How requests of one operation are served.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VolumeOp {
    /// Median time on a server of a request without bytes, nanoseconds.
    pub service_ns: f64,
    /// What each byte adds to that median, nanoseconds: the inverse of the throughput of one request alone.
    #[serde(default)]
    pub ns_per_byte: f64,
    /// Standard deviation of the natural logarithm of the time on a server (lognormal); 0: always the median.
    #[serde(default)]
    pub sigma: f64,
    /// Share of requests, from 0 to 1, that meet something slow besides (a retry, a failover, a busy neighbour).
    #[serde(default)]
    pub tail_probability: f64,
    /// Median of the time that they take besides, on the server, nanoseconds.
    #[serde(default)]
    pub tail_ns: f64,
    /// Standard deviation of the natural logarithm of that time (lognormal); 0: always the median.
    #[serde(default)]
    pub tail_sigma: f64,
    /// Round trip that holds no server and no line (network, virtualisation), nanoseconds.
    #[serde(default)]
    pub delay_ns: f64,
    /// Requests of this operation that are served at a time, within `parallelism`; absent: as many as that allows.
    #[serde(default)]
    pub parallelism: Option<u32>,
}

/// One processor before the servers that works through batches.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VolumeFront {
    /// Time from the arrival of a request at the sleeping processor until it begins to work, nanoseconds: the notification
    /// and the wake-up.
    #[serde(default)]
    pub wake_ns: f64,
    /// The most requests in a batch; 1: every request alone.
    #[serde(default = "single")]
    pub batch_max: u32,
    /// Whether what comes while it works joins the batch, which then is handed on when nothing waits any more; otherwise a batch
    /// is what waits when it begins.
    #[serde(default)]
    pub gathers: bool,
    /// Standard deviation of the natural logarithm of a batch's time (lognormal, one draw a batch, its wake-up included, the
    /// times given here being the median); 0: always the median.
    #[serde(default)]
    pub sigma: f64,
    /// Time for each read of the batch, nanoseconds.
    #[serde(default)]
    pub read_command_ns: f64,
    /// Time for each byte read, nanoseconds.
    #[serde(default)]
    pub read_ns_per_byte: f64,
    /// Time for each write of the batch, nanoseconds.
    #[serde(default)]
    pub write_command_ns: f64,
    /// Time for each byte written, nanoseconds.
    #[serde(default)]
    pub write_ns_per_byte: f64,
    /// Share of reads, from 0 to 1, that hold up their whole batch (what was looked for is not in the cache of a server that
    /// waits for it).
    #[serde(default)]
    pub read_tail_probability: f64,
    /// The same of writes.
    #[serde(default)]
    pub write_tail_probability: f64,
    /// Median time for which each of these holds it up, nanoseconds.
    #[serde(default)]
    pub tail_ns: f64,
    /// Standard deviation of the natural logarithm of that time (lognormal); 0: always the median.
    #[serde(default)]
    pub tail_sigma: f64,
}

/// What the provider allows: token buckets, each its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VolumeCaps {
    /// Requests, reads and writes together.
    pub iops: Option<VolumeCap>,
    /// Bytes, reads and writes together.
    pub bytes: Option<VolumeCap>,
    /// Requests that read.
    pub read_iops: Option<VolumeCap>,
    /// Bytes that are read.
    pub read_bytes: Option<VolumeCap>,
    /// Requests that write.
    pub write_iops: Option<VolumeCap>,
    /// Bytes that are written.
    pub write_bytes: Option<VolumeCap>,
    /// Bytes that count as one request in the caps of requests: one of b bytes counts as b / unit, rounded up, at least 1;
    /// 0: every request counts as one.
    pub io_unit_bytes: u64,
    /// Period in which tokens are handed out, nanoseconds: all that a period earns comes at its end, so requests leave in
    /// bunches; 0: token by token, so requests leave evenly spaced.
    pub period_ns: u64,
}

impl VolumeCaps {
    /// The caps that there are.
    pub fn all_mut(&mut self) -> impl Iterator<Item = &mut VolumeCap> {
        let VolumeCaps { iops, bytes, read_iops, read_bytes, write_iops, write_bytes, .. } = self;
        [iops, bytes, read_iops, read_bytes, write_iops, write_bytes].into_iter().flatten()
    }
}

/// A token bucket: tokens come at a rate, those not used accrue as credits up to a limit, and while credits last the rate may
/// be higher.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VolumeCap {
    /// Tokens (requests or bytes) earned a second: the sustained rate.
    pub per_s: f64,
    /// The most tokens that accrue; 0: none.
    #[serde(default)]
    pub credits: f64,
    /// Share of the credits that is there at the start, from 0 to 1.
    #[serde(default = "whole")]
    pub credits_at_start: f64,
    /// Tokens used a second at most while there are credits; absent: no limit.
    #[serde(default)]
    pub burst_per_s: Option<f64>,
}

/// Moments at which nothing moves: the processor of the host is taken away, a path fails over.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VolumeStalls {
    /// Mean time from the end of one to the beginning of the next (exponential), nanoseconds.
    pub every_ns: f64,
    /// Median length, nanoseconds.
    pub stall_ns: f64,
    /// Standard deviation of the natural logarithm of the length (lognormal); 0: always the median.
    #[serde(default)]
    pub sigma: f64,
}
