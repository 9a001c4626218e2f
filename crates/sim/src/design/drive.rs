//! Drives given by their parameters, `ssd(…)` and `hdd(…)`; [`super::volume`] reads `volume(…)`.
//!
//! A parameter is a field of the specification without its unit (`read=60us` is `read_ns`, `link_throughput=550MB/s` is
//! `link_bytes_per_s`). Only the capacity must be given. The defaults describe no drive in particular: each is assumed,
//! and [`super::Design::assumed`] lists those that a line takes.

use super::assumed::{Assumed, assume};
use crate::spec::{
    BackgroundGc, GarbageCollection, HddMeasured, HddSpec, Scheduler, Seek, SsdSpec, StreamBy, StreamSpare,
    WearLevelling, default,
};
use crate::ssd::Policy;
use drivecast_block::line::{LineError, Term};
use drivecast_block::units::{parse_bytes_per_s, parse_nanos};
use drivecast_block::{Bytes, Nanos};
use std::fmt::Display;

/// Flash of a die where the line does not say how many there are: 64 Gbit. Assumed.
const DIE_BYTES: u64 = 8 << 30;
/// The most channels that such dies are spread over. Assumed.
const CHANNELS: u32 = 8;

/// States of a drive's write cache, as designs name them.
pub(super) const SWITCH: [(&str, bool); 4] = [("on", true), ("off", false), ("yes", true), ("no", false)];

/// Idle time after which a drive that cleans ahead begins to, where the line does not say. Assumed.
const BACKGROUND_DELAY: Nanos = Nanos(1_000_000);

/// Reads parameters and notes the defaults taken.
pub(super) struct Parameters<'a> {
    pub(super) term: &'a Term,
    pub(super) assumed: &'a mut Vec<Assumed>,
}

impl Parameters<'_> {
    pub(super) fn or<T: Copy>(&mut self, key: &str, given: Option<T>, default: T, shown: impl Display) -> T {
        given.unwrap_or_else(|| {
            assume(self.assumed, format!("{}.{key}", self.term.name), shown);
            default
        })
    }

    fn bytes(&mut self, key: &'static str, default: Bytes) -> Result<u64, LineError> {
        let given = self.term.bytes(key)?;
        Ok(self.or(key, given, default, default).0)
    }

    /// A size of less than 4 GiB.
    fn small(&mut self, key: &'static str, default: Bytes) -> Result<u32, LineError> {
        let bytes = self.bytes(key, default)?;
        let message = || format!("{key}: expected less than 4 GiB, found {}", Bytes(bytes));
        u32::try_from(bytes).map_err(|_| self.term.error_at(key, message()))
    }

    pub(super) fn nanos(&mut self, key: &'static str, default: &str) -> Result<u64, LineError> {
        let given = self.term.nanos(key)?;
        Ok(self.or(key, given, parse_nanos(default).unwrap_or_default(), default).0)
    }

    fn rate(&mut self, key: &'static str, default: &str) -> Result<f64, LineError> {
        let given = self.term.read(key, parse_bytes_per_s)?;
        Ok(self.or(key, given, parse_bytes_per_s(default).unwrap_or_default(), default))
    }

    fn integer(&mut self, key: &'static str, default: u32) -> Result<u32, LineError> {
        let given = self.term.integer(key)?;
        Ok(self.or(key, given, default, default))
    }

    fn flag(&mut self, key: &'static str) -> Result<bool, LineError> {
        let given = self.term.choice(key, &[("yes", true), ("no", false)])?;
        Ok(self.or(key, given, false, "no"))
    }

    /// A capacity, which has no default.
    pub(super) fn required(&mut self, key: &'static str, example: &str) -> Result<u64, LineError> {
        let missing =
            || self.term.error(format!("`{}` needs {key}=…, such as {example}", self.term.name), None);
        Ok(self.term.bytes(key)?.ok_or_else(missing)?.0)
    }
}

/// The option `partition`, in (0, 1].
pub(super) fn partition(term: &Term) -> Result<Option<f64>, LineError> {
    let partition = term.fraction("partition")?;
    if partition.is_some_and(|partition| partition <= 0.0) {
        return Err(
            term.error_at("partition", "partition: expected a fraction above 0 and at most 1, found 0")
        );
    }
    Ok(partition)
}

