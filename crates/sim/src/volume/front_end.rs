//! The processor that all requests pass, batch by batch.
//!
//! **Model.** It sleeps when nothing waits. The first request wakes it, which takes the set-up time; it then takes all that
//! waits, works on each in turn, hands all of it on together, and continues with what has arrived meanwhile, or sleeps. With
//! batches of one this is M/G/1 with a set-up time. With larger ones a host that keeps N requests outstanding and issues each as
//! soon as one comes back has all of them in one batch, so that its latency grows by one request's work for each of them from
//! the very first: wake-up + N × work + what is behind. A virtual disk behind a paravirtual queue does so: the guest
//! notifies once, the hypervisor's thread empties the queue and interrupts once. Where that thread continues until the queue is
//! empty before it interrupts, a batch also gathers what comes meanwhile (`gathers`), and N requests stay one batch; else
//! those that come back late make a second one, and the two take turns without anything being woken.
//!
//! A request may, with a small probability, hold up the processor for a lognormal time, and with it all of its batch: a
//! processor that waits for its storage has nothing else to do meanwhile.
//!
//! **Sources.** Set-up times: P. Welch, *On a generalized M/G/1 queuing process in which the first customer of each busy period
//! receives exceptional service*, Operations Research 12 (5), 1964. Bulk service: N. Bailey, *On queueing processes with bulk
//! service*, Journal of the Royal Statistical Society B 16 (1), 1954. One ring and one interrupt a batch: Virtual I/O Device
//! (VIRTIO) 1.2, sections 2.7.7 and 2.7.10 (notification suppression).

use super::spread;
use crate::spec::VolumeFront;
use drivecast_block::Op;
use drivecast_block::random::{self, Stream};
use rand::RngExt;
use std::collections::VecDeque;
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Asleep,
    Waking,
    /// On a batch of so many.
    Working(usize),
}

/// A request that waits for the processor or is in its batch.
#[derive(Clone, Copy, Debug)]
struct Command {
    slot: u32,
    work_ns: f64,
    held_ns: f64,
}

/// The processor.
#[derive(Clone, Debug)]
pub(super) struct Front {
    spec: VolumeFront,
    stream: Stream,
    tail: Stream,
    /// The batch, and behind it those that wait.
    commands: VecDeque<Command>,
    state: State,
    /// How much slower than the median the batch goes that it woke up for.
    pace: f64,
}

impl Front {
    pub(super) fn new(spec: VolumeFront, seed: u64) -> Front {
        let stream = random::stream(seed, "volume-front");
        let tail = random::stream(seed, "volume-front-tail");
        Front { spec, stream, tail, commands: VecDeque::new(), state: State::Asleep, pace: 1.0 }
    }

    /// Takes a request; the time until it is awake, if this one wakes it.
    pub(super) fn arrive(&mut self, slot: u32, op: Op, bytes: u32) -> Option<f64> {
        let front = &self.spec;
        let (command_ns, ns_per_byte, probability) = match op {
            Op::Write => (front.write_command_ns, front.write_ns_per_byte, front.write_tail_probability),
            _ => (front.read_command_ns, front.read_ns_per_byte, front.read_tail_probability),
        };
        let mut held_ns = 0.0;
        if probability > 0.0 && self.tail.random_bool(probability) {
            held_ns = spread::around(front.tail_ns, front.tail_sigma, &mut self.tail);
        }
        let work_ns = command_ns + f64::from(bytes) * ns_per_byte;
        self.commands.push_back(Command { slot, work_ns, held_ns });
        if self.state != State::Asleep {
            return None;
        }
        self.state = State::Waking;
        self.pace = spread::around(1.0, self.spec.sigma, &mut self.stream);
        Some(self.spec.wake_ns * self.pace)
    }

    /// Goes on at the end of a wake-up or a batch: calls `leave` for what it hands on; the length of the next batch, if there is
    /// one.
    pub(super) fn go_on(&mut self, mut leave: impl FnMut(u32)) -> Option<f64> {
        if let State::Working(batch) = self.state {
            let joined = self.commands.len().min(self.spec.batch_max as usize);
            if self.spec.gathers && joined > batch {
                self.state = State::Working(joined);
                return Some(self.work_ns(batch..joined));
            }
            self.commands.drain(..batch).for_each(|command| leave(command.slot));
            if self.commands.is_empty() {
                self.state = State::Asleep;
                return None;
            }
            self.pace = spread::around(1.0, self.spec.sigma, &mut self.stream);
        }
        let batch = self.commands.len().min(self.spec.batch_max as usize);
        self.state = State::Working(batch);
        Some(self.work_ns(0..batch))
    }

    /// What these requests take together.
    fn work_ns(&self, requests: Range<usize>) -> f64 {
        self.commands.range(requests).map(|command| command.work_ns * self.pace + command.held_ns).sum()
    }
}
