//! What a design serves: recorded requests, or a way to make them.

use super::modelled::Modelled;
use super::windowed::Windowed;
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
    /// Windows that represent a trace.
    Windows(Windowed),
}

impl Workload {
    /// The requests that show what addresses are written: those of the trace, or of a pass; none of a specification.
    pub fn records(&self) -> Option<&Arc<[Record]>> {
        match self {
            Workload::Records(records) => Some(records),
            Workload::Model(model) => Some(&model.pass),
            Workload::Windows(windows) => Some(&windows.pass),
            Workload::Synthetic(_) => None,
        }
    }
}
