//! Parameters of a solid-state drive.

use super::default::{gc_choices, gc_window, mapping_bytes, single, streams, wear_spread, whole};
use serde::{Deserialize, Serialize};

/// A solid-state drive. Times are of one operation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SsdSpec {
    /// User capacity.
    pub logical_bytes: u64,
    /// Flash built in, spare included.
    pub physical_bytes: u64,
    /// Share of the user capacity that is partitioned and ever written, in (0, 1]; the rest serves as spare.
    #[serde(default = "whole")]
    pub partition: f64,
    /// Unit of the mapping table; smaller writes are read-modify-write.
    #[serde(default = "mapping_bytes")]
    pub mapping_bytes: u32,
    /// Flash page of one plane.
    pub page_bytes: u32,
    /// Flash pages in an erase block.
    pub pages_per_block: u32,
    /// Buses between controller and flash.
    pub channels: u32,
    /// Dies on each channel.
    pub dies_per_channel: u32,
    /// Planes of a die that work together.
    pub planes: u32,
    /// Time from flash to the die's register.
    pub read_ns: u64,
    /// Types of flash page, equally many: 1, or as many as a cell has bits (lower, middle, upper).
    #[serde(default = "single")]
    pub read_types: u32,
    /// How far the slowest type of page is from the mean, as a share of `read_ns`, in [0, 1); the others lie evenly between
    /// that and as much less.
    #[serde(default)]
    pub read_type_spread: f64,
    /// Share of the array reads that fail to decode and are repeated with shifted levels; so is each repetition.
    #[serde(default)]
    pub read_retry_rate: f64,
    /// The same, in addition, after all rated cycles and for the oldest data.
    #[serde(default)]
    pub worn_retry_rate: f64,
    /// Share of the rated cycles that is used, in [0, 1].
    #[serde(default)]
    pub wear: f64,
    /// Age of the data, as a share of the time after which the drive writes them anew, in [0, 1].
    #[serde(default = "whole")]
    pub data_age: f64,
    /// Time of one program, which covers `pages_per_program` flash pages on every plane.
    pub program_ns: u64,
    /// Flash pages of a plane that one program covers: 1, or those of a word line (one-shot programming).
    #[serde(default = "single")]
    pub pages_per_program: u32,
    /// Time to erase one block on all planes.
    pub erase_ns: u64,
    /// Time to suspend a program for a read, and an erase unless `erase_suspend_ns` is given; absent: reads wait.
    #[serde(default)]
    pub suspend_ns: Option<u64>,
    /// Mean time until a program or erase comes to where it can be suspended, exponentially distributed; besides the time to
    /// suspend.
    #[serde(default)]
    pub suspend_wait_ns: u64,
    /// Whether reads wait for programs while the write buffer is full: only erases are suspended then.
    #[serde(default)]
    pub full_holds_reads: bool,
    /// Whether reads wait behind the writes that wait for buffer space.
    #[serde(default)]
    pub full_queues_reads: bool,
    /// Time to suspend an erase for a read.
    #[serde(default)]
    pub erase_suspend_ns: Option<u64>,
    /// How often one program or erase may be suspended; absent: without limit.
    #[serde(default)]
    pub suspensions_max: Option<u32>,
    /// Bandwidth of a channel.
    pub channel_bytes_per_s: f64,
    /// Bandwidth of the host link, each way.
    pub link_bytes_per_s: f64,
    /// Time that each read and write takes of the link besides its data: commands, headers and handshakes.
    #[serde(default)]
    pub link_command_ns: u64,
    /// The same for a write, where it differs; absent: as for a read.
    #[serde(default)]
    pub link_write_command_ns: Option<u64>,
    /// Whether the link carries data one way at a time, as SATA does.
    #[serde(default)]
    pub link_half_duplex: bool,
    /// Bandwidth of the controller for reads; absent: no limit of its own.
    #[serde(default)]
    pub read_bytes_per_s: Option<f64>,
    /// Rate at which the drive can program at most, host writes and copies of garbage collection together (its power
    /// budget, mostly); absent: no limit of its own.
    #[serde(default)]
    pub write_bytes_per_s: Option<f64>,
    /// What a copied page takes of `write_bytes_per_s`, in host pages: 1 if programming is all there is to it, more where
    /// reading, checking and bookkeeping count too.
    #[serde(default = "whole")]
    pub copy_cost: f64,
    /// Bytes from the host between two batches of cleaning that hold writes up; 0: cleaning keeps pace without.
    #[serde(default)]
    pub gc_batch_bytes: u64,
    /// How long such a batch takes.
    #[serde(default)]
    pub gc_batch_ns: u64,
    /// Share of the blocks it cleans that is valid where a batch takes so long: where less is, it takes less. 0: it takes
    /// so long whatever is valid.
    #[serde(default)]
    pub gc_batch_valid: f64,
    /// Whether batches come without reads, too: a drive that cleans while it may puts them off until reads have come.
    #[serde(default)]
    pub gc_batch_always: bool,
    /// Bytes that the buffer takes from the host during a batch.
    #[serde(default)]
    pub gc_batch_slack_bytes: u64,
    /// Fixed part of a read's latency that occupies nothing: driver, firmware, decoding.
    #[serde(default)]
    pub read_overhead_ns: u64,
    /// Fixed part of a write's latency that occupies nothing.
    #[serde(default)]
    pub write_overhead_ns: u64,
    /// Mean of an exponential time that varies from write to write, besides.
    #[serde(default)]
    pub write_jitter_ns: u64,
    /// Time of a flush of a protected buffer; absent: as `write_overhead_ns`.
    #[serde(default)]
    pub flush_ns: Option<u64>,
    /// Controller time for each read command, one after another: its inverse bounds read IOPS.
    #[serde(default)]
    pub read_command_ns: u64,
    /// Controller time for each write command.
    #[serde(default)]
    pub write_command_ns: u64,
    /// Commands the drive takes at once; further ones wait in the host.
    pub queue_depth: u32,
    /// Write buffer.
    pub buffer_bytes: u64,
    /// Whether the buffer is lost without power: then a flush waits until it is empty.
    #[serde(default)]
    pub buffer_volatile: bool,
    /// Whether a write is complete only when it is in flash: the write cache is off.
    #[serde(default)]
    pub write_through: bool,
    /// How far the drive reads ahead of a sequential stream; 0: it does not.
    #[serde(default)]
    pub read_ahead_bytes: u64,
    /// Flash, besides `physical_bytes`, that takes writes first, with one bit a cell; 0: none.
    #[serde(default)]
    pub slc_cache_bytes: u64,
    /// Share of the user capacity without data that serves as such a cache too, in [0, 1]; a third with three bits a cell.
    #[serde(default)]
    pub slc_dynamic_share: f64,
    /// Time to program one flash page on all planes in the cache.
    #[serde(default)]
    pub slc_program_ns: u64,
    /// Time to read a flash page of the cache.
    #[serde(default)]
    pub slc_read_ns: u64,
    /// Rows moved from the cache to the main flash for each row written to it while there is space, in [0, 1]; 0: only
    /// in idle time, and when it is full.
    #[serde(default)]
    pub slc_fold_share: f64,
    /// Cleaning ahead in idle time; absent: blocks are cleaned when they are needed.
    #[serde(default)]
    pub background_gc: Option<BackgroundGc>,
    /// How blocks to clean are chosen.
    #[serde(default)]
    pub gc: GarbageCollection,
    /// Blocks that d-choices draws for each cleaning.
    #[serde(default = "gc_choices")]
    pub gc_choices: u32,
    /// Oldest blocks of a die among which windowed greedy chooses.
    #[serde(default = "gc_window")]
    pub gc_window: u32,
    /// Streams of data that share no erase block; 1: all data is mixed.
    #[serde(default = "streams")]
    pub streams: u32,
    /// What decides the stream of a page.
    #[serde(default)]
    pub stream_by: StreamBy,
    /// How the spare is split between the streams.
    #[serde(default)]
    pub stream_spare: StreamSpare,
    /// How erasures are spread over the blocks.
    #[serde(default)]
    pub wear_levelling: WearLevelling,
    /// Spread of erase counts on a die beyond which static wear levelling moves data.
    #[serde(default = "wear_spread")]
    pub wear_spread: u32,
    /// Bytes that a byte of the host takes in flash, in (0, 1]; 1 for a drive that does not compress, or data that cannot be.
    #[serde(default = "whole")]
    pub compression: f64,
    /// Share of the blocks that is out of use from the start, in [0, 1).
    #[serde(default)]
    pub bad_blocks: f64,
    /// Share of the erasures that fail, each retiring its block, in [0, 1).
    #[serde(default)]
    pub erase_failure_rate: f64,
}

