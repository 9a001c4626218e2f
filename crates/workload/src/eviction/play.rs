//! A cache of one size under one policy.
//!
//! MODEL. An object that is not in the cache enters it, read or written, in place of those that the policy evicts; one larger
//! than the cache passes by. The cache starts empty and takes no time. A written object is dirty until it is evicted, and is
//! then written back; what is dirty at the end is counted apart. Of a sample at rate R, a cache of R times the size is
//! played and counts represent 1 / R each (miniature simulations, USENIX ATC 2017); what the sample has too many or
//! too few references is put down to hits, as SHARDS does for its curve.

use super::accesses::{Accesses, object, writes};
use super::arc::Adaptive;
use super::clock::Clock;
use super::fifo::Fifo;
use super::kind::Eviction;
use super::lirs::Lirs;
use super::lru::Lru;
use super::optimum::Optimum;
use super::policy::{Policy, Reference};
use super::random::Random;
use super::s3_fifo::S3Fifo;
use super::sieve::Sieve;
use super::two_q::TwoQ;
use super::w_tiny_lfu::WTinyLfu;

/// References between asking for memory and needing it.
const AHEAD: usize = 16;

/// What came of the references in a cache of one size; of a sample, what it represents.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// References that read.
    pub reads: f64,
    /// References that write.
    pub writes: f64,
    /// Reads of objects that were not in the cache.
    pub read_misses: f64,
    /// Writes of objects that were not in the cache.
    pub write_misses: f64,
    /// Bytes of objects that entered because they were read.
    pub fill_bytes: f64,
    /// Bytes of objects written into the cache.
    pub write_bytes: f64,
    /// Bytes of dirty objects evicted.
    pub write_back_bytes: f64,
    /// Bytes of objects larger than the cache, read and written past it.
    pub bypass_bytes: f64,
    /// Bytes dirty in the cache at the end.
    pub dirty_bytes: f64,
}

/// Plays references through a cache of `bytes`.
pub fn play(accesses: &Accesses, eviction: Eviction, bytes: u64, seed: u64) -> Counts {
    let counted = count(accesses, eviction, bytes, seed, &mut |_| {});
    counted.represented(accesses)
}

/// The references that go past memory of `bytes` before the cache: reads that an LRU cache of that size misses, and all
/// writes, which it keeps too but which are made for their durability.
pub fn behind(accesses: &Accesses, bytes: u64) -> Accesses {
    let mut past = Vec::new();
    let mut keep = |reference| past.push(reference);
    let counted = count(accesses, Eviction::Lru, bytes, 0, &mut keep).represented(accesses);
    accesses.only(past, counted.read_misses)
}

/// Counts in units of size, of what is held; `past` takes what reads miss and what is written.
fn count(
    accesses: &Accesses,
    eviction: Eviction,
    bytes: u64,
    seed: u64,
    past: &mut impl FnMut(u32),
) -> Counts {
    let (objects, sizes) = (accesses.objects, accesses.sizes.as_slice());
    let capacity = scaled(bytes, accesses);
    let held = held(capacity, accesses);
    match eviction {
        Eviction::Lru => run(accesses, Lru::new(objects, sizes), capacity, past),
        Eviction::Fifo => run(accesses, Fifo::new(objects, sizes), capacity, past),
        Eviction::Clock => run(accesses, Clock::new(objects, sizes), capacity, past),
        Eviction::Arc => run(accesses, Adaptive::new(objects, sizes, capacity), capacity, past),
        Eviction::Lirs => run(accesses, Lirs::new(objects, sizes, capacity), capacity, past),
        Eviction::TwoQ => run(accesses, TwoQ::new(objects, sizes, capacity), capacity, past),
        Eviction::S3Fifo => run(accesses, S3Fifo::new(objects, sizes, capacity), capacity, past),
        Eviction::Sieve => run(accesses, Sieve::new(objects, sizes), capacity, past),
        Eviction::WTinyLfu => run(accesses, WTinyLfu::new(objects, sizes, capacity, held), capacity, past),
        Eviction::Random => run(accesses, Random::new(objects, seed), capacity, past),
        Eviction::Belady => run(accesses, Optimum::new(accesses), capacity, past),
    }
}

