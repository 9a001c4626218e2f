//! Which members of an array are there, and how far: a failed one not at all, one that is being rebuilt up to a mark.

use super::layout::{Extent, Layout, Level};

/// How far each member can be used.
#[derive(Clone, Debug)]
pub struct Health {
    /// Bytes from the start of each member that are there.
    usable_to: Vec<u64>,
    rebuilding: Vec<bool>,
    is_whole: bool,
}

impl Health {
    /// All of `members` members but the `failed` ones.
    pub fn without(members: usize, failed: &[usize]) -> Health {
        let mut usable_to = vec![u64::MAX; members];
        failed.iter().for_each(|member| usable_to[*member] = 0);
        Health { usable_to, rebuilding: vec![false; members], is_whole: failed.is_empty() }
    }

    /// Whether nothing is missing.
    #[inline]
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Whether an extent can be read and written.
    #[inline]
    pub fn has(&self, extent: Extent) -> bool {
        self.is_whole || extent.offset + u64::from(extent.size) <= self.usable_to[extent.member]
    }

    /// Whether a member is there at all, if only to be rebuilt.
    pub fn is_there(&self, member: usize) -> bool {
        self.rebuilding[member] || self.usable_to[member] > 0
    }

    /// Whether a copy takes writes: also one that is being rebuilt.
    #[inline]
    pub fn takes_mirrored_write(&self, extent: Extent) -> bool {
        self.is_whole || self.is_there(extent.member)
    }

    /// Whether a member is missing in a stripe.
    pub fn is_lost(&self, layout: &Layout, stripe: u64, member: usize) -> bool {
        layout.stripe_offset(stripe) + layout.chunk().0 > self.usable_to[member]
    }

    /// A member is no longer there.
    pub(super) fn fail(&mut self, member: usize) {
        self.usable_to[member] = 0;
        self.rebuilding[member] = false;
        self.is_whole = false;
    }

    /// Whether all of a member is there.
    pub(super) fn is_whole_at(&self, member: usize) -> bool {
        self.usable_to[member] == u64::MAX
    }

    /// The members that are not there, and are not being rebuilt.
    pub(super) fn failed(&self) -> Vec<usize> {
        (0..self.usable_to.len()).filter(|member| !self.is_there(*member)).collect()
    }

    /// Blank devices take the places of these members.
    pub(super) fn rebuild(&mut self, members: &[usize]) {
        members.iter().for_each(|member| self.rebuilding[*member] = true);
    }

    /// These members are there up to `mark`, or wholly.
    pub(super) fn restore(&mut self, members: &[usize], mark: Option<u64>) {
        for member in members {
            self.usable_to[*member] = mark.unwrap_or(u64::MAX);
            self.rebuilding[*member] = mark.is_some();
        }
        self.is_whole = self.usable_to.iter().all(|to| *to == u64::MAX);
    }
}

/// Whether an array of this level, with so many members in so many groups, survives without the `failed` ones.
pub fn survives(level: Level, members: usize, groups: usize, failed: &[usize]) -> bool {
    let most = |size: usize| {
        (0..members / size).map(|group| failed.iter().filter(|member| *member / size == group).count()).max()
    };
    match level {
        Level::Raid0 => failed.is_empty(),
        Level::Raid1 => failed.len() < members,
        Level::Raid10 => most(2) < Some(2),
        Level::Raid5 | Level::Raid6 | Level::Raid50 | Level::Raid60 => {
            most(members / groups) <= Some(level.parities())
        }
    }
}
