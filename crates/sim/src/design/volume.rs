//! Volumes given by what they allow and how fast they answer, `volume(…)`.
//!
//! Only the capacity must be given. A limit that the line does not name is none, and that is an assumption like the
//! defaults of the times: [`super::Design::assumed`] lists them. What else a specification can say of a volume (front, tail,
//! stalls) is absent unless named.

use super::assumed::{Assumed, assume};
use super::drive::{Parameters, no_members, partition};
use crate::spec::{VolumeCap, VolumeCaps, VolumeFront, VolumeOp, VolumeSpec, VolumeStalls};
use drivecast_block::line::{LineError, Term};
use drivecast_block::units::{parse_bytes, parse_bytes_per_s, parse_iops};
use drivecast_block::{Bytes, Nanos};

/// A volume by its parameters.
pub(super) fn volume(term: &Term, assumed: &mut Vec<Assumed>) -> Result<VolumeSpec, LineError> {
    no_members(term)?;
    for (key, shown) in [("iops", "no limit"), ("throughput", "no limit"), ("parallelism", "no limit")] {
        if term.text(key).is_none() {
            assume(assumed, format!("{}.{key}", term.name), shown);
        }
    }
    let mut read = Parameters { term, assumed };
    let capacity_bytes = read.required("capacity", "capacity=1TB")?;
    let read_ns = read.nanos("read", "1ms")?;
    let write_ns = read.nanos("write", "1ms")?;
    let sigma = number(term, "sigma")?;
    let sigma = read.or("sigma", sigma, 0.3, 0.3);
    let flush = term.nanos("flush")?;
    let Nanos(flush_ns) = read.or("flush", flush, Nanos(write_ns), "as a write");
    let op = op(term, sigma)?;
    let spec = VolumeSpec {
        capacity_bytes,
        partition: partition(term)?.unwrap_or(1.0),
        read: VolumeOp { service_ns: read_ns as f64, ..op },
        write: VolumeOp { service_ns: write_ns as f64, ..op },
        flush_ns,
        parallelism: term.integer("parallelism")?,
        front: front(term)?,
        link_bytes_per_s: term.read("link_throughput", parse_bytes_per_s)?,
        caps: caps(term)?,
        stalls: stalls(term)?,
    };
    term.finish()?;
    Ok(spec)
}

/// A number that is neither a size nor a time.
fn number(term: &Term, key: &'static str) -> Result<Option<f64>, LineError> {
    let Some(text) = term.text(key) else { return Ok(None) };
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 => Ok(Some(number)),
        _ => Err(term.error_at(key, format!("{key}: expected a number from 0, found `{text}`"))),
    }
}

/// A time with its fractions of a nanosecond; 0 where it is not given.
fn time(term: &Term, key: &'static str) -> Result<f64, LineError> {
    Ok(term.nanos(key)?.map_or(0.0, |Nanos(ns)| ns as f64))
}

/// What the line says of reads and writes alike.
fn op(term: &Term, sigma: f64) -> Result<VolumeOp, LineError> {
    let stream = term.read("stream_throughput", parse_bytes_per_s)?;
    let tail = term.nanos("tail")?;
    if tail.is_none() && term.text("tail_probability").is_some() {
        return Err(term.error_at("tail_probability", "tail_probability needs tail=…, such as tail=20ms"));
    }
    Ok(VolumeOp {
        service_ns: 0.0,
        ns_per_byte: stream.map_or(0.0, |bytes_per_s| 1e9 / bytes_per_s),
        sigma,
        tail_probability: term.fraction("tail_probability")?.unwrap_or(0.0),
        tail_ns: tail.map_or(0.0, |Nanos(ns)| ns as f64),
        tail_sigma: number(term, "tail_sigma")?.unwrap_or(0.0),
        delay_ns: time(term, "delay")?,
        parallelism: None,
    })
}

