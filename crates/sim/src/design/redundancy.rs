//! Failures, spares, rebuild and log of an array: `raid5(9 * x, spares=1, degraded=1, rebuild=50MB/s, log=yes)`.
//!
//! - `spares=S`: the last S of the members listed wait for a failure;
//! - `failed=2` or `failed=0+5`: these members, counted from 0, have failed; `degraded=1`: so many have, spread as widely
//!   as the level allows;
//! - `rebuild=50MB/s` or `rebuild=0.3`: the first failed ones, as many as there are spares, are being rebuilt at that rate or in
//!   that share of the time;
//! - `log=yes`: writes under parity go to a log first.

use super::assumed::{Assumed, assume};
use crate::raid::health::survives;
use crate::raid::{Level, Pace};
use drivecast_block::line::{LineError, Term};
use drivecast_block::units::{parse_bytes_per_s, parse_fraction};

/// Rate of a rebuild where a design gives none: md's `speed_limit_max`. Assumed.
const REBUILD: &str = "200MB/s";

/// Failures of an array and what is done about them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Redundancy {
    /// Members that have failed, in rising order.
    pub failed: Vec<usize>,
    /// Members that wait for a failure, behind those in use.
    pub spares: usize,
    /// How fast the first failed members are rebuilt onto the spares.
    pub rebuild: Option<Pace>,
    /// Whether writes under parity go to a log first.
    pub log: bool,
}

impl Redundancy {
    /// The members being rebuilt.
    pub fn rebuilding(&self) -> &[usize] {
        let count = if self.rebuild.is_some() { self.spares.min(self.failed.len()) } else { 0 };
        &self.failed[..count]
    }
}

/// The option `spares`.
pub(super) fn spares(term: &Term) -> Result<u32, LineError> {
    Ok(term.integer("spares")?.unwrap_or(0))
}

/// The rest, for so many members in use.
pub(super) fn redundancy(
    term: &Term,
    level: Level,
    members: usize,
    groups: usize,
    assumed: &mut Vec<Assumed>,
) -> Result<Redundancy, LineError> {
    let spares = spares(term)? as usize;
    let log = level.parities() > 0 && term.choice("log", &[("yes", true), ("no", false)])?.unwrap_or(false);
    let failed = failed(term, level, members, groups)?;
    let rebuild = rebuild(term, spares, failed.len(), assumed)?;
    Ok(Redundancy { failed, spares, rebuild, log })
}

fn failed(term: &Term, level: Level, members: usize, groups: usize) -> Result<Vec<usize>, LineError> {
    let (count, named) = (term.integer("degraded")?, term.text("failed"));
    let survives = |failed: &[usize]| survives(level, members, groups, failed);
    match (count, named) {
        (None, None) => Ok(Vec::new()),
        (Some(_), Some(_)) => Err(term.error_at("failed", "give one of degraded and failed")),
        (Some(count), None) => {
            let mut failed = Vec::new();
            for member in 0..members {
                failed.push(member);
                if failed.len() > count as usize || !survives(&failed) {
                    failed.pop();
                }
            }
            let most = failed.len();
            if most < count as usize {
                let text = format!(
                    "degraded: `{}` survives at most {most} failed members, found {count}",
                    term.name
                );
                return Err(term.error_at("degraded", text));
            }
            Ok(failed)
        }
        (None, Some(text)) => {
            let numbers: Result<Vec<usize>, _> = text.split('+').map(str::parse).collect();
            let refuse = |message| Err(term.error_at("failed", message));
            let Ok(mut failed) = numbers else {
                return refuse(format!("failed: expected members as 0 or 0+5, found `{text}`"));
            };
            failed.sort_unstable();
            failed.dedup();
            if let Some(beyond) = failed.iter().find(|member| **member >= members) {
                return refuse(format!("failed: expected members from 0 to {}, found {beyond}", members - 1));
            }
            if !survives(&failed) {
                return refuse(format!("failed: `{}` does not survive the failure of {text}", term.name));
            }
            Ok(failed)
        }
    }
}

fn rebuild(
    term: &Term,
    spares: usize,
    failed: usize,
    assumed: &mut Vec<Assumed>,
) -> Result<Option<Pace>, LineError> {
    let refuse = |message: &str| Err(term.error_at("rebuild", format!("rebuild: {message}")));
    let text = match term.text("rebuild") {
        Some(_) if failed == 0 => return refuse("nothing has failed; add `degraded=1` or `failed=0`"),
        Some(_) if spares == 0 => return refuse("needs a hot spare, `spares=1`"),
        Some(text) => text,
        None if failed > 0 && spares > 0 => {
            assume(assumed, format!("{}.rebuild", term.name), REBUILD);
            REBUILD
        }
        None => return Ok(None),
    };
    let pace = match (parse_fraction(text), parse_bytes_per_s(text)) {
        (Ok(share), _) if share > 0.0 => Pace::Share(share),
        (Err(_), Ok(rate)) if rate > 0.0 => Pace::Rate(rate),
        _ => return refuse(&format!("expected a rate such as 50MB/s or a share in (0, 1], found `{text}`")),
    };
    Ok(Some(pace))
}
