//! Whether a design meets the limits at a load, by the runs that were made of it.
//!
//! Model. A design that holds a load holds a lower one, and misses a higher one than it misses, under the same limits;
//! wider limits are met where narrower ones are. So each run decides all loads on one side of its own. The bounds that a
//! search found without figures are of the limits of that search, and reach as far as today's are no narrower, or no
//! wider. Left out: that a lower load may be slower, as a disk's cache can make it.

use super::carried::Candidate;
use super::run::{Limits, Miss};

/// What the runs say of a load.
#[derive(Clone, Debug, PartialEq)]
pub enum Known {
    /// The limits are met.
    Held,
    /// One is not.
    Missed(Miss),
    /// It takes a run.
    Unknown,
}

/// What the runs say of a multiple of the measured peak; `then` are the limits of the plan.
#[must_use]
pub fn at(candidate: &Candidate, load: f64, limits: Limits, then: Limits) -> Known {
    let mut missed: Option<Miss> = None;
    let mut missed_at = f64::INFINITY;
    for run in &candidate.runs {
        match run.miss(limits) {
            None if run.times >= load => return Known::Held,
            Some(miss) if run.times <= load && run.times < missed_at => {
                missed_at = run.times;
                missed = Some(Miss { load: Some(run.times), ..miss });
            }
            _ => {}
        }
    }
    if let Some(miss) = missed {
        return Known::Missed(miss);
    }
    for edges in candidate.edges(then) {
        if limits.covers(edges.limits) && edges.held.is_some_and(|held| held >= load) {
            return Known::Held;
        }
        if let Some(missed) = edges.missed.filter(|missed| edges.limits.covers(limits) && *missed <= load) {
            return Known::Missed(Miss { load: Some(missed), ..Miss::of("latency") });
        }
    }
    Known::Unknown
}

/// The most load that is known to hold, and the least that is known to miss.
#[must_use]
pub fn edges(candidate: &Candidate, limits: Limits, then: Limits) -> (Option<f64>, Option<f64>) {
    let runs = || candidate.runs.iter().map(|run| (run.times, run.miss(limits).is_none()));
    let held = runs().filter(|(_, holds)| *holds).map(|(times, _)| times);
    let missed = runs().filter(|(_, holds)| !holds).map(|(times, _)| times);
    let found =
        candidate.edges(then).filter(|edges| limits.covers(edges.limits)).filter_map(|edges| edges.held);
    let lost =
        candidate.edges(then).filter(|edges| edges.limits.covers(limits)).filter_map(|edges| edges.missed);
    (held.chain(found).reduce(f64::max), missed.chain(lost).reduce(f64::min))
}

#[cfg(test)]
mod tests {
    use super::super::rented;
    use super::super::run::{Edges, Run};
    use super::*;

    const THEN: Limits = Limits { read: Some(5_000_000), write: Some(5_000_000) };

    fn candidate(runs: &[(f64, f64)], held: Option<f64>, missed: Option<f64>) -> Candidate {
        let runs = runs.iter().map(|(times, p99)| Run {
            times: *times,
            read_p99_ns: Some(*p99),
            write_p99_ns: None,
            saturated: false,
        });
        let untried = Candidate::untried("x".into(), rented::one()).expect("one drive");
        Candidate { runs: runs.collect(), held, missed, ..untried }
    }

    #[test]
    fn a_run_decides_the_loads_on_one_side_of_it() {
        let known = candidate(&[(1.0, 1e6), (3.0, 9e6)], Some(2.0), Some(2.5));
        assert_eq!(at(&known, 1.0, THEN, THEN), Known::Held);
        assert_eq!(at(&known, 2.0, THEN, THEN), Known::Held);
        assert_eq!(at(&known, 2.2, THEN, THEN), Known::Unknown);
        let Known::Missed(miss) = at(&known, 4.0, THEN, THEN) else { panic!("it misses") };
        assert_eq!((miss.kind, miss.load, miss.found), ("latency", Some(3.0), Some(9_000_000.0)));
        let Known::Missed(miss) = at(&known, 2.7, THEN, THEN) else { panic!("it misses") };
        assert_eq!((miss.load, miss.found), (Some(2.5), None));
    }

    #[test]
    fn what_was_found_under_wider_limits_says_nothing_of_narrower_ones() {
        let wider = Limits { read: Some(10_000_000), write: Some(10_000_000) };
        let mut known = candidate(&[(1.0, 1e6)], None, None);
        known.under.push(Edges { limits: wider, held: Some(6.0), missed: Some(7.0) });
        assert_eq!(at(&known, 5.0, wider, THEN), Known::Held);
        assert_eq!(at(&known, 5.0, THEN, THEN), Known::Unknown);
        assert!(
            matches!(at(&known, 7.0, THEN, THEN), Known::Missed(_)),
            "narrower limits are missed there, too"
        );
        assert_eq!(edges(&known, THEN, THEN), (Some(1.0), Some(7.0)));
    }

    #[test]
    fn what_was_found_before_stays_known() {
        let mut before = candidate(&[(1.0, 1e6), (3.0, 4e6)], Some(3.5), Some(4.0));
        before.seen = Some(crate::facts::Seen::default());
        let now = candidate(&[(1.0, 1e6), (5.0, 9e6)], None, None);
        let merged = now.clone().merged(before.clone());
        assert_eq!(merged.runs.len(), 3);
        assert_eq!((merged.held, merged.missed), (Some(3.5), Some(4.0)));
        before.fill = 0.5;
        assert_eq!(now.clone().merged(before).runs.len(), now.runs.len(), "another fill is another design");
    }

    #[test]
    fn other_limits_are_decided_as_far_as_the_runs_reach() {
        let known = candidate(&[(1.0, 1e6), (3.0, 9e6)], Some(2.0), Some(2.5));
        let wider = Limits { read: Some(10_000_000), write: Some(10_000_000) };
        assert_eq!(at(&known, 3.0, wider, THEN), Known::Held);
        assert_eq!(at(&known, 2.7, wider, THEN), Known::Held);
        assert_eq!(at(&known, 3.5, wider, THEN), Known::Unknown);
        let narrower = Limits { read: Some(2_000_000), write: Some(5_000_000) };
        assert_eq!(at(&known, 1.0, narrower, THEN), Known::Held);
        assert_eq!(at(&known, 2.0, narrower, THEN), Known::Unknown);
        assert_eq!(edges(&known, narrower, THEN), (Some(1.0), Some(2.5)));
        assert_eq!(edges(&known, THEN, THEN), (Some(2.0), Some(2.5)));
    }
}
