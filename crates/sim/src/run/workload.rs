//! What a design serves: recorded requests, or a way to make them.

use super::modelled::Modelled;
use drivecast_block::Record;
use drivecast_workload::WorkloadSpec;
use std::sync::Arc;

/// What the design is to serve.
#[derive(Clone, Debug)]
pub enum Workload {
    /// The records of a trace, in order of time.
    Records(Arc<[Record]>),
    /// Requests made to a specification.
    Synthetic(WorkloadSpec),
    /// The streams of a model.
    Model(Modelled),
}
