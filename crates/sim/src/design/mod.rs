//! What is to be simulated: drives and arrays of them, written as one line.
//!
//! ```text
//! intel-710-100gb                                      a drive of the catalog
//! intel-320-120gb[partition=0.83]                      a part of it
//! seagate-exos-x24-24tb[write_cache=off]               a disk with its write cache other than as shipped
//! aws-gp2-100gb[credits_at_start=0]                    a cloud disk that has used up its credits
//! raid10(8 * intel-710-100gb, chunk=64KiB)             an array
//! raid5(8 * intel-x25-e-64gb, controller=iop348)       an array with a controller of the catalog
//! raid50(8 * intel-710-100gb, groups=2)                groups with parity each, data spread over them
//! raid0(2 * raid5(4 * intel-710-100gb))                an array of arrays
//! raid5(5 * intel-710-100gb, spares=1)                 an array of four, and a spare that waits for a failure
//! ssd(logical=4GiB, spare_factor=0.28)                 a drive by its parameters
//! hdd(capacity=300GB, rpm=15000, seek_mean=3.5ms)
//! volume(capacity=1TB, iops=3000iops, throughput=125MB/s)   a cloud disk by what it allows
//! cache(fast=x, slow=raid10(8 * y), policy=flashcache)      a cache before an array; either may be any design
//! ```
//!
//! [`Design::parse`] reads the line, [`Design::resolve`] puts drives and controllers in, and a [`Resolved`] design builds devices.
//! Every error points at the place in the line.

mod aged;
mod array;
mod assumed;
mod build;
mod catalog_drive;
mod design_tree;
mod device_tree;
mod drive;
#[cfg(not(target_arch = "wasm32"))]
mod failing;
mod footprint;
mod layered;
mod member;
mod redundancy;
mod shape;
mod spread;
mod symmetric_members;
mod volume;
mod write_cache;

pub(crate) use aged::Aged;
pub use array::ArraySpec;
pub use assumed::Assumed;
pub use build::Contents;
pub use design_tree::{Element, Resolved};
pub use device_tree::Unit;
#[cfg(not(target_arch = "wasm32"))]
pub use failing::Left;
pub use footprint::{Footprint, Footprints};
pub use redundancy::Redundancy;
pub use shape::Shape;
pub use write_cache::WriteCache;

use self::catalog_drive::CatalogDrive;
use crate::raid::Level;
use crate::spec::{CacheLayerSpec, ControllerSpec, DriveSpec};
use drivecast_block::Bytes;
use drivecast_block::line::{LineError, Term, nearest};
use std::collections::BTreeMap;

/// Members may differ by this share of the smallest before they are rejected as unequal.
const UNEQUAL_MAX: f64 = 0.01;

/// A design as written: checked but for its drives' names.
#[derive(Clone, Debug)]
pub struct Design {
    line: String,
    root: Node,
    assumed: Vec<Assumed>,
}

#[derive(Clone, Debug)]
enum Node {
    CatalogDrive(CatalogDrive),
    Given { name: &'static str, spec: Box<DriveSpec> },
    Array { at: usize, spec: ArraySpec, controller: Option<array::Named>, members: Vec<Node> },
    Cache { term: Box<Term>, spec: Box<CacheLayerSpec>, devices: Box<[Node; 2]> },
}

impl Node {
    /// What it is made of.
    fn parts(&self) -> &[Node] {
        match self {
            Node::CatalogDrive(_) | Node::Given { .. } => &[],
            Node::Array { members, .. } => members,
            Node::Cache { devices, .. } => devices.as_slice(),
        }
    }
}

impl Design {
    /// Reads a design.
    ///
    /// # Errors
    /// The line does not follow the grammar, or an option is unknown or out of its range.
    pub fn parse(line: &str) -> Result<Design, LineError> {
        let term = Term::parse(line)?;
        let mut assumed = Vec::new();
        let root = node(&term, array::SOFTWARE, &mut assumed)?;
        Ok(Design { line: line.trim().to_owned(), root, assumed })
    }

    /// The line.
    pub fn line(&self) -> &str {
        &self.line
    }