/// The size of the cache that a sample is played through, in units.
pub(super) fn scaled(bytes: u64, accesses: &Accesses) -> u64 {
    let units = bytes / accesses.unit_bytes();
    if accesses.rate < 1.0 { ((units as f64 * accesses.rate).round() as u64).max(1) } else { units }
}

/// Objects of usual size that a cache would hold, and no more than there are.
fn held(capacity: u64, accesses: &Accesses) -> usize {
    let size: u64 = accesses.sizes.iter().map(|size| u64::from(*size)).sum();
    let of_usual_size = match size {
        0 => capacity as f64,
        size => capacity as f64 * accesses.objects as f64 / size as f64,
    };
    of_usual_size.min(accesses.objects as f64) as usize
}

fn run(accesses: &Accesses, mut policy: impl Policy, capacity: u64, past: &mut impl FnMut(u32)) -> Counts {
    let size_of = |id: u32| accesses.sizes.get(id as usize).map_or(1, |size| u64::from(*size));
    let references = accesses.references.as_slice();
    let mut dirty = vec![false; accesses.objects];
    let mut free = capacity;
    let mut counts = Units::default();
    for (at, reference) in references.iter().enumerate() {
        if let Some(soon) = references.get(at + AHEAD) {
            policy.prefetch(object(*soon));
        }
        let (id, writes) = (object(*reference), writes(*reference));
        let of = Reference { id, at: at as u32 };
        let size = size_of(id);
        let is_hit = policy.holds(id);
        counts.refer(writes, is_hit, size);
        if writes || !is_hit {
            past(*reference);
        }
        if is_hit {
            policy.hit(of);
        } else if size > capacity {
            counts.bypass(writes, size);
            continue;
        } else {
            policy.miss(id);
            while free < size {
                let left = policy.evict(id);
                free += size_of(left);
                if std::mem::take(&mut dirty[left as usize]) {
                    counts.write_back += size_of(left);
                }
            }
            policy.enter(of);
            free -= size;
        }
        dirty[id as usize] |= writes;
    }
    let left = (0..accesses.objects as u32).filter(|id| dirty[*id as usize]).map(size_of).sum();
    counts.in_bytes(accesses, left)
}

/// Counts as they are made.
#[derive(Default)]
struct Units {
    /// Of reads, then of writes.
    requests: [u64; 2],
    misses: [u64; 2],
    missed: [u64; 2],
    accessed: [u64; 2],
    bypassed: [u64; 2],
    write_back: u64,
}

impl Units {
    #[inline(always)]
    fn refer(&mut self, writes: bool, is_hit: bool, size: u64) {
        let at = usize::from(writes);
        self.requests[at] += 1;
        self.accessed[at] += size;
        self.misses[at] += u64::from(!is_hit);
        self.missed[at] += if is_hit { 0 } else { size };
    }

    fn bypass(&mut self, writes: bool, size: u64) {
        self.bypassed[usize::from(writes)] += size;
    }

    fn in_bytes(&self, accesses: &Accesses, dirty: u64) -> Counts {
        let bytes = |units: u64| (units * accesses.unit_bytes()) as f64;
        Counts {
            reads: self.requests[0] as f64,
            writes: self.requests[1] as f64,
            read_misses: self.misses[0] as f64,
            write_misses: self.misses[1] as f64,
            fill_bytes: bytes(self.missed[0] - self.bypassed[0]),
            write_bytes: bytes(self.accessed[1] - self.bypassed[1]),
            write_back_bytes: bytes(self.write_back),
            bypass_bytes: bytes(self.bypassed[0] + self.bypassed[1]),
            dirty_bytes: bytes(dirty),
        }
    }
}

impl Counts {
    /// What counts of a sample represent.
    pub(super) fn represented(self, accesses: &Accesses) -> Counts {
        if accesses.rate >= 1.0 {
            return self;
        }
        let times = |counted: f64| counted / accesses.rate;
        Counts {
            reads: accesses.reads,
            writes: accesses.writes,
            read_misses: times(self.read_misses).min(accesses.reads),
            write_misses: times(self.write_misses).min(accesses.writes),
            fill_bytes: times(self.fill_bytes),
            write_bytes: times(self.write_bytes),
            write_back_bytes: times(self.write_back_bytes),
            bypass_bytes: times(self.bypass_bytes),
            dirty_bytes: times(self.dirty_bytes),
        }
    }
}
