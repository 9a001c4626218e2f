//! Windows of a trace: what they reach back to, and a pass of the whole trace from them.
//!
//! MODEL. A trace is cut into windows of equal length, of which some are selected. Where a selected one represents others, its own
//! addresses would be rewritten again and again, and a drive would wear less and a cache hit more than by the trace. So the
//! pages of a window are held as extents, each with its depth: how many distinct pages had been written since its
//! first page was, when the window accessed that (of an extent that is only read: accessed since), as counted over the whole trace. A pass
//! puts a selected one of its kind for each window of the trace, in order, and moves each extent, when it is first accessed, to where its
//! depth says: the page that lies as deep in the pass's own LRU stack (Mattson et al. 1970; Spirn 1976). An extent that was
//! never accessed goes to pages of the trace's footprint that were not, from its own address on. Within a window addresses stay
//! together: runs, overlaps and reuse are those of the trace. Left out: how far apart extents of a window lie, and reuse by
//! requests that cross from one extent into another.

mod extent;
mod footprint;
mod page;
mod pass;

pub use extent::{Extent, extents};
pub use footprint::Footprint;
pub use page::PAGE_BYTES;
pub use pass::{Kept, pass};
