//! The ranges of a model's values.

use super::{
    Address, Arrivals, Listed, Model, Open, Quantiles, RateOverTime, Reuse, RunStart, SCHEMA_VERSION, Stream,
    ZoneOf,
};
use crate::spec::SECTOR_BYTES;

/// The largest request.
const SIZE_BYTES_MAX: u32 = /* 1 GiB */ 1 << 30;
/// More streams than a person reads.
const STREAMS_MAX: usize = 256;
/// More outstanding requests than any interface takes.
const IODEPTH_MAX: u32 = 65_536;
/// More runs under way than any server has streams.
const INTERLEAVED_MAX: u32 = 65_536;
/// The longest look back, in runs: what the generator remembers.
pub(super) const RUNS_AGO_MAX: f64 = 4_194_304.0;
/// The most requests in a batch.
const BATCH_MAX: f64 = 1e9;

/// A value out of its range.
pub(super) struct Fault {
    /// The stream, from 0; none: the model itself.
    stream: Option<usize>,
    key: &'static str,
    pub(super) message: String,
    pub(super) hint: Option<String>,
}

impl Fault {
    /// The line of the key in the text the model was read from.
    pub(super) fn line_in(&self, text: &str, model: &Model) -> Option<usize> {
        let from = match self.stream {
            None => 0,
            Some(index) => text.match_indices("[[streams]]").nth(index).map_or(0, |(at, _)| at),
        };
        let rest = &text[from..];
        let stated = |(at, _): (usize, &str)| {
            let before = rest[..at].chars().next_back();
            let after = rest[at + self.key.len()..].trim_start();
            !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
                && (after.starts_with('=') || after.starts_with(']'))
        };
        let at = rest.match_indices(self.key).find(|found| stated(*found)).map_or(0, |(at, _)| at);
        (!model.streams.is_empty() || self.stream.is_none()).then(|| line_at(text, from + at))
    }
}

/// The line of a byte, from 1.
pub(super) fn line_at(text: &str, at: usize) -> usize {
    text.as_bytes()[..at.min(text.len())].iter().filter(|byte| **byte == b'\n').count() + 1
}

type Checked = Result<(), Fault>;

/// Checks of one stream, or of the model.
#[derive(Clone, Copy)]
struct At<'a> {
    stream: Option<usize>,
    place: &'a str,
}

impl At<'_> {
    fn refuse(self, key: &'static str, what: impl std::fmt::Display) -> Checked {
        let message = format!("{}{key}: {what}", self.place);
        Err(Fault { stream: self.stream, key, message, hint: None })
    }

    fn need(self, holds: bool, key: &'static str, expected: &str, found: impl std::fmt::Display) -> Checked {
        if holds { Ok(()) } else { self.refuse(key, format_args!("expected {expected}, found `{found}`")) }
    }

    fn fraction(self, key: &'static str, value: f64) -> Checked {
        self.need((0.0..=1.0).contains(&value), key, "a fraction from 0 to 1", value)
    }

    fn table(self, key: &'static str, table: &Quantiles) -> Checked {
        table.fault().map_or(Ok(()), |what| self.refuse(key, what))
    }
}

pub(super) fn check(model: &Model) -> Checked {
    let at = At { stream: None, place: "" };
    at.need(model.schema_version == SCHEMA_VERSION, "schema_version", "1", model.schema_version)?;
    at.need(model.span_bytes >= u64::from(SECTOR_BYTES), "span_bytes", "at least 512", model.span_bytes)?;
    let extent = model.extent_bytes;
    let fits = extent.is_power_of_two() && extent >= u64::from(SECTOR_BYTES);
    at.need(fits, "extent_bytes", "a power of two from 512", extent)?;
    if let Some(duration) = model.duration_s {
        at.need(duration > 0.0 && duration < 1e10, "duration_s", "seconds above 0", duration)?;
    }
    let count = model.streams.len();
    at.need((1..=STREAMS_MAX).contains(&count), "streams", "1 to 256 `[[streams]]`", count)?;
    for (index, stream) in model.streams.iter().enumerate() {
        let place = format!("stream `{}`: ", stream.name);
        let at = At { stream: Some(index), place: &place };
        let twin = model.streams[..index].iter().any(|other| other.name == stream.name);
        at.need(!twin && !stream.name.is_empty(), "name", "a name of its own", &stream.name)?;
        check_stream(at, stream, model.span_bytes)?;
    }
    Ok(())
}

