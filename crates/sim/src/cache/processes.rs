//! FlashCache's lists of processes: whose I/O is not cached, or alone is.
//!
//! A process is the stream of a request (in a trace, the process id where the format has it). With `cache_all` the processes on
//! the black list are not cached; without it only those on the white list are. A list takes up to `max_pids`, and an entry
//! leaves it `pid_expiry_secs` after it was made, if entries expire: they are removed at the first piece after a check is due, which is
//! every `pid_expiry_secs` + 1 s. Threads and their process are the same here: a request has one stream.

use drivecast_block::{CacheCounters, Nanos};

/// One list: the processes, each with the time of its entry.
#[derive(Clone, Default)]
struct List {
    entries: Vec<(u32, Nanos)>,
}

impl List {
    fn new(streams: &[u32], most: usize, counters: &mut CacheCounters) -> List {
        let entries: Vec<_> = streams.iter().take(most).map(|stream| (*stream, Nanos::ZERO)).collect();
        counters.pid_adds += entries.len() as u64;
        counters.pid_drops += (streams.len() - entries.len()) as u64;
        List { entries }
    }

    fn has(&self, stream: u32) -> bool {
        self.entries.iter().any(|(listed, _)| *listed == stream)
    }

    fn expire(&mut self, now: Nanos, after: Nanos) -> u64 {
        let before = self.entries.len();
        self.entries.retain(|(_, at)| now.since(*at) < after);
        (before - self.entries.len()) as u64
    }
}

/// Both lists.
#[derive(Clone)]
pub(super) struct Processes {
    black: List,
    white: List,
    expiry: Option<Nanos>,
    check_at: Nanos,
}

impl Processes {
    /// Lists of these streams, whose entries expire after that time, if any.
    pub(super) fn new(
        black: &[u32],
        white: &[u32],
        most: usize,
        expiry: Option<Nanos>,
        counters: &mut CacheCounters,
    ) -> Processes {
        let (black, white) = (List::new(black, most, counters), List::new(white, most, counters));
        Processes { black, white, expiry, check_at: expiry.map_or(Nanos::MAX, |after| after + SECOND) }
    }

    /// Removes what has expired, if it is time to.
    #[inline]
    pub(super) fn expire(&mut self, now: Nanos, counters: &mut CacheCounters) {
        if now >= self.check_at {
            self.check(now, counters);
        }
    }

    #[cold]
    fn check(&mut self, now: Nanos, counters: &mut CacheCounters) {
        let Some(after) = self.expiry else { return };
        counters.pid_expiry += self.black.expire(now, after) + self.white.expire(now, after);
        self.check_at = now + after + SECOND;
    }

    /// Whether a process is on the black list.
    #[inline]
    pub(super) fn is_black(&self, stream: u32) -> bool {
        self.black.has(stream)
    }

    /// Whether a process is on the white list.
    #[inline]
    pub(super) fn is_white(&self, stream: u32) -> bool {
        self.white.has(stream)
    }
}

const SECOND: Nanos = Nanos::from_ms(1000);