    /// The names of the drives to be looked up, each once, in order of appearance.
    pub fn drive_names(&self) -> Vec<&str> {
        fn collect<'a>(node: &'a Node, names: &mut Vec<&'a str>) {
            match node {
                Node::CatalogDrive(drive) if !names.contains(&drive.name.as_str()) => names.push(&drive.name),
                node => node.parts().iter().for_each(|part| collect(part, names)),
            }
        }
        let mut names = Vec::new();
        collect(&self.root, &mut names);
        names
    }

    /// The names of the controllers to be looked up, each once, in order of appearance.
    pub fn controller_names(&self) -> Vec<&str> {
        fn collect<'a>(node: &'a Node, names: &mut Vec<&'a str>) {
            match node {
                Node::Array { controller: Some(named), .. } if !names.contains(&named.name.as_str()) => {
                    names.push(&named.name);
                }
                _ => {}
            }
            node.parts().iter().for_each(|part| collect(part, names));
        }
        let mut names = Vec::new();
        collect(&self.root, &mut names);
        names
    }

    /// The values that the line leaves open and the defaults taken for them.
    pub fn assumed(&self) -> &[Assumed] {
        &self.assumed
    }

    /// Puts the drives in, where there are no controllers.
    ///
    /// # Errors
    /// As [`Design::resolve_with`].
    pub fn resolve(&self, drives: &BTreeMap<String, DriveSpec>) -> Result<Resolved, LineError> {
        self.resolve_with(drives, &BTreeMap::new())
    }

    /// Puts drives and controllers in.
    ///
    /// # Errors
    /// A drive or controller is not among those given, or the members of an array do not go together.
    pub fn resolve_with(
        &self,
        drives: &BTreeMap<String, DriveSpec>,
        controllers: &BTreeMap<String, ControllerSpec>,
    ) -> Result<Resolved, LineError> {
        let root = self.element(&self.root, drives, controllers)?;
        Ok(Resolved { line: self.line.clone(), root })
    }

    fn element(
        &self,
        node: &Node,
        drives: &BTreeMap<String, DriveSpec>,
        controllers: &BTreeMap<String, ControllerSpec>,
    ) -> Result<Element, LineError> {
        match node {
            Node::CatalogDrive(drive) => {
                let spec = Box::new(drive.find(&self.line, drives)?);
                Ok(Element::Drive { name: drive.name.clone(), spec })
            }
            Node::Given { name, spec } => Ok(Element::Drive { name: (*name).to_owned(), spec: spec.clone() }),
            Node::Array { at, spec, controller, members } => {
                let mut members: Vec<Element> = members
                    .iter()
                    .map(|member| self.element(member, drives, controllers))
                    .collect::<Result<_, _>>()?;
                self.check_members(spec, *at, &members)?;
                let found = controller.as_ref().map(|named| named.find(&self.line, controllers));
                let controller = found.transpose()?.flatten();
                if let Some(controller) = &controller {
                    members.iter_mut().for_each(|member| member.limit_links(controller));
                }
                Ok(Element::Array { array: ArraySpec { controller, ..spec.clone() }, members })
            }
            Node::Cache { term, spec, devices } => {
                let [fast, slow] = &**devices;
                let fast = self.element(fast, drives, controllers)?;
                let slow = self.element(slow, drives, controllers)?;
                layered::check_sizes(term, spec, fast.capacity(), slow.capacity())?;
                Ok(Element::Cache { layer: spec.clone(), devices: Box::new([fast, slow]) })
            }
        }
    }

    /// Refuses members that differ in size, or are too small for a chunk.
    fn check_members(&self, spec: &ArraySpec, at: usize, members: &[Element]) -> Result<(), LineError> {
        let capacities = || members.iter().map(|member| member.capacity().0);
        let (least, most) = (capacities().min().unwrap_or(0), capacities().max().unwrap_or(0));
        if (most - least) as f64 > UNEQUAL_MAX * least as f64 {
            let message = format!(
                "the members of `{}` differ in size: from {} to {}",
                spec.name(),
                Bytes(least),
                Bytes(most)
            );
            let hint =
                "an array wastes what is over the smallest: partition the larger ones, `name[partition=…]`";
            return Err(self.error(at, message, Some(hint.to_owned())));
        }
        let needed = spec.member_bytes_min(Bytes(least));
        if Bytes(least) < needed {
            let message = format!("a member of {} is too small, it needs {needed}", Bytes(least));
            return Err(self.error(at, message, None));
        }
        Ok(())
    }

    fn error(&self, at: usize, message: String, hint: Option<String>) -> LineError {
        LineError { line: self.line.clone(), at, message, hint }
    }
}

