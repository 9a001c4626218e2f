//! How a translation layer places data and cleans: its choices, apart from the flash it has.

use super::SpecError;
use crate::spec::{GarbageCollection, SsdSpec, StreamBy, StreamSpare, WearLevelling, default};

/// The choices of a translation layer; the fields are those of [`SsdSpec`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Policy {
    /// How the block to clean is chosen.
    pub gc: GarbageCollection,
    /// Blocks that d-choices draws.
    pub gc_choices: u32,
    /// Oldest blocks among which windowed greedy chooses.
    pub gc_window: u32,
    /// Streams that share no erase block.
    pub streams: u32,
    /// What decides the stream of a page.
    pub stream_by: StreamBy,
    /// How spare is split between streams.
    pub stream_spare: StreamSpare,
    /// How erasures are spread over the blocks.
    pub wear_levelling: WearLevelling,
    /// Spread of erase counts beyond which static levelling moves data.
    pub wear_spread: u32,
    /// Share of erasures that fail and so retire a block.
    pub erase_failure_rate: f64,
    /// Seed of what is drawn: victims of d-choices, erasures that fail.
    pub seed: u64,
}

/// The most streams: a die's append_points are counted in 16 bits together with the dies.
const STREAMS_MAX: u32 = 64;

impl Default for Policy {
    fn default() -> Policy {
        Policy {
            gc: GarbageCollection::Greedy,
            gc_choices: default::GC_CHOICES,
            gc_window: default::GC_WINDOW,
            streams: default::STREAMS,
            stream_by: StreamBy::Frequency,
            stream_spare: StreamSpare::Shared,
            wear_levelling: WearLevelling::Dynamic,
            wear_spread: default::WEAR_SPREAD,
            erase_failure_rate: 0.0,
            seed: 0,
        }
    }
}

impl From<GarbageCollection> for Policy {
    fn from(gc: GarbageCollection) -> Policy {
        Policy { gc, ..Policy::default() }
    }
}

impl Policy {
    /// That of a drive.
    pub fn of(spec: &SsdSpec, seed: u64) -> Policy {
        Policy {
            gc: spec.gc,
            gc_choices: spec.gc_choices,
            gc_window: spec.gc_window,
            streams: spec.streams,
            stream_by: spec.stream_by,
            stream_spare: spec.stream_spare,
            wear_levelling: spec.wear_levelling,
            wear_spread: spec.wear_spread,
            erase_failure_rate: spec.erase_failure_rate,
            seed,
        }
    }

    /// Refuses what cannot work, by the name of the specification's field.
    pub(super) fn check(&self) -> Result<(), SpecError> {
        SpecError::unless(self.gc_choices > 0, "gc_choices", "at least 1", self.gc_choices)?;
        SpecError::unless(self.gc_window > 0, "gc_window", "at least 1", self.gc_window)?;
        let streams = self.streams;
        SpecError::unless(
            (1..=STREAMS_MAX).contains(&streams),
            "streams",
            format!("from 1 to {STREAMS_MAX}"),
            streams,
        )?;
        SpecError::unless(self.wear_spread > 0, "wear_spread", "at least 1", self.wear_spread)?;
        let rate = self.erase_failure_rate;
        SpecError::unless((0.0..1.0).contains(&rate), "erase_failure_rate", "in [0, 1)", rate)
    }

    /// Whether static levelling keeps a stream of its own for the data it moved.
    pub(super) fn levels(&self) -> bool {
        self.wear_levelling == WearLevelling::Static
    }

    /// Append points of a die: its streams, and that of static levelling.
    pub(super) fn append_points(&self) -> u32 {
        self.streams + u32::from(self.levels())
    }

    /// Free blocks of a die at which it stops cleaning. One suffices while copies go to the block just opened; with
    /// several append_points, or erasures that fail, cleaning may itself need a block.
    pub(super) fn free_min(&self) -> usize {
        1 + usize::from(self.append_points() > 1) + usize::from(self.erase_failure_rate > 0.0)
    }

    /// Blocks of a die that cannot be counted on to hold data: those that stay free, and, with several append points, those open.
    pub(super) fn reserved_blocks(&self) -> u32 {
        let open = if self.append_points() > 1 { self.append_points() - 1 } else { 0 };
        self.free_min() as u32 + open
    }

    /// Whether it depends on when a block was opened.
    pub(super) fn needs_times_opened(&self) -> bool {
        self.gc == GarbageCollection::CostBenefit
    }

    /// Whether it depends on when the data of a block was written.
    pub(super) fn needs_times_written(&self) -> bool {
        self.streams > 1 && self.stream_by == StreamBy::Frequency
    }
}
