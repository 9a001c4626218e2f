//! LIRS: objects stay by the distance between their last two references.
//!
//! MODEL. Objects referenced again within a short distance, LIR, have 99 % of the cache; the others, HIR, the rest, a FIFO from
//! which objects leave. A stack by recency holds all LIR objects, and HIR ones, cached or gone, that were referenced since
//! the oldest LIR object was. An HIR object referenced while it is in the stack becomes LIR, and the oldest LIR object HIR.
//! Objects that are gone are remembered as many as would fill the cache; the one that left first is forgotten first. Source: LIRS:
//! An Efficient Low Inter-reference Recency Set Replacement Policy (SIGMETRICS 2002), its share of 1 %; the bound is ours.

use super::lists::Lists;
use super::policy::{EMPTY, Policy, Reference};

const STACK: u8 = 0;
/// HIR objects in the cache, and those that are gone but in the stack. An object of the stack in neither is LIR.
const CACHED: u8 = 0;
const GONE: u8 = 1;

const HIR_SHARE: f64 = 0.01;

pub(super) struct Lirs<'a> {
    stack: Lists<'a, 1>,
    hir: Lists<'a, 2>,
    lir_size: u64,
    lir_max: u64,
    capacity: u64,
    /// Whether the object that is about to enter is remembered.
    returns: bool,
}

impl<'a> Lirs<'a> {
    pub(super) fn new(objects: usize, sizes: &'a [u32], capacity: u64) -> Lirs<'a> {
        let hir = ((capacity as f64 * HIR_SHARE) as u64).max(1);
        Lirs {
            stack: Lists::new(objects, sizes),
            hir: Lists::new(objects, sizes),
            lir_size: 0,
            lir_max: capacity - hir.min(capacity),
            capacity,
            returns: false,
        }
    }

    fn is_lir(&self, id: u32) -> bool {
        self.stack.is_anywhere(id) && !self.hir.is_anywhere(id)
    }

    /// Takes HIR objects off the bottom of the stack.
    fn prune(&mut self) {
        while let Some(id) = self.stack.back(STACK).filter(|id| !self.is_lir(*id)) {
            self.stack.remove(id);
            if self.hir.is_in(id, GONE) {
                self.hir.remove(id);
            }
        }
    }

    /// Makes the object at the bottom of the stack HIR.
    fn demote(&mut self) {
        let id = self.stack.pop_back(STACK).expect(EMPTY);
        self.lir_size -= self.stack.size_of(id);
        self.hir.push_front(CACHED, id);
        self.prune();
    }

    /// Makes an object at the top of the stack LIR.
    fn promote(&mut self, id: u32) {
        self.lir_size += self.stack.size_of(id);
        self.prune();
        while self.lir_size > self.lir_max {
            self.demote();
        }
    }

    /// Remembers an object that left while it is in the stack.
    fn remember(&mut self, id: u32) {
        self.hir.push_front(GONE, id);
        while self.hir.size(GONE) > self.capacity
            && let Some(oldest) = self.hir.pop_back(GONE)
        {
            self.stack.remove(oldest);
        }
    }
}

impl Policy for Lirs<'_> {
    #[inline(always)]
    fn prefetch(&self, id: u32) {
        self.stack.prefetch(id);
        self.hir.prefetch(id);
    }

    #[inline(always)]
    fn holds(&self, id: u32) -> bool {
        self.hir.is_in(id, CACHED) || self.is_lir(id)
    }

    fn hit(&mut self, of: Reference) {
        let is_in_stack = self.stack.is_anywhere(of.id);
        if !self.hir.is_in(of.id, CACHED) {
            self.stack.move_front(STACK, of.id);
            self.prune();
        } else if is_in_stack {
            self.stack.move_front(STACK, of.id);
            self.hir.remove(of.id);
            self.promote(of.id);
        } else {
            self.stack.push_front(STACK, of.id);
            self.hir.move_front(CACHED, of.id);
        }
    }

    fn miss(&mut self, id: u32) {
        self.returns = self.hir.is_in(id, GONE);
        if self.returns {
            self.hir.remove(id);
            self.stack.remove(id);
        }
    }

    fn evict(&mut self, _incoming: u32) -> u32 {
        if self.hir.back(CACHED).is_none() {
            self.demote();
        }
        let id = self.hir.pop_back(CACHED).expect(EMPTY);
        if self.stack.is_anywhere(id) {
            self.remember(id);
        }
        id
    }

    fn enter(&mut self, of: Reference) {
        self.stack.push_front(STACK, of.id);
        if self.returns || self.lir_size + self.stack.size_of(of.id) <= self.lir_max {
            self.promote(of.id);
        } else {
            self.hir.push_front(CACHED, of.id);
        }
    }
}
