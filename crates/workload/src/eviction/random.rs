//! Random: any object leaves, with equal probability.

use super::policy::{Policy, Reference};
use drivecast_block::prefetch;
use drivecast_block::random::{Stream, stream};
use rand::RngExt;

/// The place of an object that is not in the cache.
const NOWHERE: u32 = u32::MAX;

pub(super) struct Random {
    held: Vec<u32>,
    /// Where in `held` an object is.
    places: Vec<u32>,
    stream: Stream,
}

impl Random {
    pub(super) fn new(objects: usize, seed: u64) -> Random {
        Random { held: Vec::new(), places: vec![NOWHERE; objects], stream: stream(seed, "eviction") }
    }
}

impl Policy for Random {
    #[inline(always)]
    fn prefetch(&self, id: u32) {
        prefetch(&self.places, id as usize);
    }

    #[inline(always)]
    fn holds(&self, id: u32) -> bool {
        self.places[id as usize] != NOWHERE
    }

    #[inline]
    fn hit(&mut self, _of: Reference) {}

    #[inline]
    fn evict(&mut self, _incoming: u32) -> u32 {
        let place = self.stream.random_range(0..self.held.len());
        let id = self.held.swap_remove(place);
        if let Some(moved) = self.held.get(place) {
            self.places[*moved as usize] = place as u32;
        }
        self.places[id as usize] = NOWHERE;
        id
    }

    #[inline]
    fn enter(&mut self, of: Reference) {
        self.places[of.id as usize] = self.held.len() as u32;
        self.held.push(of.id);
    }
}
