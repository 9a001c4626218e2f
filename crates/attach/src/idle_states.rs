//! Processors that do not rest while a disk is in use.
//!
//! Model. A thread that is woken on a processor at rest runs as much later as that takes to leave its state: in a virtual machine 5 to
//! tens of microseconds, where the host decides. That is on the application's way to the disk and back, for which no
//! design is to blame, so idle processors are to spin. Where the kernel chooses among states of rest, it is to
//! grant a latency of zero (PM QoS, `/dev/cpu_dma_latency`), which ends with the descriptor, however we end; only root may, and
//! without it nothing changes. Where it has no driver for them, as in many virtual machines, it only knows how to halt: there a
//! thread of the class that runs when nothing else does (`SCHED_IDLE`) spins on each processor. Whatever wakes takes its place at once.
//!
//! Either ends after a second without requests, for the power that it takes. None spins where threads of the kernel carry requests
//! (FUSE, loop devices): at depth 8 a read took 135 µs with them and 105 without (measured). Left out: more processors than
//! [`SPINNERS_MAX`], and those whose time a control group limits, for what spins there is taken from the application.
//!
//! Source: the kernel's `Documentation/power/pm_qos_interface.rst` and `kernel/sched/idle.c`.

use drivecast_block::Nanos;
use std::fs::File;
use std::io::{Result, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::thread::JoinHandle;

/// Without a request for so long, processors may rest.
const IDLE: Nanos = Nanos::from_ms(1000);
/// Processors on which threads of ours spin. Assumed.
const SPINNERS_MAX: usize = 8;

/// A limit on how long processors may take to wake up, while it lasts.
pub(crate) struct CpuLatencyLimit {
    means: Means,
    is_wanted: bool,
    /// Of the server, when it last gave way.
    processor: libc::c_int,
}

enum Means {
    /// The wish is the descriptor; none while it is not wanted, or where it was denied.
    Latency(Option<File>),
    Spinners(Spinners),
    /// Nothing that would help is allowed.
    Nothing,
}

impl CpuLatencyLimit {
    /// `is_direct`: see [`Front::is_direct`](crate::Front::is_direct).
    pub(crate) fn new(is_direct: bool) -> CpuLatencyLimit {
        let means = match (has_states_of_rest(), is_direct) {
            (true, _) => Means::Latency(None),
            (false, true) => Means::Spinners(Spinners::new()),
            (false, false) => Means::Nothing,
        };
        CpuLatencyLimit { means, is_wanted: false, processor: -1 }
    }

    /// A request has come.
    pub(crate) fn asked(&mut self) {
        if std::mem::replace(&mut self.is_wanted, true) {
            return;
        }
        match &mut self.means {
            Means::Latency(wish) => match at_once() {
                Ok(file) => *wish = Some(file),
                // Not tried again.
                Err(_) => self.means = Means::Nothing,
            },
            Means::Spinners(spinners) => spinners.order(SPIN),
            Means::Nothing => {}
        }
    }

    /// None has come for so long.
    pub(crate) fn idle(&mut self, length: Nanos) {
        if length <= IDLE || !std::mem::replace(&mut self.is_wanted, false) {
            return;
        }
        match &mut self.means {
            Means::Latency(wish) => *wish = None,
            Means::Spinners(spinners) => spinners.order(REST),
            Means::Nothing => {}
        }
    }

    /// Before the server gives way: it runs on this processor.
    pub(crate) fn gives_way(&mut self) {
        let Means::Spinners(spinners) = &self.means else { return };
        // SAFETY: the call takes nothing.
        let processor = unsafe { libc::sched_getcpu() };
        if processor != self.processor {
            self.processor = processor;
            spinners.meet(processor as usize);
        }
    }

    /// How long a sleep may be, so that the wish ends in time.
    pub(crate) fn at_most(&self, length: Nanos) -> Nanos {
        if self.is_wanted { length.min(IDLE) } else { length }
    }
}

/// Whether the kernel has a driver that knows states of rest.
fn has_states_of_rest() -> bool {
    std::fs::read_to_string("/sys/devices/system/cpu/cpuidle/current_driver")
        .is_ok_and(|driver| driver.trim() != "none")
}

fn at_once() -> Result<File> {
    let mut file = File::options().write(true).open("/dev/cpu_dma_latency")?;
    file.write_all(&0_i32.to_ne_bytes())?;
    Ok(file)
}

/// What spinners are to do.
const REST: u8 = 0;
const SPIN: u8 = 1;
const END: u8 = 2;

/// A thread for each processor that spins when nothing else runs there. Dropping it ends them.
struct Spinners {
    shared: Arc<Shared>,
    /// In the order of their processors, from the first.
    threads: Vec<(usize, JoinHandle<()>)>,
}

struct Shared {
    order: AtomicU8,
    /// The processor of the thread that serves the disk. None spins there: the server gives way to programs, and would meet it instead.
    server: AtomicUsize,
}

impl Spinners {
    fn new() -> Spinners {
        let shared = Arc::new(Shared { order: AtomicU8::new(REST), server: AtomicUsize::new(usize::MAX) });
        let processors = processors();
        // Fewer that count than there are: a control group limits their time.
        let is_limited =
            std::thread::available_parallelism().is_ok_and(|count| count.get() < processors.len());
        let most = if is_limited { 0 } else { SPINNERS_MAX };
        let spinner = |processor| {
            let shared = Arc::clone(&shared);
            let thread = std::thread::Builder::new().name("awake".to_owned());
            // The system may have no thread to spare, and the disk needs none.
            Some((processor, thread.spawn(move || spin(processor, &shared)).ok()?))
        };
        let threads = processors.into_iter().take(most).filter_map(spinner).collect();
        Spinners { shared, threads }
    }

    fn order(&self, order: u8) {
        self.shared.order.store(order, Ordering::Release);
        for (_, thread) in &self.threads {
            thread.thread().unpark();
        }
    }

    /// The server runs on this processor now.
    fn meet(&self, processor: usize) {
        let before = self.shared.server.swap(processor, Ordering::Relaxed);
        for (_, thread) in self.threads.iter().filter(|(at, _)| *at == before) {
            thread.thread().unpark();
        }
    }
}

impl Drop for Spinners {
    fn drop(&mut self) {
        self.order(END);
        for (_, thread) in self.threads.drain(..) {
            // It does not panic, and nothing of it is needed.
            let _ = thread.join();
        }
    }
}

/// The processors that we may run on.
fn processors() -> Vec<usize> {
    // SAFETY: an all-zero set is a valid, empty one, and the call fills as many bytes as it is said to have.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        if libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &raw mut set) != 0 {
            return Vec::new();
        }
        (0..libc::CPU_SETSIZE as usize).filter(|processor| libc::CPU_ISSET(*processor, &set)).collect()
    }
}

fn spin(processor: usize, shared: &Shared) {
    if !yields_to_all(processor) {
        return;
    }
    loop {
        match shared.order.load(Ordering::Acquire) {
            REST => std::thread::park(),
            SPIN if shared.server.load(Ordering::Relaxed) != processor => std::hint::spin_loop(),
            SPIN => std::thread::park(),
            _ => return,
        }
    }
}

/// Has this thread run on one processor, and only when nothing else does; whether it now does.
fn yields_to_all(processor: usize) -> bool {
    // SAFETY: these set numbers of the calling thread (0), from places that outlive the calls; an all-zero set is empty.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(processor, &mut set);
        let none = libc::sched_param { sched_priority: 0 };
        // Its time is then counted as nice, and not as that of programs.
        libc::setpriority(libc::PRIO_PROCESS, 0, 19);
        libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &raw const set) == 0
            && libc::sched_setscheduler(0, libc::SCHED_IDLE, &raw const none) == 0
    }
}
