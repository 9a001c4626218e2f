//! What a rented volume may do as token buckets: its own, behind those of its instance.
//!
//! Model. A volume and its instance are two token buckets in a row. They are taken for one with the lower of both rates, the lower
//! of both bursts, and the fewer of both credits, which is no faster than the two. What does not burst saves what its rate earns
//! in a moment. Left out: other volumes of the same instance.

use crate::rental::{Kind, Number, Setting};
use serde::{Deserialize, Serialize};

/// Bytes of a MiB.
pub const MIB: f64 = (1 << 20) as f64;
/// IOPS and MiB/s of a volume that is as fast as its kind can be.
pub const UNLIMITED: f64 = 1e8;

/// A rate, and a burst with its credits.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bucket {
    rate: f64,
    /// None where it does not burst.
    burst: Option<(f64, f64)>,
}

/// A bucket as the simulator takes it, and as it is carried.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cap {
    /// Tokens earned a second.
    pub per_s: f64,
    /// Saved at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(default)]
    pub credits: Option<f64>,
    /// Used a second at most while there are credits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(default)]
    pub burst_per_s: Option<f64>,
    /// Share of the credits that are there at first; none: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credits_at_start: Option<f64>,
}

/// What an instance lets through to its volumes.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Instance {
    iops: Number,
    mib_per_s: Number,
    #[serde(default)]
    burst_iops: Option<Number>,
    #[serde(default)]
    burst_mib_per_s: Option<Number>,
    /// How long full credits last at the burst.
    #[serde(default)]
    burst_s: Option<Number>,
}

impl Bucket {
    const fn of(rate: f64) -> Bucket {
        Bucket { rate, burst: None }
    }

    /// With credits for so many seconds, or so many credits.
    fn bursting(rate: f64, burst: f64, seconds: Option<f64>, saved: f64) -> Bucket {
        if burst <= rate {
            return Bucket::of(rate);
        }
        Bucket { rate, burst: Some((burst, seconds.map_or(saved, |seconds| (burst - rate) * seconds))) }
    }

    fn most(&self) -> f64 {
        self.burst.map_or(self.rate, |(burst, _)| burst)
    }

    /// Both in a row.
    fn behind(self, other: Bucket) -> Bucket {
        let (rate, burst) = (self.rate.min(other.rate), self.most().min(other.most()));
        if burst <= rate {
            return Bucket::of(rate);
        }
        let saved = [self, other].into_iter().filter(|each| each.rate < burst);
        let credits = saved.filter_map(|each| each.burst).map(|(_, credits)| credits).reduce(f64::min);
        Bucket { rate, burst: Some((burst, credits.unwrap_or(0.0))) }
    }

    fn cap(self, unit: f64, saved_s: f64) -> Cap {
        match self.burst {
            Some((burst, credits)) => Cap {
                per_s: self.rate * unit,
                credits: Some(credits * unit),
                burst_per_s: Some(burst * unit),
                credits_at_start: None,
            },
            None => Cap::steady(self.rate * unit, saved_s),
        }
    }
}

impl Cap {
    /// A rate without bursts, which saves the tokens of a moment.
    #[must_use]
    pub fn steady(per_s: f64, saved_s: f64) -> Cap {
        let credits = Some(per_s * saved_s).filter(|saved| *saved > 0.0);
        Cap { per_s, credits, burst_per_s: None, credits_at_start: None }
    }

    /// As it begins with this share of its credits. Where they do not run out it does its burst all the time.
    #[must_use]
    pub fn starting(self, share: f64, lasts: bool, saved_s: f64) -> Cap {
        match (self.credits, self.burst_per_s) {
            (None, _) => Cap::steady(self.per_s, saved_s),
            (_, None) => self,
            (_, Some(burst)) if lasts => Cap::steady(burst, saved_s),
            _ => Cap { credits_at_start: Some(share.clamp(0.0, 1.0)), ..self },
        }
    }
}

