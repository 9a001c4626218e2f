//! Token buckets, and the lines of requests that wait for them.
//!
//! **Model.** Tokens come at a constant rate up to a limit, the credits. A request goes as soon as the bucket is not in
//! debt, and then pays what it costs, if need be by going into debt: so a request that costs more than the bucket holds
//! goes too, and the next ones wait for it. Limited to a rate r with credits C, a host that always has more requests gets at most
//! C + r t tokens, and the one that goes into debt, in any time t. With a burst rate p besides, a second bucket without
//! credits spaces requests at p: a full bucket lasts C / (p − r).
//!
//! Tokens that come *by the period* come all together at its end: a bucket then holds those of a period at least, and
//! requests leave in bunches.
//!
//! The arithmetic is that of the virtual scheduling algorithm: a bucket is one number, the time at which it will be full
//! again, so nothing happens in it between requests.
//!
//! **Sources.** The leaky bucket: J. Turner, *New directions in communications*, IEEE Communications Magazine 24 (10), 1986.
//! Two rates: RFC 2698. Virtual scheduling: ITU-T I.371 (GCRA).

use crate::spec::{VolumeCap, VolumeCaps};
use drivecast_block::{Nanos, Op};
use serde::Serialize;
use std::collections::VecDeque;

/// Credits that are left.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Credits {
    /// Share of the maximum that is left.
    pub left: f64,
    /// How long they last at the rate of use so far, seconds; null where no more are used than earned.
    pub lasts_s: Option<f64>,
}

impl Credits {
    /// Those that run out first; where none do, those of which less is left.
    #[must_use]
    pub fn sooner(self, other: Credits) -> Credits {
        let key = |credits: Credits| (credits.lasts_s.unwrap_or(f64::INFINITY), credits.left);
        if key(other) < key(self) { other } else { self }
    }
}

/// One bucket of tokens. Times are nanoseconds, with their fractions.
#[derive(Clone, Copy, Debug)]
struct Bucket {
    ns_per_token: f64,
    /// The time in which an empty bucket fills.
    depth_ns: f64,
    /// When the bucket is full again.
    full: f64,
    /// Tokens come every so often; 0: all the time.
    period_ns: f64,
    /// The part of `depth_ns` that is credits.
    credits_ns: f64,
    /// All that was ever paid, in the time it takes to earn it.
    paid_ns: f64,
}

impl Bucket {
    fn new(per_s: f64, credits: f64, share: f64, period_ns: u64) -> Bucket {
        let ns_per_token = 1e9 / per_s;
        let period_ns = period_ns as f64;
        let credits_ns = credits * ns_per_token;
        let depth_ns = credits_ns.max(period_ns);
        let full = credits_ns * (1.0 - share);
        Bucket { ns_per_token, depth_ns, full, period_ns, credits_ns, paid_ns: 0.0 }
    }

    /// When the bucket is out of debt.
    fn ready(&self) -> f64 {
        let solvent = self.full - self.depth_ns;
        if self.period_ns > 0.0 { (solvent / self.period_ns).ceil() * self.period_ns } else { solvent }
    }

    /// What is there of the credits at `now`, and for how long that lasts at the rate of use so far.
    fn credits(&self, now: f64) -> Option<Credits> {
        if self.credits_ns == 0.0 {
            return None;
        }
        let left_ns = (self.depth_ns - (self.full - now).max(0.0)).max(0.0);
        let spent = self.paid_ns / now - 1.0;
        let lasts_s = (spent > 0.0).then(|| left_ns / spent / 1e9);
        Some(Credits { left: left_ns / self.depth_ns, lasts_s })
    }

    /// Takes `tokens` at `now`.
    fn pay(&mut self, now: f64, tokens: f64) {
        let earned = if self.period_ns > 0.0 { (now / self.period_ns).floor() * self.period_ns } else { now };
        self.full = self.full.max(earned) + tokens * self.ns_per_token;
        self.paid_ns += tokens * self.ns_per_token;
    }
}

