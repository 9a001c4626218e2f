//! A design with its drives and controllers put in: a tree of drives and arrays.

use super::array::ArraySpec;
use crate::raid::Layout;
use crate::spec::{CacheLayerSpec, ControllerSpec, DriveSpec};
use drivecast_block::Bytes;

/// A design with its drives' specifications.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    pub(super) line: String,
    pub(super) root: Element,
}

/// A drive or an array.
#[derive(Clone, Debug, PartialEq)]
pub enum Element {
    /// A drive.
    Drive {
        /// Its name in the design.
        name: String,
        /// What it is.
        spec: Box<DriveSpec>,
    },
    /// An array.
    Array {
        /// How it is laid out and run.
        array: ArraySpec,
        /// What it is made of.
        members: Vec<Element>,
    },
    /// A cache.
    Cache {
        /// What it does.
        layer: Box<CacheLayerSpec>,
        /// What it lies on, and what it lies before.
        devices: Box<[Element; 2]>,
    },
}

impl Resolved {
    /// The line.
    pub fn line(&self) -> &str {
        &self.line
    }

    /// What the design is made of.
    pub fn root(&self) -> &Element {
        &self.root
    }

    /// Usable size.
    pub fn capacity(&self) -> Bytes {
        self.root.capacity()
    }
}

impl Element {
    /// What it is made of: nothing, of a drive.
    pub(super) fn parts(&self) -> &[Element] {
        match self {
            Element::Drive { .. } => &[],
            Element::Array { members, .. } => members,
            Element::Cache { devices, .. } => devices.as_slice(),
        }
    }

    /// Usable size.
    pub fn capacity(&self) -> Bytes {
        match self {
            Element::Cache { devices, .. } => devices[1].capacity(),
            Element::Drive { spec, .. } => spec.usable(),
            Element::Array { members, .. } => {
                let member = members.iter().map(Element::capacity).min().unwrap_or_default();
                self.layout(member).map_or(member, |layout| layout.capacity())
            }
        }
    }

    /// The drives, in order.
    pub fn drives(&self) -> Vec<(&str, &DriveSpec)> {
        match self {
            Element::Drive { name, spec } => vec![(name, spec)],
            _ => self.parts().iter().flat_map(Element::drives).collect(),
        }
    }

    /// Does something to every drive, its name and specification.
    pub(crate) fn each_drive(&mut self, change: &mut impl FnMut(&mut String, &mut DriveSpec)) {
        match self {
            Element::Drive { name, spec } => change(name, spec),
            Element::Array { members, .. } => members.iter_mut().for_each(|member| member.each_drive(change)),
            Element::Cache { devices, .. } => devices.iter_mut().for_each(|device| device.each_drive(change)),
        }
    }

    /// Whether a power cut loses writes that were complete and not flushed: where they are complete in memory that is not
    /// protected. Of a drive that is its buffer; volumes of a cloud hold none. A controller's cache with a battery answers
    /// for what lies behind it, as its flushes do, which the drives never see; one without loses what it holds, whatever
    /// the drives are. An array or a cache loses what any part of it loses.
    pub fn is_volatile(&self) -> bool {
        if let Element::Drive { spec, .. } = self {
            return match &**spec {
                DriveSpec::Ssd(ssd) => ssd.buffer_volatile,
                DriveSpec::Hdd(disk) => disk.write_cache,
                DriveSpec::Volume(_) => false,
            };
        }
        let cache = match self {
            Element::Array { array, .. } => array.controller.as_ref().and_then(|controller| controller.cache),
            Element::Drive { .. } | Element::Cache { .. } => None,
        };
        cache.map_or_else(|| self.parts().iter().any(Element::is_volatile), |cache| !cache.battery)
    }

    /// Whether any drive is flash.
    pub fn has_flash(&self) -> bool {
        self.drives().iter().any(|(_, spec)| matches!(spec, DriveSpec::Ssd(_)))
    }