/// What a setting may do, behind an instance where there is one: of requests, and of bytes.
#[must_use]
pub fn caps(kind: &Kind, setting: &Setting, instance: Option<&Instance>, saved_s: f64) -> [Cap; 2] {
    let value = |number: Option<Number>| number.map(|number| number.value);
    let (mut counts, mut sizes) = (Bucket::of(setting.iops), Bucket::of(setting.mibps));
    let bursts = |gib_max: Option<Number>| value(gib_max).is_none_or(|most| setting.gib as f64 <= most);
    if let Some(burst) = kind.burst.filter(|burst| bursts(burst.gib_max)) {
        let (seconds, saved) = (value(burst.seconds), value(burst.iops_credits).unwrap_or(0.0));
        counts = Bucket::bursting(setting.iops, burst.iops.value, seconds, saved);
        if let (Some(most), Some(_)) = (value(burst.mib_per_s), seconds) {
            sizes = Bucket::bursting(setting.mibps, most, seconds, 0.0);
        }
        if let (Some(most), Some(each), Some(saved)) =
            (value(burst.mib_per_s), value(burst.per_gib), value(burst.credits_per_gib))
        {
            let gib = setting.gib as f64;
            counts = Bucket::bursting(setting.iops, burst.iops.value.min(each * gib), None, saved * gib);
            sizes = Bucket::bursting(setting.mibps, most.min(each * gib), None, saved * gib);
        }
    }
    if let Some(of) = instance {
        let lasts = Some(value(of.burst_s).unwrap_or(0.0));
        let behind = |rate: Number, burst: Option<Number>| {
            Bucket::bursting(rate.value, value(burst).unwrap_or(0.0), lasts, 0.0)
        };
        counts = counts.behind(behind(of.iops, of.burst_iops));
        sizes = sizes.behind(behind(of.mib_per_s, of.burst_mib_per_s));
    }
    [counts.cap(1.0, saved_s), sizes.cap(MIB, saved_s)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_buckets_in_a_row_are_no_faster_than_either() {
        let volume = Bucket { rate: 300.0, burst: Some((3000.0, 5_400_000.0)) };
        let instance = Bucket { rate: 1000.0, burst: Some((4000.0, 1_000_000.0)) };
        let both = Bucket { rate: 300.0, burst: Some((3000.0, 1_000_000.0)) };
        assert_eq!((volume.behind(instance), instance.behind(volume)), (both, both));
        assert_eq!(volume.behind(Bucket::of(200.0)), Bucket::of(200.0));
    }

    #[test]
    fn a_burst_by_the_size_is_held_on_credits_by_the_size() {
        let rule = r#"{"included": {"value": 0}, "per_gib": {"value": 0.0390625}, "most": {"value": 500}}"#;
        let burst = r#"{"iops": {"value": 500}, "mib_per_s": {"value": 500}, "per_gib": {"value": 0.244140625},
            "credits_per_gib": {"value": 1024}}"#;
        let text = format!(
            r#"{{"vendor": "Amazon", "model": "EBS st1", "gib_min": {{"value": 125}}, "gib_max": {{"value": 16384}},
            "iops": {rule}, "mib_per_s": {rule}, "burst": {burst}}}"#
        );
        let kind: Kind = serde_json::from_str(&text).unwrap();
        let tib = caps(&kind, &Setting { gib: 1024, iops: 40.0, mibps: 40.0 }, None, 0.1);
        let published = Bucket { rate: 40.0, burst: Some((250.0, 1_048_576.0)) };
        assert_eq!(tib, [published.cap(1.0, 0.1), published.cap(MIB, 0.1)]);
        let [counts, _] = caps(&kind, &Setting { gib: 5120, iops: 200.0, mibps: 200.0 }, None, 0.1);
        assert_eq!(counts.burst_per_s, Some(500.0));
    }

    #[test]
    fn credits_that_last_are_a_higher_rate() {
        let cap = Bucket { rate: 300.0, burst: Some((3000.0, 5400.0)) }.cap(1.0, 0.1);
        assert_eq!(cap.starting(0.5, true, 0.1), Cap::steady(3000.0, 0.1));
        assert_eq!(cap.starting(0.5, false, 0.1).credits_at_start, Some(0.5));
        assert_eq!(Cap::steady(10.0, 0.0).starting(0.5, false, 0.1), Cap::steady(10.0, 0.1));
    }
}
