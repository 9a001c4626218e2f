//! What addresses are distinguished by.

/// Bytes of a page.
pub const PAGE_BYTES: u64 = 4096;
