//! The thread that serves a disk, and how others reach it.
//!
//! It spins while an answer is due within [`SPIN`] and for as long after the last request, since a program that has just been
//! answered asks again soon and a sleeping thread would take its request up too late. Otherwise it sleeps in `ppoll(2)` until
//! something comes or is nearly due.
//!
//! Whether something has come is a call of the system, and an answer has to be copied: an answer due within [`GLANCE`] is
//! prepared without either in between, and sent when it is due.

use crate::idle_states::CpuLatencyLimit;
use crate::wakeup::Wakeup;
use crate::{Activity, Answer, Disk, Errno, Front, Lateness, Span};
use drivecast_block::{Nanos, Record};
use drivecast_sim::outcome::Outcome;
use drivecast_target::SPIN;
use drivecast_target::clock::{Clock, Punctual};
use std::io::Result as IoResult;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::JoinHandle;

/// Longer than it takes to see whether something has come and to copy an answer of 4 KiB: 1 to 2 µs (measured).
const GLANCE: Nanos = Nanos(3_000);

/// A change or a question, with the way back.
enum Command {
    Start(Nanos, Sender<()>),
    Look(Span, Sender<Activity>),
    Records(Sender<Vec<Record>>),
    Fail(usize, Sender<Result<(), String>>),
    Rebuild(f64, Sender<Result<(), String>>),
    Slow(usize, f64, Sender<Result<(), String>>),
    Cut(Sender<Result<u64, Errno>>),
}

/// What remains of a disk that was served.
pub struct Ended {
    /// As of any run.
    pub outcome: Outcome,
    /// By how much answers were late.
    pub lateness: Lateness,
}

/// A disk that is being served by a thread of its own. Dropping it ends that.
pub struct Server {
    /// Dropped to end the thread.
    commands: Option<Sender<Command>>,
    wakeup: Wakeup,
    thread: Option<JoinHandle<Ended>>,
}

impl Server {
    /// Serves `disk` over `front`. Until [`Server::start`] no device takes part: writes are answered at once, reads
    /// as its ping needs it.
    ///
    /// # Errors
    /// The system has no descriptors or threads left.
    pub fn new(mut disk: Disk, front: impl Front + 'static) -> IoResult<Server> {
        let wakeup = Wakeup::new()?;
        let (commands, received) = channel();
        let woken = wakeup.again()?;
        disk.data().wake(wakeup.again()?);
        let serve = move || Loop { disk, front, clock: Clock::begin(), commands: received, woken }.run();
        let thread = std::thread::Builder::new().name("attach".to_owned()).spawn(serve)?;
        Ok(Server { commands: Some(commands), wakeup, thread: Some(thread) })
    }

    /// From now on the device takes its time; the front costs `transport`, which is taken off.
    pub fn start(&self, transport: Nanos) {
        self.put(|back| Command::Start(transport, back));
    }

    /// What has been seen since the last look at this span; none where the thread has ended.
    pub fn look(&self, span: Span) -> Option<Activity> {
        self.put(|back| Command::Look(span, back))
    }

    /// What came since the last call, in order of time.
    pub fn records(&self) -> Vec<Record> {
        self.put(Command::Records).unwrap_or_default()
    }

    /// A drive fails. See [`Disk::fail`].
    ///
    /// # Errors
    /// As there.
    pub fn fail(&self, drive: usize) -> Result<(), String> {
        self.put(|back| Command::Fail(drive, back)).unwrap_or(Ok(()))
    }

    /// Failed drives are rebuilt. See [`Disk::rebuild`].
    ///
    /// # Errors
    /// As there.
    pub fn rebuild(&self, bytes_per_s: f64) -> Result<(), String> {
        self.put(|back| Command::Rebuild(bytes_per_s, back)).unwrap_or(Ok(()))
    }

    /// A drive becomes slow. See [`Disk::slow`].
    ///
    /// # Errors
    /// As there.
    pub fn slow(&self, drive: usize, factor: f64) -> Result<(), String> {
        self.put(|back| Command::Slow(drive, factor, back)).unwrap_or(Ok(()))
    }

    /// Power is cut. See [`Disk::cut`].
    ///
    /// # Errors
    /// As there.
    pub fn cut(&self) -> Result<u64, Errno> {
        self.put(Command::Cut).unwrap_or(Ok(0))
    }

    /// Ends it; none where the thread has failed.
    #[must_use]
    pub fn stop(mut self) -> Option<Ended> {
        self.end()
    }

