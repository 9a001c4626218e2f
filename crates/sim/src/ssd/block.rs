//! What is known of each erase block, apart from the places in it.

use super::policy::Policy;

/// The blocks of all dies, column by column.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    /// Pages with current data or still to be written.
    pub(super) valid: Vec<u16>,
    /// Die and stream that the block belongs to; of a free one the stream means nothing.
    pub(super) point: Vec<u16>,
    /// Written to its end, and so open to cleaning.
    pub(super) closed: Vec<bool>,
    /// Erasures.
    pub(super) erased: Vec<u32>,
    /// When it was opened, in host pages; for cost-benefit only.
    pub(super) opened: Vec<u32>,
    /// Mean time at which the host wrote its data, in host pages; for streams by frequency only.
    pub(super) written: Vec<u32>,
    /// The set of blocks among which cleaning chooses, by point.
    group: Vec<u16>,
}

impl Blocks {
    /// The append point of each block, the group of each append point, and the times that the policy needs.
    pub(super) fn new(point: Vec<u16>, group: Vec<u16>, policy: &Policy) -> Blocks {
        let count = point.len();
        let times = |needed: bool| if needed { vec![0; count] } else { Vec::new() };
        Blocks {
            valid: vec![0; count],
            point,
            closed: vec![false; count],
            erased: vec![0; count],
            opened: times(policy.needs_times_opened()),
            written: times(policy.needs_times_written()),
            group,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.valid.len()
    }

    /// Adds a block of a point.
    pub(super) fn push(&mut self, point: u16) {
        self.valid.push(0);
        self.point.push(point);
        self.closed.push(false);
        self.erased.push(0);
        for times in [&mut self.opened, &mut self.written] {
            if !times.is_empty() {
                times.push(0);
            }
        }
    }

    /// The set of blocks among which one is chosen that this block belongs to.
    #[inline]
    pub(super) fn group(&self, block: usize) -> usize {
        usize::from(self.group[usize::from(self.point[block])])
    }

    /// Notes that a block is opened at `time`.
    pub(super) fn open(&mut self, block: usize, time: u32) {
        for times in [&mut self.opened, &mut self.written] {
            if let Some(noted) = times.get_mut(block) {
                *noted = time;
            }
        }
    }

    /// Notes that `pages` pages written at about `time` go into a block of `all`.
    pub(super) fn mix_in(&mut self, block: usize, time: u32, pages: u32, all: u32) {
        if let Some(mean) = self.written.get_mut(block) {
            let older = u64::from(mean.wrapping_sub(time)) * u64::from(pages) / u64::from(all);
            *mean = mean.wrapping_sub(older as u32);
        }
    }

    /// Bytes of memory held.
    pub(super) fn memory_bytes(&self) -> usize {
        (2 + 2 + 1 + 4) * self.len() + 4 * (self.opened.len() + self.written.len())
    }
}
