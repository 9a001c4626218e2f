//! What carries requests from a program to the disk and answers back.

use crate::{Answer, Disk};
use drivecast_target::clock::Clock;

/// A transport. All its descriptors are non-blocking; the server polls them when it has nothing else to do.
pub trait Front: Send {
    /// Whether nothing but the program is woken on the way: no threads of the kernel, which would have to take turns with those
    /// that spin (`idle_states.rs`).
    fn is_direct(&self) -> bool {
        false
    }
    /// Adds the descriptors that are to be watched while the server sleeps, as it does next.
    fn watch(&mut self, watched: &mut Vec<libc::pollfd>);
    /// Hands what has arrived to the disk; whether anything has.
    fn take(&mut self, disk: &mut Disk, clock: &Clock) -> bool;
    /// Prepares the answer to a request; the data of a read are taken from the disk now.
    fn answer(&mut self, disk: &mut Disk, answer: &Answer);
    /// Sends the answers prepared.
    fn send(&mut self);
}
