//! Several streams into one, in order of time; equal times in order of the files.

use crate::decompress::Input;
use crate::error::TraceError;
use crate::stream::{Decode, Stream, Timed};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A k-way merge. The stream with the earliest item stays current until another one has an earlier item, so that bursts
/// on one CPU cost no comparison between streams.
pub(crate) struct Merge<D: Decode> {
    streams: Vec<Stream<D>>,
    waiting: BinaryHeap<Reverse<(u64, usize)>>,
    current: Option<usize>,
    started: bool,
}

impl<D: Decode> Merge<D> {
    fn new(streams: Vec<Stream<D>>) -> Merge<D> {
        Merge { waiting: BinaryHeap::with_capacity(streams.len()), streams, current: None, started: false }
    }

    /// The files of a log, each with the decoder that its name and start ask for.
    pub(crate) fn of(
        inputs: Vec<Input>,
        decoder: impl Fn(&str, &[u8]) -> Result<D, TraceError>,
    ) -> Result<Merge<D>, TraceError> {
        let mut streams = Vec::with_capacity(inputs.len());
        for mut input in inputs {
            let name = input.name.clone();
            let decoder = decoder(&name, input.head()?)?;
            streams.push(Stream::new(input, decoder));
        }
        Ok(Merge::new(streams))
    }

    pub(crate) fn streams(&self) -> &[Stream<D>] {
        &self.streams
    }

    /// The next items, at least one and at most `limit`, all from one stream; `None` at the end.
    pub(crate) fn run(&mut self, limit: usize) -> Result<Option<&[D::Item]>, TraceError> {
        if !self.started {
            self.started = true;
            for index in 0..self.streams.len() {
                self.park(index)?;
            }
        }
        let (index, length) = loop {
            let Some(index) = self.current.or_else(|| self.waiting.pop().map(|Reverse((_, index))| index))
            else {
                return Ok(None);
            };
            self.current = Some(index);
            let ready = self.streams[index].ready();
            let until = self.waiting.peek().map_or((u64::MAX, usize::MAX), |Reverse(head)| *head);
            let ready = &ready[..ready.len().min(limit)];
            let length = ready.iter().take_while(|item| (item.time(), index) <= until).count();
            if length > 0 {
                break (index, length);
            }
            self.current = None;
            self.park(index)?;
        };
        let stream = &mut self.streams[index];
        stream.take(length);
        Ok(Some(stream.taken(length)))
    }

    /// Puts a stream in line by its earliest item; a stream that has ended is left out.
    fn park(&mut self, index: usize) -> Result<(), TraceError> {
        let stream = &mut self.streams[index];
        if stream.ready().is_empty() && !stream.refill()? {
            return Ok(());
        }
        let time = stream.ready().first().map_or(u64::MAX, Timed::time);
        self.waiting.push(Reverse((time, index)));
        Ok(())
    }
}