/// A solid-state drive by its parameters.
pub(super) fn ssd(term: &Term, assumed: &mut Vec<Assumed>) -> Result<SsdSpec, LineError> {
    no_members(term)?;
    let mut read = Parameters { term, assumed };
    let logical_bytes = read.required("logical", "logical=4GiB")?;
    let physical_bytes = physical(&mut read, logical_bytes)?;
    let channels = u32::try_from(physical_bytes.div_ceil(DIE_BYTES)).unwrap_or(u32::MAX).min(CHANNELS);
    let channels = read.integer("channels", channels)?;
    let dies = physical_bytes.div_ceil(DIE_BYTES * u64::from(channels.max(1)));
    let policy = policy(&mut read)?;
    let spec = SsdSpec {
        logical_bytes,
        physical_bytes,
        partition: partition(term)?.unwrap_or(1.0),
        mapping_bytes: read.small("mapping", default::MAPPING)?,
        page_bytes: read.small("page", Bytes::kib(4))?,
        pages_per_block: read.integer("pages_per_block", 256)?,
        channels,
        dies_per_channel: read.integer("dies_per_channel", u32::try_from(dies).unwrap_or(u32::MAX))?,
        planes: read.integer("planes", 1)?,
        read_ns: read.nanos("read", "60us")?,
        program_ns: read.nanos("program", "250us")?,
        erase_ns: read.nanos("erase", "3ms")?,
        suspend_ns: term.nanos("suspend")?.map(|Nanos(ns)| ns),
        erase_suspend_ns: term.nanos("erase_suspend")?.map(|Nanos(ns)| ns),
        suspensions_max: term.integer("suspensions_max")?,
        link_command_ns: term.nanos("link_command")?.map_or(0, |Nanos(ns)| ns),
        link_write_command_ns: term.nanos("link_write_command")?.map(|Nanos(ns)| ns),
        link_half_duplex: term.choice("half_duplex", &[("yes", true), ("no", false)])?.unwrap_or(false),
        read_ahead_bytes: term.bytes("read_ahead")?.map_or(0, |Bytes(bytes)| bytes),
        background_gc: background_gc(term)?,
        slc_cache_bytes: term.bytes("slc_cache")?.map_or(0, |Bytes(bytes)| bytes),
        slc_dynamic_share: term.fraction("slc_dynamic")?.unwrap_or(0.0),
        slc_program_ns: term.nanos("slc_program")?.map_or(0, |Nanos(ns)| ns),
        slc_read_ns: term.nanos("slc_read")?.map_or(0, |Nanos(ns)| ns),
        slc_fold_share: term.fraction("slc_fold")?.unwrap_or(0.0),
        channel_bytes_per_s: read.rate("channel_throughput", "400MB/s")?,
        link_bytes_per_s: read.rate("link_throughput", "3GB/s")?,
        read_bytes_per_s: term.read("read_throughput", parse_bytes_per_s)?,
        write_bytes_per_s: term.read("write_throughput", parse_bytes_per_s)?,
        copy_cost: 1.0,
        read_overhead_ns: read.nanos("read_overhead", "10us")?,
        write_overhead_ns: read.nanos("write_overhead", "10us")?,
        read_command_ns: read.nanos("read_command", "2us")?,
        write_command_ns: read.nanos("write_command", "2us")?,
        queue_depth: read.integer("queue_depth", 128)?,
        buffer_bytes: read.bytes("buffer", Bytes::mib(4))?,
        buffer_volatile: read.flag("buffer_volatile")?,
        gc: policy.gc,
        gc_choices: policy.gc_choices,
        gc_window: policy.gc_window,
        streams: policy.streams,
        stream_by: policy.stream_by,
        stream_spare: policy.stream_spare,
        wear_levelling: policy.wear_levelling,
        wear_spread: policy.wear_spread,
        compression: term.fraction("compression")?.unwrap_or(1.0),
        bad_blocks: term.fraction("bad_blocks")?.unwrap_or(0.0),
        erase_failure_rate: policy.erase_failure_rate,
        ..tails(term)?
    };
    term.finish()?;
    Ok(spec)
}

