//! Several logs of one format as one.

use super::clock::{Stamp, line_up};
use super::log::CounterLog;
use super::reports::Reports;
use crate::decompress::Input;
use crate::error::TraceError;
use crate::options::Options;

/// The clock of a log, by its first stamp.
fn clock_of(reports: &Reports) -> &'static str {
    match reports.reports.first().and_then(|report| report.stamp) {
        None => "no times",
        Some(Stamp::Local { date: None, .. }) => "times of day without a date",
        Some(_) => "dates and times",
    }
}

/// Logs that are put together must have one kind of clock: reports of one cannot be ordered among those of another.
fn refuse_different_clocks(logs: &[(Reports, Input)]) -> Result<(), TraceError> {
    let Some(((first, _), others)) = logs.split_first() else { return Ok(()) };
    let clock = clock_of(first);
    match others.iter().find(|(reports, _)| clock_of(reports) != clock) {
        None => Ok(()),
        Some((other, input)) => Err(TraceError::Set {
            path: input.name.clone(),
            expected: format!("{clock}, as in the file before"),
            found: clock_of(other).to_owned(),
            hint: "logs of different clocks cannot be put together: record each with dates (`iostat -t`), or read one at a time"
                .to_owned(),
        }),
    }
}

/// Logs of one format as one: in the order of their first reports where they have times, else as given.
pub(crate) fn join(mut logs: Vec<(Reports, Input)>, options: &Options) -> Result<CounterLog, TraceError> {
    refuse_different_clocks(&logs)?;
    let firsts: Option<Vec<Stamp>> =
        logs.iter().map(|(reports, _)| reports.reports.first().and_then(|report| report.stamp)).collect();
    let dated = |stamp: &Stamp| !matches!(stamp, Stamp::Local { date: None, .. });
    if let Some(times) = firsts.filter(|stamps| stamps.iter().all(dated)).and_then(|stamps| line_up(&stamps))
    {
        let mut order: Vec<(i64, (Reports, Input))> = times.into_iter().zip(logs).collect();
        order.sort_by_key(|(time, _)| *time);
        logs = order.into_iter().map(|(_, log)| log).collect();
    }
    let (reports, inputs): (Vec<Reports>, Vec<Input>) = logs.into_iter().unzip();
    let all = reports.into_iter().reduce(|mut all, next| {
        all.append(next);
        all
    });
    match all {
        Some(all) => all.finish(&inputs.iter().collect::<Vec<_>>(), options),
        None => Err(TraceError::Empty { file: "every file of the set".to_owned() }),
    }
}
