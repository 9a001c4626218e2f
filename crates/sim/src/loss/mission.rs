//! One mission of a group.
//!
//! The state is when each drive was put in, which are missing, how far the rebuild is, and which drives are ordered. Time
//! goes from one event to the next: a failure, a rebuild done, a drive come, a planned replacement, the end. Between two
//! events the hazard h of the drives that are there is known, and so is the chance p = 1 − e^−h of a failure. Then
//!
//! - with no redundancy left, p is the chance of a loss: it is scored, times the weight, and the mission continues as if
//!   nothing had failed, with its weight times 1 − p;
//! - with some drives missing but not that many, a failure is given chance q = max(p, b (1 − e^(−h / h̄))), h̄ being the hazard of
//!   an average repair, so that long repairs get more; the weight becomes p / q or (1 − p) / (1 − q) times what it was;
//! - with all drives there, the first failure of the mission is forced (q = 1, for without it nothing is scored), where
//!   nothing is planned that could begin a loss too; later ones come as they come.

use super::delay::uniform;
use super::group::{Drive, Group};
use drivecast_block::math;
use drivecast_block::random::Stream;

/// What a mission scored; each mean over missions is unbiased.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Score {
    /// Chance of any loss.
    pub(super) any: f64,
    /// Chance of a loss by failures.
    pub(super) failed: f64,
    /// Chance of an unreadable sector in a rebuild without redundancy.
    pub(super) unreadable: f64,
    /// Such rebuilds.
    pub(super) unreadable_rebuilds: f64,
    /// Bytes lost.
    pub(super) bytes: f64,
    /// Hours with a drive missing.
    pub(super) degraded_h: f64,
}

struct Rebuild {
    slot: usize,
    begun_h: f64,
    done_h: f64,
}

/// A mission, and the memory it needs; reused for each.
pub(super) struct Mission<'a> {
    group: &'a Group<'a>,
    drives: Vec<Drive>,
    missing: u64,
    /// Missing drives whose rebuild has not begun, in order of failing.
    waiting: Vec<usize>,
    /// When ordered drives come.
    orders: Vec<f64>,
    /// Drives at hand.
    stock: u32,
    rebuild: Option<Rebuild>,
    now: f64,
    weight: f64,
    /// Share of the weight that has met no unreadable sector.
    clear: f64,
    /// Places whose drive is not the first.
    renewed: u64,
}

