//! Arrays of [`FixedService`] members that check how they are called.

pub(crate) use crate::strict::Strict;
use drivecast_block::{Bytes, Device, Nanos};
use drivecast_sim::fixed_service::{FixedService, Service};
use drivecast_sim::raid::{Array, Layout, Level};

/// The capacity of every member here.
pub(crate) const MEMBER: Bytes = Bytes::mib(64);

/// An array of `count` strict single-server members.
pub(crate) fn array(level: Level, count: usize, chunk: Bytes, service: Service) -> Array {
    let layout = Layout::new(level, count, chunk, MEMBER);
    let member =
        |index| Box::new(Strict::new(FixedService::new(MEMBER, 1, service, index))) as Box<dyn Device>;
    Array::new(layout, Nanos::ZERO, (0..count as u64).map(member).collect())
}
