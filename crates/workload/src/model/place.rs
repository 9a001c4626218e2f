//! Where the requests of a stream go.
//!
//! MODEL. Requests come in runs, each request where the one before ended; a random stream has runs of one request. A run begins
//! where an earlier one did (reuse: so many runs ago; a place met again since then is passed over), or near the end of the
//! run before, or anew: a zone by its share, then a place in it, uniform or by Zipf's law with the ranks scattered over the zone.
//! Several runs may be under way: a request goes on with that of the one before, or any other. All that is remembered is a ring of
//! where runs began; nothing is allocated after [`Places::new`].

use super::balanced::Balanced;
use super::spec::Law;
use super::{Address, Quantiles, Reuse, RunStart, Stream, ZoneOf, check};
use crate::generate::Choice;
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
}

/// A run under way: where it goes on, and for how long.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    next: u64,
    left: u64,
}

/// The endless places of a stream.
#[derive(Clone, Debug)]
pub(super) struct Places {
    span: u64,
    align: u64,
    zones: Box<[Zone]>,
    choice: Choice<usize>,
    /// The length of runs; none: as far as the zone goes.
    run_bytes: Option<Quantiles>,
    is_cursor: bool,
    cursor_zone: usize,
    runs: Box<[Run]>,
    run: usize,
    switch: f64,
    reuse: Option<Reuse>,
    near: Option<RunStart>,
    last_end: u64,
    begun: Box<[u64]>,
    count: u64,
    ago: u64,
    lengths: Balanced,
    distances: Balanced,
    random: random::Stream,
}

impl Places {
    pub(super) fn new(stream_of: &Stream, span: u64, seed: u64) -> Places {
        let align = u64::from(stream_of.align_bytes);
        let whole;
        let (zones, law, run_bytes, reuse, near, (interleaved, switch), is_cursor): (
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
                (zones, law, None, reuse.clone(), near.clone(), (1, 0.0), false)
            }
            Address::Sequential { zones, run_bytes, reuse, near, interleaved, switch } => (
                zones,
                None,
                run_bytes.clone(),
                reuse.clone(),
                near.clone(),
                (*interleaved, *switch),
                run_bytes.is_none(),
            ),
            Address::Append { from, to } => {
                whole = [ZoneOf { from: *from, to: *to, share: 1.0 }];
                (&whole, None, None, None, None, (1, 0.0), true)
            }
        };
        let choice = Choice::new(zones.iter().enumerate().map(|(index, zone)| (index, zone.share)));
        let zones: Box<[Zone]> = zones.iter().map(|zone| placed(zone, span, align, law)).collect();
        let remembered =
            reuse.as_ref().map_or(1.0, |reuse| reuse.runs_ago.value(1.0).min(check::RUNS_AGO_MAX));
        let mut random = stream(seed, &format!("model.{}.place", stream_of.name));
        let mut places = Places {
            span,
            align,
            choice,
            run_bytes,
            is_cursor,
            cursor_zone: 0,
            runs: vec![Run::default(); interleaved as usize].into(),
            run: 0,
            switch,
            reuse,
            near,
            last_end: 0,
            begun: vec![0; (remembered as usize + PASSED_MAX + 1).next_power_of_two()].into(),
            count: 0,
            ago: 0,
            lengths: Balanced::new(5, &mut random),
            distances: Balanced::new(6, &mut random),
            random,
            zones,
        };
        places.runs[0].next = places.zones[0].from;
        places
    }

    /// Where the next request of this size goes. It may go on with another run than the one before.
    #[inline]
    pub(super) fn next(&mut self, size: u32) -> u64 {
        let size = u64::from(size);
        if self.is_cursor {
            return self.follow(size);
        }
        if self.runs.len() > 1 && self.random.random::<f64>() < self.switch {
            let others = self.runs.len() - 1;
            self.run = (self.run + self.random.random_range(1..=others)) % self.runs.len();
        }
        let Run { next, left } = self.runs[self.run];
        let goes_on = left > 0 && next + size <= self.span;
        let offset = if goes_on { next } else { self.begin(size) };
        let end = offset + size;
        let left = if goes_on { left } else { self.length(size) };
        self.runs[self.run] = Run { next: end, left: left.saturating_sub(size) };
        self.last_end = end;
        offset
    }

    fn length(&mut self, size: u64) -> u64 {
        self.run_bytes.as_ref().map_or(size, |table| self.lengths.draw(table) as u64)
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
    fn begin(&mut self, size: u64) -> u64 {
        let room = self.span - size;
        let again = self.again();
        let start = again.or_else(|| self.nearby(room)).unwrap_or_else(|| self.anew()).min(room);
        let slot = self.count as usize & (self.begun.len() - 1);
        self.begun[slot] = start;
        self.count += 1;
        start
    }

    /// A place where a run began before.
    fn again(&mut self) -> Option<u64> {
        let Reuse { share, runs_ago, in_order } = self.reuse.as_ref()?;
        if self.random.random::<f64>() >= *share {
            self.ago = 0;
            return None;
        }
        let keeps = self.ago > 0 && self.random.random::<f64>() < *in_order;
        if !keeps {
            self.ago = (self.distances.draw(runs_ago).round() as u64).max(1);
        }
        let mask = self.begun.len() - 1;
        for ago in self.ago..=self.ago + PASSED_MAX as u64 {
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

    /// A place near the end of the run before.
    fn nearby(&mut self, room: u64) -> Option<u64> {
        let RunStart { forward, back, bytes } = self.near.as_ref()?;
        let draw = self.random.random::<f64>();
        if self.count == 0 || draw >= forward + back {
            return None;
        }
        let distance = bytes.value(self.random.random::<f64>()) as u64;
        let start =
            if draw < *forward { self.last_end + distance } else { self.last_end.checked_sub(distance)? };
        (start <= room).then_some(start / self.align * self.align)
    }

    /// A place in a zone.
    fn anew(&mut self) -> u64 {
        let zone = &self.zones[self.choice.value(self.choice.pick(&mut self.random))];
        let place = match &zone.zipf {
            None => ((u128::from(self.random.next_u64()) * u128::from(zone.places)) >> 64) as u64,
            Some(law) => scattered(law.sample(&mut self.random) as u64 - 1, zone.places),
        };
        zone.from + place * self.align
    }
}

/// A zone in places.
fn placed(zone: &ZoneOf, span: u64, align: u64, exponent: Option<f64>) -> Zone {
    let edge = |fraction: f64| (span as f64 * fraction) as u64 / align * align;
    let from = edge(zone.from);
    let places = ((edge(zone.to) - from) / align).max(1);
    // An exponent from 0 and at least one place are all the law asks for.
    Zone { from, places, zipf: exponent.and_then(|exponent| Zipf::new(places as f64, exponent).ok()) }
}

/// The place of a rank: multiplication by a number prime to the count, near its golden section, meets each place once.
fn scattered(rank: u64, places: u64) -> u64 {
    let mut step = ((places as f64 * 0.618_033_988_749_895) as u64).max(1);
    while gcd(step, places) > 1 {
        step += 1;
    }
    (u128::from(rank) * u128::from(step) % u128::from(places)) as u64
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
