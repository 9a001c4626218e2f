//! From a resolved design to a device.
//!
//! An SSD is built for what will be on it (its contents decide how much flash has to be simulated), so the contents of each
//! drive come first: from a dry run of the workload's writes, or, for a synthetic workload that covers the drives, whole.

use super::footprint::Footprint;
use super::{Element, Resolved};
use crate::error::SimError;
use crate::hdd::Hdd;
use crate::raid::{Array, Layout};
use crate::spec::{DriveSpec, SsdSpec};
use crate::ssd::{Preload, Ssd};
use drivecast_block::{Bytes, Device, random};
use rand::Rng;

/// Flash pages that a design simulates at most, over all its drives, before whole drives are scaled down. A compromise:
/// memory stays below 200 MB, and steady state is reached in seconds.
const PAGES_MAX: u64 = 16 << 20;
/// Fewer pages than this a drive are never simulated: chance would show.
const DRIVE_PAGES_MIN: u64 = 1 << 19;
/// Bytes of a page of flash, for counting pages only.
const PAGE: u64 = 4096;

/// What the workload finds and does on the drives.
pub enum Contents {
    /// Drive by drive: what the workload writes, and the share of the capacity that holds data.
    Footprints {
        /// In order of the drives.
        drives: Vec<Footprint>,
        /// At least this share of each drive holds data.
        fill: f64,
    },
    /// The workload covers this share of every drive; data lie on `fill` of it. Drives too large for memory are scaled.
    Span {
        /// Share of the capacity that is written.
        span: f64,
        /// At least this share of each drive holds data.
        fill: f64,
    },
}

impl Contents {
    /// Distinct pages written, on all drives of these (simulated) capacities.
    pub(crate) fn pages(&self, capacities: &[Bytes]) -> u64 {
        match self {
            Contents::Footprints { drives, .. } => drives.iter().map(|drive| drive.distinct().0 / PAGE).sum(),
            Contents::Span { span, .. } => {
                capacities.iter().map(|capacity| (capacity.0 as f64 * span) as u64 / PAGE).sum()
            }
        }
    }
}

/// A device ready to run.
pub struct Built {
    /// The drive or array.
    pub device: Box<dyn Device>,
    /// Simulated over specified capacity; 1 unless scaled.
    pub scale: f64,
    /// Distinct pages of flash that the workload writes.
    pub(crate) footprint_pages: u64,
}

struct Builder<'a> {
    contents: &'a Contents,
    seed: u64,
    pages_max: u64,
    /// Of the flash drives built so far.
    capacities: Vec<Bytes>,
    built: usize,
    scale: f64,
}

impl Resolved {
    /// Builds the device.
    ///
    /// # Errors
    /// A specification that no drive can have, with the field.
    pub fn build(&self, contents: &Contents, seed: u64) -> Result<Built, SimError> {
        let mut builder = self.builder(contents, seed);
        let device = builder.element(&self.root)?;
        Ok(Built { device, scale: builder.scale, footprint_pages: contents.pages(&builder.capacities) })
    }

    /// Builds the drives alone, all of which must be flash; and their scale.
    pub(crate) fn flash(&self, contents: &Contents, seed: u64) -> Result<(Vec<Ssd>, f64), SimError> {
        let mut builder = self.builder(contents, seed);
        let drives = self.root.drives().into_iter().map(|(name, spec)| match spec {
            DriveSpec::Ssd(spec) => builder.ssd(name, spec),
            DriveSpec::Hdd(_) => Err(SimError::NoFlash { design: self.line.clone(), drive: name.to_owned() }),
        });
        let drives = drives.collect::<Result<_, _>>()?;
        Ok((drives, builder.scale))
    }

    fn builder<'a>(&self, contents: &'a Contents, seed: u64) -> Builder<'a> {
        let drives = self.root.drives();
        let flash = drives.iter().filter(|(_, spec)| matches!(spec, DriveSpec::Ssd(_))).count().max(1);
        let pages_max = (PAGES_MAX / flash as u64).max(DRIVE_PAGES_MIN);
        Builder { contents, seed, pages_max, capacities: Vec::new(), built: 0, scale: 1.0 }
    }
}

impl Builder<'_> {
    fn element(&mut self, element: &Element) -> Result<Box<dyn Device>, SimError> {
        match element {
            Element::Drive { name, spec } => self.drive(name, spec),
            Element::Array { level, chunk, overhead, members } => {
                let members: Vec<_> =
                    members.iter().map(|member| self.element(member)).collect::<Result<_, _>>()?;
                let least = members.iter().map(|member| member.capacity()).min().unwrap_or_default();
                let layout = Layout::new(*level, members.len(), *chunk, least);
                Ok(Box::new(Array::new(layout, *overhead, members)))
            }
        }
    }

    fn drive(&mut self, name: &str, spec: &DriveSpec) -> Result<Box<dyn Device>, SimError> {
        match spec {
            DriveSpec::Ssd(spec) => Ok(Box::new(self.ssd(name, spec)?)),
            DriveSpec::Hdd(spec) => {
                let (_, seed) = self.next();
                match Hdd::new(spec, seed) {
                    Ok(hdd) => Ok(Box::new(hdd)),
                    Err(error) => Err(SimError::Drive { drive: name.to_owned(), message: error.to_string() }),
                }
            }
        }
    }

    /// The number of the next drive, and its seed.
    fn next(&mut self) -> (usize, u64) {
        let index = self.built;
        self.built += 1;
        (index, random::stream(self.seed, &format!("drive.{index}")).next_u64())
    }

    fn ssd(&mut self, name: &str, spec: &SsdSpec) -> Result<Ssd, SimError> {
        let (index, seed) = self.next();
        // Decimal capacities (100 GB) are seldom whole mapping units; the rest of the last one is not used.
        let unit = u64::from(spec.mapping_bytes.max(1));
        let spec = &SsdSpec { logical_bytes: spec.logical_bytes / unit * unit, ..spec.clone() };
        let capacity = spec.logical_bytes as f64 * spec.partition;
        let share = |fraction: f64| Bytes((capacity * fraction) as u64);
        let (written, data) = match self.contents {
            Contents::Footprints { drives, fill } => {
                let written = drives.get(index).map(Footprint::distinct).unwrap_or_default();
                (written, share(*fill).max(written))
            }
            Contents::Span { span, fill } => (share(*span), share(fill.max(*span))),
        };
        let large = written.0 / unit > self.pages_max;
        let ssd = if large && matches!(self.contents, Contents::Span { .. }) {
            Ssd::scaled(spec, self.pages_max, seed)
        } else {
            Ssd::new(spec, &Preload::of_bytes(spec, written.0, data.0), seed)
        };
        let ssd =
            ssd.map_err(|error| SimError::Drive { drive: name.to_owned(), message: error.to_string() })?;
        self.scale = self.scale.min(ssd.layout().scale);
        self.capacities.push(ssd.capacity());
        Ok(ssd)
    }
}
