//! The log that closes the write hole: what a row write will change is first appended here, data and parity and a header of
//! 4 KiB, so that a row torn by a loss of power can be written again.
//!
//! Model: an area at the end of every member, [`Log::area`]; appends go round the members, one each, and round each area. All
//! writes under parity are logged, full stripes too, so that every byte goes to the members twice. That is md's journal
//! (`raid5-cache` in its write-through mode) on the members; on a device of its own it costs the members nothing. md's
//! partial parity log writes less, and only before partial stripes.

use super::layout::Extent;

/// The area on a member, for its capacity in bytes: 1/64, at most 1 GiB. Assumed.
const SHARE: u64 = 64;
const AREA_MAX: u64 = 1 << 30;
/// What an append describes itself with.
const HEADER_BYTES: u64 = 4096;

/// Where the next appends go.
#[derive(Clone, Debug)]
pub struct Log {
    /// Where the area begins on each member.
    base: u64,
    bytes: u64,
    /// Bytes appended so far, in the area of each member.
    at: Vec<u64>,
    member: usize,
}

impl Log {
    /// Bytes that the log takes of a member of this capacity.
    pub fn area(capacity: u64) -> u64 {
        (capacity / SHARE).clamp(1, AREA_MAX).next_multiple_of(HEADER_BYTES)
    }

    /// An empty log on members of this capacity.
    pub fn new(members: usize, capacity: u64) -> Log {
        let bytes = Log::area(capacity);
        Log { base: capacity - bytes, bytes, at: vec![0; members], member: 0 }
    }

    /// Where `bytes` of data and parity are logged, on a member of which `is_there` holds.
    pub fn append(&mut self, bytes: u64, is_there: impl Fn(usize) -> bool) -> Extent {
        let count = self.at.len();
        let member = (0..count).map(|step| (self.member + step) % count).find(|member| is_there(*member));
        let member = member.unwrap_or(self.member);
        self.member = (member + 1) % count;
        let size = (bytes + HEADER_BYTES).next_multiple_of(HEADER_BYTES).min(self.bytes).min(1 << 31);
        let at = &mut self.at[member];
        if *at + size > self.bytes {
            *at = 0;
        }
        let offset = self.base + *at;
        *at += size;
        Extent { member, offset, size: size as u32 }
    }
}
