//! What an eviction policy is asked.

/// A reference: the object, and its place in the stream.
#[derive(Clone, Copy)]
pub(super) struct Reference {
    pub(super) id: u32,
    pub(super) at: u32,
}

/// Decides which object leaves a cache.
///
/// For each reference: [`Policy::holds`]; then [`Policy::hit`] if it does. If not, [`Policy::miss`], [`Policy::evict`] as often
/// as space is needed, and [`Policy::enter`]. An object larger than the cache only has `holds` called.
pub(super) trait Policy {
    /// Asks the processor's cache for what a reference to an object will need.
    fn prefetch(&self, id: u32);

    /// Whether an object is in the cache.
    fn holds(&self, id: u32) -> bool;

    /// An object in the cache is referenced.
    fn hit(&mut self, of: Reference);

    /// An object that is not in the cache is referenced, before space is made.
    fn miss(&mut self, _id: u32) {}

    /// Takes an object out of the cache, which is not empty, to make space for `incoming`.
    fn evict(&mut self, incoming: u32) -> u32;

    /// An object that is not in the cache enters; there is space.
    fn enter(&mut self, of: Reference);
}

/// What an empty queue would mean: nothing was to be evicted.
pub(super) const EMPTY: &str = "a cache that lacks room holds an object";
