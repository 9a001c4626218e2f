//! FIFO and windowed greedy: blocks wait in order of their closing.
//!
//! FIFO (LRU cleaning, a circular log) takes the one that waits longest. Windowed greedy (Hu, Eleftheriou, Haas, Iliadis
//! and Pletka 2009) takes the one with the fewest valid pages among the `window` that wait longest, of equals the
//! oldest; window 1 is FIFO, a window as long as the queue greedy. A cleaning costs O(window).

use super::super::block::Blocks;
use std::collections::VecDeque;

/// Closed blocks in order of closing, group by group.
#[derive(Clone, Debug)]
pub(super) struct Queues {
    window: usize,
    queues: Vec<VecDeque<u32>>,
}

impl Queues {
    pub(super) fn new(groups: usize, window: u32) -> Queues {
        Queues { window: window.max(1) as usize, queues: vec![VecDeque::new(); groups] }
    }

    pub(super) fn close(&mut self, group: usize, block: u32) {
        self.queues[group].push_back(block);
    }

    pub(super) fn remove(&mut self, group: usize, block: u32) {
        self.queues[group].retain(|waiting| *waiting != block);
    }

    pub(super) fn take(&mut self, group: usize, blocks: &Blocks) -> Option<u32> {
        let queue = &mut self.queues[group];
        if self.window == 1 {
            return queue.pop_front();
        }
        let waiting = queue.iter().take(self.window).enumerate();
        let (at, _) = waiting.min_by_key(|(_, block)| blocks.valid[**block as usize])?;
        queue.remove(at)
    }

    /// Bytes of memory held.
    pub(super) fn memory_bytes(&self) -> usize {
        4 * self.queues.iter().map(VecDeque::capacity).sum::<usize>()
    }
}
