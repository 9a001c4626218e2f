//! Serialises writes that meet in one stripe, as md does with its stripe heads: a write waits until every earlier write
//! whose parity range overlaps its own, in the same stripe, is done.
//!
//! Claims are chained by a multiplicative hash of the stripe, in order of arrival; each knows how many earlier ones it
//! waits for. No allocation once the chains have reached their size.

use std::ops::Range;

const NONE: u32 = u32::MAX;
const CHAINS_LOG2: u32 = 10;

#[derive(Clone)]
struct Claim {
    stripe: u64,
    span: Range<u64>,
    waits_for: u32,
    next: u32,
}

impl Claim {
    fn meets(&self, other: &Claim) -> bool {
        self.stripe == other.stripe && self.span.start < other.span.end && other.span.start < self.span.end
    }
}

/// The claims of the writes under way; a claim is named by the slot of its write.
pub(super) struct StripeLocks {
    heads: Vec<u32>,
    claims: Vec<Claim>,
}

impl StripeLocks {
    pub(super) fn new() -> StripeLocks {
        StripeLocks { heads: vec![NONE; 1 << CHAINS_LOG2], claims: Vec::new() }
    }

    /// Enters a claim; whether it is granted at once.
    pub(super) fn claim(&mut self, slot: u32, stripe: u64, span: Range<u64>) -> bool {
        let mut claim = Claim { stripe, span, waits_for: 0, next: NONE };
        let chain = chain(stripe);
        let mut before = NONE;
        let mut at = self.heads[chain];
        while at != NONE {
            let earlier = &self.claims[at as usize];
            claim.waits_for += u32::from(earlier.meets(&claim));
            before = at;
            at = earlier.next;
        }
        if before == NONE {
            self.heads[chain] = slot;
        } else {
            self.claims[before as usize].next = slot;
        }
        let granted = claim.waits_for == 0;
        if self.claims.len() <= slot as usize {
            self.claims.resize(slot as usize + 1, claim.clone());
        }
        self.claims[slot as usize] = claim;
        granted
    }

    /// Takes a claim out and appends to `granted` those that waited for it alone.
    pub(super) fn release(&mut self, slot: u32, granted: &mut Vec<u32>) {
        let released = self.claims[slot as usize].clone();
        let chain = chain(released.stripe);
        if self.heads[chain] == slot {
            self.heads[chain] = released.next;
        } else {
            let mut before = self.heads[chain];
            while self.claims[before as usize].next != slot {
                before = self.claims[before as usize].next;
            }
            self.claims[before as usize].next = released.next;
        }
        let mut at = released.next;
        while at != NONE {
            let later = &mut self.claims[at as usize];
            if later.meets(&released) {
                later.waits_for -= 1;
                if later.waits_for == 0 {
                    granted.push(at);
                }
            }
            at = later.next;
        }
    }
}

fn chain(stripe: u64) -> usize {
    (stripe.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - CHAINS_LOG2)) as usize
}
