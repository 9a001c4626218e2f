//! A workload as a line: reading and printing. What is printed reads back as the same workload.

use super::{ArrivalProcess, Pattern, Placement, SECTOR_BYTES, SizeShare, WorkloadSpec, mix};
use drivecast_block::Bytes;
use drivecast_block::line::{LineError, Member, Term, nearest};
use drivecast_block::units::{parse_bytes, parse_iops};
use std::fmt;

/// The largest request, sector-aligned and within the 32 bits of a request's size.
const SIZE_BYTES_MAX: u64 = /* 1 GiB */ 1 << 30;
/// More outstanding requests than any interface takes (NVMe: 65,535 in a queue).
const IODEPTH_MAX: u32 = 65_536;
/// Beyond this nearly all requests meet one place.
const THETA_MAX: f64 = 5.0;
/// One request a nanosecond, the resolution of time.
const RATE_IOPS_MAX: f64 = 1e9;

impl WorkloadSpec {
    /// Reads a workload from a line.
    ///
    /// # Errors
    /// The line does not follow the grammar, names an unknown workload or option, or a value is out of its range.
    pub fn parse(line: &str) -> Result<WorkloadSpec, LineError> {
        parse(line)
    }
}

fn parse(line: &str) -> Result<WorkloadSpec, LineError> {
    let term = Term::parse(line)?;
    let pattern = pattern(&term)?;
    let spec = WorkloadSpec {
        pattern,
        sizes: sizes(&term, pattern)?,
        read_fraction: term.fraction("read")?.unwrap_or(mix::read_fraction(pattern)),
        sequential_fraction: in_order(&term, pattern)?.unwrap_or(0.0),
        trim_fraction: term.fraction("trim")?.unwrap_or(0.0),
        fua_fraction: term.fraction("fua")?.unwrap_or(0.0),
        iodepth: iodepth(&term)?,
        jobs: jobs(&term)?,
        rate_iops: rate(&term)?,
        arrivals: arrivals(&term)?,
        placement: placement(&term, pattern)?,
        span_fraction: positive(&term, "span")?.unwrap_or(1.0),
        align_bytes: align(&term)?,
    };
    term.finish()?;
    let closed_loop = spec.rate_iops.is_none().then_some(1);
    Ok(WorkloadSpec { iodepth: spec.iodepth.or(closed_loop), ..spec })
}

fn pattern(term: &Term) -> Result<Pattern, LineError> {
    let named = mix::NAMES.iter().find(|(name, _)| *name == term.name).map(|(_, pattern)| *pattern);
    let Some(pattern) = named else {
        let names = mix::NAMES.map(|(name, _)| name);
        let message = format!("unknown workload `{}`; known: {}", term.name, names.join(", "));
        let hint = nearest(&term.name, names).map(|name| format!("did you mean `{name}`?"));
        return Err(term.error(message, hint));
    };
    if let Pattern::Zipf { theta } = pattern {
        return Ok(Pattern::Zipf { theta: theta_of(term)?.unwrap_or(theta) });
    }
    let Pattern::HotCold { hot, share } = pattern else { return Ok(pattern) };
    let hot = positive(term, "hot")?.unwrap_or(hot);
    if hot >= 1.0 {
        return Err(term.error_at("hot", format!("hot: expected a fraction below 1, found `{hot}`")));
    }
    Ok(Pattern::HotCold { hot, share: term.fraction("share")?.unwrap_or(share) })
}

fn theta_of(term: &Term) -> Result<Option<f64>, LineError> {
    let Some(text) = term.text("theta") else { return Ok(None) };
    match text.parse::<f64>() {
        Ok(theta) if (0.0..=THETA_MAX).contains(&theta) => Ok(Some(theta)),
        _ => Err(term.error_at("theta", format!("theta: expected 0 to {THETA_MAX}, found `{text}`"))),
    }
}

