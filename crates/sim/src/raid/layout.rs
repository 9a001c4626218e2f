//! Where an array keeps its bytes: pure arithmetic, no state.
//!
//! Model: the members are cut into chunks; the chunks at the same place on all members are a *stripe*. A stripe
//! holds `data_chunks` chunks of user data and, by level, their copies or parity:
//!
//! - RAID 0: one chunk of data on each member.
//! - RAID 1: one chunk, copied to all members.
//! - RAID 10: one chunk on each pair of neighbouring members (md's `near` layout with two copies).
//! - RAID 5: parity P moves one member to the left with each stripe, and the data begin behind it, going round
//!   (left-symmetric, md's default): P on member `n-1 - stripe mod n`, data chunk `j` on `(p + 1 + j) mod n`.
//! - RAID 6: Q follows P, the data begin behind Q.
//! - RAID 50 and 60: the members are parted into equal groups, neighbours together; the stripes of RAID 5 or 6 go round the
//!   groups, one on each in turn (a RAID 0 over the groups whose chunk is their stripe).
//!
//! Members may differ in size: each gives as many chunks as the smallest has.

use drivecast_block::Bytes;

/// The RAID level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Striping without redundancy.
    Raid0,
    /// All members hold the same.
    Raid1,
    /// Rotating parity, one chunk a stripe.
    Raid5,
    /// Rotating parity, two chunks a stripe.
    Raid6,
    /// Striping over mirrored pairs.
    Raid10,
    /// Striping over groups of RAID 5.
    Raid50,
    /// Striping over groups of RAID 6.
    Raid60,
}

impl Level {
    /// All levels with their names in designs.
    pub const NAMES: [(&str, Level); 7] = [
        ("raid0", Level::Raid0),
        ("raid1", Level::Raid1),
        ("raid5", Level::Raid5),
        ("raid6", Level::Raid6),
        ("raid10", Level::Raid10),
        ("raid50", Level::Raid50),
        ("raid60", Level::Raid60),
    ];

    /// The name in designs.
    #[must_use]
    pub fn name(self) -> &'static str {
        Level::NAMES[Level::NAMES.iter().position(|(_, level)| *level == self).unwrap_or(0)].0
    }

    /// The fewest members that make sense of the level, in each group.
    #[must_use]
    pub const fn members_min(self) -> usize {
        match self {
            Level::Raid0 => 1,
            Level::Raid1 | Level::Raid10 => 2,
            Level::Raid5 | Level::Raid50 => 3,
            Level::Raid6 | Level::Raid60 => 4,
        }
    }

    /// Whether the level has groups of members, each with parity of its own.
    #[must_use]
    pub const fn is_grouped(self) -> bool {
        matches!(self, Level::Raid50 | Level::Raid60)
    }

    /// Parity chunks in a stripe.
    #[must_use]
    pub const fn parities(self) -> usize {
        match self {
            Level::Raid0 | Level::Raid1 | Level::Raid10 => 0,
            Level::Raid5 | Level::Raid50 => 1,
            Level::Raid6 | Level::Raid60 => 2,
        }
    }
}

/// A run of bytes on one member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Index of the member.
    pub member: usize,
    /// First byte on the member.
    pub offset: u64,
    /// Bytes.
    pub size: u32,
}

/// The part of one chunk that a request touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The stripe.
    pub stripe: u64,
    /// Which data chunk of the stripe.
    pub index: usize,
    /// First byte within the chunk.
    pub start: u64,
    /// Bytes.
    pub size: u32,
}

/// The address map of an array.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    level: Level,
    members: usize,
    groups: usize,
    chunk: u64,
    stripes: u64,
}

impl Layout {
    /// The map of `members` members of at least `member_capacity` each, in chunks of `chunk` bytes (for RAID 1, which
    /// has no use for chunks, the whole member is one). RAID 50 and 60 get two groups.
    ///
    /// # Panics
    /// Fewer members than the level needs, an odd number for RAID 10, or a member smaller than a chunk: the design
    /// rejects these first.
    pub fn new(level: Level, members: usize, chunk: Bytes, member_capacity: Bytes) -> Layout {
        let groups = if level.is_grouped() { 2 } else { 1 };
        Layout::grouped(level, members, groups, chunk, member_capacity)
    }

    /// The same with `groups` equal groups of members, which is 1 but for RAID 50 and 60.
    ///
    /// # Panics
    /// As [`Layout::new`]; and groups that are not equal, or too small.
    pub fn grouped(
        level: Level,
        members: usize,
        groups: usize,
        chunk: Bytes,
        member_capacity: Bytes,
    ) -> Layout {
        assert!(members.is_multiple_of(groups), "{groups} equal groups");
        assert!(members / groups >= level.members_min(), "{} needs {}", level.name(), level.members_min());
        assert!(level != Level::Raid10 || members.is_multiple_of(2), "raid10 needs pairs");
        let chunk = if level == Level::Raid1 { member_capacity.0 } else { chunk.0 };
        assert!(chunk > 0 && member_capacity.0 >= chunk, "a member holds at least one chunk");
        Layout { level, members, groups, chunk, stripes: member_capacity.0 / chunk * groups as u64 }
    }

