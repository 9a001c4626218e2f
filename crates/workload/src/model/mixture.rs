//! The streams of a model, superposed.
//!
//! MODEL as in [`super`]. What a stream does is drawn from random streams of its own, so that taking one out changes nothing
//! in the others. An open stream knows its next time; a closed one waits for completions, which whoever drives the mixture
//! reports to it. Without a device, each request of a closed loop takes [`SERVICE_S`].

use super::arrival_times::ArrivalTimes;
use super::place::{History, Places, reuse_of};
use super::sizes::Sizes;
use super::{Arrivals, Model, ModelError, Stream};
use crate::generate::{Choice, Io};
use drivecast_block::random::{self, stream};
use drivecast_block::{Bytes, Nanos, Op, Record};
use std::collections::VecDeque;

/// How long a request of a closed loop takes where there is no device. Assumed: a flash drive's read.
pub const SERVICE_S: f64 = 1e-4;

/// When a stream issues.
#[derive(Clone, Debug)]
enum Turn {
    Open {
        pace: Box<ArrivalTimes>,
        at: Nanos,
    },
    /// The times from which on a request may be issued: one for each place in the queue that is free.
    Closed {
        free: VecDeque<Nanos>,
        think: Nanos,
    },
}

/// One stream under way.
#[derive(Clone, Debug)]
struct Part {
    ops: Choice<Op>,
    sizes: Sizes,
    places: Places,
    /// The history among which it finds places again.
    history: usize,
    turn: Turn,
    random: random::Stream,
}

/// The streams of a model, under way.
#[derive(Clone, Debug)]
pub struct Mixture {
    parts: Box<[Part]>,
    histories: Box<[History]>,
}

impl Mixture {
    /// The streams on a device of this capacity.
    ///
    /// # Errors
    /// [`ModelError::TooSmall`]: the model addresses more.
    pub fn new(model: &Model, capacity: Bytes, seed: u64) -> Result<Mixture, ModelError> {
        let span = Bytes(model.span_bytes);
        if span.0 > capacity.0 {
            return Err(ModelError::TooSmall { name: model.name.clone(), span, capacity });
        }
        let (mut parts, mut names, mut histories) = (Vec::new(), Vec::new(), Vec::<History>::new());
        for stream in &model.streams {
            let name = reuse_of(stream).and_then(|reuse| reuse.among.as_ref()).unwrap_or(&stream.name);
            let history = names.iter().position(|known| *known == name).unwrap_or_else(|| {
                names.push(name);
                histories.push(History::default());
                names.len() - 1
            });
            histories[history].reach(stream);
            parts.push(Part::new(stream, (span.0, model.extent_bytes), seed, history));
        }
        Ok(Mixture { parts: parts.into(), histories: histories.into() })
    }

    /// When the next request is due, and of which stream; none while all wait for completions.
    #[inline]
    pub fn due(&self) -> Option<(Nanos, u32)> {
        let times =
            self.parts.iter().enumerate().filter_map(|(index, part)| Some((part.due()?, index as u32)));
        times.min()
    }

    /// The next request of a stream that is due.
    #[inline]
    pub fn take(&mut self, stream: u32) -> Io {
        let part = &mut self.parts[stream as usize];
        part.take(&mut self.histories[part.history])
    }

    /// Reports to a stream that one of its requests is done.
    #[inline]
    pub fn complete(&mut self, stream: u32, at: Nanos) {
        if let Turn::Closed { free, think } = &mut self.parts[stream as usize].turn {
            free.push_back(at + *think);
        }
    }

    /// The next request with its time, where there is no device.
    #[inline]
    fn alone(&mut self) -> Option<Record> {
        let (time, stream) = self.due()?;
        let Io { op, offset, size, fua, .. } = self.take(stream);
        self.complete(stream, time + Nanos::from_secs_f64(SERVICE_S));
        Some(Record { time, offset, size, stream, op, fua, latency: None })
    }

    /// The requests of a length of time.
    pub fn records(mut self, length: Nanos) -> impl Iterator<Item = Record> {
        std::iter::from_fn(move || self.alone()).take_while(move |record| record.time < length)
    }
}

impl Part {
    fn new(of: &Stream, span: (u64, u64), seed: u64, history: usize) -> Part {
        let data = 1.0 - of.trim - of.flush;
        let ops = Choice::new([
            (Op::Read, data * of.read),
            (Op::Write, data * (1.0 - of.read)),
            (Op::Discard, of.trim),
            (Op::Flush, of.flush),
        ]);
        let turn = match &of.arrivals {
            Arrivals::Closed { iodepth, think_s } => {
                let free = std::iter::repeat_n(Nanos::ZERO, *iodepth as usize).collect();
                Turn::Closed { free, think: Nanos::from_secs_f64(*think_s) }
            }
            Arrivals::Open(open) => {
                let mut pace = Box::new(ArrivalTimes::new(open, seed, &of.name));
                let at = pace.next();
                Turn::Open { pace, at }
            }
        };
        Part {
            ops,
            sizes: Sizes::new(&of.sizes),
            places: Places::new(of, span, seed),
            history,
            turn,
            random: stream(seed, &format!("model.{}.request", of.name)),
        }
    }

    #[inline]
    fn due(&self) -> Option<Nanos> {
        match &self.turn {
            Turn::Open { at, .. } => Some(*at),
            Turn::Closed { free, .. } => free.front().copied(),
        }
    }

    #[inline]
    fn take(&mut self, history: &mut History) -> Io {
        match &mut self.turn {
            Turn::Open { pace, at } => *at = pace.next(),
            Turn::Closed { free, .. } => drop(free.pop_front()),
        }
        let op = self.ops.value(self.ops.pick(&mut self.random));
        if op == Op::Flush {
            return Io { op, offset: 0, size: 0, fua: false, stream: 0 };
        }
        let size = self.sizes.next(&mut self.random);
        Io { op, offset: self.places.next(size, history), size, fua: false, stream: 0 }
    }
}
