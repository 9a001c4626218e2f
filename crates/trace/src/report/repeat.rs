//! Reports that a log has twice: two files that overlap, or one recording behind itself.
//!
//! MODEL. Where the time does not advance, the reports that follow may repeat earlier ones. They do if a stretch of them, from that
//! place on, has the times and the figures of earlier reports, and something moved in it: idle reports are alike
//! without being the same. What has the same times and other figures is no repetition but a clock that was set back.

use std::collections::BTreeMap;

/// How two reports compare.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Likeness {
    Other,
    /// The same, and nothing moved.
    Idle,
    Same,
}

/// Which reports repeat earlier ones.
pub(crate) fn repeated(times: &[i64], compare: impl Fn(usize, usize) -> Likeness) -> Vec<bool> {
    let mut repeats = vec![false; times.len()];
    let mut first: BTreeMap<i64, usize> = BTreeMap::new();
    let mut at = 0;
    while at < times.len() {
        let back = at > 0 && times[at] <= times[at - 1];
        let (mut length, mut moved) = (0, false);
        while back && let Some(time) = times.get(at + length) {
            let likeness = first.get(time).map_or(Likeness::Other, |earlier| compare(*earlier, at + length));
            if likeness == Likeness::Other {
                break;
            }
            moved |= likeness == Likeness::Same;
            length += 1;
        }
        if moved {
            repeats[at..at + length].fill(true);
        }
        let end = at + length.max(1);
        for (number, time) in times[at..end].iter().enumerate() {
            first.entry(*time).or_insert(at + number);
        }
        at = end;
    }
    repeats
}