/// What is counted.
#[derive(Clone, Copy, Debug)]
enum Token {
    /// Requests, each at least one, larger ones by this many bytes; 0: each one.
    Request {
        unit_bytes: u64,
    },
    Byte,
}

impl Token {
    fn cost(self, bytes: u32) -> f64 {
        match self {
            Token::Request { unit_bytes: 0 } => 1.0,
            Token::Request { unit_bytes } => u64::from(bytes).div_ceil(unit_bytes).max(1) as f64,
            Token::Byte => f64::from(bytes),
        }
    }
}

/// A line of requests in order of arrival, the first of which leaves when no bucket is in debt.
#[derive(Clone, Debug)]
pub(super) struct Line {
    buckets: Vec<(Token, Bucket)>,
    /// When each leaves; whose it is.
    waiting: VecDeque<(Nanos, u32)>,
}

impl Line {
    fn new(caps: &VolumeCaps, iops: Option<VolumeCap>, bytes: Option<VolumeCap>) -> Line {
        let mut buckets = Vec::new();
        let counted = [(Token::Request { unit_bytes: caps.io_unit_bytes }, iops), (Token::Byte, bytes)];
        for (token, cap) in counted {
            let Some(cap) = cap else { continue };
            buckets.push((token, Bucket::new(cap.per_s, cap.credits, cap.credits_at_start, caps.period_ns)));
            if let Some(burst) = cap.burst_per_s {
                buckets.push((token, Bucket::new(burst, 0.0, 1.0, caps.period_ns)));
            }
        }
        Line { buckets, waiting: VecDeque::new() }
    }

    /// The lines of reads, of writes, and of both together.
    pub(super) fn all(caps: &VolumeCaps) -> [Line; 3] {
        [
            Line::new(caps, caps.read_iops, caps.read_bytes),
            Line::new(caps, caps.write_iops, caps.write_bytes),
            Line::new(caps, caps.iops, caps.bytes),
        ]
    }

    /// The line of one operation.
    pub(super) fn of(op: Op) -> usize {
        usize::from(op == Op::Write)
    }

    /// Lets a request that comes at `now` pay for its place; when it leaves. Requests leave in order of arrival, because a
    /// bucket is never out of debt earlier for having paid more.
    pub(super) fn pay(&mut self, now: Nanos, bytes: u32) -> Nanos {
        let ready = self.buckets.iter().map(|(_, bucket)| bucket.ready()).fold(0.0, f64::max);
        let leaves = now.max(Nanos(ready.ceil() as u64));
        for (token, bucket) in &mut self.buckets {
            bucket.pay(leaves.0 as f64, token.cost(bytes));
        }
        leaves
    }

    /// Takes a request that leaves later; whether it is the first in line.
    pub(super) fn wait(&mut self, leaves: Nanos, slot: u32) -> bool {
        self.waiting.push_back((leaves, slot));
        self.waiting.len() == 1
    }

    /// The first request, if it leaves by `now`.
    pub(super) fn leave(&mut self, now: Nanos) -> Option<u32> {
        self.next().filter(|leaves| *leaves <= now)?;
        self.waiting.pop_front().map(|(_, slot)| slot)
    }

    /// When the first request leaves.
    pub(super) fn next(&self) -> Option<Nanos> {
        self.waiting.front().map(|(leaves, _)| *leaves)
    }

    /// The credits that run out first, if there are any.
    pub(super) fn credits(&self, now: Nanos) -> Option<Credits> {
        let known = self.buckets.iter().filter_map(|(_, bucket)| bucket.credits(now.0 as f64));
        known.reduce(Credits::sooner)
    }

    /// Fills the buckets.
    pub(super) fn refill(&mut self) {
        self.buckets.iter_mut().for_each(|(_, bucket)| bucket.full = 0.0);
    }
}
