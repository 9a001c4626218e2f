//! A distribution as a short table of quantiles.

use drivecast_block::math;
use serde::{Deserialize, Serialize};

/// Pairs of a share and the value that this share of the draws does not exceed: shares rise to 1, values do not fall. The
/// first pair with a share above zero is an atom: that share of the draws takes its value.
///
/// A single number means a table of one pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct Quantiles(pub Vec<(f64, f64)>);

/// As a file has it.
#[derive(Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a number or pairs `[share, value]`")]
enum Written {
    Number(f64),
    Table(Vec<(f64, f64)>),
}

impl From<Written> for Quantiles {
    fn from(written: Written) -> Quantiles {
        match written {
            Written::Number(value) => Quantiles::constant(value),
            Written::Table(pairs) => Quantiles(pairs),
        }
    }
}

impl From<Quantiles> for Written {
    fn from(table: Quantiles) -> Written {
        match table.0[..] {
            [(_, value)] => Written::Number(value),
            _ => Written::Table(table.0),
        }
    }
}

impl Quantiles {
    /// Always the same value.
    pub fn constant(value: f64) -> Quantiles {
        Quantiles(vec![(1.0, value)])
    }

    /// What is wrong with the table, if anything.
    pub(super) fn fault(&self) -> Option<String> {
        let pairs = &self.0;
        let Some(&(last, _)) = pairs.last() else { return Some("expected at least one pair".to_owned()) };
        if let Some((share, value)) = pairs
            .iter()
            .find(|(share, value)| !(0.0..=1.0).contains(share) || !value.is_finite() || *value < 0.0)
        {
            return Some(format!(
                "expected a share in [0, 1] and a value from 0, found `[{share}, {value}]`"
            ));
        }
        if let Some(pair) = pairs.windows(2).find(|pair| pair[0].0 >= pair[1].0 || pair[0].1 > pair[1].1) {
            let (before, after) = (pair[0], pair[1]);
            return Some(format!(
                "expected rising pairs, found `[{}, {}]` before `[{}, {}]`",
                before.0, before.1, after.0, after.1
            ));
        }
        (last != 1.0).then(|| format!("expected 1 as the last share, found `{last}`"))
    }

    /// The value that a share `at` of the draws does not exceed.
    #[inline]
    pub fn value(&self, at: f64) -> f64 {
        let above = self.0.iter().position(|pair| at <= pair.0).unwrap_or(self.0.len() - 1);
        let (high, b) = self.0[above];
        let Some(&(low, a)) = above.checked_sub(1).and_then(|below| self.0.get(below)) else { return b };
        let part = (at - low) / (high - low);
        if a > 0.0 { a * math::pow(b / a, part) } else { a + (b - a) * part }
    }

    /// The mean of the draws.
    pub fn mean(&self) -> f64 {
        let first = self.0.first().map_or(0.0, |(share, value)| share * value);
        let pairs = self.0.windows(2).map(|pair| {
            let ((low, a), (high, b)) = (pair[0], pair[1]);
            let middle = if a > 0.0 && b > a { (b - a) / math::ln(b / a) } else { f64::midpoint(a, b) };
            (high - low) * middle
        });
        first + pairs.sum::<f64>()
    }
}
