//! A cache as a device: carries out what its policy orders.
//!
//! **In time**: a request is handed to the policy, whose I/Os go to the devices at once; when one is done, the policy says what
//! follows. A request is complete when the last of its pieces is, and `overhead` later the host knows. Time belongs to the
//! devices: the layer goes from event to event of either, and of what the policy does on its own.
//!
//! **Outside time** ([`Device::age`]): the same decisions, with every I/O done at once; see `untimed.rs`.
//!
//! Devices that take no time at all may complete I/O while others are being sent; what follows from that is done in its turn.

use super::flashcache::InFlight;
use super::io::{Io, Side};
use super::orders::{LATER, Orders};
use super::policy::Policy;
use super::stretch::Stretch;
use super::untimed::{Clock, carry_out};
use crate::completion_queue::{CompletionQueue, Finishes};
use crate::request_slots::Slots;
use crate::spec::{CacheLayerSpec, Restart};
use drivecast_block::{Bytes, CacheCounters, Completion, Counters, Device, Nanos, Request};

/// How large a cache and what it caches are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// Bytes of the fast device that the cache takes.
    pub cache: Bytes,
    /// Bytes that are addressed of the slow device, spread over it.
    pub addressed: Bytes,
    /// These over those of the design: 1 unless they had to shrink to fit in memory.
    pub scale: f64,
}

/// A request in work.
#[derive(Clone, Copy)]
struct Job {
    id: u64,
    sequence: u64,
    pieces: u32,
}

/// What a cache holds, as a run has left it.
#[derive(Clone)]
pub(crate) struct Held {
    policy: Policy,
    clock: Clock,
}

impl Held {
    /// Memory that it takes, but for what is small.
    pub(crate) fn bytes(&self) -> usize {
        self.policy.memory()
    }
}

/// A cache before a device; see the module.
pub struct CacheLayer<D = Box<dyn Device>> {
    fast: D,
    slow: D,
    policy: Policy,
    orders: Orders,
    restart: Option<Restart>,
    sizes: Sizes,
    stretch: Stretch,
    /// Drives of the fast and of the slow device.
    drives: [u64; 2],
    jobs: Slots<Job>,
    sequence: u64,
    /// Sequence and id of requests that are over at this time.
    finished: Vec<(u64, u64)>,
    ready: CompletionQueue,
    /// I/Os that are done at this time, by device.
    arrived: [Vec<Completion>; 2],
    /// The policy's time when the run begins.
    clock: Clock,
}

/// Does to the devices outside time what a policy orders.
fn aging<'a, D: Device>(fast: &'a mut D, slow: &'a mut D, stretch: Stretch) -> impl FnMut(&Io) + 'a {
    move |io| match io.side {
        Side::Fast => fast.age(io.request()),
        Side::Slow => slow.age(stretch.request(io.request())),
    }
}

impl<D: Device> CacheLayer<D> {
    /// A cache on the first of the devices before the second, which have so many drives. The specification has been checked.
    pub fn new(
        spec: &CacheLayerSpec,
        sizes: Sizes,
        [fast, slow]: [D; 2],
        drives: [usize; 2],
    ) -> CacheLayer<D> {
        let mut orders = Orders::default();
        let sizes = Sizes {
            cache: sizes.cache.min(fast.capacity()),
            addressed: sizes.addressed.min(slow.capacity()),
            ..sizes
        };
        CacheLayer {
            policy: {
                let bytes = [sizes.cache, sizes.addressed];
                Policy::new(&spec.policy, bytes, sizes.scale, &mut orders)
            },
            stretch: Stretch::new(sizes.addressed, slow.capacity()),
            sizes,
            fast,
            slow,
            orders,
            restart: spec.restart,
            drives: drives.map(|drives| drives as u64),
            jobs: Slots::new(),
            sequence: 0,
            finished: Vec::new(),
            ready: CompletionQueue::new(spec.overhead),
            arrived: [Vec::new(), Vec::new()],
            clock: Clock::new(),
        }
    }

    /// The device that caches, and the one behind it.
    pub fn devices(&self) -> [&D; 2] {
        [&self.fast, &self.slow]
    }

    /// The same, to be changed before anything is in work.
    pub(crate) fn devices_mut(&mut self) -> [&mut D; 2] {
        [&mut self.fast, &mut self.slow]
    }

