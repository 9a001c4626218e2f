//! The state of a drive, and what all parts of the model read of it.

use super::batch::Batch;
use super::buffer_drain::{BufferDrain, OpenRow};
use super::command::{Command, PageSize};
use super::durable_write::DurableWrite;
use super::idle_time::Idle;
use super::segments::ReadAhead;
use crate::spec::SsdSpec;
use crate::ssd::backend::Backend;
use crate::ssd::buffer::Buffer;
use crate::ssd::events::EventQueue;
use crate::ssd::ftl::{Ftl, Stats};
use crate::ssd::link::Link;
use crate::ssd::slc::Slc;
use crate::ssd::write_time::WriteTimes;
use crate::ssd::{Layout, Policy, Preload, SpecError};
use drivecast_block::{Completion, Counters, Nanos, Request};
use std::collections::VecDeque;

/// A solid-state drive: see the module's documentation for the model.
#[derive(Debug)]
pub struct Ssd {
    pub(super) layout: Layout,
    /// Bytes in flash for a byte of the host.
    pub(super) compression: f64,
    pub(super) page: PageSize,
    pub(in crate::ssd) ftl: Ftl,
    pub(super) backend: Backend,
    pub(super) buffer: Buffer,
    pub(super) link: Link,
    pub(super) batch: Batch,
    pub(super) drain: BufferDrain,
    /// Types of page of a word line.
    pub(super) read_types: u32,
    pub(super) full_holds_reads: bool,
    pub(super) full_queues_reads: bool,
    pub(super) command_time: [Nanos; 4],
    pub(super) read_overhead: Nanos,
    pub(super) write_times: WriteTimes,
    pub(super) flush_time: Nanos,
    pub(super) queue_depth: usize,
    pub(super) buffer_volatile: bool,
    pub(super) write_through: bool,
    pub(super) commands: Vec<Command>,
    pub(super) unused: Vec<u32>,
    /// Requests beyond the queue depth.
    pub(super) waiting: VecDeque<(u64, Request)>,
    /// Commands on the controller, by the time it is done with each.
    pub(super) taken: EventQueue<u32>,
    pub(super) controller_free: Nanos,
    /// Writes that wait for buffer space.
    pub(super) unadmitted: VecDeque<u32>,
    /// Pages on the inbound link: end of transfer, command, pages.
    pub(super) arriving: EventQueue<(u32, u32)>,
    /// Reads done, by the time the host knows.
    pub(super) reads_done: EventQueue<u32>,
    /// Writes, flushes and discards done.
    pub(super) writes_done: EventQueue<u32>,
    /// Commands that wait for rows to be in flash.
    pub(super) awaited: Vec<DurableWrite>,
    /// The row being filled.
    pub(super) open_row: Option<OpenRow>,
    /// The row of folded pages being filled: its die, its pages.
    pub(super) folded_row: Option<(usize, u32)>,
    pub(in crate::ssd) slc: Option<Box<Slc>>,
    pub(super) ahead: Option<Box<ReadAhead>>,
    pub(super) cursor: usize,
    pub(super) sequence: u64,
    /// Completions of one time, to be put in order of submission.
    pub(super) tied: Vec<(u64, Completion)>,
    pub(super) idle: Idle,
    pub(super) counters: Counters,
    /// What the translation layer had done when counting began.
    pub(super) counted_from: Stats,
    pub(super) busy_since: Nanos,
    /// The last time the drive was called at.
    pub(super) now: Nanos,
}

impl Ssd {
    /// A drive for a workload that rewrites and keeps as much as `preload` says. It starts with all flash
    /// erased: fill it and bring it to steady state with [`drivecast_block::Device::age`].
    ///
    /// # Errors
    /// A specification that no drive can have, with the field.
    pub fn new(spec: &SsdSpec, preload: &Preload, seed: u64) -> Result<Ssd, SpecError> {
        Ssd::build(spec, Layout::new(spec, preload)?, seed)
    }