/// What decides the tails of latency; what a line does not name the drive does not do.
fn tails(term: &Term) -> Result<SsdSpec, LineError> {
    let nanos = |key| Ok::<_, LineError>(term.nanos(key)?.map_or(0, |Nanos(ns)| ns));
    let bytes = |key| Ok::<_, LineError>(term.bytes(key)?.map_or(0, |Bytes(bytes)| bytes));
    let flag = |key| Ok::<_, LineError>(term.choice(key, &[("yes", true), ("no", false)])?.unwrap_or(false));
    Ok(SsdSpec {
        read_types: term.integer("read_types")?.unwrap_or(1),
        read_type_spread: term.fraction("read_type_spread")?.unwrap_or(0.0),
        read_retry_rate: term.fraction("read_retry_rate")?.unwrap_or(0.0),
        worn_retry_rate: term.fraction("worn_retry_rate")?.unwrap_or(0.0),
        wear: term.fraction("wear")?.unwrap_or(0.0),
        data_age: term.fraction("data_age")?.unwrap_or(1.0),
        pages_per_program: term.integer("pages_per_program")?.unwrap_or(1),
        suspend_wait_ns: nanos("suspend_wait")?,
        write_jitter_ns: nanos("write_jitter")?,
        full_holds_reads: flag("full_holds_reads")?,
        full_queues_reads: flag("full_queues_reads")?,
        gc_batch_bytes: bytes("gc_batch")?,
        gc_batch_ns: nanos("gc_batch_time")?,
        gc_batch_valid: term.fraction("gc_batch_valid")?.unwrap_or(0.0),
        gc_batch_slack_bytes: bytes("gc_batch_slack")?,
        flush_ns: term.nanos("flush")?.map(|Nanos(ns)| ns),
        ..SsdSpec::default()
    })
}

/// How the translation layer places data and cleans. Of what it does beyond cleaning nothing is assumed: it is not done.
fn policy(read: &mut Parameters) -> Result<Policy, LineError> {
    let term = read.term;
    let policies = [
        ("greedy", GarbageCollection::Greedy),
        ("fifo", GarbageCollection::Fifo),
        ("d-choices", GarbageCollection::DChoices),
        ("cost-benefit", GarbageCollection::CostBenefit),
        ("windowed-greedy", GarbageCollection::WindowedGreedy),
    ];
    let gc = term.choice("gc", &policies)?;
    let taggers = [("frequency", StreamBy::Frequency), ("host", StreamBy::Host)];
    let splits =
        [("shared", StreamSpare::Shared), ("equal", StreamSpare::Equal), ("optimal", StreamSpare::Optimal)];
    let levellings = [
        ("none", WearLevelling::None),
        ("dynamic", WearLevelling::Dynamic),
        ("static", WearLevelling::Static),
    ];
    let usual = Policy::default();
    Ok(Policy {
        gc: read.or("gc", gc, usual.gc, "greedy"),
        gc_choices: term.integer("gc_choices")?.unwrap_or(usual.gc_choices),
        gc_window: term.integer("gc_window")?.unwrap_or(usual.gc_window),
        streams: term.integer("streams")?.unwrap_or(usual.streams),
        stream_by: term.choice("stream_by", &taggers)?.unwrap_or(usual.stream_by),
        stream_spare: term.choice("stream_spare", &splits)?.unwrap_or(usual.stream_spare),
        wear_levelling: term.choice("wear_levelling", &levellings)?.unwrap_or(usual.wear_levelling),
        wear_spread: term.integer("wear_spread")?.unwrap_or(usual.wear_spread),
        erase_failure_rate: term.fraction("erase_failure_rate")?.unwrap_or(usual.erase_failure_rate),
        ..usual
    })
}

/// Cleaning in idle time, if the line has it.
fn background_gc(term: &Term) -> Result<Option<BackgroundGc>, LineError> {
    let reserve = term.fraction("background_gc")?;
    let delay = term.nanos("background_delay")?;
    match (reserve, delay) {
        (None, None) => Ok(None),
        (None, Some(_)) => Err(term.error_at("background_delay", "background_delay needs background_gc=…")),
        (Some(1.0), _) => Err(term.error_at("background_gc", "background_gc: expected less than 1")),
        (Some(reserve), delay) => {
            let Nanos(delay_ns) = delay.unwrap_or(BACKGROUND_DELAY);
            Ok(Some(BackgroundGc { delay_ns, reserve }))
        }
    }
}