impl SsdSpec {
    /// Leaves out the times that differ over the published range of a drive: what it keeps does not depend on them.
    pub(crate) fn forget_times(&mut self) {
        (self.read_ns, self.program_ns, self.erase_ns) = (0, 0, 0);
        (self.read_overhead_ns, self.write_overhead_ns) = (0, 0);
        (self.read_type_spread, self.channel_bytes_per_s) = (0.0, 0.0);
        (self.read_retry_rate, self.worn_retry_rate) = (0.0, 0.0);
    }

    /// The rates of the flash in bytes of the host: the less a byte takes in flash, the more of them pass.
    pub(crate) fn in_host_bytes(&self) -> SsdSpec {
        SsdSpec {
            channel_bytes_per_s: self.channel_bytes_per_s / self.compression,
            write_bytes_per_s: self.write_bytes_per_s.map(|rate| rate / self.compression),
            ..self.clone()
        }
    }
}

/// Garbage collection in idle time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BackgroundGc {
    /// Time without a command in the drive after which it begins.
    pub delay_ns: u64,
    /// Blocks that it frees, as a share of the spare, in [0, 1).
    pub reserve: f64,
}

/// How the translation layer chooses the block to clean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GarbageCollection {
    /// The block with the fewest valid pages.
    #[default]
    Greedy,
    /// The block written longest ago.
    Fifo,
    /// The emptiest of a few blocks drawn at random; of one, that is at random.
    DChoices,
    /// The block with the most (1 − u)·age/(1 + u), u its valid share.
    CostBenefit,
    /// The emptiest of those written longest ago.
    WindowedGreedy,
}

impl GarbageCollection {
    /// Whether it chooses at random, so that no two drives choose alike. Without a default: a policy that is added is decided here.
    #[must_use]
    pub const fn draws(self) -> bool {
        match self {
            GarbageCollection::DChoices => true,
            GarbageCollection::Greedy
            | GarbageCollection::Fifo
            | GarbageCollection::CostBenefit
            | GarbageCollection::WindowedGreedy => false,
        }
    }
}

/// What decides the stream of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StreamBy {
    /// How often it is overwritten, as the drive itself sees it.
    #[default]
    Frequency,
    /// The host, with each write (NVMe streams, flexible data placement).
    Host,
}

/// How the spare of a die is split between its streams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StreamSpare {
    /// Not at all: cleaning chooses among the blocks of all streams.
    #[default]
    Shared,
    /// In proportion to their data.
    Equal,
    /// So that they are copied least, for the writes each has had lately.
    Optimal,
}

/// How erasures are spread over the blocks of a die.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WearLevelling {
    /// Free blocks are used in order of erasure.
    None,
    /// The least worn free block is used first.
    #[default]
    Dynamic,
    /// Dynamic, and data of the least worn block is moved to a worn one when the two are far apart.
    Static,
}
