//! The references of a trace, in memory: numbered, and sampled where they are too many.
//!
//! MODEL. By block, a read or write is a reference to each 4 KiB block that it moves a byte of. By object, it is one
//! reference to the object at its offset, whose size is that of the first request there, and stays so: requests of other
//! sizes at the same offset do not change it, and objects may overlap, as some simulators count. Flushes and discards are no references.
//!
//! SAMPLING. All references are held until they, or the distinct objects, are more than memory is set aside for. Then half of the
//! objects are let go with all their references, by hash (SHARDS of fixed size, FAST 2015), as often as need be: what is
//! held is all references to a sample of the objects, of the whole trace, as if it had been chosen from the start.
//!
//! MEMORY. 4 B a reference held, 40 to 72 B a distinct object held.

use crate::reuse::{Index, Sample, mix};
use drivecast_block::{Nanos, Op, Record};

/// Size of a block.
pub const BLOCK_BYTES: u64 = 4096;
/// Marks a reference that writes; the other bits are the object's number.
const WRITE: u32 = 1 << 31;
/// Parts that a sample can be divided into.
pub const PARTS: u32 = 8;
/// References taken at a time: enough to wait for memory once instead of as often.
const BATCH: usize = 32;

/// What is cached as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// A 4 KiB block.
    Block,
    /// What the requests at one offset move.
    Object,
}

/// How much is held in memory.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// More references than this are sampled.
    pub references_max: usize,
    /// References to more objects than this are sampled.
    pub objects_max: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { references_max: 1 << 26, objects_max: 1 << 23 }
    }
}

/// The references of a trace.
#[derive(Clone)]
pub struct Accesses {
    pub(super) by: By,
    /// Number of the object, and whether it is written.
    pub(super) references: Vec<u32>,
    /// Size of each object in bytes; none by block.
    pub(super) sizes: Vec<u32>,
    /// The part of the sample that each object is in.
    parts: Vec<u8>,
    /// Distinct objects held.
    pub(super) objects: usize,
    /// Probability with which an object was held.
    pub rate: f64,
    /// References made that read, held or not.
    pub reads: f64,
    /// References made that write, held or not.
    pub writes: f64,
    /// From the first request to the last.
    pub duration: Nanos,
}

/// Takes the records of a trace one by one.
pub struct Collector {
    limits: Limits,
    sample: Sample,
    index: Index,
    kept: Accesses,
    /// References that wait for their numbers: key, hash, size in bytes, and whether they write.
    batch: [(u64, u64, u32, bool); BATCH],
    waiting: usize,
}

impl Collector {
    /// Nothing taken yet.
    pub fn new(by: By, limits: Limits) -> Collector {
        let kept = Accesses {
            by,
            references: Vec::new(),
            sizes: Vec::new(),
            parts: Vec::new(),
            objects: 0,
            rate: 1.0,
            reads: 0.0,
            writes: 0.0,
            duration: Nanos(0),
        };
        Collector {
            limits,
            sample: Sample::ALL,
            index: Index::new(),
            kept,
            batch: [(0, 0, 0, false); BATCH],
            waiting: 0,
        }
    }

    /// Takes the next record.
    #[inline]
    pub fn push(&mut self, record: &Record) {
        self.kept.duration = self.kept.duration.max(record.time);
        if !record.has_data() {
            return;
        }
        let writes = record.op == Op::Write;
        match self.kept.by {
            By::Object => self.refer(record.offset, record.size, writes),
            By::Block => {
                let last = (record.end() - 1) / BLOCK_BYTES;
                (record.offset / BLOCK_BYTES..=last).for_each(|block| self.refer(block, 0, writes));
            }
        }
    }

    /// The references taken.
    #[must_use]
    pub fn finish(mut self) -> Accesses {
        self.follow();
        let mut parts = vec![0; self.index.len()];
        self.index.for_each(|key, number| parts[number as usize] = (mix(key) % u64::from(PARTS)) as u8);
        Accesses { parts, objects: self.index.len(), rate: self.sample.rate(), ..self.kept }
    }

    #[inline]
    fn refer(&mut self, key: u64, size: u32, writes: bool) {
        let made = if writes { &mut self.kept.writes } else { &mut self.kept.reads };
        *made += 1.0;
        let hash = mix(key);
        self.batch[self.waiting] = (key, hash, size, writes);
        // Without a branch: which objects are held cannot be foreseen.
        self.waiting += usize::from(self.sample.holds(hash));
        if self.waiting == BATCH {
            self.follow();
        }
    }