impl<'a> Mission<'a> {
    pub(super) fn new(group: &'a Group<'a>) -> Mission<'a> {
        let drives = group.spec.drives;
        Mission {
            group,
            drives: group.first.clone(),
            missing: 0,
            waiting: Vec::with_capacity(drives),
            // One order a missing drive, one a spare used, and what came unseen.
            orders: Vec::with_capacity(4 * drives + group.spec.spares as usize),
            stock: 0,
            rebuild: None,
            now: 0.0,
            weight: 1.0,
            clear: 1.0,
            renewed: 0,
        }
    }

    /// Simulates a mission.
    pub(super) fn run(&mut self, random: &mut Stream) -> Score {
        let mut score = Score::default();
        self.reset();
        if self.group.forces_first {
            self.weight = self.group.fails_at_all;
            if self.weight == 0.0 {
                return score;
            }
            let hazard = -math::ln_1p(-uniform(random) * self.weight);
            self.now = self.group.together_reaches(hazard);
            let slot = self.choose(self.now, self.now + self.group.step_h(), random);
            self.fail(slot, random);
        }
        while self.now < self.group.spec.hours && self.weight > 0.0 {
            self.begin_rebuild(random);
            let until = self.next_event();
            let is_degraded = self.missing != 0;
            let (before, weight) = (self.now, self.weight);
            if self.missing.count_ones() as usize == self.group.spec.failures {
                self.survive(until, &mut score);
                self.happen(until);
            } else if let Some(slot) = self.fails_before(until, random) {
                self.fail(slot, random);
            } else {
                self.happen(until);
            }
            if is_degraded {
                score.degraded_h += weight * (self.now - before);
            }
        }
        score
    }

    fn reset(&mut self) {
        self.drives.copy_from_slice(&self.group.first);
        self.waiting.clear();
        self.orders.clear();
        self.missing = 0;
        self.stock = self.group.spec.spares;
        self.rebuild = None;
        (self.now, self.weight, self.clear) = (0.0, 1.0, 1.0);
        self.renewed = 0;
    }

    fn fail(&mut self, slot: usize, random: &mut Stream) {
        self.missing |= 1 << slot;
        self.waiting.push(slot);
        self.orders.push(self.now + self.group.spec.operator.draw(random));
    }

    /// Takes in what has come, and begins a rebuild if there is a drive for it.
    fn begin_rebuild(&mut self, random: &mut Stream) {
        if self.rebuild.is_some() || self.waiting.is_empty() {
            return;
        }
        let (now, before) = (self.now, self.orders.len());
        self.orders.retain(|order| *order > now);
        self.stock += (before - self.orders.len()) as u32;
        if self.stock > 0 {
            self.stock -= 1;
            let slot = self.waiting.remove(0);
            self.rebuild =
                Some(Rebuild { slot, begun_h: now, done_h: now + self.group.spec.rebuild.draw(random) });
        }
    }

    fn next_event(&self) -> f64 {
        let end = self.group.spec.hours;
        if self.missing == 0 {
            if !self.group.has_plans {
                return end;
            }
            return self.drives.iter().fold(end, |least, drive| least.min(drive.replaced_h)).max(self.now);
        }
        match &self.rebuild {
            Some(rebuild) => rebuild.done_h.min(end),
            None => self.orders.iter().fold(end, |least, order| least.min(*order)),
        }
    }

    /// The places whose drives are there.
    fn present(&self) -> u64 {
        (u64::MAX >> (64 - self.drives.len())) & !self.missing
    }

    /// Sum over the drives that are there; first drives in equal places are looked up once.
    #[inline]
    fn sum(&self, of: impl Fn(usize, &Drive) -> f64) -> f64 {
        let (mut left, mut total) = (self.present(), 0.0);
        if self.group.is_even {
            let first = left & !self.renewed;
            if first != 0 {
                let slot = first.trailing_zeros() as usize;
                total = f64::from(first.count_ones()) * of(slot, &self.drives[slot]);
            }
            left &= self.renewed;
        }
        while left != 0 {
            let slot = left.trailing_zeros() as usize;
            total += of(slot, &self.drives[slot]);
            left &= left - 1;
        }
        total
    }

    #[inline]
    fn hazard(&self, until: f64) -> f64 {
        self.sum(|slot, drive| self.group.hazard(slot, drive, self.now, until))
    }

    /// Passes a time without redundancy: what would be lost is scored, and is not lost on this path.
    fn survive(&mut self, until: f64, score: &mut Score) {
        let lost = -math::exp_m1(-self.hazard(until));
        let (from, to) =
            self.rebuild.as_ref().map_or((0.0, 0.0), |rebuild| rebuild.progress(self.now, until));
        let errors = if to > from {
            (to - from) * self.sum(|slot, drive| self.group.unreadable(slot, drive, self.now))
        } else {
            0.0
        };
        let unread = -math::exp_m1(-errors);
        let left = 1.0 - 0.5 * (from + to);
        let weight = self.weight;
        score.any += weight * self.clear * (lost + unread - lost * unread);
        score.failed += weight * lost;
        score.unreadable += weight * self.clear * unread;
        score.unreadable_rebuilds += weight * unread;
        score.bytes +=
            weight * (lost * left * self.group.bytes_at_stake + errors * self.group.spec.sectors.bytes);
        self.weight *= 1.0 - lost;
        self.clear *= 1.0 - unread;
    }

    /// The drive that fails before `until`, if one does; then it is that time.
    fn fails_before(&mut self, until: f64, random: &mut Stream) -> Option<usize> {
        let hazard = self.hazard(until);
        let unit = uniform(random);
        let drawn = if self.missing == 0 {
            // 1 − e^−h is less than h: most draws need no logarithm.
            if unit >= hazard {
                return None;
            }
            -math::ln_1p(-unit)
        } else {
            let chance = -math::exp_m1(-hazard);
            let given = chance.max(self.group.given(hazard));
            if unit >= given {
                self.weight *= (1.0 - chance) / (1.0 - given);
                return None;
            }
            self.weight *= chance / given;
            -math::ln_1p(-unit / given * chance)
        };
        if drawn >= hazard {
            return None;
        }
        let at = self.reaches(until, hazard, drawn);
        let slot = self.choose(at, at + self.group.step_h(), random);
        self.now = at;
        Some(slot)
    }

    /// When the hazard from now on reaches `target`, by false position; within a ten-thousandth of the whole.
    fn reaches(&self, until: f64, whole: f64, target: f64) -> f64 {
        let (mut low, mut high) = ((self.now, -target), (until, whole - target));
        for _ in 0..40 {
            let at = low.0 - low.1 * (high.0 - low.0) / (high.1 - low.1);
            let over = self.hazard(at) - target;
            if over.abs() <= 1e-4 * whole {
                return at;
            }
            // The end that stays has its value halved, so that it moves too (Illinois).
            if over < 0.0 {
                low = (at, over);
                high.1 *= 0.5;
            } else {
                high = (at, over);
                low.1 *= 0.5;
            }
        }
        0.5 * (low.0 + high.0)
    }

    /// A drive, by its share of the hazard between two times.
    fn choose(&self, from: f64, until: f64, random: &mut Stream) -> usize {
        let (unit, mut left) = (uniform(random), self.present());
        if self.group.is_even && left & self.renewed == 0 {
            (0..(unit * f64::from(left.count_ones())) as u32).for_each(|_| left &= left - 1);
            return left.trailing_zeros() as usize;
        }
        let of = |slot: usize, drive: &Drive| self.group.hazard(slot, drive, from, until);
        let mut share = unit * self.sum(of);
        loop {
            let slot = left.trailing_zeros() as usize;
            left &= left - 1;
            share -= of(slot, &self.drives[slot]);
            if share < 0.0 || left == 0 {
                return slot;
            }
        }
    }

    /// Lets happen what is due at `now`.
    fn happen(&mut self, now: f64) {
        self.now = now;
        if let Some(rebuild) = self.rebuild.take_if(|rebuild| rebuild.done_h <= now) {
            self.missing &= !(1 << rebuild.slot);
            self.renew(rebuild.slot);
        } else if self.missing == 0
            && self.group.has_plans
            && let Some(slot) = self.drives.iter().position(|drive| drive.replaced_h <= now)
        {
            if self.group.pulls() {
                self.missing |= 1 << slot;
                self.waiting.push(slot);
                self.stock += 1;
            } else {
                self.renew(slot);
            }
        }
    }

    fn renew(&mut self, slot: usize) {
        self.drives[slot] = self.group.renew(slot, self.now);
        self.renewed |= 1 << slot;
    }
}

impl Rebuild {
    /// How far it is at two times.
    fn progress(&self, from: f64, until: f64) -> (f64, f64) {
        let length = self.done_h - self.begun_h;
        if length <= 0.0 {
            return (0.0, 1.0);
        }
        ((from - self.begun_h) / length, (until - self.begun_h) / length)
    }
}
