//! Parameters of CacheLib with its second level on flash, Navy.

use super::SpecError;
use drivecast_block::Bytes;

/// Which of the objects that memory evicts go to flash.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Admission {
    /// All.
    All,
    /// Each with this probability.
    Random(f64),
    /// Those that were evicted before, among so many last ones.
    RejectFirst(u32),
    /// As many as keep the writes to flash at so many bytes a day.
    Budget(Bytes),
}

/// CacheLib with Navy; see `crate::cache::cachelib`.
#[derive(Clone, Debug, PartialEq)]
pub struct CacheLibSpec {
    /// Bytes of memory before it.
    pub ram: Bytes,
    /// Bytes of an object.
    pub object: u32,
    /// Objects of at most so many bytes go to the engine for small ones.
    pub small_item_max: u32,
    /// Bytes of a bucket of small objects.
    pub bucket: u32,
    /// Bytes of a bucket's Bloom filter in memory; 0: none.
    pub bucket_bloom: u32,
    /// Bytes of a region of large objects.
    pub region: u32,
    /// Whether the region that was least recently hit is given up first, rather than the oldest.
    pub lru: bool,
    /// Objects with so many hits since they were written are written again when their region is given up.
    pub reinsertion_hits: Option<u8>,
    /// Which objects go to flash.
    pub admission: Admission,
}

impl Default for CacheLibSpec {
    /// As the library leaves it; memory, the size of an object, and what counts as small are assumed.
    fn default() -> CacheLibSpec {
        CacheLibSpec {
            ram: Bytes::gib(4),
            object: 4 << 10,
            small_item_max: 2 << 10,
            bucket: 4 << 10,
            bucket_bloom: 8,
            region: 16 << 20,
            lru: true,
            reinsertion_hits: None,
            admission: Admission::All,
        }
    }
}

impl CacheLibSpec {
    /// Whether objects go to the engine for small ones.
    pub fn is_small(&self) -> bool {
        self.object <= self.small_item_max
    }

    /// The least that it can be made of: sixteen regions, or as many buckets as one large write holds.
    pub fn size_min(&self) -> Bytes {
        let (unit, units) = if self.is_small() { (self.bucket, 256) } else { (self.region, 16) };
        Bytes(u64::from(unit) * units)
    }

    /// Refuses what cannot be.
    ///
    /// # Errors
    /// The first option out of its range.
    pub fn check(&self) -> Result<(), SpecError> {
        let most = Bytes::gib(1 << 10);
        SpecError::unless(self.ram <= most, "ram", format!("at most {most}"), self.ram)?;
        let is_sectors = |bytes: u32| bytes.is_multiple_of(512) && bytes > 0;
        let object = self.object;
        SpecError::unless(is_sectors(object), "object", "a multiple of 512 bytes", object)?;
        let bucket = self.bucket;
        let holds = bucket.is_multiple_of(4096) && (4096..=1 << 20).contains(&bucket);
        SpecError::unless(holds, "bucket", "a multiple of 4 KiB, up to 1 MiB", bucket)?;
        let most = bucket / 2;
        let fits = self.small_item_max <= most;
        SpecError::unless(
            fits,
            "small_item_max",
            format!("at most half a bucket, {most}"),
            self.small_item_max,
        )?;
        let bloom = self.bucket_bloom;
        SpecError::unless(bloom <= 64, "bucket_bloom", "at most 64 bytes", bloom)?;
        let region = self.region;
        let holds = region.is_multiple_of(1 << 20) && (1 << 20..=256 << 20).contains(&region);
        SpecError::unless(holds, "region", "a multiple of 1 MiB, up to 256 MiB", region)?;
        let most = region / 4;
        SpecError::unless(
            object <= most,
            "object",
            format!("at most a quarter of a region, {most}"),
            object,
        )?;
        match self.admission {
            Admission::Budget(bytes) => {
                SpecError::unless(bytes > Bytes(0), "write_per_day", "above 0", bytes)
            }
            Admission::RejectFirst(entries) => {
                let holds = (1..=1 << 26).contains(&entries);
                SpecError::unless(holds, "reject_first_entries", "from 1 to 67108864", entries)
            }
            Admission::All | Admission::Random(_) => Ok(()),
        }
    }
}
