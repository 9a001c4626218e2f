//! Lists of slots, each linked in place.

use super::index::NONE;

/// A list of slots, from the one that was appended first.
#[derive(Clone)]
pub(super) struct Chain {
    /// By slot: the one before it and the one behind it; itself twice where it is on no list.
    links: Vec<(u32, u32)>,
    first: u32,
    last: u32,
}

impl Chain {
    pub(super) const fn new() -> Chain {
        Chain { links: Vec::new(), first: NONE, last: NONE }
    }

    /// The slot that was appended first; [`NONE`] where there is none.
    #[inline]
    pub(super) fn first(&self) -> u32 {
        self.first
    }

    /// The slot behind another.
    #[inline]
    pub(super) fn next(&self, slot: u32) -> u32 {
        self.links[slot as usize].1
    }

    #[inline]
    fn has(&self, slot: u32) -> bool {
        self.links.get(slot as usize).is_some_and(|links| *links != (slot, slot))
    }

    /// Puts a slot last, wherever it was.
    #[inline]
    pub(super) fn append(&mut self, slot: u32) {
        if self.last == slot {
            return;
        }
        self.remove(slot);
        while self.links.len() <= slot as usize {
            let fresh = self.links.len() as u32;
            self.links.push((fresh, fresh));
        }
        let last = std::mem::replace(&mut self.last, slot);
        if last == NONE {
            self.first = slot;
        } else {
            self.links[last as usize].1 = slot;
        }
        self.links[slot as usize] = (last, NONE);
    }

    /// Takes a slot out, if it is on the list.
    #[inline]
    pub(super) fn remove(&mut self, slot: u32) {
        if !self.has(slot) {
            return;
        }
        let (before, next) = std::mem::replace(&mut self.links[slot as usize], (slot, slot));
        match before {
            NONE => self.first = next,
            before => self.links[before as usize].1 = next,
        }
        match next {
            NONE => self.last = before,
            next => self.links[next as usize].0 = before,
        }
    }

    /// The slots, from the one that was appended first.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let some = |slot: u32| (slot != NONE).then_some(slot);
        std::iter::successors(some(self.first), move |slot| some(self.next(*slot)))
    }

    /// Memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.links.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::Chain;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_a_queue_of_distinct_slots(steps in prop::collection::vec((0..40_u32, any::<bool>()), 0..300)) {
            let (mut chain, mut plain) = (Chain::new(), Vec::new());
            for (slot, appends) in steps {
                plain.retain(|other| *other != slot);
                if appends {
                    plain.push(slot);
                    chain.append(slot);
                } else {
                    chain.remove(slot);
                }
                prop_assert_eq!(chain.iter().collect::<Vec<_>>(), plain.clone());
            }
        }
    }
}
