//! Windows of a trace that represent all of it, on a device.
//!
//! Two lists of requests: what is played, each window after what leads into it; and a pass as long as the whole trace, which
//! shows what addresses are written, and ages flash as the trace would.

use super::options::RunOptions;
use super::play::{Run, check_records, limits};
use crate::error::SimError;
use crate::host::{self, Part, Recorded, Timed};
use drivecast_block::{Device, Nanos, Record};
use drivecast_workload::Replay;
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
    /// Windows out of `played`, in order of time, and a `pass` of the whole trace. Of each two `parts` the first leads into the
    /// second.
    ///
    /// # Errors
    /// What is wrong with the parts, in words.
    pub fn of(played: &[Record], pass: Arc<[Record]>, parts: Arc<[Part]>) -> Result<Windowed, String> {
        if let Some(at) = parts.windows(2).position(|pair| pair[0].end > pair[1].end) {
            return Err(format!("part {} ends before the one before it", at + 1));
        }
        if parts.len() % 2 == 1
            || parts.last().is_none_or(|last| played.last().is_some_and(|it| it.time > last.end))
        {
            return Err("expected pairs of parts that hold all requests".to_owned());
        }
        let mut part = 0;
        let numbered = played.iter().map(|record| {
            while record.time > parts[part as usize].end {
                part += 1;
            }
            Record { stream: part, ..*record }
        });
        Ok(Windowed { pass, played: numbered.collect(), parts: parts.clone() })
    }

    /// The same windows with requests at other addresses, if any are: `moved` gets the pass and what is played at once.
    pub fn moved(&self, moved: impl FnOnce(&[Record]) -> Option<Vec<Record>>) -> Option<Windowed> {
        let all = moved(&[&self.pass[..], &self.played[..]].concat())?;
        let (pass, played) = all.split_at(self.pass.len());
        Some(Windowed { pass: pass.into(), played: played.into(), parts: self.parts.clone() })
    }

    /// What is played, and its parts: with the pass, all that [`Windowed::of`] needs to make the same again.
    pub fn played(&self) -> (&[Record], &[Part]) {
        (&self.played, &self.parts)
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
