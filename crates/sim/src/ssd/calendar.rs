//! When each die and each channel is next due: a tournament tree over their times.
//!
//! Each resource has at most one event pending, so no queue of events is needed: a leaf a resource, in each
//! inner node the earlier of the two below. Setting a time walks up the tree, finding the earliest walks
//! down; ties go to the lower index.

use drivecast_block::Nanos;

#[derive(Debug)]
pub(super) struct Calendar {
    /// The root at 1, the leaves in the upper half.
    times: Vec<Nanos>,
}

impl Calendar {
    pub(super) fn new(resources: usize) -> Calendar {
        Calendar { times: vec![Nanos::MAX; 2 * resources.next_power_of_two().max(2)] }
    }

    /// The earliest time, [`Nanos::MAX`] if there is none.
    #[inline]
    pub(super) fn earliest(&self) -> Nanos {
        self.times[1]
    }

    /// The resource that is due at the earliest time.
    #[inline]
    pub(super) fn first(&self) -> usize {
        let leaves = self.times.len() / 2;
        let mut node = 1;
        while node < leaves {
            node = 2 * node + usize::from(self.times[2 * node] > self.times[2 * node + 1]);
        }
        node - leaves
    }

    #[inline]
    pub(super) fn set(&mut self, resource: usize, time: Nanos) {
        let mut node = self.times.len() / 2 + resource;
        self.times[node] = time;
        while node > 1 {
            let earlier = self.times[node].min(self.times[node ^ 1]);
            node /= 2;
            if self.times[node] == earlier {
                return;
            }
            self.times[node] = earlier;
        }
    }

    #[inline]
    pub(super) fn clear(&mut self, resource: usize) {
        self.set(resource, Nanos::MAX);
    }
}
