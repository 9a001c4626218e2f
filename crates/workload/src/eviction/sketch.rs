//! How often objects were referenced of late, about.
//!
//! MODEL. Four rows of counters to 15; an object has one in each row, by hash, and was referenced about as often as the
//! least of its counters says. After ten references for each object that the cache would hold, all counters are
//! halved. Source: TinyLFU: A Highly Efficient Cache Admission Policy (ACM Transactions on Storage, 2017).
//!
//! MEMORY. Up to 8 B for each object that the cache would hold.

use crate::reuse::mix;

const ROWS: usize = 4;
const COUNT_MAX: u8 = 15;
const REFERENCES_PER_OBJECT: u64 = 10;

pub(super) struct Sketch {
    /// A counter of each row, side by side.
    counters: Vec<[u8; ROWS]>,
    /// References since counters were halved.
    references: u64,
    references_max: u64,
}

impl Sketch {
    /// Nothing counted, for a cache of so many objects.
    pub(super) fn new(objects: usize) -> Sketch {
        let width = objects.max(1).next_power_of_two();
        Sketch {
            counters: vec![[0; ROWS]; width],
            references: 0,
            references_max: REFERENCES_PER_OBJECT * objects.max(1) as u64,
        }
    }

    /// Counts a reference.
    #[inline]
    pub(super) fn add(&mut self, id: u32) {
        for (row, place) in self.places(id).into_iter().enumerate() {
            let counter = &mut self.counters[place][row];
            *counter = COUNT_MAX.min(*counter + 1);
        }
        self.references += 1;
        if self.references == self.references_max {
            self.halve();
        }
    }

    /// How often an object was referenced.
    #[inline]
    pub(super) fn count(&self, id: u32) -> u8 {
        let counters = self.places(id).into_iter().enumerate();
        counters.map(|(row, place)| self.counters[place][row]).min().unwrap_or(0)
    }

    #[inline(always)]
    fn places(&self, id: u32) -> [usize; ROWS] {
        let hash = mix(u64::from(id));
        // Two halves make as many independent rows as are wanted (Less Hashing, Same Performance, 2006).
        let (first, step) = (hash as usize, (hash >> 32) as usize | 1);
        std::array::from_fn(|row| first.wrapping_add(step.wrapping_mul(row)) & (self.counters.len() - 1))
    }

    #[cold]
    fn halve(&mut self) {
        self.counters.iter_mut().flatten().for_each(|counter| *counter /= 2);
        self.references /= 2;
    }
}
