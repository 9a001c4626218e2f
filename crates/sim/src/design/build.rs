//! From a resolved design to a device.
//!
//! An SSD is built for what will be on it (its contents decide how much flash has to be simulated), so the contents of each
//! drive come first: from a dry run of the workload's writes, or, for a synthetic workload that covers the drives, whole.

use super::footprint::Footprints;
use super::{ArraySpec, Element, Redundancy, Resolved, Unit};
use crate::block_layer::BlockLayer;
use crate::cache::{CacheLayer, Sizes};
use crate::controller::Controller;
use crate::error::SimError;
use crate::hdd::Hdd;
use crate::raid::Array;
use crate::spec::{CacheLayerSpec, ControllerSpec, DriveSpec, SpecError, SsdSpec};
use crate::ssd::{Layout, Preload, Ssd};
use crate::volume::Volume;
use drivecast_block::{Bytes, Device, random};
use rand::Rng;

/// Flash pages that are aged, over all drives that are not alike, before drives are scaled down: steady state is then reached in
/// a second.
const PAGES_MAX: u64 = 1 << 19;
/// And that all drives have together, alike or not.
const MEMORY_PAGES_MAX: u64 = 1 << 22;
/// Fewer pages than this a drive are never simulated: chance would show.
const DRIVE_PAGES_MIN: u64 = 1 << 18;
/// Blocks of a cache that spans its workload, before it and all behind it are scaled down: each takes about 60 bytes.
const CACHE_BLOCKS_MAX: u64 = 1 << 19;

/// What the workload finds and does on the drives.
pub enum Contents {
    /// Drive by drive: what the workload writes; and the share of the capacity that holds data.
    Footprints {
        /// Of the whole workload.
        footprints: Footprints,
        /// At least this share of each drive holds data.
        fill: f64,
    },
    /// The workload covers this share of every drive; data lie on `fill` of it. Drives too large for memory are scaled.
    Span {
        /// Share of the capacity that is written.
        span: f64,
        /// At least this share of each drive holds data.
        fill: f64,
        /// Bytes of a write, on average.
        write_bytes: u64,
    },
}

impl Contents {
    /// Memory that they take, but for what is small.
    pub fn bytes(&self) -> usize {
        match self {
            Contents::Footprints { footprints, .. } => footprints.bytes(),
            Contents::Span { .. } => 0,
        }
    }

    /// Distinct bytes that the host writes, on a (simulated) capacity.
    pub fn written(&self, capacity: Bytes) -> Bytes {
        match self {
            Contents::Footprints { footprints, .. } => footprints.host.distinct(),
            Contents::Span { span, .. } => Bytes((capacity.0 as f64 * span) as u64),
        }
    }
}

struct Builder<'a> {
    contents: &'a Contents,
    seed: u64,
    pages_max: u64,
    /// By how much all is scaled where there is a cache: it must hold the same share of what it caches.
    scale: Option<f64>,
    /// Share of the drives at hand that is in use: less than all under a cache that takes less.
    used: f64,
    built: usize,
}

impl Resolved {
    /// Builds the device.
    ///
    /// # Errors
    /// A specification that no drive can have, with the field.
    pub fn build(&self, contents: &Contents, seed: u64) -> Result<Unit, SimError> {
        self.build_within(contents, seed, self.drive_pages_max(contents))
    }

    /// Pages of a drive that is scaled, at most: a power of two, so that drives of arrays of many sizes are scaled alike.
    pub(crate) fn drive_pages_max(&self, contents: &Contents) -> u64 {
        let drives = self.root.drives();
        let flash = drives.iter().filter(|(_, spec)| matches!(spec, DriveSpec::Ssd(_))).count().max(1);
        let share = (PAGES_MAX * self.root.alike(contents) as u64).min(MEMORY_PAGES_MAX) / flash as u64;
        (1 << share.clamp(DRIVE_PAGES_MIN, PAGES_MAX).ilog2()) * self.finer(contents)
    }

