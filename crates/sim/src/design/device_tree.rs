//! The devices a design is built of, by kind: so that the drives stay in reach under their arrays.

use crate::block_layer::BlockLayer;
use crate::cache::CacheLayer;
use crate::controller::Controller;
use crate::hdd::Hdd;
use crate::raid::Array;
#[cfg(not(target_arch = "wasm32"))]
use crate::slow_device::SlowDevice;
use crate::ssd::Ssd;
use crate::volume::{Credits, Volume};
use drivecast_block::{Bytes, Completion, Counters, Device, Nanos, Request};

/// A drive or an array.
pub enum Unit {
    /// Flash.
    Ssd(Box<Ssd>),
    /// A disk.
    Hdd(Box<Hdd>),
    /// A volume whose inside is not known.
    Volume(Box<Volume>),
    /// An array of any.
    Array(Box<Array<Unit>>),
    /// An array behind a controller.
    Controller(Box<Controller<Unit>>),
    /// Any of these behind the operating system's queue.
    Queued(Box<BlockLayer<Unit>>),
    /// A cache before any.
    Cache(Box<CacheLayer<Unit>>),
    /// A drive that has become slow. In a browser none does, and the code for it would be a hundredth of the module.
    #[cfg(not(target_arch = "wasm32"))]
    SlowDevice(Box<SlowDevice<Unit>>),
}

/// The same for every kind.
macro_rules! each {
    ($unit:expr, $device:ident => $body:expr) => {
        match $unit {
            Unit::Ssd($device) => $body,
            Unit::Hdd($device) => $body,
            Unit::Volume($device) => $body,
            Unit::Array($device) => $body,
            Unit::Controller($device) => $body,
            Unit::Queued($device) => $body,
            Unit::Cache($device) => $body,
            #[cfg(not(target_arch = "wasm32"))]
            Unit::SlowDevice($device) => $body,
        }
    };
}

impl Unit {
    /// The flash drives, in order.
    pub fn flash(&self) -> Vec<&Ssd> {
        match self {
            Unit::Ssd(ssd) => vec![ssd],
            _ => self.parts().into_iter().flat_map(Unit::flash).collect(),
        }
    }

    /// The credits of a volume that run out first, if any volume has some.
    pub fn credits(&self) -> Option<Credits> {
        match self {
            Unit::Volume(volume) => volume.credits(),
            _ => self.parts().into_iter().filter_map(Unit::credits).reduce(Credits::sooner),
        }
    }

    /// Simulated over specified capacity of the drives; 1 unless scaled.
    pub fn scale(&self) -> f64 {
        let of_flash = self.flash().iter().map(|ssd| ssd.layout().scale).fold(1.0, f64::min);
        self.caches().iter().map(|cache| cache.sizes().scale).fold(of_flash, f64::min)
    }

    /// What it is made of, where that is units.
    pub(super) fn parts(&self) -> Vec<&Unit> {
        match self {
            Unit::Ssd(_) | Unit::Hdd(_) | Unit::Volume(_) => Vec::new(),
            Unit::Array(array) => array.drives().collect(),
            Unit::Controller(controller) => controller.array().drives().collect(),
            Unit::Queued(queue) => vec![queue.device()],
            Unit::Cache(cache) => cache.devices().to_vec(),
            #[cfg(not(target_arch = "wasm32"))]
            Unit::SlowDevice(slowed) => vec![slowed.device()],
        }
    }

    /// The same, to be changed.
    pub(super) fn parts_mut(&mut self) -> Vec<&mut Unit> {
        match self {
            Unit::Ssd(_) | Unit::Hdd(_) | Unit::Volume(_) => Vec::new(),
            Unit::Array(array) => array.drives_mut().collect(),
            Unit::Controller(controller) => controller.array_mut().drives_mut().collect(),
            Unit::Queued(queue) => vec![queue.device_mut()],
            Unit::Cache(cache) => cache.devices_mut().into_iter().collect(),
            #[cfg(not(target_arch = "wasm32"))]
            Unit::SlowDevice(slowed) => vec![slowed.device_mut()],
        }
    }

    /// The caches, outermost first.
    pub fn caches(&self) -> Vec<&CacheLayer<Unit>> {
        let own = match self {
            Unit::Cache(cache) => Some(&**cache),
            _ => None,
        };
        own.into_iter().chain(self.parts().into_iter().flat_map(Unit::caches)).collect()
    }

    /// Does something to every cache, outermost first.
    pub(crate) fn each_cache(&mut self, change: &mut impl FnMut(&mut CacheLayer<Unit>)) {
        if let Unit::Cache(cache) = self {
            change(cache);
        }
        self.parts_mut().into_iter().for_each(|part| part.each_cache(change));
    }

    /// Takes away the caches that the design says were restarted, and sets them up again.
    pub(crate) fn restart(&mut self) {
        self.each_cache(&mut CacheLayer::restart);
    }

    /// What lies behind the caches, one behind the other, if it is a cache.
    pub(crate) fn behind_caches(&mut self) -> &mut Unit {
        match self {
            Unit::Cache(cache) => cache.devices_mut()[1].behind_caches(),
            unit => unit,
        }
    }
}

impl Device for Unit {
    fn capacity(&self) -> Bytes {
        each!(self, device => device.capacity())
    }

    #[inline]
    fn submit(&mut self, now: Nanos, request: Request) {
        each!(self, device => device.submit(now, request));
    }

    #[inline]
    fn next(&self) -> Option<Nanos> {
        each!(self, device => device.next())
    }

    #[inline]
    fn age(&mut self, request: Request) {
        each!(self, device => device.age(request));
    }

    fn idle(&mut self) {
        each!(self, device => device.idle());
    }

    #[inline]
    fn advance(&mut self, now: Nanos, done: &mut Vec<Completion>) {
        each!(self, device => device.advance(now, done));
    }

    #[inline]
    fn run(&mut self, until: Nanos, done: &mut Vec<Completion>) -> Nanos {
        each!(self, device => device.run(until, done))
    }

    #[inline]
    fn expect(&self, request: &Request) {
        each!(self, device => device.expect(request));
    }

    fn counters(&self) -> Counters {
        each!(self, device => device.counters())
    }

    fn reset_counters(&mut self) {
        each!(self, device => device.reset_counters());
    }

    fn fault(&self) -> Option<String> {
        each!(self, device => device.fault())
    }
}