fn check_stream(at: At<'_>, stream: &Stream, span: u64) -> Checked {
    at.fraction("read", stream.read)?;
    at.fraction("trim", stream.trim)?;
    at.fraction("flush", stream.flush)?;
    at.need(stream.trim + stream.flush <= 1.0, "flush", "at most 1 together with `trim`", stream.flush)?;
    at.need(!stream.sizes.is_empty(), "sizes", "at least one size", "[]")?;
    for size in &stream.sizes {
        let usable =
            size.bytes > 0 && size.bytes <= SIZE_BYTES_MAX && size.bytes.is_multiple_of(SECTOR_BYTES);
        at.need(usable, "sizes", "a multiple of 512 B up to 1 GiB", size.bytes)?;
        at.need(u64::from(size.bytes) <= span, "sizes", "a size within `span_bytes`", size.bytes)?;
        if !size.next.is_empty() {
            let all = stream.sizes.len();
            at.need(size.next.len() == all, "sizes", "as many shares in `next` as sizes", size.next.len())?;
            shares(at, "sizes", size.next.iter().copied())?;
        }
    }
    shares(at, "sizes", stream.sizes.iter().map(|size| size.share))?;
    let align = stream.align_bytes;
    at.need(align > 0 && align.is_multiple_of(SECTOR_BYTES), "align_bytes", "a multiple of 512", align)?;
    check_address(at, &stream.address)?;
    check_arrivals(at, &stream.arrivals)
}

fn shares(at: At<'_>, key: &'static str, shares: impl Iterator<Item = f64>) -> Checked {
    let mut sum = 0.0;
    for share in shares {
        at.need(share >= 0.0 && share.is_finite(), key, "shares from 0", share)?;
        sum += share;
    }
    at.need(sum > 0.0 && sum.is_finite(), key, "a share above 0", sum)
}

fn check_address(at: At<'_>, address: &Address) -> Checked {
    match address {
        Address::Random { zones, exponent, reuse, near, .. } => {
            let exponent = exponent.unwrap_or(1.0);
            at.need((0.0..=10.0).contains(&exponent), "exponent", "0 to 10", exponent)?;
            check_zones(at, zones)?;
            check_starts(at, reuse.as_ref(), near.as_ref())
        }
        Address::Sequential { zones, run_bytes, run_requests, reuse, near, interleaved, switch } => {
            at.fraction("switch", *switch)?;
            let runs = [("run_bytes", run_bytes), ("run_requests", run_requests)];
            for (key, run) in runs.iter().filter_map(|(key, run)| run.as_ref().map(|run| (*key, run))) {
                at.table(key, run)?;
                at.need(run.mean() > 0.0, key, "a length above 0", 0)?;
            }
            if runs.iter().all(|(_, run)| run.is_none()) {
                at.need(
                    reuse.is_none() && near.is_none(),
                    "address",
                    "`run_bytes` beside `reuse` or `near`",
                    "none",
                )?;
            }
            at.need((1..=INTERLEAVED_MAX).contains(interleaved), "interleaved", "1 to 65536", interleaved)?;
            check_zones(at, zones)?;
            check_starts(at, reuse.as_ref(), near.as_ref())
        }
        Address::Append { from, to } => {
            at.fraction("from", *from)?;
            at.fraction("to", *to)?;
            at.need(from < to, "to", "more than `from`", to)
        }
    }
}

fn check_zones(at: At<'_>, zones: &[ZoneOf]) -> Checked {
    at.need(!zones.is_empty(), "zones", "at least one zone", "[]")?;
    for zone in zones {
        at.fraction("zones", zone.from)?;
        at.fraction("zones", zone.to)?;
        at.need(zone.from < zone.to, "zones", "`to` above `from`", zone.to)?;
        at.need(zone.used > 0.0 && zone.used <= 1.0, "zones", "`used` above 0 and at most 1", zone.used)?;
    }
    shares(at, "zones", zones.iter().map(|zone| zone.share))
}

