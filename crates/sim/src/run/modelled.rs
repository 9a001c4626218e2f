//! The streams of a model on a device.
//!
//! One pass of the model is made before the clock starts: it shows which addresses are written, and ages flash as a trace does.
//! Where all streams are open that pass is what is played. A closed stream waits for the device, so a mixture that has one is
//! drawn again as it is played, as its requests complete.

use super::options::RunOptions;
use super::play::{Run, check_records, limits, replay};
use crate::error::SimError;
use crate::host::{self, Mixed};
use drivecast_block::{Bytes, Device, Nanos, Record};
use drivecast_workload::model::{Arrivals, Mixture, Model, ModelError};
use std::sync::Arc;

/// What a pass lasts where neither the model nor the caller says. Assumed.
const PASS: Nanos = Nanos(60_000_000_000);

/// A model, and one pass of it.
#[derive(Clone, Debug)]
pub struct Modelled {
    /// The model.
    pub model: Arc<Model>,
    /// The requests of a pass; those of closed streams as if each took [`drivecast_workload::model::SERVICE_S`].
    pub pass: Arc<[Record]>,
    /// What it lasts.
    pub length: Nanos,
    /// What it was drawn with.
    pub seed: u64,
}

impl Modelled {
    /// A pass of this length, or of the model's own, or of 60 s; at most `records_max` requests.
    ///
    /// # Errors
    /// A pass of more requests.
    pub fn new(
        model: Model,
        length: Option<Nanos>,
        seed: u64,
        records_max: usize,
    ) -> Result<Modelled, ModelError> {
        let length = length.or(model.duration_s.map(Nanos::from_secs_f64)).unwrap_or(PASS);
        let mixture = Mixture::new(&model, Bytes(u64::MAX), seed)?;
        let pass: Vec<Record> = mixture.records(length).take(records_max + 1).collect();
        if pass.len() > records_max {
            return Err(ModelError::TooMany { name: model.name, most: records_max });
        }
        Ok(Modelled { model: Arc::new(model), pass: pass.into(), length, seed })
    }

    pub(super) fn play(&self, device: &mut dyn Device, design: &str, options: &RunOptions) -> Run {
        check_records(&self.pass, design, device.capacity(), options.remap)?;
        let is_open = |arrivals: &Arrivals| matches!(arrivals, Arrivals::Open(_));
        if self.model.streams.iter().all(|stream| is_open(&stream.arrivals)) {
            return replay(device, &self.pass, options);
        }
        let refuse = |option, found: String| {
            Err(SimError::Option { option, expected: "left out for a model with a closed loop", found })
        };
        if options.speedup != 1.0 {
            return refuse("speedup", options.speedup.to_string());
        }
        if options.window.is_some() || options.depth.is_some() {
            return refuse("window or iodepth", "one".to_owned());
        }
        let mixture = Mixture::new(&self.model, device.capacity(), options.seed)?;
        let options = RunOptions { duration: options.duration.or(Some(self.length)), ..options.clone() };
        Ok(host::run(device, Mixed::new(mixture), limits(&options, options.requests)))
    }
}
