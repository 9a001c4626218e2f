//! What a drive is taken to have where neither the catalog nor a design says: defined once each.
//!
//! A design by parameters (`ssd(…)`) lists the defaults that it takes as assumptions; there are none for what describes a
//! drive in particular.

use drivecast_block::Bytes;

/// Unit of the mapping table: what nearly all drives have.
pub const MAPPING: Bytes = Bytes::kib(4);
/// Blocks that d-choices draws. Assumed.
pub const GC_CHOICES: u32 = 10;
/// Blocks among which windowed greedy chooses. Assumed.
pub const GC_WINDOW: u32 = 64;
/// Streams of data: all is mixed.
pub const STREAMS: u32 = 1;
/// Spread of erase counts beyond which static levelling moves data. Assumed.
pub const WEAR_SPREAD: u32 = 50;
/// Zones of a disk. Assumed.
pub const ZONES: u32 = 16;

pub(super) const fn mapping_bytes() -> u32 {
    MAPPING.0 as u32
}

pub(super) const fn gc_choices() -> u32 {
    GC_CHOICES
}

pub(super) const fn gc_window() -> u32 {
    GC_WINDOW
}

pub(super) const fn streams() -> u32 {
    STREAMS
}

pub(super) const fn wear_spread() -> u32 {
    WEAR_SPREAD
}

pub(super) const fn zones() -> u32 {
    ZONES
}

/// The whole of a drive, or of a rate: no part of it is named.
pub(super) const fn whole() -> f64 {
    1.0
}

/// A batch of a single request; a single type of flash page.
pub(super) const fn single() -> u32 {
    1
}
