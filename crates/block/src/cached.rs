//! What a cache of one device before another has done, under the names that FlashCache prints.
//!
//! `ssd` is the fast device, `disk` the slow one, whatever they are made of. Reads and writes are counted in the pieces that the
//! cache handles: FlashCache splits requests at its blocks. A policy leaves at zero what it does not do.

use serde::Serialize;

/// Defines counters and their sum.
macro_rules! counters {
    ($($(#[$about:meta])* $name:ident,)*) => {
        /// What a cache has done; see the module.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
        pub struct CacheCounters {
            $($(#[$about])* pub $name: u64,)*
        }

        impl CacheCounters {
            /// Adds other counters, as often as they count.
            pub fn add(&mut self, other: &CacheCounters, times: u64) {
                $(self.$name += times * other.$name;)*
            }
        }
    };
}

counters! {
    /// Pieces read.
    reads,
    /// Pieces written.
    writes,
    /// Reads served by the fast device.
    read_hits,
    /// Pieces served from memory before the cache; they are not counted as reads.
    ram_hits,
    /// Writes to a block that was cached.
    write_hits,
    /// Writes to a block that was dirty already.
    dirty_write_hits,
    /// Blocks that a read took from another block.
    replacement,
    /// Blocks that a write took from another block.
    write_replacement,
    /// Cached blocks that an uncached read met.
    read_invalidates,
    /// Cached blocks that an uncached write met.
    write_invalidates,
    /// Pieces that waited for a busy block.
    pending_enqueues,
    /// Blocks dropped because pieces had waited for them.
    pending_inval,
    /// Blocks recorded as dirty in the metadata on the fast device.
    md_dirties,
    /// Blocks recorded as clean.
    md_cleans,
    /// Records that another one's metadata write took along.
    md_batch,
    /// Metadata writes.
    md_ssd_writes,
    /// Dirty blocks written to the slow device.
    cleanings,
    /// Of these, for having lain fallow.
    fallow_cleanings,
    /// Times that no block of a set could be taken.
    no_room,
    /// Dirty blocks cleaned along with the one before them.
    front_merge,
    /// Dirty blocks cleaned along with the one behind them.
    back_merge,
    /// Reads of the slow device.
    disk_reads,
    /// Writes to the slow device, in blocks.
    disk_writes,
    /// Reads of the fast device.
    ssd_reads,
    /// Writes to the fast device.
    ssd_writes,
    /// Reads that bypassed the cache.
    uncached_reads,
    /// Writes that bypassed the cache.
    uncached_writes,
    /// Uncached pieces issued a second time, since their block was cached meanwhile.
    uncached_io_requeue,
    /// Reads that bypassed the cache for being sequential.
    uncached_sequential_reads,
    /// Writes that bypassed the cache for being sequential.
    uncached_sequential_writes,
    /// Processes on a list.
    pid_adds,
    /// Processes that a full list did not take.
    pid_drops,
    /// Processes whose entry expired.
    pid_expiry,
    /// Blocks that moved to the hot list.
    lru_promotions,
    /// Blocks that left it to be replaced.
    lru_demotions,
    /// Pieces for the fast device that another one took along in its request.
    ssd_merged,
    /// The same for the slow device.
    disk_merged,
    /// Bytes read from the fast device.
    ssd_read_bytes,
    /// Bytes written to the fast device, metadata included: what wears it.
    ssd_written_bytes,
    /// Bytes read from the slow device.
    disk_read_bytes,
    /// Bytes written to the slow device.
    disk_written_bytes,
    /// Pages written to the flash of the fast device for the cache.
    #[serde(skip)]
    ssd_flash_host_pages,
    /// Pages programmed on it, cleaning included.
    #[serde(skip)]
    ssd_flash_programmed_pages,
    /// Nanoseconds in which a drive of the fast device was busy, averaged over its drives.
    #[serde(skip)]
    ssd_busy_ns,
    /// The same of the slow device.
    #[serde(skip)]
    disk_busy_ns,
}