fn sizes(term: &Term, pattern: Pattern) -> Result<Vec<SizeShare>, LineError> {
    match (mix::sizes(pattern), term.members.first()) {
        (Some(sizes), None) => Ok(sizes),
        (Some(_), Some(member)) => {
            Err(member.term.error(format!("`{}` has sizes of its own", term.name), None))
        }
        (None, None) => {
            let hint = format!("write `{}(4KiB, …)`", term.name);
            Err(term.error("expected a request size", Some(hint)))
        }
        (None, Some(_)) => term.members.iter().map(|member| size(member, pattern)).collect(),
    }
}

fn size(member: &Member, pattern: Pattern) -> Result<SizeShare, LineError> {
    let term = &member.term;
    let refuse = |message: String| Err(term.error(message, None));
    if !term.members.is_empty() {
        return refuse(format!("expected a size, found `{}` with items of its own", term.name));
    }
    let read_fraction = term.fraction("read")?;
    let sequential_fraction = in_order(term, pattern)?;
    term.finish()?;
    match parse_bytes(&term.name) {
        Err(error) => refuse(error.to_string()),
        Ok(size) => match sectors(size) {
            Some(size_bytes) => {
                Ok(SizeShare { size_bytes, weight: member.count, read_fraction, sequential_fraction })
            }
            None => refuse(format!("expected a multiple of 512 B up to 1 GiB, found `{}`", term.name)),
        },
    }
}

/// The share of requests in runs, of random addresses alone.
fn in_order(term: &Term, pattern: Pattern) -> Result<Option<f64>, LineError> {
    match term.fraction("sequential")? {
        Some(_) if pattern != Pattern::Random => {
            let message = format!("sequential: of `random(…)` only, found it in `{}(…)`", pattern.name());
            Err(term.error_at("sequential", message))
        }
        share => Ok(share),
    }
}

/// The size in bytes if it is a usable number of sectors.
fn sectors(size: Bytes) -> Option<u32> {
    let usable = size.0 > 0 && size.0.is_multiple_of(u64::from(SECTOR_BYTES)) && size.0 <= SIZE_BYTES_MAX;
    if usable { u32::try_from(size.0).ok() } else { None }
}

fn align(term: &Term) -> Result<Option<u32>, LineError> {
    let Some(align) = term.bytes("align")? else { return Ok(None) };
    let usable = sectors(align);
    let message = || term.error_at("align", format!("align: expected a multiple of 512 B, found `{align}`"));
    usable.map(Some).ok_or_else(message)
}

fn iodepth(term: &Term) -> Result<Option<u32>, LineError> {
    match term.integer("iodepth")? {
        None => Ok(None),
        Some(iodepth @ 1..=IODEPTH_MAX) => Ok(Some(iodepth)),
        Some(other) => {
            Err(term.error_at("iodepth", format!("iodepth: expected 1 to {IODEPTH_MAX}, found `{other}`")))
        }
    }
}

fn jobs(term: &Term) -> Result<u32, LineError> {
    let Some(jobs) = term.integer("jobs")? else { return Ok(1) };
    if term.read("rate", parse_iops)?.is_some() {
        return Err(term.error_at("jobs", "jobs: of a closed loop only, found it beside rate=…"));
    }
    let most = IODEPTH_MAX / iodepth(term)?.unwrap_or(1);
    if (1..=most).contains(&jobs) {
        return Ok(jobs);
    }
    Err(term.error_at("jobs", format!("jobs: expected 1 to {most} at this iodepth, found `{jobs}`")))
}

fn rate(term: &Term) -> Result<Option<f64>, LineError> {
    match term.read("rate", parse_iops)? {
        Some(rate) if !(rate > 0.0 && rate <= RATE_IOPS_MAX) => {
            Err(term.error_at("rate", format!("rate: expected above 0 and at most 1e9, found `{rate}`")))
        }
        rate => Ok(rate),
    }
}

fn arrivals(term: &Term) -> Result<ArrivalProcess, LineError> {
    let given =
        term.choice("arrivals", &[("poisson", ArrivalProcess::Poisson), ("fixed", ArrivalProcess::Fixed)])?;
    if given.is_some() && term.read("rate", parse_iops)?.is_none() {
        return Err(term.error_at("arrivals", "arrivals needs rate=…: a closed loop issues at completions"));
    }
    Ok(given.unwrap_or_default())
}

