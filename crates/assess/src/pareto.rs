//! The Pareto front: what no other dominates.

/// What designs are compared by, all to be small: money, p99 of reads and of writes, and the inverse of life.
///
/// What has no such requests, or does not wear, has a cost of 0 there.
pub type Costs = [f64; 4];

/// What a design with these figures is compared by.
#[must_use]
pub fn compared(
    total: f64,
    read_p99_ns: Option<f64>,
    write_p99_ns: Option<f64>,
    life_years: Option<f64>,
) -> Costs {
    let wear = life_years.filter(|years| *years > 0.0).map_or(0.0, |years| 1.0 / years);
    [total, read_p99_ns.unwrap_or(0.0), write_p99_ns.unwrap_or(0.0), wear]
}

/// Which of them no other dominates, in their order. One dominates another when it is no worse in every cost and better
/// in one. Quadratic, for a few hundred designs.
#[must_use]
pub fn front(costs: &[Costs]) -> Vec<bool> {
    let dominates = |other: &Costs, mine: &Costs| {
        other != mine && other.iter().zip(mine).all(|(other, mine)| other <= mine)
    };
    costs.iter().map(|mine| !costs.iter().any(|other| dominates(other, mine))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_do_not_dominate_each_other() {
        let costs = [[1.0, 2.0, 0.0, 0.0], [1.0, 2.0, 0.0, 0.0], [1.0, 3.0, 0.0, 0.0], [0.5, 9.0, 0.0, 0.0]];
        assert_eq!(front(&costs), [true, true, false, true]);
        assert_eq!(compared(1.0, None, Some(2.0), Some(4.0)), [1.0, 0.0, 2.0, 0.25]);
    }
}