    /// What it holds.
    pub(crate) fn held(&self) -> Held {
        Held { policy: self.policy.clone(), clock: self.clock }
    }

    /// Has it hold that.
    pub(crate) fn resume(&mut self, held: &Held) {
        (self.policy, self.clock) = (held.policy.clone(), held.clock);
    }

    /// Bytes that hold data, and of these dirty ones.
    pub fn cached(&self) -> [Bytes; 2] {
        let (cached, dirty) = self.policy.held();
        [Bytes(cached), Bytes(dirty)]
    }

    /// How large it is.
    pub fn sizes(&self) -> Sizes {
        self.sizes
    }

    /// What has been counted in part; none of a policy whose counters do not add up.
    pub fn in_flight(&self) -> Option<InFlight> {
        self.policy.in_flight()
    }

    /// Lets so much time pass between two requests outside time.
    pub(crate) fn set_pace(&mut self, pace: Nanos) {
        self.clock.pace = pace;
    }

    /// Takes the cache away and sets it up again, outside time, where the specification says so.
    pub fn restart(&mut self) {
        if let Some(how) = self.restart {
            self.policy.restart(how, &mut self.orders);
            self.carry_out();
        }
    }

    /// Carries out what is ordered, outside time.
    fn carry_out(&mut self) {
        let mut age = aging(&mut self.fast, &mut self.slow, self.stretch);
        carry_out(&mut self.policy, self.clock.now, &mut self.orders, &mut age);
    }

    fn own_due(&self) -> Nanos {
        match self.policy.due() {
            Nanos::MAX => Nanos::MAX,
            at => at.since(self.clock.now),
        }
    }

    /// Sends what is ordered, and follows up what is done at once, until nothing is left of this time.
    fn send(&mut self, now: Nanos) {
        loop {
            while let Some(io) = self.orders.next() {
                let (device, request) = match io.side {
                    Side::Fast => (&mut self.fast, io.request()),
                    Side::Slow => (&mut self.slow, self.stretch.request(io.request())),
                };
                if device.next().is_some_and(|at| at <= now) {
                    device.advance(now, &mut self.arrived[io.side as usize]);
                }
                device.submit(now, request);
            }
            if self.arrived.iter().all(Vec::is_empty) {
                break;
            }
            self.follow(now);
        }
        self.close(now);
    }

    /// I/Os are done: the policy has its turn.
    fn follow(&mut self, now: Nanos) {
        let now = self.clock.now + now;
        for side in [Side::Fast, Side::Slow] {
            let mut arrived = std::mem::take(&mut self.arrived[side as usize]);
            for completion in arrived.drain(..) {
                self.policy.arrive(now, side, completion.id as u32, &mut self.orders);
            }
            self.arrived[side as usize] = arrived;
        }
    }

    /// Closes the requests of which the last piece is done.
    fn close(&mut self, now: Nanos) {
        for (job, pieces) in self.orders.begun() {
            self.jobs.get_mut(job).pieces = pieces;
        }
        for (job, pieces) in self.orders.grown() {
            self.jobs.get_mut(job).pieces += pieces;
        }
        for job in self.orders.finished() {
            let found = self.jobs.get_mut(job);
            found.pieces -= 1;
            if found.pieces == 0 {
                let Job { id, sequence, .. } = self.jobs.remove(job);
                self.finished.push((sequence, id));
            }
        }
        if self.finished.len() > 1 {
            self.finished.sort_unstable();
        }
        for (_, id) in self.finished.drain(..) {
            self.ready.finish(now, id);
        }
    }

    /// Lets the device that is due first run on alone, up to where anything else is due; then all that is due. The time.
    fn step(&mut self, until: Nanos, [fast, slow]: [Nanos; 2], own: Nanos) -> Nanos {
        let first = fast.min(slow);
        let mut now = first.min(own);
        if first <= own {
            let side = if fast <= slow { Side::Fast } else { Side::Slow };
            let other = fast.max(slow);
            let alone = until.min(own).min(Nanos(other.0.saturating_sub(1))).max(first);
            let device = if side == Side::Fast { &mut self.fast } else { &mut self.slow };
            now = device.run(alone, &mut self.arrived[side as usize]).max(first);
        }
        self.follow(now);
        for side in [Side::Fast, Side::Slow] {
            let device = if side == Side::Fast { &mut self.fast } else { &mut self.slow };
            if device.next().is_some_and(|at| at <= now) {
                device.advance(now, &mut self.arrived[side as usize]);
                self.follow(now);
            }
        }
        if own <= now {
            self.policy.wake(self.clock.now + now, &mut self.orders);
        }
        self.send(now);
        now
    }
}

