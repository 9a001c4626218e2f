//! Queues of objects: what eviction policies are made of.
//!
//! MODEL. Objects are numbered from 0, so a queue needs no memory of its own but its two ends: neighbours are linked
//! through a node an object, in one array. An object is in one queue of a set at most; a node knows which.
//!
//! MEMORY. 12 B an object, whether in a queue or not.

use drivecast_block::prefetch;

/// No object.
const NONE: u32 = u32::MAX;
/// The queue of an object that is in none.
const NOWHERE: u8 = u8::MAX;

#[derive(Clone, Copy)]
struct Node {
    /// Towards the front.
    before: u32,
    /// Towards the back.
    behind: u32,
    queue: u8,
    /// The policy's own.
    mark: u8,
}

#[derive(Clone, Copy)]
struct Ends {
    front: u32,
    back: u32,
    size: u64,
}

/// `N` queues of objects.
pub(super) struct Lists<'a, const N: usize> {
    nodes: Vec<Node>,
    ends: [Ends; N],
    /// The size of each object; none where all are of size 1.
    sizes: &'a [u32],
}

impl<'a, const N: usize> Lists<'a, N> {
    /// Empty queues for `objects` objects.
    pub(super) fn new(objects: usize, sizes: &'a [u32]) -> Lists<'a, N> {
        let node = Node { before: NONE, behind: NONE, queue: NOWHERE, mark: 0 };
        Lists { nodes: vec![node; objects], ends: [Ends { front: NONE, back: NONE, size: 0 }; N], sizes }
    }

    /// Asks the cache for the node of an object.
    #[inline(always)]
    pub(super) fn prefetch(&self, id: u32) {
        prefetch(&self.nodes, id as usize);
    }

    /// The size of an object.
    #[inline(always)]
    pub(super) fn size_of(&self, id: u32) -> u64 {
        self.sizes.get(id as usize).map_or(1, |size| u64::from(*size))
    }

    /// Size of all objects in a queue.
    #[inline(always)]
    pub(super) fn size(&self, queue: u8) -> u64 {
        self.ends[queue as usize].size
    }

    /// Whether an object is in a queue.
    #[inline(always)]
    pub(super) fn is_in(&self, id: u32, queue: u8) -> bool {
        self.nodes[id as usize].queue == queue
    }

    /// Whether an object is in any queue.
    #[inline(always)]
    pub(super) fn is_anywhere(&self, id: u32) -> bool {
        self.nodes[id as usize].queue != NOWHERE
    }

    /// The mark of an object: 0 until set.
    #[inline(always)]
    pub(super) fn mark(&self, id: u32) -> u8 {
        self.nodes[id as usize].mark
    }

    #[inline(always)]
    pub(super) fn set_mark(&mut self, id: u32, mark: u8) {
        self.nodes[id as usize].mark = mark;
    }

    /// The object at the back of a queue.
    #[inline(always)]
    pub(super) fn back(&self, queue: u8) -> Option<u32> {
        some(self.ends[queue as usize].back)
    }

    /// The object before another in its queue, towards the front.
    #[inline(always)]
    pub(super) fn before(&self, id: u32) -> Option<u32> {
        some(self.nodes[id as usize].before)
    }

    /// Puts an object, which is in no queue, at the front of one.
    #[inline]
    pub(super) fn push_front(&mut self, queue: u8, id: u32) {
        debug_assert!(!self.is_anywhere(id));
        let size = self.size_of(id);
        let ends = &mut self.ends[queue as usize];
        let front = std::mem::replace(&mut ends.front, id);
        ends.size += size;
        match some(front) {
            Some(front) => self.nodes[front as usize].before = id,
            None => ends.back = id,
        }
        let node = &mut self.nodes[id as usize];
        (node.before, node.behind, node.queue) = (NONE, front, queue);
    }

    /// Takes an object out of its queue.
    #[inline]
    pub(super) fn remove(&mut self, id: u32) {
        let size = self.size_of(id);
        let Node { before, behind, queue, .. } = self.nodes[id as usize];
        let ends = &mut self.ends[queue as usize];
        ends.size -= size;
        match some(before) {
            Some(before) => self.nodes[before as usize].behind = behind,
            None => ends.front = behind,
        }
        match some(behind) {
            Some(behind) => self.nodes[behind as usize].before = before,
            None => ends.back = before,
        }
        self.nodes[id as usize].queue = NOWHERE;
    }

    /// Moves an object from wherever it is to the front of a queue.
    #[inline]
    pub(super) fn move_front(&mut self, queue: u8, id: u32) {
        if self.ends[queue as usize].front != id {
            self.remove(id);
            self.push_front(queue, id);
        }
    }

    /// Takes out the object at the back of a queue.
    #[inline]
    pub(super) fn pop_back(&mut self, queue: u8) -> Option<u32> {
        let back = self.back(queue)?;
        self.remove(back);
        Some(back)
    }

    /// Takes objects out at the back of a queue until the others come to `size` at most.
    #[inline]
    pub(super) fn trim(&mut self, queue: u8, size: u64) {
        while self.size(queue) > size {
            self.pop_back(queue);
        }
    }
}

#[inline(always)]
fn some(id: u32) -> Option<u32> {
    (id != NONE).then_some(id)
}
