//! The engine for small objects: buckets on flash, each rewritten whole for every object that comes or goes.
//!
//! A hash of the object names its bucket, which holds the last ones put there: the oldest leave when it is full. A
//! Bloom filter of each bucket is in memory: four hashes with a quarter of its bits each, so an object that is not there is read
//! for in vain with probability (1 − (1 − 4/b)ⁿ)⁴, of n objects in a bucket and b bits.
//!
//! A bucket has a header of 24 bytes, an object one of 20 and its key, of which 16 bytes are assumed. A bucket is made
//! when it is first written, so memory follows what is cached.

use crate::cache::index::{Index, NONE};
use crate::spec::CacheLibSpec;

const BUCKET_HEADER: u64 = 24;
/// Of an object: its own, and its key's bytes (assumed).
pub(super) const KEY: u64 = 16;
const HEADER: u64 = 20 + KEY;
const HASHES: u64 = 4;

/// What is found of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// It is in this bucket.
    There,
    /// It may be in this bucket, by the filter, and is not.
    InVain,
    /// It is not.
    Not,
}

/// The buckets; see the module.
#[derive(Clone)]
pub(super) struct Buckets {
    count: u64,
    /// Objects of a bucket.
    most: usize,
    /// Bits of each hash's part of a filter.
    bits: u64,
    /// By bucket that was made: its place.
    made: Index,
    held: Vec<u16>,
    /// The objects of the buckets that were made, the oldest first.
    objects: Vec<u64>,
    all: u64,
}

/// A hash of an object, of so many.
fn hash(object: u64, of: u64) -> u64 {
    let mut z = object.wrapping_add(of.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_add(1);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Buckets {
    pub(super) fn new(spec: &CacheLibSpec, size: u64) -> Buckets {
        let most = (u64::from(spec.bucket) - BUCKET_HEADER) / (u64::from(spec.object) + HEADER);
        Buckets {
            count: (size / u64::from(spec.bucket)).clamp(1, u64::from(NONE - 1)),
            most: most.max(1) as usize,
            bits: u64::from(spec.bucket_bloom) * 8 / HASHES,
            made: Index::new(),
            held: Vec::new(),
            objects: Vec::new(),
            all: 0,
        }
    }

    /// The bucket of an object.
    pub(super) fn bucket(&self, object: u64) -> u64 {
        hash(object, 0) % self.count
    }

    #[inline]
    pub(super) fn expect(&self, object: u64) {
        self.made.expect(self.bucket(object));
    }

    fn objects(&self, made: u32) -> &[u64] {
        let from = made as usize * self.most;
        &self.objects[from..from + usize::from(self.held[made as usize])]
    }

    pub(super) fn find(&self, object: u64) -> Found {
        let made = self.made.find(self.bucket(object));
        if made == NONE {
            return Found::Not;
        }
        let objects = self.objects(made);
        if objects.contains(&object) {
            return Found::There;
        }
        let is_set = |of| {
            let bit = |object: u64| hash(object, of) % self.bits;
            objects.iter().any(|other| bit(*other) == bit(object))
        };
        let passes = self.bits == 0 || (1..=HASHES).all(is_set);
        if passes { Found::InVain } else { Found::Not }
    }

    /// Puts an object, which is not there, into its bucket; whether another one left for it.
    pub(super) fn put(&mut self, object: u64) -> bool {
        let bucket = self.bucket(object);
        let mut made = self.made.find(bucket);
        if made == NONE {
            made = self.held.len() as u32;
            self.made.insert(made, bucket);
            self.held.push(0);
            self.objects.resize(self.objects.len() + self.most, 0);
        }
        let from = made as usize * self.most;
        let held = &mut self.held[made as usize];
        let is_full = usize::from(*held) == self.most;
        if is_full {
            self.objects.copy_within(from + 1..from + self.most, from);
        } else {
            *held += 1;
            self.all += 1;
        }
        self.objects[from + usize::from(*held) - 1] = object;
        is_full
    }

    /// Takes an object, which is there, out of its bucket.
    pub(super) fn take(&mut self, object: u64) {
        let made = self.made.find(self.bucket(object));
        let Some(at) = self.objects(made).iter().position(|other| *other == object) else { return };
        let from = made as usize * self.most;
        let held = usize::from(self.held[made as usize]);
        self.objects.copy_within(from + at + 1..from + held, from + at);
        self.held[made as usize] -= 1;
        self.all -= 1;
    }

    /// Objects that it holds.
    pub(super) fn held(&self) -> u64 {
        self.all
    }

    /// Memory that they take.
    pub(super) fn bytes(&self) -> usize {
        self.made.bytes() + size_of_val(self.objects.as_slice()) + size_of_val(self.held.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::{Buckets, Found};
    use crate::spec::CacheLibSpec;
    use drivecast_block::math;

    #[test]
    fn filters_pass_what_is_not_there_as_often_as_they_must() {
        let spec = CacheLibSpec { object: 512, ..CacheLibSpec::default() };
        let mut buckets = Buckets::new(&spec, 1 << 20);
        (0..20_000).for_each(|object| _ = buckets.put(object));
        assert_eq!(buckets.held(), 256 * 7, "(4096 - 24) / (512 + 36) a bucket");
        let passed = (1 << 20..1_100_000).filter(|object| buckets.find(*object) == Found::InVain).count();
        let expected = math::powi(1.0 - math::powi(1.0 - 4.0 / 64.0, 7), 4);
        let found = passed as f64 / f64::from(1_100_000 - (1 << 20));
        assert!((found / expected - 1.0).abs() < 0.1, "{found}, expected {expected}");
    }
}
