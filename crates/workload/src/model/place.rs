//! Where the requests of a stream go.
//!
//! MODEL. Requests come in runs, each request where the one before ended; a random stream has runs of one request. A run begins
//! where an earlier one did (reuse: so many runs ago; a place met again since then is passed over), or near the end of the
//! run before, or anew: a zone by its share, then a place in it, uniform or by Zipf's law with the ranks scattered over the zone.
//! Several runs may be under way: a request continues that of the one before, or any other. All that is remembered is a ring of
//! where runs began; nothing is allocated after [`Places::new`].

use super::low_discrepancy::LowDiscrepancy;
use super::spec::Law;
use super::{Address, Quantiles, Reuse, RunStart, Stream, ZoneOf, check};
use crate::generate::Choice;
use drivecast_block::math::gcd;
use drivecast_block::random::{self, stream};
use rand::{Rng, RngExt};
use rand_distr::{Distribution, Zipf};

/// Places passed over before a run begins anew.
const PASSED_MAX: usize = 64;
/// Marks a remembered place that has been met again.
const MET_AGAIN: u64 = 1 << 63;

/// A zone in places of one alignment.
#[derive(Clone, Debug)]
struct Zone {
    from: u64,
    places: u64,
    zipf: Option<Zipf<f64>>,
    used: f64,
}

impl Zone {
    fn holds(&self, offset: u64, align: u64) -> bool {
        (self.from..self.from + self.places * align).contains(&offset)
    }

    /// The place in use at or before a place: of the extents, every 1/used-th.
    fn in_use(&self, offset: u64, extent: u64) -> u64 {
        if self.used >= 1.0 {
            return offset;
        }
        let (number, within) = ((offset - self.from) / extent, (offset - self.from) % extent);
        let used = ((number as f64 * self.used).floor() / self.used).ceil() as u64;
        self.from + used.min(number) * extent + within
    }
}

/// A run under way: where it continues, and for how long.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    next: u64,
    left: u64,
}

/// Where runs began and the latest request ended, of one stream or of several.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    begun: Box<[u64]>,
    count: u64,
    /// The end of the latest request.
    last_end: u64,
}

impl History {
    /// Reserves memory for the places that a stream looks back at.
    pub(super) fn reach(&mut self, stream: &Stream) {
        let ago = reuse_of(stream).map_or(1.0, |reuse| reuse.runs_ago.value(1.0).min(check::RUNS_AGO_MAX));
        let room = (ago as usize + PASSED_MAX + 1).next_power_of_two();
        self.begun = vec![0; room.max(self.begun.len())].into();
    }

    #[inline]
    fn push(&mut self, start: u64) {
        let slot = self.count as usize & (self.begun.len() - 1);
        self.begun[slot] = start;
        self.count += 1;
    }

    /// The place of so many runs ago, or the next before it that has not been met again.
    fn met(&mut self, ago: u64) -> Option<u64> {
        let mask = self.begun.len() - 1;
        for ago in ago..=ago + PASSED_MAX as u64 {
            let index = self.count.checked_sub(ago)?;
            let place = &mut self.begun[index as usize & mask];
            if *place & MET_AGAIN == 0 {
                let start = *place;
                *place |= MET_AGAIN;
                return Some(start);
            }
        }
        None
    }
}

/// The update law of a stream.
pub(super) fn reuse_of(stream: &Stream) -> Option<&Reuse> {
    match &stream.address {
        Address::Random { reuse, .. } | Address::Sequential { reuse, .. } => reuse.as_ref(),
        Address::Append { .. } => None,
    }
}

/// The endless places of a stream.
#[derive(Clone, Debug)]
pub(super) struct Places {
    span: u64,
    extent: u64,
    align: u64,
    zones: Box<[Zone]>,
    choice: Choice<usize>,
    /// The length of runs; neither: as far as the zone goes.
    run_bytes: Option<Quantiles>,
    run_requests: Option<Quantiles>,
    is_cursor: bool,
    cursor_zone: usize,
    runs: Box<[Run]>,
    run: usize,
    switch: f64,
    reuse: Option<Reuse>,
    near: Option<RunStart>,
    ago: u64,
    lengths: LowDiscrepancy,
    distances: LowDiscrepancy,
    random: random::Stream,
}

impl Places {
    pub(super) fn new(stream_of: &Stream, (span, extent): (u64, u64), seed: u64) -> Places {
        let align = u64::from(stream_of.align_bytes);
        let whole;
        let (zones, law, (run_bytes, run_requests), reuse, near, (interleaved, switch), is_cursor): (
            &[ZoneOf],
            _,
            _,
            _,
            _,
            _,
            _,
        ) = match &stream_of.address {
            Address::Random { zones, law, exponent, reuse, near } => {
                let law = (*law == Law::Zipf).then_some(*exponent).flatten();
                (zones, law, (None, None), reuse.clone(), near.clone(), (1, 0.0), false)
            }
            Address::Sequential { zones, run_bytes, run_requests, reuse, near, interleaved, switch } => (
                zones,
                None,
                (run_bytes.clone(), run_requests.clone()),
                reuse.clone(),
                near.clone(),
                (*interleaved, *switch),
                run_bytes.is_none() && run_requests.is_none(),
            ),
            Address::Append { from, to } => {
                whole = [ZoneOf { from: *from, to: *to, share: 1.0, used: 1.0 }];
                (&whole, None, (None, None), None, None, (1, 0.0), true)
            }
        };
        let choice = Choice::new(zones.iter().enumerate().map(|(index, zone)| (index, zone.share)));
        let zones: Box<[Zone]> = zones.iter().map(|zone| placed(zone, span, align, law)).collect();
        let mut random = stream(seed, &format!("model.{}.place", stream_of.name));
        let mut places = Places {
            span,
            extent,
            align,
            choice,
            run_bytes,
            run_requests,
            is_cursor,
            cursor_zone: 0,
            runs: vec![Run::default(); interleaved as usize].into(),
            run: 0,
            switch,
            reuse,
            near,
            ago: 0,
            lengths: LowDiscrepancy::new(5, &mut random),
            distances: LowDiscrepancy::new(6, &mut random),
            random,
            zones,
        };
        places.runs[0].next = places.zones[0].from;
        places
    }