    /// The device, with so many pages at most of a drive that is scaled.
    pub(crate) fn build_within(
        &self,
        contents: &Contents,
        seed: u64,
        pages_max: u64,
    ) -> Result<Unit, SimError> {
        let mut builder = Builder { contents, seed, pages_max, scale: None, used: 1.0, built: 0 };
        if self.root.has_cache() {
            builder.scale = Some(builder.scale_of(&self.root, 1.0)?);
        }
        builder.element(&self.root)
    }

    /// How many times as many pages are worth their time: blocks of writes of several pages hold fewer of them, and each page
    /// costs less; a cache shrinks with its drives, and bursts do not.
    fn finer(&self, contents: &Contents) -> u64 {
        let is_cached = self.root.has_cache() || self.root.write_cache().is_some();
        match contents {
            _ if is_cached => 8,
            Contents::Span { write_bytes, .. } if *write_bytes > 4096 => 2,
            _ => 1,
        }
    }
}

impl Builder<'_> {
    fn element(&mut self, element: &Element) -> Result<Unit, SimError> {
        match element {
            Element::Drive { name, spec } => {
                self.drive(spec).map_err(|error| SimError::Drive { drive: name.clone(), error })
            }
            Element::Cache { layer, devices } => self.cache(layer, devices),
            Element::Array { array: spec, members } => {
                let array = self.array(spec, members)?;
                Ok(match &spec.controller {
                    Some(controller) => {
                        let depth = element.drives().iter().map(|(_, spec)| spec.queue_depth()).sum();
                        self.controller(controller, depth, array)
                    }
                    None => Unit::Array(Box::new(array)),
                })
            }
        }
    }

    /// By how much the flash and the caches of an element have to shrink, of whose drives so much is in use.
    fn scale_of(&self, element: &Element, used: f64) -> Result<f64, SimError> {
        let Contents::Span { span, .. } = self.contents else { return Ok(1.0) };
        match element {
            Element::Drive { name, spec } => {
                let DriveSpec::Ssd(ssd) = &**spec else { return Ok(1.0) };
                let written = spec.usable().0 as f64 * span * used / f64::from(ssd.mapping_bytes.max(1));
                if written <= self.pages_max as f64 {
                    return Ok(1.0);
                }
                let refuse = |error| SimError::Drive { drive: name.clone(), error };
                Layout::scale_to(ssd, self.pages_max, &Preload::whole(ssd)).map_err(refuse)
            }
            Element::Array { members, .. } => {
                let scales = members.iter().map(|member| self.scale_of(member, used));
                scales.collect::<Result<Vec<f64>, _>>().map(|scales| scales.into_iter().fold(1.0, f64::min))
            }
            Element::Cache { layer, devices } => {
                let (size, share) = cache_size(layer, devices);
                let held = (size.0 as f64).min(devices[1].capacity().0 as f64 * span);
                let own = CACHE_BLOCKS_MAX as f64 / (held / layer.block() as f64).max(1.0);
                let [fast, slow] = devices.as_ref();
                Ok(self.scale_of(fast, share)?.min(self.scale_of(slow, used)?).min(own))
            }
        }
    }

    /// A cache before its slow device; where they are scaled down, so is it, and disks behind it are addressed in part.
    fn cache(&mut self, spec: &CacheLayerSpec, devices: &[Element; 2]) -> Result<Unit, SimError> {
        let scale = self.scale.unwrap_or(1.0);
        let (size, share) = cache_size(spec, devices);
        let [fast, slow] = devices;
        let outer = std::mem::replace(&mut self.used, share);
        let fast_unit = self.element(fast)?;
        self.used = outer;
        let slow_unit = self.element(slow)?;
        let scaled = |bytes: Bytes| Bytes((bytes.0 as f64 * scale) as u64);
        let sizes = Sizes {
            cache: scaled(size).max(spec.size_min()),
            addressed: Bytes(scaled(slow.capacity()).0 / 4096 * 4096),
            scale,
        };
        let sizes = if scale < 1.0 { sizes } else { Sizes { addressed: slow.capacity(), ..sizes } };
        let drives = [fast, slow].map(|device| device.drives().len());
        Ok(Unit::Cache(Box::new(CacheLayer::new(spec, sizes, [fast_unit, slow_unit], drives))))
    }

    fn array(&mut self, spec: &ArraySpec, members: &[Element]) -> Result<Array<Unit>, SimError> {
        let count = members.len();
        let mut members: Vec<Unit> =
            members.iter().map(|member| self.element(member)).collect::<Result<_, _>>()?;
        let least = members.iter().map(Device::capacity).min().unwrap_or_default();
        let Redundancy { failed, spares, rebuild, .. } = &spec.redundancy;
        let spares = members.split_off(count - spares);
        let array = Array::new(spec.layout(count, least), spec.overhead, members);
        let mut array = array.with_spares(spares).degraded(failed);
        if let Some(log) = spec.log(count, least) {
            array = array.logged(log);
        }
        Ok(match rebuild {
            Some(pace) => array.rebuilding(spec.redundancy.rebuilding(), *pace),
            None => array,
        })
    }

    /// A controller, behind the operating system's queue if it has one; where its drives are scaled down so is its cache,
    /// which holds the same share of them.
    fn controller(&self, spec: &ControllerSpec, drives_depth: u32, array: Array<Unit>) -> Unit {
        let scale = array.drives().map(Unit::scale).fold(1.0, f64::min);
        let mut spec = spec.clone();
        if let Some(cache) = &mut spec.cache {
            cache.bytes = ((cache.bytes as f64 * scale) as u64).max(1);
        }
        let controller = Unit::Controller(Box::new(Controller::new(&spec, array)));
        match &spec.block_layer {
            Some(block_layer) => {
                Unit::Queued(Box::new(BlockLayer::new(block_layer, drives_depth, controller)))
            }
            None => controller,
        }
    }

    fn drive(&mut self, spec: &DriveSpec) -> Result<Unit, SpecError> {
        let index = self.built;
        self.built += 1;
        let seed = random::stream(self.seed, &format!("drive.{index}")).next_u64();
        Ok(match spec {
            DriveSpec::Hdd(spec) => Unit::Hdd(Box::new(Hdd::new(spec, seed)?)),
            DriveSpec::Volume(spec) => Unit::Volume(Box::new(Volume::new(spec, seed)?)),
            DriveSpec::Ssd(spec) => Unit::Ssd(Box::new(self.ssd(spec, index, seed)?)),
        })
    }

    fn ssd(&self, spec: &SsdSpec, index: usize, seed: u64) -> Result<Ssd, SpecError> {
        // Decimal capacities (100 GB) are seldom whole mapping units; the rest of the last one is not used.
        let unit = u64::from(spec.mapping_bytes.max(1));
        let spec = &SsdSpec { logical_bytes: spec.logical_bytes / unit * unit, ..spec.clone() };
        let share =
            |fraction: f64| (spec.logical_bytes as f64 * spec.partition * self.used * fraction) as u64;
        match self.contents {
            Contents::Span { write_bytes, .. } if self.scale.is_some_and(|scale| scale < 1.0) => {
                Ssd::scaled(spec, self.scale.unwrap_or(1.0), &Preload::whole(spec), *write_bytes, seed)
            }
            Contents::Span { span, fill, write_bytes } => {
                let preload = Preload::of_bytes(spec, share(*span), share(fill.max(*span)));
                if preload.written_pages <= self.pages_max {
                    return Ssd::new(spec, &preload, seed);
                }
                let scale = Layout::scale_to(spec, self.pages_max, &preload)?;
                Ssd::scaled(spec, scale, &preload, *write_bytes, seed)
            }
            Contents::Footprints { footprints, fill } => {
                let written = footprints.drives.get(index).map_or(0, |drive| drive.distinct().0);
                Ssd::new(spec, &Preload::of_bytes(spec, written, share(*fill).max(written)), seed)
            }
        }
    }
}

/// Bytes that a cache takes of its fast device, and their share of it.
fn cache_size(spec: &CacheLayerSpec, devices: &[Element; 2]) -> (Bytes, f64) {
    let fast = devices[0].capacity();
    let size = spec.size.unwrap_or(fast).min(fast);
    (size, size.0 as f64 / fast.0.max(1) as f64)
}
