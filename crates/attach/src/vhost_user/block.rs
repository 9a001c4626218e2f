//! What a guest learns of the block device: its features and its configuration space.
//!
//! Source: VIRTIO 1.2, section 5.2.4 (`struct virtio_blk_config`).

use crate::data::SECTOR;
use vhost::vhost_user::message::VhostUserVirtioFeatures;
use virtio_bindings::virtio_blk::{
    VIRTIO_BLK_F_BLK_SIZE, VIRTIO_BLK_F_DISCARD, VIRTIO_BLK_F_FLUSH, VIRTIO_BLK_F_MQ, VIRTIO_BLK_F_SEG_MAX,
    VIRTIO_BLK_F_SIZE_MAX, VIRTIO_BLK_F_TOPOLOGY, VIRTIO_BLK_F_WRITE_ZEROES,
};
use virtio_bindings::virtio_config::VIRTIO_F_VERSION_1;
use virtio_bindings::virtio_ring::{VIRTIO_RING_F_EVENT_IDX, VIRTIO_RING_F_INDIRECT_DESC};

/// Rings at most: one for each processor of a guest is usual.
pub(super) const RINGS: usize = 64;
/// Entries of a ring at most.
pub(super) const ENTRIES: u16 = 1024;
/// Pieces of memory that a request's data are in, at most.
pub(super) const SEGMENTS: u32 = 126;
/// Bytes of such a piece at most, so that a request is not longer than one by NBD.
pub(super) const SEGMENT_BYTES: u32 = 256 << 10;
/// Bytes that one request reads or writes, at most.
pub(super) const BYTES_MAX: u64 = SEGMENTS as u64 * SEGMENT_BYTES as u64;
/// Sectors that one request discards or makes zeros, at most.
const ZEROES_MAX: u32 = 1 << 22;
/// The guest's file systems lay out their data in blocks of 2 to this power of sectors.
const BLOCK_EXPONENT: u8 = 3;
/// What the device calls itself, of 20 bytes.
pub(super) const NAME: &[u8; 20] = b"drivecast\0\0\0\0\0\0\0\0\0\0\0";

const OFFERED: [u32; 11] = [
    VIRTIO_F_VERSION_1,
    VIRTIO_RING_F_EVENT_IDX,
    VIRTIO_RING_F_INDIRECT_DESC,
    VIRTIO_BLK_F_SIZE_MAX,
    VIRTIO_BLK_F_SEG_MAX,
    VIRTIO_BLK_F_BLK_SIZE,
    VIRTIO_BLK_F_FLUSH,
    VIRTIO_BLK_F_TOPOLOGY,
    VIRTIO_BLK_F_MQ,
    VIRTIO_BLK_F_DISCARD,
    VIRTIO_BLK_F_WRITE_ZEROES,
];

/// All that the device can.
pub(super) fn features() -> u64 {
    OFFERED.iter().fold(VhostUserVirtioFeatures::PROTOCOL_FEATURES.bits(), |all, bit| all | 1 << bit)
}

/// Whether a write is durable when it is complete, for a driver that does not flush.
pub(super) fn writes_through(features: u64) -> bool {
    features & 1 << VIRTIO_BLK_F_FLUSH == 0
}

/// The configuration space of a disk of `size` bytes.
pub(super) fn configuration(size: u64) -> Vec<u8> {
    let mut space = Vec::with_capacity(60);
    space.extend((size / SECTOR).to_le_bytes());
    space.extend(SEGMENT_BYTES.to_le_bytes());
    space.extend(SEGMENTS.to_le_bytes());
    space.extend([0; 4]); // geometry
    space.extend((SECTOR as u32).to_le_bytes());
    space.extend([BLOCK_EXPONENT, 0, 1, 0, 0, 0, 0, 0]); // alignment 0, smallest request 1 block, best unknown
    space.extend([0; 2]); // whether the cache can be switched: it cannot
    space.extend((RINGS as u16).to_le_bytes());
    space.extend(ZEROES_MAX.to_le_bytes());
    space.extend(1_u32.to_le_bytes()); // ranges in a request to discard
    space.extend(1_u32.to_le_bytes()); // alignment of these, in sectors
    space.extend(ZEROES_MAX.to_le_bytes());
    space.extend(1_u32.to_le_bytes());
    space.extend([1, 0, 0, 0]); // zeros may be discarded
    space
}
