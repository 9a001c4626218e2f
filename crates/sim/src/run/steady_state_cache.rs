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
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
#[cfg(not(target_arch = "wasm32"))]
use std::sync::{Condvar, OnceLock};

/// Whose writes they are. A trace is known by its place in memory, where it remains as long as this does.
enum Writer {
    Records(Arc<[Record]>),
    Synthetic(WorkloadSpec),
}

impl Writer {
    fn of(workload: &Workload, with_reads: bool) -> Writer {
        match workload {
            Workload::Records(records)
            | Workload::Model(Modelled { pass: records, .. })
            | Workload::Windows(Windowed { pass: records, .. }) => Writer::Records(records.clone()),
            Workload::Synthetic(spec) if with_reads => Writer::Synthetic(spec.timeless()),
            Workload::Synthetic(spec) => Writer::Synthetic(spec.timeless().without_reads()),
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
    /// Of a drive that is scaled, where not as many as of one alone.
    pages_max: Option<u64>,
}

impl Key {
    pub(super) fn of(
        design: &Resolved,
        workload: &Workload,
        options: &RunOptions,
        pages_max: Option<u64>,
    ) -> Key {
        let mut root = design.root().clone();
        root.each_drive(&mut |name, spec| {
            name.clear();
            if let DriveSpec::Ssd(ssd) = spec {
                ssd.forget_times();
            }
        });
        let laid_out = options.state == State::LaidOut;
        let writer = Writer::of(workload, root.has_cache());
        Key { root, writer, seed: options.seed, fill: options.fill, laid_out, pages_max }
    }

    fn is(&self, other: &Key) -> bool {
        (self.seed, self.laid_out, self.pages_max) == (other.seed, other.laid_out, other.pages_max)
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
    /// How ample flash wears: found on first use.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) ample: OnceLock<wear::Wear>,
    /// Of a design whose drives took over the state of one alone: where that starts from, whose wear it is.
    pub(super) alone: Option<Arc<Start>>,
}

impl Start {
    pub(super) fn of(contents: Contents) -> Start {
        Start {
            contents,
            filled: Vec::new(),
            wear: None,
            #[cfg(not(target_arch = "wasm32"))]
            ample: OnceLock::new(),
            alone: None,
        }
    }
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
    entries: VecDeque<(Arc<Key>, Arc<Steady>)>,
    /// What some thread is ageing.
    #[cfg(not(target_arch = "wasm32"))]
    claimed: Vec<Arc<Key>>,
    preconditioned: u64,
}

/// Drives in steady state; see the module.
pub struct SteadyStates {
    bytes_max: usize,
    shelf: Mutex<Shelf>,
    /// Notified whenever a claim ends.
    #[cfg(not(target_arch = "wasm32"))]
    ended: Condvar,
}

/// What there is of a steady state.
pub(super) enum Found<'a> {
    Steady(Arc<Steady>),
    /// Nothing: it is for the caller to find it, and others wait until it has.
    Nothing(Claim<'a>),
}

/// A steady state that is being found; others may go ahead once it is dropped.
pub(super) struct Claim<'a> {
    kept: &'a SteadyStates,
    key: Arc<Key>,
}

impl Claim<'_> {
    /// Keeps what was found.
    pub(super) fn put(self, start: &Arc<Start>, unit: &Unit) {
        let bytes_max = self.kept.bytes_max;
        self.kept.shelf().preconditioned += 1;
        if bytes_max == 0 {
            return;
        }
        let steady = Steady { start: start.clone(), aged: unit.aged() };
        if steady.bytes() > bytes_max {
            return;
        }
        let mut shelf = self.kept.shelf();
        shelf.entries.push_back((self.key.clone(), Arc::new(steady)));
        while shelf.entries.iter().map(|(_, kept)| kept.bytes()).sum::<usize>() > bytes_max {
            shelf.entries.pop_front();
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl Drop for Claim<'_> {
    fn drop(&mut self) {
        self.kept.shelf().claimed.retain(|key| !Arc::ptr_eq(key, &self.key));
        self.kept.ended.notify_all();
    }
}

impl SteadyStates {
    /// Keeps what takes up to so much memory.
    pub fn new(bytes_max: usize) -> SteadyStates {
        SteadyStates {
            bytes_max,
            shelf: Mutex::default(),
            #[cfg(not(target_arch = "wasm32"))]
            ended: Condvar::new(),
        }
    }

    /// How often a design was brought to steady state.
    pub fn preconditioned(&self) -> u64 {
        self.shelf().preconditioned
    }

    /// What is known; waits where another thread is about to find it.
    pub(super) fn find(&self, key: Key) -> Found<'_> {
        let mut shelf = self.shelf();
        // In a browser there is one thread.
        #[cfg(not(target_arch = "wasm32"))]
        while shelf.claimed.iter().any(|other| other.is(&key)) {
            shelf = self.ended.wait(shelf).unwrap_or_else(PoisonError::into_inner);
        }
        if let Some(at) = shelf.entries.iter().position(|(other, _)| other.is(&key))
            && let Some(entry) = shelf.entries.remove(at)
        {
            let found = entry.1.clone();
            shelf.entries.push_back(entry);
            return Found::Steady(found);
        }
        let key = Arc::new(key);
        #[cfg(not(target_arch = "wasm32"))]
        shelf.claimed.push(key.clone());
        Found::Nothing(Claim { kept: self, key })
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        // Nothing is left half-done where a thread ends while it holds this.
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
