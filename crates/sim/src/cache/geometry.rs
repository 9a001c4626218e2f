//! Where blocks may lie on the fast device, and where they do.
//!
//! The cache is cut into sets of `assoc` places of a block each. A block of the slow device may lie in one set only:
//!
//! ```text
//! set = (block / assoc) mod sets                    blocks that follow each other lie in one set, up to `assoc` of them
//! set = hash(block / cluster) mod sets              with `disk_assoc`: clusters that follow each other in any sets
//! ```
//!
//! The hash is a multiplication (the kernel's is Jenkins's; which cluster meets which in a set is chance in both).
//!
//! With write-back the fast device begins with a superblock and the metadata, 16 bytes a place in blocks of `md_block`; the data
//! lie behind. Size is that of all of it, as in `flashcache_create -s`, rounded down to whole sets.

use crate::spec::{CacheMode, FlashCacheSpec};
use drivecast_block::Bytes;

/// Metadata of a place.
const SLOT_BYTES: u64 = 16;

/// The geometry; see the module.
#[derive(Clone, Copy, Debug)]
pub(super) struct Geometry {
    block: u64,
    assoc: u64,
    sets: u64,
    cluster: Option<u64>,
    md_block: u64,
    data_at: u64,
}

impl Geometry {
    /// The geometry of a cache on so many bytes of the fast device; it has at least one set, for it was checked.
    pub(super) fn new(spec: &FlashCacheSpec, size: Bytes) -> Geometry {
        let (block, assoc, md_block) =
            (u64::from(spec.block), u64::from(spec.assoc), u64::from(spec.md_block));
        let keeps_metadata = spec.mode == CacheMode::Back;
        let per_md = md_block / SLOT_BYTES;
        // A superblock, and one block more than the places need: as the kernel reckons.
        let area = |places: u64| if keeps_metadata { (places / per_md + 2) * md_block } else { 0 };
        let places = size.0.saturating_sub(area(size.0 / block)) / block / assoc * assoc;
        let cluster = spec.disk_assoc.map(|bytes| (u64::from(bytes) / block).max(1));
        let sets = (places / assoc).max(1);
        Geometry { block, assoc, sets, cluster, md_block, data_at: area(sets * assoc) }
    }

    /// Bytes of a block.
    #[inline]
    pub(super) fn block(&self) -> u64 {
        self.block
    }

    /// Places of a set.
    #[inline]
    pub(super) fn assoc(&self) -> u32 {
        self.assoc as u32
    }

    pub(super) fn sets(&self) -> u32 {
        self.sets as u32
    }

    /// The set that a block may lie in.
    #[inline]
    pub(super) fn set_of(&self, block: u64) -> u32 {
        let group = match self.cluster {
            None => block / self.assoc,
            Some(cluster) => (block / cluster).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20,
        };
        (group % self.sets) as u32
    }

    /// The set of a place.
    #[inline]
    pub(super) fn set_of_place(&self, place: u32) -> u32 {
        place / self.assoc as u32
    }

    /// Where a place lies on the fast device.
    #[inline]
    pub(super) fn offset(&self, place: u32) -> u64 {
        self.data_at + u64::from(place) * self.block
    }

    /// The block of metadata that a place is recorded in.
    #[inline]
    pub(super) fn md_of(&self, place: u32) -> u32 {
        (u64::from(place) * SLOT_BYTES / self.md_block) as u32
    }

    /// Where a block of metadata lies on the fast device, and its size.
    pub(super) fn md_at(&self, md: u32) -> (u64, u32) {
        ((1 + u64::from(md)) * self.md_block, self.md_block as u32)
    }

    /// Bytes of the fast device in use.
    #[cfg(test)]
    fn end(&self) -> u64 {
        self.data_at + self.sets * self.assoc * self.block
    }
}

#[cfg(test)]
mod tests {
    use super::Geometry;
    use crate::spec::{CacheMode, FlashCacheSpec};
    use drivecast_block::Bytes;

    #[test]
    fn metadata_comes_out_of_the_size() {
        let geometry = Geometry::new(&FlashCacheSpec::default(), Bytes::gib(1));
        // 262,144 places and 1,026 blocks of metadata do not fit; rounded down to sets of 512.
        assert_eq!((geometry.sets(), geometry.assoc()), (509, 512));
        assert_eq!(geometry.offset(0), (509 * 2 + 2) * 4096);
        assert_eq!(geometry.md_at(geometry.md_of(256)), (2 * 4096, 4096));
        assert!(geometry.end() <= 1 << 30);
        let through = FlashCacheSpec { mode: CacheMode::Through, ..FlashCacheSpec::default() };
        let geometry = Geometry::new(&through, Bytes::gib(1));
        assert_eq!((geometry.sets(), geometry.offset(0), geometry.end()), (512, 0, 1 << 30));
    }

    #[test]
    fn neighbours_share_a_set() {
        let spec = FlashCacheSpec::default();
        let geometry = Geometry::new(&spec, Bytes::gib(1));
        assert_eq!((0..512).map(|block| geometry.set_of(block)).max(), Some(0));
        assert_eq!((geometry.set_of(512), geometry.set_of(512 * 509)), (1, 0));
        let clustered = FlashCacheSpec { disk_assoc: Some(256 << 10), ..spec };
        let geometry = Geometry::new(&clustered, Bytes::gib(1));
        let sets: Vec<u32> = (0..4096).map(|block| geometry.set_of(block)).collect();
        assert!(sets.chunks(64).all(|cluster| cluster.iter().all(|set| *set == cluster[0])));
        assert!(sets.windows(2).filter(|pair| pair[0] != pair[1]).count() > 60);
    }
}