impl<D: Device> Finishes for CacheLayer<D> {
    fn ready(&mut self) -> &mut CompletionQueue {
        &mut self.ready
    }

    fn process(&mut self, until: Nanos, stops: bool) -> Option<Nanos> {
        let mut last = None;
        while !stops || self.ready.is_empty() {
            let due = [&self.fast, &self.slow].map(|device| device.next().unwrap_or(Nanos::MAX));
            let own = self.own_due();
            let at = due[0].min(due[1]).min(own);
            if at > until || at == Nanos::MAX {
                break;
            }
            last = Some(self.step(until, due, own));
        }
        last
    }
}

impl<D: Device> Device for CacheLayer<D> {
    fn capacity(&self) -> Bytes {
        self.sizes.addressed
    }

    fn submit(&mut self, now: Nanos, request: Request) {
        self.sequence += 1;
        let job = self.jobs.insert(Job { id: request.id, sequence: self.sequence, pieces: 0 });
        let pieces = self.policy.submit(self.clock.now + now, job, &request, &mut self.orders);
        if pieces == 0 {
            self.jobs.remove(job);
            self.ready.finish(now, request.id);
        } else if pieces != LATER {
            self.jobs.get_mut(job).pieces = pieces;
        }
        self.send(now);
    }

    fn next(&self) -> Option<Nanos> {
        let [fast, slow] = [&self.fast, &self.slow].map(|device| device.next().unwrap_or(Nanos::MAX));
        let ready = self.ready.next().unwrap_or(Nanos::MAX);
        Some(fast.min(slow).min(self.own_due()).min(ready)).filter(|at| *at < Nanos::MAX)
    }

    fn age(&mut self, request: Request) {
        let mut age = aging(&mut self.fast, &mut self.slow, self.stretch);
        self.clock.take(&mut self.policy, &request, &mut self.orders, &mut age);
    }

    fn idle(&mut self) {
        self.policy.rest(&mut self.orders);
        self.carry_out();
        self.fast.idle();
        self.slow.idle();
    }

    fn advance(&mut self, now: Nanos, done: &mut Vec<Completion>) {
        self.advance_to(now, done);
    }

    fn run(&mut self, until: Nanos, done: &mut Vec<Completion>) -> Nanos {
        self.run_to(until, done)
    }

    #[inline]
    fn expect(&self, request: &Request) {
        self.policy.expect(request);
    }

    fn counters(&self) -> Counters {
        let [fast, slow] = [self.fast.counters(), self.slow.counters()];
        let mut sum = Counters::default();
        sum.add(&fast, 1);
        sum.add(&slow, 1);
        let [of_fast, of_slow] = self.drives;
        sum.busy_ns = (of_fast * fast.busy_ns + of_slow * slow.busy_ns) / (of_fast + of_slow).max(1);
        let own = &self.orders.counters;
        let own = CacheCounters {
            ssd_flash_host_pages: fast.flash_host_pages,
            ssd_flash_programmed_pages: fast.flash_programmed_pages,
            ssd_busy_ns: fast.busy_ns,
            disk_busy_ns: slow.busy_ns,
            ..*own
        };
        sum.cache.add(&own, 1);
        sum
    }

    fn reset_counters(&mut self) {
        let CacheCounters { pid_adds, pid_drops, .. } = self.orders.counters;
        self.orders.counters = CacheCounters { pid_adds, pid_drops, ..CacheCounters::default() };
        self.fast.reset_counters();
        self.slow.reset_counters();
    }

    fn fault(&self) -> Option<String> {
        let fault = |name: &str, device: &D| Some(format!("{name} device: {}", device.fault()?));
        fault("fast", &self.fast).or_else(|| fault("slow", &self.slow))
    }
}
