//! A model as the TOML that a person reads: short lines, tables of quantiles in full, provenance only where it is stated.

use super::spec::{Law, Listed, Open, RateOverTime};
use super::{Address, Arrivals, Model, Provenance, Quantiles, Reuse, RunStart, SizeOf, Stream, ZoneOf};
use std::fmt::Write;

/// Columns after which a list continues in the next line.
const WIDTH: usize = 110;

impl Model {
    /// The model as TOML, which [`Model::read`] reads back as the same model.
    pub fn to_toml(&self) -> String {
        let mut out = String::new();
        line(&mut out, "schema_version", self.schema_version);
        line(&mut out, "name", text(&self.name));
        if let Some(description) = &self.description {
            line(&mut out, "description", text(description));
        }
        line(&mut out, "span_bytes", grouped(self.span_bytes));
        line(&mut out, "extent_bytes", grouped(self.extent_bytes));
        if let Some(duration) = self.duration_s {
            line(&mut out, "duration_s", number(duration));
        }
        for each in &self.streams {
            stream(&mut out, each);
        }
        if !self.provenance.is_empty() {
            out.push_str("\n[provenance]\n");
            for (key, provenance) in &self.provenance {
                let (kind, words) = match provenance {
                    Provenance::Measured(words) => ("measured", words),
                    Provenance::Published(words) => ("published", words),
                    Provenance::Fitted(words) => ("fitted", words),
                    Provenance::Assumed(words) => ("assumed", words),
                };
                line(&mut out, &text(key), format_args!("{{ {kind} = {} }}", text(words)));
            }
        }
        out
    }
}

fn stream(out: &mut String, stream: &Stream) {
    out.push_str("\n[[streams]]\n");
    line(out, "name", text(&stream.name));
    line(out, "read", number(stream.read));
    for (key, share) in [("trim", stream.trim), ("flush", stream.flush)] {
        if share > 0.0 {
            line(out, key, number(share));
        }
    }
    let sizes = stream.sizes.iter().map(|size| {
        format!("{{ bytes = {}, share = {}{} }}", size.bytes, number(size.share), following(size))
    });
    line(out, "sizes", list(sizes));
    line(out, "align_bytes", stream.align_bytes);
    address(out, &stream.address);
    arrivals(out, &stream.arrivals);
}

fn following(size: &SizeOf) -> String {
    if size.next.is_empty() {
        return String::new();
    }
    format!(", next = {}", list(size.next.iter().map(|&share| number(share))))
}

fn address(out: &mut String, address: &Address) {
    out.push_str("[streams.address]\n");
    match address {
        Address::Random { zones: places, law, exponent, reuse, near } => {
            line(out, "pattern", "\"random\"");
            zones(out, places);
            if let (Law::Zipf, Some(exponent)) = (law, exponent) {
                line(out, "law", "\"zipf\"");
                line(out, "exponent", number(*exponent));
            }
            starts(out, reuse.as_ref(), near.as_ref());
        }
        Address::Sequential { zones: places, run_bytes, run_requests, reuse, near, interleaved, switch } => {
            line(out, "pattern", "\"sequential\"");
            if let Some(run) = run_bytes {
                line(out, "run_bytes", table(run));
            }
            if let Some(run) = run_requests {
                line(out, "run_requests", table(run));
            }
            if *interleaved > 1 {
                line(out, "interleaved", interleaved);
                line(out, "switch", number(*switch));
            }
            zones(out, places);
            starts(out, reuse.as_ref(), near.as_ref());
        }
        Address::Append { from, to } => {
            line(out, "pattern", "\"append\"");
            line(out, "from", number(*from));
            line(out, "to", number(*to));
        }
    }
}