    /// The level.
    pub const fn level(&self) -> Level {
        self.level
    }

    /// How many members.
    pub const fn members(&self) -> usize {
        self.members
    }

    /// Bytes a chunk.
    pub const fn chunk(&self) -> Bytes {
        Bytes(self.chunk)
    }

    /// Chunks of user data in a stripe.
    pub const fn data_chunks(&self) -> usize {
        match self.level {
            Level::Raid0 => self.members,
            Level::Raid1 => 1,
            Level::Raid5 | Level::Raid6 | Level::Raid50 | Level::Raid60 => {
                self.group_members() - self.level.parities()
            }
            Level::Raid10 => self.members / 2,
        }
    }

    /// Copies of each data chunk.
    pub const fn copies(&self) -> usize {
        match self.level {
            Level::Raid1 => self.members,
            Level::Raid10 => 2,
            Level::Raid0 | Level::Raid5 | Level::Raid6 | Level::Raid50 | Level::Raid60 => 1,
        }
    }

    /// How many groups of members.
    pub const fn groups(&self) -> usize {
        self.groups
    }

    /// Members of a group.
    pub const fn group_members(&self) -> usize {
        self.members / self.groups
    }

    /// The place of a member in its group.
    pub const fn place(&self, member: usize) -> usize {
        member % self.group_members()
    }

    /// Stripes, of all groups.
    pub const fn stripes(&self) -> u64 {
        self.stripes
    }

    /// The members that hold `stripe`: its group, or all.
    #[inline]
    pub fn stripe_members(&self, stripe: u64) -> std::ops::Range<usize> {
        let first = (stripe % self.groups as u64) as usize * self.group_members();
        first..first + self.group_members()
    }

    /// Where `stripe` begins on its members.
    #[inline]
    pub const fn stripe_offset(&self, stripe: u64) -> u64 {
        stripe / self.groups as u64 * self.chunk
    }

    /// User bytes in a stripe.
    pub const fn stripe_bytes(&self) -> u64 {
        self.chunk * self.data_chunks() as u64
    }

    /// Usable size of the array.
    pub const fn capacity(&self) -> Bytes {
        Bytes(self.stripes * self.stripe_bytes())
    }

    /// The member that holds data chunk `index` of `stripe`; with copies, the first of them (the others follow it).
    #[inline]
    pub const fn data_member(&self, stripe: u64, index: usize) -> usize {
        match self.level {
            Level::Raid0 | Level::Raid1 | Level::Raid10 => index * self.copies(),
            Level::Raid5 | Level::Raid6 | Level::Raid50 | Level::Raid60 => {
                self.in_group(stripe, self.level.parities() + index)
            }
        }
    }

    /// The member that holds P (`which` 0) or Q (1) of `stripe`.
    #[inline]
    pub const fn parity_member(&self, stripe: u64, which: usize) -> usize {
        self.in_group(stripe, which)
    }

    /// The member `steps` behind P of `stripe`, going round its group.
    #[inline]
    const fn in_group(&self, stripe: u64, steps: usize) -> usize {
        let (groups, count) = (self.groups as u64, self.group_members());
        let first = (stripe % groups) as usize * count;
        first + (count - 1 - (stripe / groups % count as u64) as usize + steps) % count
    }

    /// Where a piece lies; with copies, on the first of them.
    #[inline]
    pub const fn extent(&self, piece: Piece) -> Extent {
        Extent {
            member: self.data_member(piece.stripe, piece.index),
            offset: self.stripe_offset(piece.stripe) + piece.start,
            size: piece.size,
        }
    }

    /// Where a range lies that is within one chunk, as most are; with copies, on the first of them.
    #[inline]
    pub const fn within_chunk(&self, offset: u64, size: u32) -> Option<Extent> {
        let (chunk, start) = (offset / self.chunk, offset % self.chunk);
        if size == 0 || start + size as u64 > self.chunk {
            return None;
        }
        let data = self.data_chunks() as u64;
        Some(self.extent(Piece { stripe: chunk / data, index: (chunk % data) as usize, start, size }))
    }

    /// The pieces of `size` bytes from `offset`, in order of address.
    pub fn pieces(self, offset: u64, size: u32) -> impl Iterator<Item = Piece> {
        let mut at = offset;
        let end = offset + u64::from(size);
        std::iter::from_fn(move || {
            if at >= end {
                return None;
            }
            let (chunk, start) = (at / self.chunk, at % self.chunk);
            let size = (self.chunk - start).min(end - at);
            at += size;
            let data = self.data_chunks() as u64;
            Some(Piece { stripe: chunk / data, index: (chunk % data) as usize, start, size: size as u32 })
        })
    }
}
