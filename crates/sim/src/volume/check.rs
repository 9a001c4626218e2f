//! Which volumes there can be.

use super::spread::TIME_NS_MAX;
use crate::spec::{SpecError, VolumeCap, VolumeOp, VolumeSpec};
use std::borrow::Cow;

type Checked = Result<(), SpecError>;

/// The widest lognormal: beyond it the mean is a thousand medians and means nothing.
const SIGMA_MAX: f64 = 4.0;
/// The longest median: a hundredth of an hour.
const MEDIAN_NS_MAX: f64 = TIME_NS_MAX / 1e3;

/// The shortest mean time between stalls: shorter ones are a slower volume.
const EVERY_NS_MIN: f64 = 1e5;

fn within(field: impl Into<Cow<'static, str>>, value: f64, most: f64, expected: &'static str) -> Checked {
    if (0.0..=most).contains(&value) {
        return Ok(());
    }
    Err(SpecError::new(field, expected, value))
}

fn time(field: impl Into<Cow<'static, str>>, ns: f64) -> Checked {
    within(field, ns, MEDIAN_NS_MAX, "a time from 0 to 1e12 ns")
}

fn sigma(field: impl Into<Cow<'static, str>>, value: f64) -> Checked {
    within(field, value, SIGMA_MAX, "a deviation from 0 to 4")
}

fn share(field: impl Into<Cow<'static, str>>, value: f64) -> Checked {
    within(field, value, 1.0, "a share from 0 to 1")
}

fn rate(field: impl Into<Cow<'static, str>>, value: f64) -> Checked {
    if value.is_finite() && value > 0.0 {
        return Ok(());
    }
    Err(SpecError::new(field, "a rate above 0", value))
}

fn positive(field: impl Into<Cow<'static, str>>, count: Option<u32>) -> Checked {
    match count {
        Some(0) => Err(SpecError::new(field, "at least 1", 0)),
        _ => Ok(()),
    }
}

fn op(name: &str, spec: &VolumeOp) -> Checked {
    time(format!("{name}.service_ns"), spec.service_ns)?;
    within(format!("{name}.ns_per_byte"), spec.ns_per_byte, 1e6, "a time from 0 to 1e6 ns a byte")?;
    sigma(format!("{name}.sigma"), spec.sigma)?;
    share(format!("{name}.tail_probability"), spec.tail_probability)?;
    time(format!("{name}.tail_ns"), spec.tail_ns)?;
    sigma(format!("{name}.tail_sigma"), spec.tail_sigma)?;
    time(format!("{name}.delay_ns"), spec.delay_ns)?;
    positive(format!("{name}.parallelism"), spec.parallelism)
}

fn cap(name: &str, cap: &VolumeCap) -> Checked {
    let field = |field: &str| format!("caps.{name}.{field}");
    rate(field("per_s"), cap.per_s)?;
    within(field("credits"), cap.credits, f64::MAX, "a number from 0")?;
    share(field("credits_at_start"), cap.credits_at_start)?;
    let Some(burst) = cap.burst_per_s else { return Ok(()) };
    if burst.is_finite() && burst >= cap.per_s {
        return Ok(());
    }
    let expected = "a rate that is not below `per_s`";
    Err(SpecError::new(field("burst_per_s"), expected, burst))
}

/// Refuses an operation that takes no time: its rate would be no number.
fn takes_time(
    name: &str,
    of: &VolumeOp,
    command_ns: f64,
    spec: &VolumeSpec,
    own: [Option<VolumeCap>; 2],
) -> Checked {
    let wake_ns = spec.front.map_or(0.0, |front| front.wake_ns);
    let ns = of.service_ns + of.ns_per_byte + of.delay_ns + command_ns + wake_ns;
    let is_limited = [spec.caps.iops, spec.caps.bytes].iter().chain(&own).any(Option::is_some);
    if ns > 0.0 || is_limited || spec.link_bytes_per_s.is_some() {
        return Ok(());
    }
    let expected = "above 0 where nothing else takes time";
    Err(SpecError::new(format!("{name}.service_ns"), expected, 0))
}

/// Refuses what cannot be.
pub(super) fn check(spec: &VolumeSpec) -> Checked {
    let capacity = spec.capacity_bytes as f64 * spec.partition;
    if !(spec.partition > 0.0 && spec.partition <= 1.0) {
        let found = spec.partition.to_string();
        let expected = "a share above 0 and at most 1";
        return Err(SpecError::new("partition", expected, found));
    }
    if capacity < 512.0 {
        let found = spec.capacity_bytes.to_string();
        return Err(SpecError::new("capacity_bytes", "at least 512", found));
    }
    op("read", &spec.read)?;
    op("write", &spec.write)?;
    let caps = &spec.caps;
    let read_ns = spec.front.map_or(0.0, |front| front.read_command_ns + front.read_ns_per_byte);
    let write_ns = spec.front.map_or(0.0, |front| front.write_command_ns + front.write_ns_per_byte);
    takes_time("read", &spec.read, read_ns, spec, [caps.read_iops, caps.read_bytes])?;
    takes_time("write", &spec.write, write_ns, spec, [caps.write_iops, caps.write_bytes])?;
    time("flush_ns", spec.flush_ns as f64)?;
    positive("parallelism", spec.parallelism)?;
    if let Some(front) = spec.front {
        positive("front.batch_max", Some(front.batch_max))?;
        sigma("front.sigma", front.sigma)?;
        share("front.read_tail_probability", front.read_tail_probability)?;
        share("front.write_tail_probability", front.write_tail_probability)?;
        time("front.tail_ns", front.tail_ns)?;
        sigma("front.tail_sigma", front.tail_sigma)?;
        for (field, ns) in [
            ("front.wake_ns", front.wake_ns),
            ("front.read_command_ns", front.read_command_ns),
            ("front.write_command_ns", front.write_command_ns),
        ] {
            time(field, ns)?;
        }
        for (field, ns) in [
            ("front.read_ns_per_byte", front.read_ns_per_byte),
            ("front.write_ns_per_byte", front.write_ns_per_byte),
        ] {
            within(field, ns, 1e6, "a time from 0 to 1e6 ns a byte")?;
        }
    }
    if let Some(bytes_per_s) = spec.link_bytes_per_s {
        rate("link_bytes_per_s", bytes_per_s)?;
    }
    for (name, given) in [
        ("iops", spec.caps.iops),
        ("bytes", spec.caps.bytes),
        ("read_iops", spec.caps.read_iops),
        ("read_bytes", spec.caps.read_bytes),
        ("write_iops", spec.caps.write_iops),
        ("write_bytes", spec.caps.write_bytes),
    ] {
        given.map_or(Ok(()), |given| cap(name, &given))?;
    }
    time("caps.period_ns", spec.caps.period_ns as f64)?;
    let Some(stalls) = spec.stalls else { return Ok(()) };
    if !(EVERY_NS_MIN..=MEDIAN_NS_MAX).contains(&stalls.every_ns) {
        let (expected, found) = ("a time from 1e5 to 1e12 ns", stalls.every_ns.to_string());
        return Err(SpecError::new("stalls.every_ns", expected, found));
    }
    time("stalls.stall_ns", stalls.stall_ns)?;
    sigma("stalls.sigma", stalls.sigma)
}
