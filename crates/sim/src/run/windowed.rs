//! Windows of a trace that represent all of it, on a device.
//!
//! Two lists of requests: what is played, each window after what leads into it; and a pass as long as the whole trace, which
//! shows what addresses are written, and ages flash as the trace would.

use super::options::RunOptions;
use super::play::{Run, check_records, limits};
use crate::error::SimError;
use crate::host::{self, Part, Recorded, Timed};
use drivecast_block::{Bytes, Device, Nanos, Record};
use drivecast_workload::Replay;
use drivecast_workload::window::{Extent, Footprint, Kept, pass};
use std::sync::Arc;

/// Windows, and a pass of the trace that they represent.
#[derive(Clone, Debug)]
pub struct Windowed {
    /// A pass of the whole.
    pub pass: Arc<[Record]>,
    /// What is played, in order of time; the stream of a request is the number of its part.
    played: Arc<[Record]>,
    parts: Arc<[Part]>,
}

impl Windowed {
    /// Windows out of `played`, in order of time, with their extents, in order. Of each two `parts` the first leads into the
    /// second; `order` names one of these pairs for each window of the trace, which has `span` bytes.
    ///
    /// # Errors
    /// What is wrong with the parts, in words.
    pub fn of(
        played: &[Record],
        extents: &[Extent],
        parts: Arc<[Part]>,
        order: &[u32],
        window: Nanos,
        span: Bytes,
        footprints: [&Footprint; 2],
    ) -> Result<Windowed, String> {
        if let Some(at) = parts.windows(2).position(|pair| pair[0].end > pair[1].end) {
            return Err(format!("part {} ends before the one before it", at + 1));
        }
        if parts.len() % 2 == 1
            || parts.last().is_none_or(|last| played.last().is_some_and(|it| it.time > last.end))
        {
            return Err("expected pairs of parts that hold all requests".to_owned());
        }
        let begins = |part: &Part| played.partition_point(|record| record.time <= part.end);
        let bounds: Vec<usize> = parts.iter().map(begins).collect();
        let kept: Vec<Kept> = (1..parts.len())
            .step_by(2)
            .map(|part| {
                let window = (part / 2) as u32;
                let before = extents.partition_point(|extent| extent.window < window);
                let behind = extents.partition_point(|extent| extent.window <= window);
                let records = &played[bounds[part - 1]..bounds[part]];
                Kept { start: parts[part - 1].end, records, extents: &extents[before..behind] }
            })
            .collect();
        if let Some(number) = order.iter().find(|number| **number as usize >= kept.len()) {
            return Err(format!("there is no window {number}, they are {}", kept.len()));
        }
        let mut part = 0;
        let numbered = played.iter().map(|record| {
            while record.time > parts[part as usize].end {
                part += 1;
            }
            Record { stream: part, ..*record }
        });
        let pass = pass(&kept, order, window, span.0, footprints).into();
        Ok(Windowed { pass, played: numbered.collect(), parts: parts.clone() })
    }

    pub(super) fn play(&self, device: &mut dyn Device, design: &str, options: &RunOptions) -> Run {
        let refuse = |option, found: String| {
            Err(SimError::Option { option, expected: "left out for windows of a trace", found })
        };
        if options.window.is_some() || options.depth.is_some() {
            return refuse("window or iodepth", "one".to_owned());
        }
        if options.duration.is_some() || options.requests.is_some() || options.warmup > Nanos::ZERO {
            return refuse("duration, requests or warm-up", "one".to_owned());
        }
        check_records(&self.played, design, device.capacity(), options.remap)?;
        let scale = 1.0 / options.speedup;
        let records = Replay::new(&self.played, Nanos::ZERO..Nanos::MAX, scale);
        let source = Recorded::new(records, device.capacity());
        let slower = |part: &Part| Part { end: Nanos((part.end.0 as f64 * scale) as u64), ..*part };
        let parts: Vec<Part> = self.parts.iter().map(slower).collect();
        let span = parts.last().map_or(Nanos::ZERO, |part| part.end);
        let source = Timed::new(source, span).of_parts(parts);
        Ok(host::run(device, source, limits(options, None)))
    }
}
