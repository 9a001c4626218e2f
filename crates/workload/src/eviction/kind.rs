//! The policies by name.

/// A policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eviction {
    /// The object referenced longest ago leaves.
    Lru,
    /// The object that entered first leaves.
    Fifo,
    /// FIFO with a second chance for what was hit.
    Clock,
    /// Recency and frequency, with a border that adapts.
    Arc,
    /// By the distance between the last two references.
    Lirs,
    /// A FIFO on trial, then LRU.
    TwoQ,
    /// A small FIFO, a main one, and a memory of what left.
    S3Fifo,
    /// CLOCK whose survivors stay where they are.
    Sieve,
    /// Admission by frequency before a segmented LRU.
    WTinyLfu,
    /// Any object.
    Random,
    /// The object whose next reference is farthest away leaves.
    Belady,
}

impl Eviction {
    /// All policies.
    pub const ALL: [Eviction; 11] = [
        Eviction::Lru,
        Eviction::Fifo,
        Eviction::Clock,
        Eviction::Arc,
        Eviction::Lirs,
        Eviction::TwoQ,
        Eviction::S3Fifo,
        Eviction::Sieve,
        Eviction::WTinyLfu,
        Eviction::Random,
        Eviction::Belady,
    ];

    /// The name in command lines and documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Eviction::Lru => "lru",
            Eviction::Fifo => "fifo",
            Eviction::Clock => "clock",
            Eviction::Arc => "arc",
            Eviction::Lirs => "lirs",
            Eviction::TwoQ => "2q",
            Eviction::S3Fifo => "s3-fifo",
            Eviction::Sieve => "sieve",
            Eviction::WTinyLfu => "w-tinylfu",
            Eviction::Random => "random",
            Eviction::Belady => "belady",
        }
    }
}