fn zones(out: &mut String, zones: &[ZoneOf]) {
    if zones != [ZoneOf::WHOLE] {
        let rows = zones.iter().map(|zone| {
            format!(
                "{{ from = {}, to = {}, share = {}{} }}",
                number(zone.from),
                number(zone.to),
                number(zone.share),
                if zone.used < 1.0 { format!(", used = {}", number(zone.used)) } else { String::new() }
            )
        });
        line(out, "zones", list(rows));
    }
}

fn starts(out: &mut String, reuse: Option<&Reuse>, near: Option<&RunStart>) {
    if let Some(near) = near {
        line(out, "near.forward", number(near.forward));
        line(out, "near.back", number(near.back));
        line(out, "near.bytes", table(&near.bytes));
    }
    if let Some(reuse) = reuse {
        line(out, "reuse.share", number(reuse.share));
        line(out, "reuse.runs_ago", table(&reuse.runs_ago));
        if let Some(among) = &reuse.among {
            line(out, "reuse.among", text(among));
        }
        if reuse.in_order > 0.0 {
            line(out, "reuse.in_order", number(reuse.in_order));
        }
    }
}

fn arrivals(out: &mut String, arrivals: &Arrivals) {
    out.push_str("[streams.arrivals]\n");
    match arrivals {
        Arrivals::Closed { iodepth, think_s } => {
            line(out, "loop", "\"closed\"");
            line(out, "iodepth", iodepth);
            line(out, "think_s", number(*think_s));
        }
        Arrivals::Open(Open { rate_iops, batch, burst, gaps, rate_over_time, listed }) => {
            line(out, "loop", "\"open\"");
            line(out, "rate_iops", number(*rate_iops));
            if let Some(batch) = batch {
                line(out, "batch.requests", table(&batch.requests));
                line(out, "batch.spacing_s", table(&batch.spacing_s));
            }
            if let Some(burst) = burst {
                line(out, "burst.batches", table(&burst.batches));
                line(out, "burst.spacing_s", table(&burst.spacing_s));
            }
            if let Some(gaps) = gaps {
                line(out, "gaps", table(gaps));
            }
            if let Some(Listed { period_s, bursts }) = listed {
                let burst = |&(at, requests, length): &(f64, f64, f64)| {
                    format!("[{}, {}, {}]", number(at), number(requests), number(length))
                };
                line(out, "listed.period_s", number(*period_s));
                line(out, "listed.bursts", list(bursts.iter().map(burst)));
            }
            if let Some(RateOverTime { period_s, steps }) = rate_over_time {
                line(out, "rate_over_time.period_s", number(*period_s));
                line(out, "rate_over_time.steps", list(steps.iter().map(|&step| pair(step))));
            }
        }
    }
}

fn line(out: &mut String, key: &str, value: impl std::fmt::Display) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{key} = {value}");
}

fn table(quantiles: &Quantiles) -> String {
    match quantiles.0[..] {
        [(_, value)] => number(value),
        ref pairs => list(pairs.iter().map(|&pair_of| pair(pair_of))),
    }
}

fn pair((a, b): (f64, f64)) -> String {
    format!("[{}, {}]", number(a), number(b))
}

/// A list on one line where it fits, else on several.
fn list(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    let joined = items.join(", ");
    if joined.len() + 24 <= WIDTH {
        return format!("[{joined}]");
    }
    let mut out = String::from("[");
    let mut column = WIDTH;
    for item in items {
        if column + item.len() + 2 > WIDTH {
            out.push_str("\n   ");
            column = 3;
        }
        out.push(' ');
        out.push_str(&item);
        out.push(',');
        column += item.len() + 2;
    }
    out + "\n]"
}

/// A number that reads back as the same, and as a float: Rust's shortest form, with an exponent where it is shorter.
fn number(value: f64) -> String {
    if value != 0.0 && !(1e-4..1e15).contains(&value.abs()) {
        format!("{value:e}")
    } else {
        format!("{value:?}")
    }
}

/// Digits in groups of three.
fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join("_")
}

/// A quoted string.
fn text(value: &str) -> String {
    toml::Value::from(value).to_string()
}
