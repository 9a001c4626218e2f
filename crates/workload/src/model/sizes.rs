//! How large the requests of a stream are.
//!
//! MODEL. A Markov chain over few sizes: what one request is says what the next may be, because programs ask for one thing in
//! several requests, and for many alike. Without transitions, sizes are independent.

use super::SizeOf;
use crate::generate::Choice;
use drivecast_block::random::Stream;

/// The endless sizes of a stream.
#[derive(Clone, Debug)]
pub(super) struct Sizes {
    all: Choice<usize>,
    bytes: Box<[u32]>,
    /// What follows each size; none where anything does.
    next: Box<[Option<Choice<usize>>]>,
    at: Option<usize>,
}

impl Sizes {
    pub(super) fn new(sizes: &[SizeOf]) -> Sizes {
        let following = |size: &SizeOf| {
            (!size.next.is_empty()).then(|| Choice::new(size.next.iter().copied().enumerate()))
        };
        Sizes {
            all: Choice::new(sizes.iter().map(|size| size.share).enumerate()),
            bytes: sizes.iter().map(|size| size.bytes).collect(),
            next: sizes.iter().map(following).collect(),
            at: None,
        }
    }

    #[inline]
    pub(super) fn next(&mut self, random: &mut Stream) -> u32 {
        let choice = self.at.and_then(|at| self.next[at].as_ref()).unwrap_or(&self.all);
        let at = choice.value(choice.pick(random));
        self.at = Some(at);
        self.bytes[at]
    }
}
