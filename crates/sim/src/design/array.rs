//! Arrays as a line gives them: `raid5(8 * x, chunk=64KiB, controller=iop348)`.

use super::assumed::{Assumed, assume};
use super::redundancy::{self, Redundancy};
use crate::raid::{Layout, Level, Log};
use crate::spec::ControllerSpec;
use drivecast_block::line::{LineError, Term, nearest};
use drivecast_block::{Bytes, Nanos};
use std::collections::BTreeMap;

/// Chunk where a design names none: what RAID controllers use by default (md: 512 KiB). Assumed.
const CHUNK: Bytes = Bytes::kib(64);

/// The most drives in a design.
pub(super) const DRIVES_MAX: usize = 256;

/// The ideal controller, which costs nothing.
const NO_CONTROLLER: &str = "none";
/// Software RAID, which runs an array that names no controller: costs what the catalog says it does, or nothing where
/// the catalog does not have it.
pub(super) const SOFTWARE: &str = "software";

/// An array, but for its members.
#[derive(Clone, Debug, PartialEq)]
pub struct ArraySpec {
    /// The level.
    pub level: Level,
    /// Groups of members: 1 but for RAID 50 and 60.
    pub groups: usize,
    /// Bytes a chunk.
    pub chunk: Bytes,
    /// What the array adds to each request's latency.
    pub overhead: Nanos,
    /// What has failed, which spares there are, and whether there is a log.
    pub redundancy: Redundancy,
    /// What runs the array; none: an ideal controller, which takes no time.
    pub controller: Option<Box<ControllerSpec>>,
}

impl ArraySpec {
    /// The address map over `members` of this capacity, spares among them.
    pub(super) fn layout(&self, members: usize, member_capacity: Bytes) -> Layout {
        let Bytes(capacity) = member_capacity;
        let log = if self.redundancy.log { Log::area(capacity) } else { 0 };
        let members = members - self.redundancy.spares;
        Layout::grouped(self.level, members, self.groups, self.chunk, Bytes(capacity - log))
    }

    /// The level's name in designs.
    pub(super) fn name(&self) -> &'static str {
        self.level.name()
    }

    /// The least that a member of this capacity must hold: a chunk (on RAID 1 anything), and the log.
    pub(super) fn member_bytes_min(&self, member_capacity: Bytes) -> Bytes {
        let chunk = if self.level == Level::Raid1 { 1 } else { self.chunk.0 };
        Bytes(chunk + if self.redundancy.log { Log::area(member_capacity.0) } else { 0 })
    }

    /// The log on `members` of this capacity, spares among them, if there is one.
    pub(super) fn log(&self, members: usize, member_capacity: Bytes) -> Option<Log> {
        self.redundancy.log.then(|| Log::new(members - self.redundancy.spares, member_capacity.0))
    }
}

/// A controller as the line names it.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) name: String,
    at: usize,
}

impl Named {
    /// Looks the controller up.
    pub(super) fn find(
        &self,
        line: &str,
        controllers: &BTreeMap<String, ControllerSpec>,
    ) -> Result<Option<Box<ControllerSpec>>, LineError> {
        let refuse = |message, hint| Err(LineError { line: line.to_owned(), at: self.at, message, hint });
        let Some(spec) = controllers.get(&self.name) else {
            if self.name == SOFTWARE {
                return Ok(None);
            }
            let known = controllers.keys().map(String::as_str).chain([SOFTWARE, NO_CONTROLLER]);
            let hint = nearest(&self.name, known).map(|name| format!("did you mean `{name}`?"));
            return refuse(format!("no controller `{}` in the catalog", self.name), hint);
        };
        match spec.check() {
            Ok(()) => Ok(Some(Box::new(spec.clone()))),
            Err(error) => refuse(format!("controller `{}`: {error}", self.name), None),
        }
    }
}

/// Reads an array, but for its members; `unnamed` runs it where the line names no controller.
pub(super) fn array(
    term: &Term,
    level: Level,
    unnamed: &'static str,
    assumed: &mut Vec<Assumed>,
) -> Result<(ArraySpec, Option<Named>), LineError> {
    let chunk = match level {
        Level::Raid1 => CHUNK,
        _ => chunk(term, assumed)?,
    };
    let overhead = term.nanos("overhead")?.unwrap_or_default();
    let controller = controller(term, unnamed, assumed);
    let groups = if level.is_grouped() { groups(term, assumed)? } else { 1 };
    let listed: u64 = term.members.iter().map(|member| u64::from(member.count)).sum();
    let count = listed.saturating_sub(redundancy::spares(term)?.into());
    check_count(term, level, groups, count)?;
    let redundancy = redundancy::redundancy(term, level, count as usize, groups as usize, assumed)?;
    term.finish()?;
    let spec = ArraySpec { level, groups: groups as usize, chunk, overhead, redundancy, controller: None };
    Ok((spec, controller))
}

/// Refuses a number of members that the level cannot have.
fn check_count(term: &Term, level: Level, groups: u64, count: u64) -> Result<(), LineError> {
    let refuse = |message| Err(term.error(message, None));
    let (name, least) = (&term.name, level.members_min() as u64);
    if level.is_grouped() && (!count.is_multiple_of(groups) || count / groups < least) {
        return refuse(format!(
            "`{name}` needs {groups} equal groups of at least {least} members, found {count} members"
        ));
    }
    if count < least {
        return refuse(format!("`{name}` needs at least {least} members, found {count}"));
    }
    if level == Level::Raid10 && count % 2 == 1 {
        return refuse(format!("`{name}` needs an even number of members, found {count}"));
    }
    if count > DRIVES_MAX as u64 {
        return refuse(format!("at most {DRIVES_MAX} members, found {count}"));
    }
    Ok(())
}

fn controller(term: &Term, unnamed: &'static str, assumed: &mut Vec<Assumed>) -> Option<Named> {
    let (name, at) = match term.text("controller") {
        Some(name) => (name, term.error_at("controller", "").at),
        None => {
            assume(assumed, format!("{}.controller", term.name), unnamed);
            (unnamed, term.at)
        }
    };
    (name != NO_CONTROLLER).then(|| Named { name: name.to_owned(), at })
}

/// What runs the arrays that are members of `term` and name no controller: the controller that it names itself, which then
/// costs nothing more, or else the same that runs it.
pub(super) fn unnamed_members(term: &Term, unnamed: &'static str) -> &'static str {
    if term.text("controller").is_some() { NO_CONTROLLER } else { unnamed }
}

fn groups(term: &Term, assumed: &mut Vec<Assumed>) -> Result<u64, LineError> {
    match term.integer("groups")? {
        Some(groups) if groups >= 2 => Ok(groups.into()),
        Some(groups) => Err(term.error_at("groups", format!("groups: expected at least 2, found {groups}"))),
        None => {
            assume(assumed, format!("{}.groups", term.name), "2");
            Ok(2)
        }
    }
}

fn chunk(term: &Term, assumed: &mut Vec<Assumed>) -> Result<Bytes, LineError> {
    let Some(chunk) = term.bytes("chunk")? else {
        assume(assumed, format!("{}.chunk", term.name), CHUNK);
        return Ok(CHUNK);
    };
    if chunk.0.is_power_of_two() && (Bytes::kib(4)..=Bytes::mib(16)).contains(&chunk) {
        return Ok(chunk);
    }
    Err(term.error_at("chunk", format!("chunk: expected a power of two from 4 KiB to 16 MiB, found {chunk}")))
}