    fn end(&mut self) -> Option<Ended> {
        self.commands = None;
        self.wakeup.signal();
        self.thread.take()?.join().ok()
    }

    fn put<T>(&self, command: impl FnOnce(Sender<T>) -> Command) -> Option<T> {
        let (back, answer) = channel();
        self.commands.as_ref()?.send(command(back)).ok()?;
        self.wakeup.signal();
        answer.recv().ok()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}

struct Loop<F> {
    disk: Disk,
    front: F,
    clock: Clock,
    commands: Receiver<Command>,
    woken: Wakeup,
}

impl<F: Front> Loop<F> {
    fn run(mut self) -> Ended {
        let punctual = Punctual::begin();
        let mut answers: Vec<Answer> = Vec::new();
        let mut watched: Vec<libc::pollfd> = Vec::new();
        let mut busy = Nanos::ZERO;
        let mut limit = CpuLatencyLimit::new(self.front.is_direct());
        while self.obey() {
            let came = self.front.take(&mut self.disk, &self.clock);
            let now = self.clock.now();
            let until =
                self.disk.due().filter(|due| due.since(now.min(*due)) < GLANCE).unwrap_or(now).max(now);
            self.disk.advance(until, &mut answers);
            if came || !answers.is_empty() {
                busy = now;
                limit.asked();
                self.answer(until, &mut answers);
                continue;
            }
            let left = self.disk.due().map_or(Nanos::MAX, |due| due.since(now.min(due)));
            match (left > SPIN, now.since(busy) > SPIN) {
                (true, true) => {
                    limit.idle(now.since(busy));
                    self.sleep(limit.at_most(Nanos(left.0 - SPIN.0)), &mut watched);
                }
                // The program may have been woken on this processor, and cannot ask before it has it.
                (true, false) => {
                    limit.gives_way();
                    std::thread::yield_now();
                }
                (false, _) => std::hint::spin_loop(),
            }
        }
        punctual.end();
        let now = self.clock.now();
        Ended { outcome: self.disk.outcome(now), lateness: self.disk.lateness() }
    }

    /// Sends at `due` what is complete then, and counts when it was sent.
    fn answer(&mut self, due: Nanos, answers: &mut Vec<Answer>) {
        for answer in answers.iter() {
            self.front.answer(&mut self.disk, answer);
        }
        // What sending takes is part of what the front costs.
        let mut now = self.clock.now();
        while now < due && !answers.is_empty() {
            std::hint::spin_loop();
            now = self.clock.now();
        }
        self.front.send();
        for answer in answers.drain(..) {
            self.disk.answered(now, &answer);
        }
    }

    /// Does what others have said; false once they have let go.
    fn obey(&mut self) -> bool {
        loop {
            let command = match self.commands.try_recv() {
                Ok(command) => command,
                Err(TryRecvError::Empty) => return true,
                Err(TryRecvError::Disconnected) => return false,
            };
            let (disk, now) = (&mut self.disk, self.clock.now());
            // Whoever does not wait for the answer any more does not need it.
            let _: Option<()> = match command {
                Command::Start(transport, back) => {
                    disk.start(transport);
                    back.send(()).ok()
                }
                Command::Look(span, back) => back.send(disk.look(now, span)).ok(),
                Command::Records(back) => back.send(disk.records()).ok(),
                Command::Fail(drive, back) => back.send(disk.fail(drive)).ok(),
                Command::Rebuild(rate, back) => back.send(disk.rebuild(rate)).ok(),
                Command::Slow(drive, factor, back) => back.send(disk.slow(drive, factor)).ok(),
                Command::Cut(back) => back.send(disk.cut()).ok(),
            };
        }
    }

    /// Waits until something comes, or for so long.
    fn sleep(&mut self, length: Nanos, watched: &mut Vec<libc::pollfd>) {
        watched.clear();
        watched.push(libc::pollfd { fd: self.woken.descriptor(), events: libc::POLLIN, revents: 0 });
        self.front.watch(watched);
        let most = Nanos::from_ms(10_000);
        let length = length.min(most);
        let wait = libc::timespec {
            tv_sec: (length.0 / 1_000_000_000) as i64,
            tv_nsec: (length.0 % 1_000_000_000) as i64,
        };
        let count = watched.len() as libc::nfds_t;
        // SAFETY: a list of `count` entries, and a time, both of which outlive the call.
        unsafe { libc::ppoll(watched.as_mut_ptr(), count, &raw const wait, std::ptr::null()) };
        if watched[0].revents != 0 {
            self.woken.clear();
        }
    }
}
