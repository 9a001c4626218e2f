//! Drives that fail, or become slow, while the design is at work.
//!
//! Drives are counted from 0, in the order of the design's line. A drive that fails finishes what it has been sent and gets no more
//! (a real one may leave the host waiting for a timeout first: left out). It fails in the array that it is a member of; where that
//! array does not survive it, or the drive is in none, what it held is lost.

use super::Unit;
use crate::raid::{Array, Pace};
use crate::slow_device::SlowDevice;
use drivecast_block::{Bytes, Nanos};

/// What a failed drive leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// All data, by what its array still has.
    Everything,
    /// Not all.
    Loss,
}

impl Unit {
    /// How many drives it has.
    pub fn drives(&self) -> usize {
        match self {
            Unit::Ssd(_) | Unit::Hdd(_) | Unit::Volume(_) | Unit::SlowDevice(_) => 1,
            _ => self.parts().into_iter().map(Unit::drives).sum(),
        }
    }

    /// A drive fails.
    ///
    /// # Errors
    /// No such drive, a spare that waits, or one that is being rebuilt.
    pub fn fail(&mut self, drive: usize) -> Result<Left, String> {
        match self {
            Unit::Ssd(_) | Unit::Hdd(_) | Unit::Volume(_) | Unit::SlowDevice(_) => Ok(Left::Loss),
            Unit::Array(array) => fail_in(array, drive),
            Unit::Controller(controller) => fail_in(controller.array_mut(), drive),
            _ => {
                let (part, drive) = self.part_of(drive).ok_or("no such drive")?;
                part.fail(drive)
            }
        }
    }

    /// From now on a drive takes `factor` times as long.
    ///
    /// # Errors
    /// No such drive.
    pub fn slow(&mut self, drive: usize, factor: f64) -> Result<(), String> {
        match self {
            Unit::SlowDevice(slowed) => slowed.set_factor(factor),
            Unit::Ssd(_) | Unit::Hdd(_) | Unit::Volume(_) => self.slowed(factor),
            _ => {
                let (part, drive) = self.part_of(drive).ok_or("no such drive")?;
                part.slow(drive, factor)?;
            }
        }
        Ok(())
    }

    /// Begins to rebuild what has failed, onto blank drives in the same places; how many bytes that is.
    ///
    /// # Errors
    /// A rebuild is under way.
    pub fn rebuild(&mut self, now: Nanos, pace: Pace) -> Result<Bytes, String> {
        let own = match self {
            Unit::Array(array) => array.rebuild(now, pace)?,
            Unit::Controller(controller) => controller.array_mut().rebuild(now, pace)?,
            _ => Bytes(0),
        };
        let parts = self.parts_mut().into_iter();
        parts.map(|part| part.rebuild(now, pace)).try_fold(own, |sum, part| Ok(Bytes(sum.0 + part?.0)))
    }

    /// Puts a drive behind what makes it slow, in its place.
    fn slowed(&mut self, factor: f64) {
        let drive = std::mem::replace(self, Unit::SlowDevice(Box::new(SlowDevice::by(factor))));
        if let Unit::SlowDevice(slowed) = self {
            slowed.put(drive);
        }
    }

    /// The part that has the drive of this number, and its number there.
    fn part_of(&mut self, drive: usize) -> Option<(&mut Unit, usize)> {
        let (part, at) = place(self.parts().into_iter(), drive)?;
        Some((self.parts_mut().swap_remove(part), at))
    }
}

/// Which of these units has the drive of this number, and its number there.
fn place<'a>(units: impl Iterator<Item = &'a Unit>, drive: usize) -> Option<(usize, usize)> {
    let mut at = drive;
    for (index, unit) in units.enumerate() {
        match at.checked_sub(unit.drives()) {
            None => return Some((index, at)),
            Some(rest) => at = rest,
        }
    }
    None
}

/// A drive of an array, or of one of its members, fails.
fn fail_in(array: &mut Array<Unit>, drive: usize) -> Result<Left, String> {
    let (member, at) = place(array.drives(), drive).ok_or("no such drive")?;
    if member >= array.layout().members() {
        return Err(format!("drive {drive} is a spare that waits"));
    }
    let unit = &mut array.members_mut()[member];
    if unit.drives() > 1 && unit.fail(at)? == Left::Everything {
        return Ok(Left::Everything);
    }
    Ok(if array.fail(member)? { Left::Everything } else { Left::Loss })
}