    /// Where the next request of this size goes. It may continue another run than the one before.
    #[inline]
    pub(super) fn next(&mut self, size: u32, history: &mut History) -> u64 {
        let size = u64::from(size);
        if self.is_cursor {
            return self.follow(size);
        }
        if self.runs.len() > 1 && self.random.random::<f64>() < self.switch {
            let others = self.runs.len() - 1;
            self.run = (self.run + self.random.random_range(1..=others)) % self.runs.len();
        }
        let Run { next, left } = self.runs[self.run];
        // In requests, a run has none left or at least one; in bytes, half a request is none.
        let least = if self.run_requests.is_some() { 1 } else { size.div_ceil(2) };
        let goes_on = left >= least && next + size <= self.span && self.is_used(next);
        let offset = if goes_on { next } else { self.begin(size, history) };
        let end = offset + size;
        let left = if goes_on { left } else { self.length(size) };
        self.runs[self.run] = Run { next: end, left: left.saturating_sub(if least == 1 { 1 } else { size }) };
        history.last_end = end;
        offset
    }

    fn length(&mut self, size: u64) -> u64 {
        match (&self.run_requests, &self.run_bytes) {
            (Some(table), _) => self.lengths.draw(table).round() as u64,
            (None, Some(table)) => self.lengths.draw(table) as u64,
            (None, None) => size,
        }
    }

    /// Through the zones, in order, for ever.
    fn follow(&mut self, size: u64) -> u64 {
        let zone = &self.zones[self.cursor_zone];
        let end = (zone.from + zone.places * self.align).min(self.span);
        let next = self.runs[0].next;
        let offset = if next + size <= end {
            next
        } else {
            self.cursor_zone = (self.cursor_zone + 1) % self.zones.len();
            self.zones[self.cursor_zone].from.min(self.span - size)
        };
        self.runs[0].next = offset + size;
        offset
    }

    /// Where a run begins.
    fn begin(&mut self, size: u64, history: &mut History) -> u64 {
        let room = self.span - size;
        let again = self.again(history);
        let start = again.or_else(|| self.nearby(room, history)).unwrap_or_else(|| self.anew()).min(room);
        history.push(start);
        start
    }

    /// A place where a run began before.
    fn again(&mut self, history: &mut History) -> Option<u64> {
        let Reuse { share, runs_ago, in_order, .. } = self.reuse.as_ref()?;
        if self.random.random::<f64>() >= *share {
            self.ago = 0;
            return None;
        }
        let keeps = self.ago > 0 && self.random.random::<f64>() < *in_order;
        if !keeps {
            self.ago = (self.distances.draw(runs_ago).round() as u64).max(1);
        }
        history.met(self.ago)
    }

    /// A place near the end of the run before.
    fn nearby(&mut self, room: u64, history: &History) -> Option<u64> {
        let RunStart { forward, back, bytes } = self.near.as_ref()?;
        let draw = self.random.random::<f64>();
        if history.count == 0 || draw >= forward + back {
            return None;
        }
        let distance = bytes.value(self.random.random::<f64>()) as u64;
        let start = if draw < *forward {
            history.last_end + distance
        } else {
            history.last_end.checked_sub(distance)?
        };
        let zone = self.zones.iter().find(|zone| zone.holds(start, self.align) && start <= room)?;
        Some(zone.in_use(start, self.extent) / self.align * self.align)
    }

    /// Whether a run may continue here: what is not used of a zone ends it.
    fn is_used(&self, offset: u64) -> bool {
        let found = self.zones.iter().find(|zone| zone.holds(offset, self.align));
        found.is_none_or(|zone| zone.in_use(offset, self.extent) == offset)
    }

    /// A place in a zone.
    fn anew(&mut self) -> u64 {
        let zone = &self.zones[self.choice.value(self.choice.pick(&mut self.random))];
        let place = match &zone.zipf {
            None => ((u128::from(self.random.next_u64()) * u128::from(zone.places)) >> 64) as u64,
            Some(law) => scattered(law.sample(&mut self.random) as u64 - 1, zone.places),
        };
        zone.in_use(zone.from + place * self.align, self.extent) / self.align * self.align
    }
}

/// A zone in places.
fn placed(zone: &ZoneOf, span: u64, align: u64, exponent: Option<f64>) -> Zone {
    let edge = |fraction: f64| (span as f64 * fraction) as u64 / align * align;
    let from = edge(zone.from);
    let places = ((edge(zone.to) - from) / align).max(1);
    // An exponent from 0 and at least one place are all the law asks for.
    Zone {
        from,
        places,
        used: zone.used,
        zipf: exponent.and_then(|exponent| Zipf::new(places as f64, exponent).ok()),
    }
}

/// The place of a rank: multiplication by a number prime to the count, near its golden section, meets each place once.
fn scattered(rank: u64, places: u64) -> u64 {
    let mut step = ((places as f64 * 0.618_033_988_749_895) as u64).max(1);
    while gcd(step, places) > 1 {
        step += 1;
    }
    (u128::from(rank) * u128::from(step) % u128::from(places)) as u64
}
