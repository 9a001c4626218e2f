//! Drives in steady state, held for the runs after: preconditioning knows no clock, so what it leaves serves every load, rate,
//! depth and speed of flash that has the same writes on the same design. A run that takes it up gives the same bytes as one that
//! ages its drives anew.
//!
//! Memory is bounded; what was used longest ago makes way. Runs in several threads may share it.

use super::modelled::Modelled;
use super::options::{RunOptions, State};
use super::windowed::Windowed;
use super::workload::Workload;
use crate::design::{Aged, Contents, Element, Resolved, Unit};
use crate::spec::DriveSpec;
use crate::ssd::wear;
use drivecast_block::{Counters, Record};
use drivecast_workload::WorkloadSpec;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Whose writes they are. A trace is known by its place in memory, where it remains as long as this does.
enum Writer {
    Records(Arc<[Record]>),
    Synthetic(WorkloadSpec),
}

impl Writer {
    fn of(workload: &Workload) -> Writer {
        match workload {
            Workload::Records(records)
            | Workload::Model(Modelled { pass: records, .. })
            | Workload::Windows(Windowed { pass: records, .. }) => Writer::Records(records.clone()),
            Workload::Synthetic(spec) => Writer::Synthetic(spec.timeless()),
        }
    }

    fn is(&self, other: &Writer) -> bool {
        match (self, other) {
            (Writer::Records(mine), Writer::Records(other)) => Arc::ptr_eq(mine, other),
            (Writer::Synthetic(mine), Writer::Synthetic(other)) => mine == other,
            _ => false,
        }
    }
}

/// What steady state depends on.
pub(super) struct Key {
    root: Element,
    writer: Writer,
    seed: u64,
    fill: f64,
    laid_out: bool,
}

impl Key {
    pub(super) fn of(design: &Resolved, workload: &Workload, options: &RunOptions) -> Key {
        let mut root = design.root().clone();
        root.each_drive(&mut |name, spec| {
            name.clear();
            if let DriveSpec::Ssd(ssd) = spec {
                ssd.forget_times();
            }
        });
        let laid_out = options.state == State::LaidOut;
        Key { root, writer: Writer::of(workload), seed: options.seed, fill: options.fill, laid_out }
    }

    fn is(&self, other: &Key) -> bool {
        (self.seed, self.laid_out) == (other.seed, other.laid_out)
            && self.fill == other.fill
            && self.writer.is(&other.writer)
            && self.root == other.root
    }
}

/// What lies on a design, and how its flash got to where a run starts from.
pub(super) struct Start {
    pub(super) contents: Contents,
    /// Counters of the flash drives when the footprint had been written.
    pub(super) filled: Vec<Counters>,
    /// How the flash wears; none where flash is ample, or not brought to steady state.
    pub(super) wear: Option<wear::Wear>,
}

/// A design in steady state.
pub(super) struct Steady {
    pub(super) start: Arc<Start>,
    pub(super) aged: Aged,
}

impl Steady {
    fn bytes(&self) -> usize {
        self.start.contents.bytes() + self.aged.bytes()
    }
}

#[derive(Default)]
struct Shelf {
    /// The one used last is last.
    entries: VecDeque<(Key, Arc<Steady>)>,
    preconditioned: u64,
}

/// Drives in steady state; see the module.
pub struct Kept {
    bytes_max: usize,
    shelf: Mutex<Shelf>,
}

impl Kept {
    /// Keeps what takes up to so much memory.
    #[must_use]
    pub fn new(bytes_max: usize) -> Kept {
        Kept { bytes_max, shelf: Mutex::default() }
    }

    /// How often a design was brought to steady state.
    pub fn preconditioned(&self) -> u64 {
        self.shelf().preconditioned
    }

    pub(super) fn find(&self, key: &Key) -> Option<Arc<Steady>> {
        let mut shelf = self.shelf();
        let at = shelf.entries.iter().position(|(other, _)| other.is(key))?;
        let entry = shelf.entries.remove(at)?;
        let found = entry.1.clone();
        shelf.entries.push_back(entry);
        Some(found)
    }

    pub(super) fn put(&self, key: Key, start: &Arc<Start>, unit: &Unit) {
        self.shelf().preconditioned += 1;
        if self.bytes_max == 0 {
            return;
        }
        let steady = Steady { start: start.clone(), aged: unit.aged() };
        let mut shelf = self.shelf();
        if steady.bytes() > self.bytes_max || shelf.entries.iter().any(|(other, _)| other.is(&key)) {
            return;
        }
        shelf.entries.push_back((key, Arc::new(steady)));
        while shelf.entries.iter().map(|(_, kept)| kept.bytes()).sum::<usize>() > self.bytes_max {
            shelf.entries.pop_front();
        }
    }

    fn shelf(&self) -> std::sync::MutexGuard<'_, Shelf> {
        // Nothing is left half-done where a thread ends while it holds this.
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