/// The processor before the servers, if the line says anything of it.
fn front(term: &Term) -> Result<Option<VolumeFront>, LineError> {
    let front = VolumeFront {
        wake_ns: time(term, "wake")?,
        batch_max: term.integer("batch_max")?.unwrap_or(1),
        gathers: false,
        sigma: number(term, "front_sigma")?.unwrap_or(0.0),
        read_command_ns: time(term, "read_command")?,
        read_ns_per_byte: 0.0,
        write_command_ns: time(term, "write_command")?,
        write_ns_per_byte: 0.0,
        read_tail_probability: 0.0,
        write_tail_probability: 0.0,
        tail_ns: 0.0,
        tail_sigma: 0.0,
    };
    let is_named = ["wake", "batch_max", "front_sigma", "read_command", "write_command"];
    Ok(is_named.iter().any(|key| term.text(key).is_some()).then_some(front))
}

/// The limits.
fn caps(term: &Term) -> Result<VolumeCaps, LineError> {
    let credits = |key| number(term, key);
    let bytes = |key| Ok(term.read(key, parse_bytes)?.map(|Bytes(bytes)| bytes as f64));
    let at_start = term.fraction("credits_at_start")?.unwrap_or(1.0);
    let rate = |key| term.read(key, parse_iops);
    let throughput = |key| term.read(key, parse_bytes_per_s);
    let plain = |per_s: f64| VolumeCap { per_s, credits: 0.0, credits_at_start: at_start, burst_per_s: None };
    Ok(VolumeCaps {
        iops: burst(
            term,
            "iops",
            rate("iops")?,
            ("burst_iops", rate("burst_iops")?),
            ("credits", credits("credits")?),
            at_start,
        )?,
        bytes: burst(
            term,
            "throughput",
            throughput("throughput")?,
            ("burst_throughput", throughput("burst_throughput")?),
            ("throughput_credits", bytes("throughput_credits")?),
            at_start,
        )?,
        read_iops: rate("read_iops")?.map(plain),
        read_bytes: throughput("read_throughput")?.map(plain),
        write_iops: rate("write_iops")?.map(plain),
        write_bytes: throughput("write_throughput")?.map(plain),
        io_unit_bytes: term.bytes("io_unit")?.map_or(0, |Bytes(bytes)| bytes),
        period_ns: term.nanos("period")?.map_or(0, |Nanos(ns)| ns),
    })
}

type Named = (&'static str, Option<f64>);

/// A limit with credits and a burst, which mean nothing without it.
fn burst(
    term: &Term,
    key: &'static str,
    per_s: Option<f64>,
    burst: Named,
    credits: Named,
    credits_at_start: f64,
) -> Result<Option<VolumeCap>, LineError> {
    let Some(per_s) = per_s else {
        let alone = [burst, credits].into_iter().find(|(_, given)| given.is_some());
        return match alone {
            Some((name, _)) => Err(term.error_at(name, format!("{name} needs {key}=…, the rate that lasts"))),
            None => Ok(None),
        };
    };
    if let (name, Some(_)) = burst
        && credits.1.is_none()
    {
        return Err(term.error_at(name, format!("{name} needs {}=…, what it may use up", credits.0)));
    }
    Ok(Some(VolumeCap { per_s, credits: credits.1.unwrap_or(0.0), credits_at_start, burst_per_s: burst.1 }))
}

/// The stalls of the volume, if the line gives any.
fn stalls(term: &Term) -> Result<Option<VolumeStalls>, LineError> {
    let (stall, every) = (term.nanos("stall")?, term.nanos("stall_every")?);
    let sigma = number(term, "stall_sigma")?.unwrap_or(0.0);
    match (stall, every) {
        (None, None) => Ok(None),
        (Some(Nanos(stall)), Some(Nanos(every))) => {
            Ok(Some(VolumeStalls { every_ns: every as f64, stall_ns: stall as f64, sigma }))
        }
        (Some(_), None) => Err(term.error_at("stall", "stall needs stall_every=…")),
        (None, Some(_)) => Err(term.error_at("stall_every", "stall_every needs stall=…")),
    }
}
