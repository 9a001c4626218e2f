//! The load that a plan made from counters, played as the plan plays it: the same line, at a multiple of its rate.
//!
//! Model. Counters have no requests, so the busiest stretch is a stream of random requests over the data that a design holds,
//! and a load twice as heavy is the same at twice the rate (`drivecast.plan.load.Synthetic`). Such a load is the same all the
//! time: flash plays as many requests of it as a p99 takes.

use crate::Session;
use crate::request::members;
use drivecast_block::Nanos;
use drivecast_sim::run::{RunOptions, Workload};
use serde::Deserialize;

/// What the report carries of it, in place of a recording.
#[derive(Deserialize)]
struct Counters {
    /// The line up to what a run decides: its rate, and the share of a design that holds data.
    line: String,
    rate_iops: f64,
    length_s: f64,
    /// Requests that flash plays at most.
    enough: f64,
    /// Times as many requests as are enough, for what is to be carried for long.
    longer: f64,
}

impl Counters {
    fn workload(&self, session: &Session, fill: f64, times: f64) -> Result<Workload, String> {
        let rate = self.rate_iops * times;
        session.workload(Some(&format!("{}, rate={rate:.3}iops, span={fill:.6})", self.line)))
    }
}

impl Session {
    fn counters(&self) -> Option<Counters> {
        members(&self.play["counters"]).ok()
    }

    /// Times as many requests of counters as a run plays, for what is to be carried for long; none of a recording.
    pub(crate) fn longer(&self) -> Option<f64> {
        self.counters().map(|counters| counters.longer)
    }

    /// What a run plays, and how: of a recording the part and the speed asked, of counters the line made of them, with so many
    /// times the requests that are enough.
    pub(crate) fn played(
        &self,
        options: RunOptions,
        is_flash: bool,
        longer: f64,
    ) -> Result<(Workload, RunOptions), String> {
        let Some(counters) = self.counters() else { return Ok((self.workload(None)?, options)) };
        let (fill, times) = (options.fill, options.speedup);
        let whole_s = counters.length_s / times;
        let enough_s = longer * counters.enough / (counters.rate_iops * times);
        let length_s = if is_flash { whole_s.min(enough_s) } else { whole_s };
        let duration = Some(Nanos::from_secs_f64(length_s));
        let options = RunOptions { window: None, speedup: 1.0, duration, ..options };
        Ok((counters.workload(self, fill, times)?, options))
    }

    /// All of the load, on a design of which this share holds data.
    pub(crate) fn whole(&self, fill: f64) -> Result<Workload, String> {
        self.counters().map_or_else(|| self.workload(None), |counters| counters.workload(self, fill, 1.0))
    }
}