fn check_starts(at: At<'_>, reuse: Option<&Reuse>, near: Option<&RunStart>) -> Checked {
    if let Some(Reuse { share, runs_ago, in_order, .. }) = reuse {
        at.fraction("share", *share)?;
        at.fraction("in_order", *in_order)?;
        at.table("runs_ago", runs_ago)?;
        let most = runs_ago.value(1.0);
        at.need(most <= RUNS_AGO_MAX, "runs_ago", "at most 4194304 runs", most)?;
    }
    if let Some(RunStart { forward, back, bytes }) = near {
        at.fraction("forward", *forward)?;
        at.fraction("back", *back)?;
        at.need(forward + back <= 1.0, "back", "at most 1 together with `forward`", back)?;
        at.table("bytes", bytes)?;
    }
    Ok(())
}

fn check_arrivals(at: At<'_>, arrivals: &Arrivals) -> Checked {
    match arrivals {
        Arrivals::Closed { iodepth, think_s } => {
            at.need((1..=IODEPTH_MAX).contains(iodepth), "iodepth", "1 to 65536", iodepth)?;
            at.need((0.0..1e9).contains(think_s), "think_s", "seconds from 0", think_s)
        }
        Arrivals::Open(Open { rate_iops, batch, burst, gaps, rate_over_time, listed }) => {
            if let Some(burst) = burst {
                at.table("batches", &burst.batches)?;
                at.table("spacing_s", &burst.spacing_s)?;
                let most = burst.batches.value(1.0);
                at.need(most <= BATCH_MAX, "batches", "at most 1e9", most)?;
            }
            at.need(
                *rate_iops > 0.0 && *rate_iops <= 1e9,
                "rate_iops",
                "above 0 and at most 1e9",
                rate_iops,
            )?;
            if let Some(batch) = batch {
                at.table("requests", &batch.requests)?;
                at.table("spacing_s", &batch.spacing_s)?;
                at.need(
                    batch.requests.value(1.0) <= BATCH_MAX,
                    "requests",
                    "at most 1e9",
                    batch.requests.value(1.0),
                )?;
            }
            if let Some(gaps) = gaps {
                at.table("gaps", gaps)?;
                at.need(gaps.mean() > 0.0, "gaps", "a mean above 0", 0)?;
            }
            listed.as_ref().map_or(Ok(()), |listed| check_listed(at, listed))?;
            rate_over_time.as_ref().map_or(Ok(()), |rate| check_rate(at, rate))
        }
    }
}

fn check_listed(at: At<'_>, listed: &Listed) -> Checked {
    let Listed { period_s, bursts } = listed;
    at.need(*period_s > 0.0 && *period_s < 1e10, "period_s", "seconds above 0", period_s)?;
    at.need(!bursts.is_empty(), "bursts", "at least one burst", "none")?;
    let rising = bursts.windows(2).all(|pair| pair[0].0 <= pair[1].0)
        && bursts.iter().all(|burst| (0.0..=*period_s).contains(&burst.0));
    at.need(rising, "bursts", "times rising from 0, up to `period_s`", "others")?;
    let whole =
        |burst: &(f64, f64, f64)| (1.0..=BATCH_MAX).contains(&burst.1) && (0.0..1e10).contains(&burst.2);
    at.need(bursts.iter().all(whole), "bursts", "1 to 1e9 requests in a length from 0", "others")
}

fn check_rate(at: At<'_>, rate: &RateOverTime) -> Checked {
    let RateOverTime { period_s, steps } = rate;
    at.need(*period_s > 0.0 && *period_s < 1e10, "period_s", "seconds above 0", period_s)?;
    at.need(steps.first().is_some_and(|first| first.0 == 0.0), "steps", "a first step at 0", "none")?;
    let rising =
        steps.windows(2).all(|pair| pair[0].0 < pair[1].0) && steps.iter().all(|step| step.0 < *period_s);
    at.need(rising, "steps", "times rising from 0, below `period_s`", "others")?;
    shares(at, "steps", steps.iter().map(|step| step.1))
}
