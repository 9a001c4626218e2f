//! A group event by event, as it would happen: every drive draws its failure from its Weibulls, every latent error arises at
//! a time and is or is not scrubbed, and a loss counts when it comes. Written apart from `drivecast_sim::loss`, to
//! check it and to be raced against. Places wear at one rate each.

use drivecast_block::random::{Stream, stream};
use drivecast_sim::loss::{Clock, Delay, Replacement, Spec};
use rand::Rng;

/// What happened, over all missions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) any: u64,
    pub(crate) failed: u64,
    pub(crate) unreadable: u64,
    pub(crate) unreadable_rebuilds: u64,
    pub(crate) bytes: f64,
    pub(crate) degraded_h: f64,
}

#[derive(Clone, Copy)]
struct Drive {
    born_h: f64,
    wear_at_birth: f64,
    fails_h: f64,
    replaced_h: f64,
    is_missing: bool,
}

struct Plain<'a> {
    spec: &'a Spec,
    random: Stream,
    drives: Vec<Drive>,
    waiting: Vec<usize>,
    orders: Vec<f64>,
    stock: u32,
    rebuild: Option<(usize, f64, f64)>,
    now: f64,
}

pub(crate) fn run(spec: &Spec, missions: u64, seed: u64) -> Tally {
    let mut tally = Tally::default();
    let random = stream(seed, "plain groups");
    let mut plain = Plain {
        spec,
        random,
        drives: Vec::new(),
        waiting: Vec::new(),
        orders: Vec::new(),
        stock: 0,
        rebuild: None,
        now: 0.0,
    };
    (0..missions).for_each(|_| plain.mission(&mut tally));
    tally
}