/// The flash built in: given outright, or by spare factor or over-provisioning.
fn physical(read: &mut Parameters, logical_bytes: u64) -> Result<u64, LineError> {
    let term = read.term;
    let physical = term.bytes("physical")?;
    let spare_factor = term.fraction("spare_factor")?;
    let over_provisioning = term.fraction("over_provisioning")?;
    let logical = logical_bytes as f64;
    match (physical, spare_factor, over_provisioning) {
        (Some(physical), None, None) => Ok(physical.0),
        (None, None, Some(over)) => Ok((logical * (1.0 + over)).round() as u64),
        (None, Some(1.0), None) => Err(term.error_at("spare_factor", "spare_factor: expected less than 1")),
        (None, spare, None) => {
            let spare = read.or("spare_factor", spare, 0.12, 0.12);
            Ok((logical / (1.0 - spare)).round() as u64)
        }
        _ => Err(term.error("give one of physical, spare_factor and over_provisioning", None)),
    }
}

/// A disk by its parameters.
pub(super) fn hdd(term: &Term, assumed: &mut Vec<Assumed>) -> Result<HddSpec, LineError> {
    no_members(term)?;
    let mut read = Parameters { term, assumed };
    let capacity_bytes = read.required("capacity", "capacity=300GB")?;
    let rpm = read.integer("rpm", 7200)?;
    let outer_bytes_per_s = read.rate("outer_throughput", "200MB/s")?;
    let inner = term.read("inner_throughput", parse_bytes_per_s)?;
    let inner_bytes_per_s = read.or("inner_throughput", inner, outer_bytes_per_s / 2.0, "half of the outer");
    let spec = HddSpec {
        capacity_bytes,
        partition: partition(term)?.unwrap_or(1.0),
        rpm: f64::from(rpm),
        surfaces: read.integer("surfaces", 8)?,
        outer_bytes_per_s,
        inner_bytes_per_s,
        zones: read.integer("zones", default::ZONES)?,
        seek: seek(&mut read)?,
        write_settle_ns: read.nanos("write_settle", "500us")?,
        head_switch_ns: read.nanos("head_switch", "500us")?,
        overhead_ns: read.nanos("overhead", "200us")?,
        link_bytes_per_s: read.rate("link_throughput", "550MB/s")?,
        queue_depth: read.integer("queue_depth", 32)?,
        scheduler: {
            let given = term.choice("scheduler", &[("sptf", Scheduler::Sptf), ("fifo", Scheduler::Fifo)])?;
            read.or("scheduler", given, Scheduler::Sptf, "sptf")
        },
        cache_bytes: read.bytes("cache", Bytes::mib(64))?,
        write_cache: {
            let given = term.choice("write_cache", &SWITCH)?;
            read.or("write_cache", given, false, "off")
        },
        measured: HddMeasured::default(),
    };
    term.finish()?;
    Ok(spec)
}

/// Seek times of a data sheet; what is not given is in the usual proportion to the mean.
fn seek(read: &mut Parameters) -> Result<Seek, LineError> {
    let mean_ns = read.nanos("seek_mean", "8.5ms")?;
    let track = read.term.nanos("seek_track")?;
    let full = read.term.nanos("seek_full")?;
    let track_ns = read.or("seek_track", track, Nanos(mean_ns / 14), "1/14 of the mean").0;
    let full_ns = read.or("seek_full", full, Nanos(mean_ns / 10 * 21), "2.1 times the mean").0;
    Ok(Seek::Sheet { track_ns, mean_ns, full_ns })
}

/// Refuses members of what is no array.
pub(super) fn no_members(term: &Term) -> Result<(), LineError> {
    match term.members.first() {
        None => Ok(()),
        Some(member) => Err(member.term.error(format!("`{}` takes key=value only", term.name), None)),
    }
}
