//! One member of an array, written alone as it is written in the array.
//!
//! Model. Where requests are uniform over the array, aligned to their size, each member gets writes uniform over it: what the
//! address map leaves of a request on one member, data, copies and parity. Their sizes and how often each is come from requests
//! that begin at every place of a stripe, for the map repeats from stripe to stripe. With p parities among n members, p/n of a
//! member's pages are parity; what parity has of the bytes is their share of the writes: p/(1 + p) of small ones, p/n of full
//! stripes. Such a drive is aged once for all arrays whose members are written so. The members that take over its state continue
//! by a part of a block each, so that they do not clean in step.
//!
//! Left out: which pages are the parity (they are scattered, not in front), and pieces are aligned to their own size; the run
//! begins with their share of each block right.

use super::{Element, Resolved};
use crate::raid::layout::Extent;
use crate::raid::plan::{self, Extents};
use crate::raid::{Layout, Level};
use drivecast_block::math::gcd;
use drivecast_workload::{Pattern, SizeShare, WorkloadSpec};

/// Places of a stripe at which requests begin, at most.
const PLACES_MAX: u64 = 512;
/// What weights of sizes are parts of.
const PARTS: f64 = 1e6;

impl Resolved {
    /// The drive whose flash comes alone to the steady state that all drives of an array come to, and what writes it so.
    pub(crate) fn drive_alone(&self, spec: &WorkloadSpec) -> Option<(Resolved, WorkloadSpec)> {
        let Element::Array { array, members } = &self.root else { return None };
        let Some(Element::Drive { name, spec: drive }) = members.first() else { return None };
        let has_cache = array.controller.as_ref().is_some_and(|controller| controller.cache.is_some());
        // Runs are short against what is erased at once: they leave what random writes do, or ask a little less. With nine of ten
        // writes of 1 MiB in order a PM9A3 of 960 GB, nine tenths full, writes 4.12 times what it is sent, for 4.29 times.
        let mut writes = spec.without_runs().without_reads();
        let is_uniform =
            spec.pattern == Pattern::Random && spec.align_bytes.is_none() && spec.trim_fraction == 0.0;
        let are_alike = members[0].draws_nothing() && members.iter().all(|member| *member == members[0]);
        if !is_uniform || !are_alike || has_cache || array.redundancy.log || writes.read_fraction > 0.0 {
            return None;
        }
        let layout = array.layout(members.len(), drive.usable());
        if layout.level() != Level::Raid1 {
            written(&layout, &mut writes);
        }
        Some((Resolved { line: name.clone(), root: members[0].clone() }, writes))
    }
}

/// What a member gets of these writes, in their place.
fn written(layout: &Layout, writes: &mut WorkloadSpec) {
    let parities = layout.level().parities() as f64;
    let is_whole = |each: &SizeShare| layout.chunk().0.is_multiple_of(each.size_bytes.into());
    let mut parity_share = parities / (1.0 + parities);
    if !writes.sizes.iter().all(is_whole) {
        let mut found = Pieces::default();
        writes.sizes.iter().for_each(|each| found.add(layout, each.size_bytes, each.weight.into()));
        parity_share = 1.0 - found.host_bytes / found.bytes();
        writes.sizes = found.sizes();
    }
    let hot = parities / layout.group_members() as f64;
    // Full stripes write all pages alike.
    if parity_share > hot * (1.0 + 1e-9) && parities > 0.0 {
        writes.pattern = Pattern::HotCold { hot, share: parity_share };
    }
}

/// Writes of members, by size, and how often each is.
#[derive(Default)]
struct Pieces {
    by_size: Vec<(u32, f64)>,
    host_bytes: f64,
}

impl Pieces {
    /// Adds what comes of writes of this size, of which there are so many.
    fn add(&mut self, layout: &Layout, size: u32, weight: f64) {
        let places = layout.stripe_bytes() / gcd(layout.stripe_bytes(), size.into());
        let step = places.div_ceil(PLACES_MAX);
        let weight = weight / places.div_ceil(step) as f64;
        let (mut planned, mut runs) = (Extents::default(), Vec::<Extent>::new());
        let mut place = 0;
        while place < places {
            let offset = place * (layout.stripe_bytes() / places);
            runs.clear();
            plan::written(layout, offset, size, &mut planned, |extent| join(&mut runs, extent));
            self.host_bytes += weight * f64::from(size) * layout.copies() as f64;
            runs.iter().for_each(|run| self.count(run.size, weight));
            place += step;
        }
    }

    fn count(&mut self, size: u32, weight: f64) {
        match self.by_size.iter_mut().find(|known| known.0 == size) {
            Some(known) => known.1 += weight,
            None => self.by_size.push((size, weight)),
        }
    }

    fn bytes(&self) -> f64 {
        self.by_size.iter().map(|(size, weight)| f64::from(*size) * weight).sum()
    }

    /// Their shares, rounded.
    fn sizes(&self) -> Vec<SizeShare> {
        let all: f64 = self.by_size.iter().map(|each| each.1).sum();
        let share = |&(size_bytes, weight): &(u32, f64)| SizeShare {
            size_bytes,
            weight: (weight / all * PARTS + 1.0) as u32,
            read_fraction: None,
            sequential_fraction: None,
        };
        self.by_size.iter().map(share).collect()
    }
}

/// Adds what is written on a member: to what it continues there, or as a run of its own.
fn join(runs: &mut Vec<Extent>, extent: Extent) {
    let continues =
        |run: &&mut Extent| run.member == extent.member && run.offset + u64::from(run.size) == extent.offset;
    match runs.iter_mut().find(continues) {
        Some(run) => run.size += extent.size,
        None => runs.push(extent),
    }
}
