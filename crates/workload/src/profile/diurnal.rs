//! The pattern of the day.
//!
//! DEFINITION. Rates by hour of the day, the hours counted from the start of the recording (a trace has no time of
//! day), each averaged over the days; known of recordings of a day and more. With two days and more, `day_fraction` is the
//! share of the variance of hourly rates that the hour explains: 1 if every day is like the first, near 1 / days if no hour
//! differs from others but by chance.

use super::rate::SecondRow;
use super::ratio::ratio;
use drivecast_block::math;
use serde::Serialize;

const HOUR_S: u64 = 3600;
const DAY_HOURS: usize = 24;

/// The pattern of the day.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Diurnal {
    /// Share of the variance of hourly rates that the hour of the day explains.
    pub day_fraction: Option<f64>,
    /// Rate of the busiest hour of the day / mean rate.
    pub peak_to_mean: Option<f64>,
    /// The hours.
    pub hours: Vec<HourRow>,
}

/// An hour of the day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct HourRow {
    /// 0 to 23, from the start of the recording.
    pub hour: usize,
    /// Reads / s.
    pub read_iops: f64,
    /// Writes / s.
    pub write_iops: f64,
    /// Bytes read / s.
    pub read_bytes_per_s: f64,
    /// Bytes written / s.
    pub written_bytes_per_s: f64,
}

/// The pattern in a series of seconds, of a recording of a day and more.
pub(super) fn diurnal(seconds: &[SecondRow], duration_s: f64) -> Option<Diurnal> {
    let whole_hours = (duration_s / HOUR_S as f64) as usize;
    if whole_hours < DAY_HOURS {
        return None;
    }
    let mut rates = vec![[0.0; 4]; whole_hours];
    for row in seconds {
        if let Some(rate) = rates.get_mut((row.second / HOUR_S) as usize) {
            let values = [row.reads, row.writes, row.read_bytes, row.written_bytes];
            rate.iter_mut().zip(values).for_each(|(rate, value)| *rate += value as f64 / HOUR_S as f64);
        }
    }
    let hours: Vec<HourRow> = (0..DAY_HOURS).map(|hour| mean_hour(&rates, hour)).collect();
    let iops: Vec<f64> = rates.iter().map(|rate| rate[0] + rate[1]).collect();
    let mean = iops.iter().sum::<f64>() / iops.len() as f64;
    let of_hour = |hour: usize| hours[hour].read_iops + hours[hour].write_iops;
    let variance = iops.iter().map(|rate| math::powi(rate - mean, 2)).sum::<f64>();
    let explained = (0..iops.len()).map(|k| math::powi(of_hour(k % DAY_HOURS) - mean, 2)).sum::<f64>();
    let peak = (0..DAY_HOURS).map(of_hour).fold(0.0, f64::max);
    Some(Diurnal {
        day_fraction: ratio(explained, variance).filter(|_| whole_hours >= 2 * DAY_HOURS),
        peak_to_mean: ratio(peak, mean),
        hours,
    })
}

fn mean_hour(rates: &[[f64; 4]], hour: usize) -> HourRow {
    let days = rates.iter().skip(hour).step_by(DAY_HOURS);
    let count = days.clone().count() as f64;
    let mean = |field: usize| days.clone().map(|rate| rate[field]).sum::<f64>() / count;
    HourRow {
        hour,
        read_iops: mean(0),
        write_iops: mean(1),
        read_bytes_per_s: mean(2),
        written_bytes_per_s: mean(3),
    }
}
