//! What a controller has only so much of: processors, the parity engine, memory.
//!
//! Each is a station that serves in order of arrival. A call at `now` returns when the work will be done, and the station is
//! busy until then. So no events are needed, and nothing is reserved before it is requested.

use crate::spec::ControllerSpec;
use drivecast_block::Nanos;

/// Equal servers with one queue.
struct Servers {
    free: Vec<Nanos>,
}

impl Servers {
    fn new(count: u32) -> Servers {
        Servers { free: vec![Nanos::ZERO; count as usize] }
    }

    fn serve(&mut self, now: Nanos, ns: u64) -> Nanos {
        let first = self.free.iter_mut().min().expect("a specification has at least one server");
        *first = (*first).max(now) + Nanos(ns);
        *first
    }
}

/// Something that bytes pass through one after the other.
pub(crate) struct Pipe {
    free: Nanos,
    ns_per_byte: f64,
}

impl Pipe {
    /// A pipe of this rate; none: no limit.
    pub(crate) fn new(bytes_per_s: Option<f64>) -> Pipe {
        Pipe { free: Nanos::ZERO, ns_per_byte: bytes_per_s.map_or(0.0, |rate| 1e9 / rate) }
    }

    /// When `bytes` that arrive at `now` have passed.
    pub(crate) fn pass(&mut self, now: Nanos, bytes: u64) -> Nanos {
        self.free = self.free.max(now) + Nanos(self.ns(bytes));
        self.free
    }

    fn ns(&self, bytes: u64) -> u64 {
        if self.ns_per_byte == 0.0 { 0 } else { (bytes as f64 * self.ns_per_byte).round() as u64 }
    }
}

/// The parity work of one row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParityWork {
    /// Bytes of each chunk under which parity changes.
    pub span_bytes: u64,
    /// Bytes that go into parity: all sources together.
    pub source_bytes: u64,
    /// Parities: 1, or 2 with Q.
    pub parities: usize,
}

/// A controller's stations.
pub struct Processor {
    cores: Servers,
    threads: Option<Servers>,
    xor: Pipe,
    q: Pipe,
    memory: Pipe,
    host_command_ns: u64,
    member_command_ns: u64,
    stripe_ns: u64,
    stripe_bytes: Option<u64>,
    stripe_cache_bytes: Option<u64>,
    parity_on_cores: bool,
    member_queue_depth: u32,
    destage_depth: u32,
}

impl Processor {
    /// Idle stations of a specification that has been checked.
    pub fn new(spec: &ControllerSpec) -> Processor {
        Processor {
            cores: Servers::new(spec.cores),
            threads: spec.stripe_threads.map(Servers::new),
            xor: Pipe::new(Some(spec.xor_bytes_per_s)),
            q: Pipe::new(Some(spec.q_bytes_per_s)),
            memory: Pipe::new(spec.memory_bytes_per_s),
            host_command_ns: spec.host_command_ns,
            member_command_ns: spec.member_command_ns,
            stripe_ns: spec.stripe_ns,
            stripe_bytes: spec.stripe_bytes,
            stripe_cache_bytes: spec.stripe_cache_bytes,
            parity_on_cores: spec.parity_on_cores,
            member_queue_depth: spec.member_queue_depth,
            destage_depth: spec.cache.map_or(1, |cache| cache.destage_depth),
        }
    }

    /// Commands that a member is given at a time.
    pub fn member_queue_depth(&self) -> u32 {
        self.member_queue_depth
    }

    /// Commands that a member is given at a time to write out parts of stripes.
    pub fn destage_depth(&self) -> u32 {
        self.destage_depth
    }

    /// What a stripe cache holds of each member, where there is one.
    pub fn stripe_cache_bytes(&self) -> Option<u64> {
        self.stripe_cache_bytes
    }

    /// When a host command that arrives at `now` has been processed.
    pub(crate) fn host_command(&mut self, now: Nanos) -> Nanos {
        self.cores.serve(now, self.host_command_ns)
    }

    /// When `bytes` have crossed the memory once.
    pub(crate) fn cross_memory(&mut self, now: Nanos, bytes: u64) -> Nanos {
        self.memory.pass(now, bytes)
    }

    /// When a command that moves `bytes` to or from a member can go out.
    pub fn member_command(&mut self, now: Nanos, bytes: u64) -> Nanos {
        self.cores.serve(now, self.member_command_ns).max(self.memory.pass(now, bytes))
    }

    /// When parity is there, once its sources are at `now`: the processor's share, then the engine's, while the sources and
    /// the result cross the memory.
    pub fn parity(&mut self, now: Nanos, work: ParityWork) -> Nanos {
        let ParityWork { span_bytes, source_bytes, parities } = work;
        let stripes = self.stripe_bytes.map_or(1, |unit| span_bytes.div_ceil(unit).max(1));
        let mut ns = stripes * self.stripe_ns;
        let mut engine = now;
        if self.parity_on_cores {
            let q = if parities > 1 { self.q.ns(source_bytes) } else { 0 };
            ns += self.xor.ns(source_bytes) + q;
        } else {
            engine = self.xor.pass(now, source_bytes);
            if parities > 1 {
                engine = engine.max(self.q.pass(now, source_bytes));
            }
        }
        let processed = self.threads.as_mut().unwrap_or(&mut self.cores).serve(now, ns);
        let crossed = self.memory.pass(now, source_bytes + span_bytes * parities as u64);
        (processed + Nanos(engine.since(now).0)).max(crossed)
    }
}
