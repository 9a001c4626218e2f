//! A cache without devices and without time: what requests make it read and write.
//!
//! The policy decides as in a timed run, but every I/O is done at once. Its clock advances by the same time at each request, so that
//! what depends on time (what lies fallow, what is flushed by a period) comes about as it would at that rate.

use super::io::Io;
use super::orders::Orders;
use super::policy::Policy;
use crate::spec::CacheLayerSpec;
use drivecast_block::{Bytes, Nanos, Request};

/// Time between two requests, unless it is given: 1,000 a second. Assumed.
const PACE: Nanos = Nanos::from_ms(1);

/// Carries out what is ordered, and what follows from it.
pub(super) fn carry_out(policy: &mut Policy, now: Nanos, orders: &mut Orders, each: &mut impl FnMut(&Io)) {
    while let Some(io) = orders.next() {
        each(&io);
        policy.arrive(now, io.side, io.id, orders);
    }
    orders.forget();
}

/// The clock of what happens outside time.
#[derive(Clone, Copy)]
pub(super) struct Clock {
    pub(super) now: Nanos,
    pub(super) pace: Nanos,
}

impl Clock {
    pub(super) const fn new() -> Clock {
        Clock { now: Nanos::ZERO, pace: PACE }
    }

    /// Takes a request in, after what is due by then.
    pub(super) fn take(
        &mut self,
        policy: &mut Policy,
        request: &Request,
        orders: &mut Orders,
        each: &mut impl FnMut(&Io),
    ) {
        self.now += self.pace;
        while policy.due() <= self.now {
            policy.wake(self.now, orders);
            carry_out(policy, self.now, orders, each);
        }
        policy.submit(self.now, 0, request, orders);
        carry_out(policy, self.now, orders, each);
    }
}

/// A cache without devices; see the module.
pub(crate) struct Untimed {
    policy: Policy,
    orders: Orders,
    clock: Clock,
}

impl Untimed {
    /// An empty cache on so many bytes of the fast device before so many.
    pub(crate) fn new(spec: &CacheLayerSpec, sizes: [Bytes; 2]) -> Untimed {
        let mut orders = Orders::default();
        Untimed { policy: Policy::new(&spec.policy, sizes, 1.0, &mut orders), orders, clock: Clock::new() }
    }

    /// Takes a request in; calls `each` with every I/O.
    pub(crate) fn take(&mut self, request: &Request, each: &mut impl FnMut(&Io)) {
        self.clock.take(&mut self.policy, request, &mut self.orders, each);
    }
}