fn placement(term: &Term, pattern: Pattern) -> Result<Placement, LineError> {
    let given = term
        .choice("placement", &[("scattered", Placement::Scattered), ("contiguous", Placement::Contiguous)])?;
    if given.is_some() && !pattern.has_zones() {
        let message = format!("placement: `{}` has no zones to place", term.name);
        return Err(term.error_at("placement", message));
    }
    Ok(given.unwrap_or_default())
}

fn positive(term: &Term, key: &'static str) -> Result<Option<f64>, LineError> {
    match term.fraction(key)? {
        Some(0.0) => Err(term.error_at(key, format!("{key}: expected a fraction above 0, found `0`"))),
        fraction => Ok(fraction),
    }
}

impl fmt::Display for WorkloadSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut items: Vec<String> = Vec::new();
        if mix::sizes(self.pattern).is_none() {
            items.extend(self.sizes.iter().map(size_item));
        }
        if let Pattern::HotCold { hot, share } = self.pattern {
            items.push(format!("hot={hot}"));
            items.push(format!("share={share}"));
        }
        if let Pattern::Zipf { theta } = self.pattern {
            items.push(format!("theta={theta}"));
        }
        items.push(format!("read={}", self.read_fraction));
        let runs = self.sequential_fraction;
        items.extend((runs > 0.0).then(|| format!("sequential={runs}")));
        items.extend((self.trim_fraction > 0.0).then(|| format!("trim={}", self.trim_fraction)));
        items.extend((self.fua_fraction > 0.0).then(|| format!("fua={}", self.fua_fraction)));
        items.extend(self.rate_iops.map(|rate| format!("rate={rate}iops")));
        items.extend(self.iodepth.map(|depth| format!("iodepth={depth}")));
        items.extend((self.jobs > 1).then(|| format!("jobs={}", self.jobs)));
        items.extend((self.arrivals == ArrivalProcess::Fixed).then(|| "arrivals=fixed".to_owned()));
        items.extend((self.placement == Placement::Contiguous).then(|| "placement=contiguous".to_owned()));
        items.extend((self.span_fraction < 1.0).then(|| format!("span={}", self.span_fraction)));
        items.extend(self.align_bytes.map(|align| format!("align={}", size_word(align))));
        write!(f, "{}({})", self.pattern.name(), items.join(", "))
    }
}

impl Pattern {
    /// Whether parts of the span are addressed more than others.
    #[must_use]
    pub const fn has_zones(self) -> bool {
        matches!(self, Pattern::HotCold { .. } | Pattern::Zipf { .. } | Pattern::Jesd219)
    }

    /// The name a line begins with.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Pattern::Random => "random",
            Pattern::Sequential => "sequential",
            Pattern::HotCold { .. } => "hotcold",
            Pattern::Zipf { .. } => "zipf",
            Pattern::Jesd219 => "jesd219",
            Pattern::IometerDatabase => "iometer-database",
            Pattern::IometerFileserver => "iometer-fileserver",
            Pattern::IometerWebserver => "iometer-webserver",
        }
    }
}

fn size_item(share: &SizeShare) -> String {
    let read = share.read_fraction.map(|read| format!("read={read}"));
    let own = read.into_iter().chain(share.sequential_fraction.map(|runs| format!("sequential={runs}")));
    let own = own.collect::<Vec<_>>().join(", ");
    let own = if own.is_empty() { own } else { format!("[{own}]") };
    match share.weight {
        1 => format!("{}{own}", size_word(share.size_bytes)),
        weight => format!("{weight} * {}{own}", size_word(share.size_bytes)),
    }
}

/// A size in the largest binary unit that keeps it whole, written as one word.
fn size_word(size_bytes: u32) -> String {
    let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"), (1, "B")];
    let (unit, name) =
        units.into_iter().find(|(unit, _)| size_bytes.is_multiple_of(*unit)).unwrap_or((1, "B"));
    format!("{}{name}", size_bytes / unit)
}