impl Plain<'_> {
    fn unit(&mut self) -> f64 {
        ((self.random.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    fn exponential(&mut self) -> f64 {
        -self.unit().ln()
    }

    fn delay(&mut self, delay: Delay) -> f64 {
        let on_top = if delay.scale_h > 0.0 { self.exponential().powf(1.0 / delay.shape) } else { 0.0 };
        delay.min_h + delay.scale_h * on_top
    }

    fn rate(&self, slot: usize) -> f64 {
        self.spec.slots.get(slot).map_or(0.0, |slot| slot.wear_per_h[0].1)
    }

    /// A drive that is in `slot` from now on, of this age and wear.
    fn drive(&mut self, slot: usize, age_h: f64, wear: f64, limit: Option<f64>) -> Drive {
        let rate = self.rate(slot);
        let mut life_h = f64::INFINITY;
        for cause in &self.spec.causes {
            let (had, per_h) = match cause.clock {
                Clock::Age => (age_h, 1.0),
                Clock::Wear => (wear, rate),
            };
            // Of the prone, e^−z are left; so 1 − s + s e^−z of all: the time at which a uniform share of those there now is left.
            let (prone, gone) = (cause.share, (had / cause.scale).powf(cause.shape));
            let left = (1.0 - prone + prone * (-gone).exp()) * self.unit();
            if left > 1.0 - prone {
                let then = -((left - 1.0 + prone) / prone).ln();
                life_h = life_h.min((cause.scale * then.powf(1.0 / cause.shape) - had) / per_h);
            }
        }
        let to_limit = limit.map_or(f64::INFINITY, |limit| (limit - wear) / rate);
        Drive {
            born_h: self.now - age_h,
            wear_at_birth: rate * self.now - wear,
            fails_h: self.now + life_h,
            replaced_h: self.now + to_limit,
            is_missing: false,
        }
    }

    fn begin(&mut self) {
        self.now = 0.0;
        self.stock = self.spec.spares;
        self.rebuild = None;
        self.waiting.clear();
        self.orders.clear();
        self.drives.clear();
        for index in 0..self.spec.drives {
            let slot = self.spec.slots.get(index).cloned();
            let (age_h, wear) = slot.as_ref().map_or((0.0, 0.0), |slot| (slot.age_h, slot.wear));
            let limit = slot.and_then(|slot| slot.replace_first_at).or(self.spec.replace_at);
            let drive = self.drive(index, age_h, wear, limit);
            self.drives.push(drive);
        }
    }

    fn mission(&mut self, tally: &mut Tally) {
        self.begin();
        let (mut has_lost, mut has_unread) = (false, false);
        while self.now < self.spec.hours {
            let now = self.now;
            let arrived = self.orders.iter().filter(|order| **order <= now).count() as u32;
            self.orders.retain(|order| *order > now);
            self.stock += arrived;
            if self.rebuild.is_none() && !self.waiting.is_empty() && self.stock > 0 {
                self.stock -= 1;
                let slot = self.waiting.remove(0);
                self.rebuild = Some((slot, now, now + self.delay(self.spec.rebuild)));
            }
            let missing = self.drives.iter().filter(|drive| drive.is_missing).count();
            let (until, failing) = self.next(missing);
            if missing > 0 {
                tally.degraded_h += until - now;
            }
            let is_critical = missing == self.spec.failures;
            if is_critical && let Some((_, begun, done)) = self.rebuild {
                let errors = self.errors((until - now) / (done - begun));
                tally.bytes += f64::from(errors) * self.spec.sectors.bytes;
                tally.unreadable_rebuilds += u64::from(errors > 0);
                has_unread |= errors > 0;
            }
            self.now = until;
            match failing {
                Some(_) if is_critical => {
                    let left = self.rebuild.map_or(1.0, |(_, begun, done)| (done - until) / (done - begun));
                    let (all, data) =
                        (self.spec.drives as f64, (self.spec.drives - self.spec.failures) as f64);
                    tally.bytes += left * (missing + 1) as f64 * self.spec.drive_bytes * data / all;
                    has_lost = true;
                    break;
                }
                Some(slot) => {
                    self.drives[slot].is_missing = true;
                    self.waiting.push(slot);
                    let order = until + self.delay(self.spec.operator);
                    self.orders.push(order);
                }
                None => self.happen(missing),
            }
        }
        tally.failed += u64::from(has_lost);
        tally.unreadable += u64::from(has_unread);
        tally.any += u64::from(has_lost || has_unread);
    }

    /// When something happens next, and whose failure it is.
    fn next(&self, missing: usize) -> (f64, Option<usize>) {
        let mut until = self.spec.hours;
        match self.rebuild {
            Some((_, _, done)) => until = until.min(done),
            None if missing > 0 => until = self.orders.iter().fold(until, |least, order| least.min(*order)),
            None => {}
        }
        if missing == 0 {
            until = self.drives.iter().fold(until, |least, drive| least.min(drive.replaced_h)).max(self.now);
        }
        let there = self.drives.iter().enumerate().filter(|(_, drive)| !drive.is_missing);
        let first = there.min_by(|a, b| a.1.fails_h.total_cmp(&b.1.fails_h));
        first
            .filter(|(_, drive)| drive.fails_h < until)
            .map_or((until, None), |(slot, drive)| (drive.fails_h, Some(slot)))
    }

    fn happen(&mut self, missing: usize) {
        if let Some((slot, _, done)) = self.rebuild
            && done <= self.now
        {
            self.rebuild = None;
            self.drives[slot] = self.drive(slot, 0.0, 0.0, self.spec.replace_at);
        } else if missing == 0
            && let Some(slot) = self.drives.iter().position(|drive| drive.replaced_h <= self.now)
        {
            if self.spec.replacement == Replacement::Rebuilt && self.spec.failures > 0 {
                self.drives[slot].is_missing = true;
                self.waiting.push(slot);
                self.stock += 1;
            } else {
                self.drives[slot] = self.drive(slot, 0.0, 0.0, self.spec.replace_at);
            }
        }
    }

    /// Errors met on reading a share of all drives that are there.
    fn errors(&mut self, share: f64) -> u32 {
        let mut met = 0;
        for slot in 0..self.drives.len() {
            let drive = self.drives[slot];
            if drive.is_missing {
                continue;
            }
            let rate = self.rate(slot);
            let wear = rate * self.now - drive.wear_at_birth;
            let sectors = self.spec.sectors;
            let at = |growth: drivecast_sim::loss::Growth, wear: f64| {
                growth.new + (growth.worn - growth.new) * wear.powf(growth.shape)
            };
            met += self.poisson(share * at(sectors.uber, wear) * 8.0 * self.spec.drive_bytes);
            // Latent errors: all that arose at the highest rate of the drive's life, thinned to the rate of their time.
            let highest = at(sectors.latent_per_h, 0.0).max(at(sectors.latent_per_h, wear));
            let reach = sectors.scrub_h.map_or(f64::INFINITY, |period| period).min(self.now - drive.born_h);
            for _ in 0..self.poisson(highest * reach) {
                let ago = self.unit() * reach;
                let is_real = self.unit() * highest < at(sectors.latent_per_h, wear - rate * ago);
                let is_there = sectors.scrub_h.is_none_or(|period| self.unit() * period > ago);
                met += u32::from(is_real && is_there && self.unit() < share);
            }
        }
        met
    }

    fn poisson(&mut self, mean: f64) -> u32 {
        let (mut count, mut sum) = (0, self.exponential());
        while sum < mean {
            count += 1;
            sum += self.exponential();
        }
        count
    }
}
