//! Sequential flows, as FlashCache finds them: the last blocks of 32 flows, in order of their last use.
//!
//! A piece continues a flow when it is exactly the block behind the flow's last one; then the flow is one block longer. A block that
//! repeats a flow's last one belongs to it, but lengthens it not. What continues none begins a flow in the place of the one used
//! longest ago. A flow is to be skipped while it is longer than the threshold, so what comes before is cached.

/// Flows that are remembered.
const FLOWS: usize = 32;

/// A flow: its last block, and how many it had.
#[derive(Clone, Copy)]
struct Flow {
    last: u64,
    blocks: u64,
}

/// The flows, the one used last first.
#[derive(Clone)]
pub(super) struct Flows {
    flows: [Flow; FLOWS],
    /// Blocks that a flow may have before it is skipped; none: no flow is skipped.
    blocks_max: Option<u64>,
}

impl Flows {
    /// Flows that are skipped beyond so many blocks, if any.
    pub(super) fn new(blocks_max: Option<u64>) -> Flows {
        // No piece begins there: it is neither the last block of a flow nor the one behind it.
        Flows { flows: [Flow { last: u64::MAX - 1, blocks: 0 }; FLOWS], blocks_max }
    }

    /// Takes note of a piece; whether it belongs to a flow that is to be skipped.
    pub(super) fn skips(&mut self, block: u64) -> bool {
        let Some(blocks_max) = self.blocks_max else { return false };
        let found = self.flows.iter().position(|flow| flow.last == block || flow.last + 1 == block);
        let (at, flow) = match found {
            Some(at) if self.flows[at].last == block => (at, self.flows[at]),
            Some(at) => (at, Flow { last: block, blocks: self.flows[at].blocks + 1 }),
            None => (FLOWS - 1, Flow { last: block, blocks: 1 }),
        };
        let continues = found.is_some() && flow.last != self.flows[at].last;
        self.flows.copy_within(..at, 1);
        self.flows[0] = flow;
        continues && flow.blocks > blocks_max
    }
}

#[cfg(test)]
mod tests {
    use super::Flows;

    #[test]
    fn a_flow_is_skipped_once_it_is_longer_than_the_threshold() {
        let mut flows = Flows::new(Some(4));
        let skipped: Vec<bool> = (100..108).map(|block| flows.skips(block)).collect();
        assert_eq!(skipped, [false, false, false, false, true, true, true, true]);
        // A repeat is part of the flow and does not lengthen it; FlashCache caches it.
        assert!(!flows.skips(107));
        assert!(flows.skips(108));
        assert!(!flows.skips(110), "a gap begins another flow");
        assert!(!Flows::new(None).skips(1));
    }

    #[test]
    fn of_32_flows_the_one_used_longest_ago_is_forgotten() {
        let mut flows = Flows::new(Some(1));
        for flow in 0..32 {
            flows.skips(flow * 1000);
        }
        assert!(flows.skips(1), "the first of 32 is remembered");
        flows.skips(40_000);
        assert!(!flows.skips(1001), "the second has made way");
        assert!(flows.skips(3001), "the fourth is remembered");
    }
}
