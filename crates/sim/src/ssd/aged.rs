//! What preconditioning leaves in a drive: its map, its blocks and its pSLC cache, none of which knows a time.

use super::drive::Ssd;
use super::ftl::Ftl;
use super::slc::Slc;

/// A drive as [`drivecast_block::Device::age`] left it.
#[derive(Clone, Debug)]
pub struct AgedFlash {
    pub(super) ftl: Ftl,
    pub(super) slc: Option<Box<Slc>>,
}

impl AgedFlash {
    /// Memory that it takes, but for what is small.
    pub fn bytes(&self) -> usize {
        self.ftl.bytes() + self.slc.as_ref().map_or(0, |slc| slc.bytes())
    }
}

impl Ssd {
    /// What was done to the drive outside time.
    pub fn aged(&self) -> AgedFlash {
        AgedFlash { ftl: self.ftl.clone(), slc: self.slc.clone() }
    }

    /// Takes over what was done outside time to a drive of the same flash.
    pub fn take_over(&mut self, other: &Ssd) {
        (self.ftl, self.slc) = (other.ftl.clone(), other.slc.clone());
    }

    /// Takes up from there a drive of the same flash, whatever its times, that was built for the same contents.
    pub fn resume(&mut self, aged: &AgedFlash) {
        let AgedFlash { ftl, slc } = aged.clone();
        (self.ftl, self.slc) = (ftl, slc);
    }
}
