//! What preconditioning leaves in a design: the flash of its drives, the logs of its arrays, the caches of its controllers and those
//! before slower devices.
//!
//! None of it knows a time, so one image serves every load and every speed of the same flash: see [`crate::run::SteadyStates`].
//! Disks, and volumes whose inside is not known, have nothing to keep.

use super::Unit;
use crate::cache::Held;
use crate::controller::Cache;
use crate::raid::{Array, Log};
use crate::ssd::AgedFlash;

/// A unit as [`drivecast_block::Device::age`] left it.
pub(crate) enum Aged {
    /// Flash.
    Flash(Box<AgedFlash>),
    /// Nothing to keep.
    Nothing,
    /// The log of an array, and its drives.
    Array(Option<Log>, Vec<Aged>),
    /// The cache of a controller, and its array.
    Controller(Box<(Option<Cache>, Aged)>),
    /// What a cache holds, and its devices.
    Cached(Box<(Held, [Aged; 2])>),
}

impl Aged {
    /// Memory that it takes, but for what is small.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Aged::Flash(flash) => flash.bytes(),
            Aged::Nothing => 0,
            Aged::Array(_, drives) => drives.iter().map(Aged::bytes).sum(),
            Aged::Controller(parts) => parts.1.bytes(),
            Aged::Cached(parts) => parts.0.bytes() + parts.1.iter().map(Aged::bytes).sum::<usize>(),
        }
    }

    fn of_array(array: &Array<Unit>) -> Aged {
        Aged::Array(array.log().cloned(), array.drives().map(Unit::aged).collect())
    }

    fn resume_array(&self, array: &mut Array<Unit>) {
        if let Aged::Array(log, drives) = self {
            array.resume_log(log.clone());
            array.drives_mut().zip(drives).for_each(|(drive, aged)| drive.resume(aged));
        }
    }
}

impl Unit {
    /// What was done to it outside time.
    pub(crate) fn aged(&self) -> Aged {
        match self {
            Unit::Ssd(ssd) => Aged::Flash(Box::new(ssd.aged())),
            Unit::Hdd(_) | Unit::Volume(_) => Aged::Nothing,
            Unit::Array(array) => Aged::of_array(array),
            Unit::Controller(controller) => {
                let cache = controller.cache().cloned();
                Aged::Controller(Box::new((cache, Aged::of_array(controller.array()))))
            }
            Unit::Queued(queue) => queue.device().aged(),
            #[cfg(not(target_arch = "wasm32"))]
            Unit::SlowDevice(slowed) => slowed.device().aged(),
            Unit::Cache(cache) => Aged::Cached(Box::new((cache.held(), cache.devices().map(Unit::aged)))),
        }
    }

    /// Takes up from there a unit that was built for the same contents, of the same design but for its times.
    pub(crate) fn resume(&mut self, aged: &Aged) {
        match (self, aged) {
            (Unit::Ssd(ssd), Aged::Flash(flash)) => ssd.resume(flash),
            (Unit::Array(array), aged) => aged.resume_array(array),
            (Unit::Controller(controller), Aged::Controller(parts)) => {
                controller.resume_cache(parts.0.clone());
                parts.1.resume_array(controller.array_mut());
            }
            (Unit::Queued(queue), aged) => queue.device_mut().resume(aged),
            (Unit::Cache(cache), Aged::Cached(parts)) => {
                cache.resume(&parts.0);
                cache.devices_mut().into_iter().zip(&parts.1).for_each(|(device, aged)| device.resume(aged));
            }
            _ => {}
        }
    }
}