    /// A drive like the specified one, shrunk by a factor ([`Layout::scale_to`]), for a workload that rewrites and keeps as much
    /// of the specified one as `preload` says, in writes of `write_bytes` on average.
    ///
    /// # Errors
    /// A specification that no drive can have, with the field.
    pub fn scaled(
        spec: &SsdSpec,
        scale: f64,
        preload: &Preload,
        write_bytes: u64,
        seed: u64,
    ) -> Result<Ssd, SpecError> {
        Ssd::build(spec, Layout::scaled(spec, scale, preload, write_bytes)?, seed)
    }

    /// The seed decides where the turn of the dies begins, and what is drawn: repeated reads, points of suspension.
    fn build(spec: &SsdSpec, layout: Layout, seed: u64) -> Result<Ssd, SpecError> {
        let ftl = Ftl::new(
            layout.geometry,
            layout.capacity_pages,
            layout.written_pages,
            layout.row_pages,
            Policy::of(spec, seed),
        )?;
        let spec = &spec.in_host_bytes();
        let backend = Backend::new(spec, layout.row_pages, layout.block_pages_specified, seed);
        let write_time = Nanos(spec.write_command_ns);
        Ok(Ssd {
            compression: spec.compression,
            page: PageSize::new(spec.mapping_bytes),
            cursor: (seed % backend.dies() as u64) as usize,
            ftl,
            backend,
            buffer: Buffer::new(spec.buffer_bytes / u64::from(spec.mapping_bytes), layout.row_pages),
            link: Link::new(spec),
            batch: Batch::new(spec),
            drain: BufferDrain::new(spec),
            read_types: spec.read_types,
            full_holds_reads: spec.full_holds_reads,
            full_queues_reads: spec.full_queues_reads,
            command_time: [Nanos(spec.read_command_ns), write_time, write_time, write_time],
            read_overhead: Nanos(spec.read_overhead_ns),
            write_times: WriteTimes::new(spec, seed),
            flush_time: Nanos(spec.flush_ns.unwrap_or(spec.write_overhead_ns)),
            queue_depth: spec.queue_depth as usize,
            buffer_volatile: spec.buffer_volatile,
            write_through: spec.write_through,
            commands: Vec::new(),
            unused: Vec::new(),
            waiting: VecDeque::new(),
            taken: EventQueue::new(),
            controller_free: Nanos::ZERO,
            unadmitted: VecDeque::new(),
            arriving: EventQueue::new(),
            reads_done: EventQueue::new(),
            writes_done: EventQueue::new(),
            awaited: Vec::new(),
            open_row: None,
            folded_row: None,
            slc: Slc::new(spec, &layout)?.map(Box::new),
            ahead: ReadAhead::new(spec.read_ahead_bytes / u64::from(spec.mapping_bytes)),
            sequence: 0,
            tied: Vec::new(),
            idle: Idle::new(spec, &layout),
            counters: Counters::default(),
            counted_from: Stats::default(),
            busy_since: Nanos::ZERO,
            now: Nanos::ZERO,
            layout,
        })
    }

    /// The drive as simulated.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Its translation layer.
    pub fn ftl(&self) -> &Ftl {
        &self.ftl
    }

    /// What was done to the flash, cache and main flash together: pages from the host are counted where they arrive.
    pub(super) fn stats(&self) -> Stats {
        let main = self.ftl.stats();
        let (written, folded, padded) = self.slc.as_ref().map_or((0, 0, 0), |slc| slc.counts());
        Stats {
            host_pages: main.host_pages + written - folded,
            copied_pages: main.copied_pages + folded,
            padded_pages: main.padded_pages + padded,
            ..main
        }
    }

    /// The unit of its mapping table.
    pub fn mapping_bytes(&self) -> u64 {
        self.page.bytes
    }

    /// Commands in the drive.
    pub(super) fn in_drive(&self) -> usize {
        self.commands.len() - self.unused.len()
    }
}
