//! A scaled cache before a slow device that is not: the addresses of the one, spread over the other.
//!
//! Where a cache is too large for memory, it and what it caches shrink by one factor. Flash behind it is scaled as well, but a disk
//! keeps its size, for its seeks. So runs of 64 MiB of the smaller address range lie at equal distances on it: random
//! requests cover all of the disk, and a sequential stream seeks once a run. A request that crosses the end of a run
//! continues into the gap behind it.

use drivecast_block::{Bytes, Request};

const RUN: u64 = 64 << 20;

/// The addresses; see the module.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    distance: u64,
}

impl Stretch {
    /// `addressed` bytes, no more than `capacity`, on as many.
    pub(super) fn new(addressed: Bytes, capacity: Bytes) -> Stretch {
        let ratio = capacity.0 as f64 / addressed.0.max(1) as f64;
        let distance = (RUN as f64 * ratio) as u64 / 4096 * 4096;
        Stretch { distance: distance.max(RUN) }
    }

    /// A request as the slow device is given it.
    #[inline]
    pub(super) fn request(self, request: Request) -> Request {
        Request { offset: Bytes(self.offset(request.offset.0)), ..request }
    }

    #[inline]
    fn offset(self, offset: u64) -> u64 {
        if self.distance == RUN { offset } else { offset / RUN * self.distance + offset % RUN }
    }
}

#[cfg(test)]
mod tests {
    use super::{RUN, Stretch};
    use drivecast_block::Bytes;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn addresses_keep_their_order_and_fit(
            addressed in 4096_u64..1 << 40, factor in 1.0..1000.0, size in 1_u64..1 << 20, at in 0.0..1.0,
        ) {
            let capacity = (addressed as f64 * factor) as u64;
            let stretch = Stretch::new(Bytes(addressed), Bytes(capacity));
            let size = size.min(addressed);
            let offset = ((addressed - size) as f64 * at) as u64;
            prop_assert!(stretch.offset(offset) >= offset);
            prop_assert!(stretch.offset(offset) + size <= capacity.max(addressed), "beyond the end");
            prop_assert!(stretch.offset(offset + RUN) >= stretch.offset(offset) + RUN);
        }
    }
}
