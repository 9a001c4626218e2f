//! What is let into a cache.
//!
//! - **All**: everything.
//! - **Sequential** (bcache): not what continues a stream of more than `cutoff` bytes. The ends of the last 128 requests of 5 s are
//!   remembered, with the bytes of their streams; a request that begins at one continues it. A stream counts per process, so two
//!   processes that read on from each other are two streams.
//! - **Full** (OpenCAS): the same, but only once the cache is full.
//! - **Hits** (OpenCAS `nhit`): not before the third request for a block, once the cache is 80 % full. Requests are counted in a
//!   table of four cells for each line, at most 16 million, which blocks share by chance.
//!
//! Left out: bcache's average of a task's requests, and its congestion thresholds (2 and 20 ms), which let requests past a slow
//! fast device.

use drivecast_block::Nanos;

const STREAMS: usize = 128;
const STREAM_LASTS: Nanos = Nanos::from_ms(5_000);
const COUNTED: u64 = 4;
const COUNTS_MAX: u64 = 1 << 24;

/// A stream of requests.
#[derive(Clone, Copy)]
struct Stream {
    end: u64,
    process: u32,
    bytes: u64,
    at: Nanos,
}

/// Counts of requests by block.
#[derive(Clone)]
struct Hits {
    counts: Vec<u8>,
    wanted: u8,
    /// Lines in use from which on counts matter.
    from: u64,
}

/// What is let in; see the module.
#[derive(Clone)]
pub(super) struct Admission {
    streams: Option<Box<[Stream; STREAMS]>>,
    cutoff: u64,
    only_when_full: bool,
    hits: Option<Hits>,
    lines: u64,
    clock: usize,
}

impl Admission {
    /// All is let in, to so many lines.
    pub(super) fn all(lines: u32) -> Admission {
        let lines = u64::from(lines);
        Admission { streams: None, cutoff: 0, only_when_full: false, hits: None, lines, clock: 0 }
    }

    /// The same but for streams of more than so many bytes, if any; these only `when_full`.
    pub(super) fn but_sequential(self, cutoff: Option<u64>, when_full: bool) -> Admission {
        let never = Stream { end: u64::MAX, process: 0, bytes: 0, at: Nanos::ZERO };
        let streams = cutoff.map(|_| Box::new([never; STREAMS]));
        Admission { streams, cutoff: cutoff.unwrap_or(0), only_when_full: when_full, ..self }
    }

    /// The same but for blocks with fewer requests than `wanted`, once `from` of the lines are in use.
    pub(super) fn but_first(self, wanted: u8, from: f64) -> Admission {
        let counts = vec![0; (self.lines * COUNTED).min(COUNTS_MAX).next_power_of_two() as usize];
        let from = (self.lines as f64 * from) as u64;
        Admission { hits: Some(Hits { counts, wanted, from }), ..self }
    }

    /// Whether a request is let in; it is noted. `in_use` are the lines that are.
    pub(super) fn admits(
        &mut self,
        now: Nanos,
        process: u32,
        (offset, size): (u64, u32),
        blocks: std::ops::Range<u64>,
        in_use: u64,
    ) -> bool {
        let is_short = self.note(now, process, offset, size);
        let is_full = in_use >= self.lines;
        let hits = self.hits.as_mut().is_none_or(|hits| hits.count(blocks, in_use));
        (is_short || (self.only_when_full && !is_full)) && hits
    }

    /// Whether the stream of a request is no longer than the cutoff.
    fn note(&mut self, now: Nanos, process: u32, offset: u64, size: u32) -> bool {
        let Some(streams) = &mut self.streams else { return true };
        let continues = |stream: &Stream| {
            stream.end == offset && stream.process == process && now.since(stream.at) <= STREAM_LASTS
        };
        let at = streams.iter().position(continues);
        let bytes = at.map_or(0, |at| streams[at].bytes) + u64::from(size);
        let at = at.unwrap_or_else(|| {
            self.clock = (self.clock + 1) % STREAMS;
            self.clock
        });
        streams[at] = Stream { end: offset + u64::from(size), process, bytes, at: now };
        bytes < self.cutoff
    }
}

impl Hits {
    fn count(&mut self, blocks: std::ops::Range<u64>, in_use: u64) -> bool {
        let mask = self.counts.len() as u64 - 1;
        let mut least = u8::MAX;
        for block in blocks {
            let count = &mut self.counts[(block.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20 & mask) as usize];
            *count = count.saturating_add(1);
            least = least.min(*count);
        }
        in_use < self.from || least >= self.wanted
    }
}

#[cfg(test)]
mod tests {
    use super::Admission;
    use drivecast_block::Nanos;

    #[test]
    fn long_streams_stay_out() {
        let mut admission = Admission::all(100).but_sequential(Some(64 << 10), false);
        let mut read = |process, at: u64, now| {
            admission.admits(Nanos::from_ms(now), process, (at * 4096, 4096), at..at + 1, 0)
        };
        let admitted = (0..32).filter(|at| read(1, *at, 0)).count();
        assert_eq!(admitted, 15, "the stream is 64 KiB long with its sixteenth request");
        assert!(read(2, 32, 0), "another process begins another stream");
        assert!(!read(1, 32, 4_000) && read(1, 33, 10_000), "a stream lasts for 5 s");
        let mut full = Admission::all(100).but_sequential(Some(64 << 10), true);
        assert!((0..64).all(|at| full.admits(Nanos::ZERO, 1, (at * 4096, 4096), at..at + 1, 99)));
        assert!(!full.admits(Nanos::ZERO, 1, (64 * 4096, 4096), 64..65, 100));
    }

    #[test]
    fn blocks_come_in_at_their_third_request() {
        let mut admission = Admission::all(1000).but_first(3, 0.8);
        let mut read = |in_use| admission.admits(Nanos::ZERO, 0, (0, 8192), 0..2, in_use);
        assert!(read(100), "while there is space");
        assert!(!read(900) && read(900));
    }
}