    /// Numbers what waits.
    fn follow(&mut self) {
        let batch = &self.batch[..self.waiting];
        for (_, hash, ..) in batch {
            self.index.prefetch(*hash);
        }
        for (key, hash, size, writes) in batch {
            let (number, is_new) = self.index.number(*key, *hash);
            if is_new && self.kept.by == By::Object {
                self.kept.sizes.push(*size);
            }
            self.kept.references.push(number | if *writes { WRITE } else { 0 });
        }
        self.waiting = 0;
        while (self.index.len() > self.limits.objects_max
            || self.kept.references.len() > self.limits.references_max)
            && self.sample.rate() > Sample::of_rate(0.0).rate()
        {
            self.thin();
        }
    }

    /// Lets half of the objects go.
    #[cold]
    fn thin(&mut self) {
        let before = self.index.len();
        self.sample = self.sample.half();
        let sample = self.sample;
        let kept = self.index.retain(|key| sample.holds(mix(key)));
        self.kept.retain(&kept, before);
    }
}

impl Accesses {
    /// The references to objects of one part of the sample, a sample themselves at a rate of one in [`PARTS`].
    pub fn part(&self, part: u32) -> Accesses {
        let is_in = |id: &u32| u32::from(self.parts[*id as usize]) == part;
        let kept: Vec<u32> = (0..self.objects as u32).filter(is_in).collect();
        let numbers = numbers(&kept, self.objects);
        Accesses {
            by: self.by,
            references: self
                .references
                .iter()
                .filter_map(|reference| renumbered(*reference, &numbers))
                .collect(),
            sizes: self.sizes_of(&kept),
            parts: vec![part as u8; kept.len()],
            objects: kept.len(),
            rate: self.rate / f64::from(PARTS),
            ..*self
        }
    }

    /// Some of the references held, and how many were made of those that read.
    pub(super) fn only(&self, references: Vec<u32>, reads: f64) -> Accesses {
        let (sizes, parts) = (self.sizes.clone(), self.parts.clone());
        Accesses { references, sizes, parts, reads, ..*self }
    }

    /// References made, held or not.
    pub fn requests(&self) -> f64 {
        self.reads + self.writes
    }

    /// Distinct objects referenced, in bytes: counted, or what those held represent.
    pub fn footprint_bytes(&self) -> f64 {
        let kept: u64 = match self.by {
            By::Block => self.objects as u64 * BLOCK_BYTES,
            By::Object => self.sizes.iter().map(|size| u64::from(*size)).sum(),
        };
        kept as f64 / self.rate
    }

    /// Distinct objects referenced: counted, or what those held represent.
    pub fn objects(&self) -> f64 {
        self.objects as f64 / self.rate
    }

    /// Bytes of a unit of size: a block, or a byte.
    pub(super) fn unit_bytes(&self) -> u64 {
        if self.by == By::Block { BLOCK_BYTES } else { 1 }
    }

    /// Keeps the references to the objects with these numbers, of `before`, under new numbers in that order.
    fn retain(&mut self, kept: &[u32], before: usize) {
        let numbers = numbers(kept, before);
        self.references.retain_mut(|reference| {
            let found = renumbered(*reference, &numbers);
            found.inspect(|found| *reference = *found).is_some()
        });
        self.sizes = self.sizes_of(kept);
    }

    /// The sizes of the objects with these numbers.
    fn sizes_of(&self, kept: &[u32]) -> Vec<u32> {
        match self.by {
            By::Block => Vec::new(),
            By::Object => kept.iter().map(|old| self.sizes[*old as usize]).collect(),
        }
    }
}

/// The new number of each of so many objects, of which those held are numbered anew in their order.
fn numbers(kept: &[u32], before: usize) -> Vec<u32> {
    let mut numbers = vec![u32::MAX; before];
    for (new, old) in kept.iter().enumerate() {
        numbers[*old as usize] = new as u32;
    }
    numbers
}

/// A reference with the new number of its object; none where that is not held.
#[inline(always)]
fn renumbered(reference: u32, numbers: &[u32]) -> Option<u32> {
    let number = numbers[object(reference) as usize];
    (number != u32::MAX).then_some(number | reference & WRITE)
}

/// The object that a reference is to.
#[inline(always)]
pub(super) fn object(reference: u32) -> u32 {
    reference & !WRITE
}

/// Whether a reference writes.
#[inline(always)]
pub(super) fn writes(reference: u32) -> bool {
    reference & WRITE != 0
}