    /// Bytes that are being rebuilt, on all spares together.
    pub fn rebuilding(&self) -> Bytes {
        let inner = self.parts().iter().map(|part| part.rebuilding().0).sum::<u64>();
        let Element::Array { array, members } = self else { return Bytes(inner) };
        let member = members.iter().map(Element::capacity).min().unwrap_or_default();
        let own = array.redundancy.rebuilding().len() as u64 * member.0;
        Bytes(inner + own)
    }

    /// Whether there is a cache in it.
    pub fn has_cache(&self) -> bool {
        matches!(self, Element::Cache { .. }) || self.parts().iter().any(Element::has_cache)
    }

    /// The address map of an array over members of this capacity; none of what is no array.
    pub(super) fn layout(&self, member_capacity: Bytes) -> Option<Layout> {
        match self {
            Element::Drive { .. } | Element::Cache { .. } => None,
            Element::Array { array, members } => Some(array.layout(members.len(), member_capacity)),
        }
    }

    /// Lets every drive fall back to the ports of this controller, where its own link is faster.
    pub(super) fn limit_links(&mut self, controller: &ControllerSpec) {
        match self {
            Element::Drive { spec, .. } => spec.limit_link(controller),
            Element::Array { members, .. } => {
                members.iter_mut().for_each(|member| member.limit_links(controller))
            }
            Element::Cache { devices, .. } => {
                devices.iter_mut().for_each(|device| device.limit_links(controller))
            }
        }
    }
}

impl DriveSpec {
    /// The share of the drive that is used.
    pub(super) fn partition_mut(&mut self) -> &mut f64 {
        match self {
            DriveSpec::Ssd(ssd) => &mut ssd.partition,
            DriveSpec::Hdd(hdd) => &mut hdd.partition,
            DriveSpec::Volume(volume) => &mut volume.partition,
        }
    }

    /// Commands that the drive takes at a time; a volume any number.
    pub(super) fn queue_depth(&self) -> u32 {
        match self {
            DriveSpec::Ssd(ssd) => ssd.queue_depth,
            DriveSpec::Hdd(hdd) => hdd.queue_depth,
            DriveSpec::Volume(_) => 1 << 16,
        }
    }

    /// Lets a volume start with this share of its credits; whether it keeps any.
    pub(super) fn start_with(&mut self, share: f64) -> bool {
        let DriveSpec::Volume(volume) = self else { return false };
        let with_credits = volume.caps.all_mut().filter(|cap| cap.credits > 0.0);
        with_credits.map(|cap| cap.credits_at_start = share).count() > 0
    }

    /// Lets the drive fall back to a port of this controller, where its own link is faster.
    fn limit_link(&mut self, controller: &ControllerSpec) {
        if let DriveSpec::Ssd(ssd) = self {
            let write_ns = ssd.link_write_command_ns.unwrap_or(ssd.link_command_ns);
            ssd.link_command_ns = ssd.link_command_ns.max(controller.port_read_ns);
            ssd.link_write_command_ns = Some(write_ns.max(controller.port_write_ns));
        }
        let Some(bytes_per_s) = controller.port_bytes_per_s else { return };
        let link = match self {
            DriveSpec::Ssd(ssd) => &mut ssd.link_bytes_per_s,
            DriveSpec::Hdd(hdd) => &mut hdd.link_bytes_per_s,
            DriveSpec::Volume(volume) => volume.link_bytes_per_s.get_or_insert(f64::INFINITY),
        };
        *link = link.min(bytes_per_s);
    }

    /// Usable size: the partition, in whole mapping units of flash or sectors of a disk.
    pub(crate) fn usable(&self) -> Bytes {
        let (capacity, partition, unit) = match self {
            DriveSpec::Ssd(ssd) => (ssd.logical_bytes, ssd.partition, u64::from(ssd.mapping_bytes.max(1))),
            DriveSpec::Hdd(hdd) => (hdd.capacity_bytes, hdd.partition, 512),
            DriveSpec::Volume(volume) => (volume.capacity_bytes, volume.partition, 512),
        };
        Bytes((capacity as f64 * partition) as u64 / unit * unit)
    }
}