fn given(name: &'static str, spec: DriveSpec) -> Node {
    Node::Given { name, spec: Box::new(spec) }
}

/// Reads the members of an array.
fn members(term: &Term, unnamed: &'static str, assumed: &mut Vec<Assumed>) -> Result<Vec<Node>, LineError> {
    let mut members = Vec::new();
    for member in &term.members {
        let node = node(&member.term, unnamed, assumed)?;
        members.extend(std::iter::repeat_n(node, member.count as usize));
    }
    check_count(term, &members)?;
    Ok(members)
}

/// What is asked in place of a pool of ZFS, whose copy on write no array here has.
fn of_zfs(name: &str) -> Option<String> {
    let level = match name {
        "mirror" => "`raid1`",
        "raidz" | "raidz1" => "`raid5`",
        "raidz2" | "raidz3" | "draid2" => "`raid6`",
        "zfs" | "zpool" | "pool" => "`raid1` for a mirror, `raid5` for raidz1, `raid6` for raidz2",
        "log" | "slog" | "special" | "l2arc" => "a volume of its own, with the log of its device",
        _ => return None,
    };
    Some(format!("copy on write, log and special devices of ZFS are left out; the nearest is {level}"))
}

/// Refuses more drives than a design may have.
fn check_count(term: &Term, parts: &[Node]) -> Result<(), LineError> {
    let drives: usize = parts.iter().map(drives).sum();
    if drives <= array::DRIVES_MAX {
        return Ok(());
    }
    let message = format!("at most {} drives in a design, found {drives}", array::DRIVES_MAX);
    Err(term.error(message, None))
}

fn drives(node: &Node) -> usize {
    match node {
        Node::CatalogDrive(_) | Node::Given { .. } => 1,
        node => node.parts().iter().map(drives).sum(),
    }
}

/// Reads a term of a design; `unnamed` runs an array that names no controller.
fn node(term: &Term, unnamed: &'static str, assumed: &mut Vec<Assumed>) -> Result<Node, LineError> {
    if let Some((_, level)) = Level::NAMES.iter().find(|(name, _)| *name == term.name) {
        let (spec, controller) = array::array(term, *level, unnamed, assumed)?;
        let members = members(term, array::unnamed_members(term, unnamed), assumed)?;
        return Ok(Node::Array { at: term.at, spec, controller, members });
    }
    if term.name == layered::CACHE {
        let [fast, slow] = layered::devices(term)?;
        let devices = [node(&fast, unnamed, assumed)?, node(&slow, unnamed, assumed)?];
        check_count(term, &devices)?;
        let spec = Box::new(layered::layer(term, assumed)?);
        return Ok(Node::Cache { term: Box::new(term.clone()), spec, devices: Box::new(devices) });
    }
    match term.name.as_str() {
        "ssd" => drive::ssd(term, assumed).map(|spec| given("ssd", DriveSpec::Ssd(spec))),
        "hdd" => drive::hdd(term, assumed).map(|spec| given("hdd", DriveSpec::Hdd(spec))),
        "volume" => volume::volume(term, assumed).map(|spec| given("volume", DriveSpec::Volume(spec))),
        _ if !term.members.is_empty() => {
            let known =
                Level::NAMES.iter().map(|(name, _)| *name).chain(["ssd", "hdd", "volume", layered::CACHE]);
            let hint = of_zfs(&term.name)
                .or_else(|| nearest(&term.name, known).map(|name| format!("did you mean `{name}`?")));
            Err(term.error(format!("`{}` is no array, so it has no members", term.name), hint))
        }
        _ if term.has("fast") || term.has("slow") => {
            let hint = nearest(&term.name, [layered::CACHE]).map(|name| format!("did you mean `{name}`?"));
            Err(term.error(format!("`{}` is no cache, so it has no fast or slow device", term.name), hint))
        }
        _ => CatalogDrive::parse(term).map(Node::CatalogDrive),
    }
}
