"""A comparison does not depend on the order of the designs, and a higher load is never served at a lower rate."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from compared import made

DESIGNS = (
    "raid1(2 * samsung-pm893-480gb)",
    "raid5(3 * samsung-pm9a3-960gb)",
    "raid1(2 * seagate-exos-15e900-300gb)",
)
SPEEDUPS = st.lists(st.sampled_from([1.0, 2.0, 3.0, 8.0, 20.0, 100.0]), min_size=2, max_size=3, unique=True)


@settings(max_examples=2)
@given(order=st.permutations(DESIGNS), speedups=SPEEDUPS, seed=st.integers(0, 9))
def test_designs_in_another_order_have_the_same_figures(
    order: list[str], speedups: list[float], seed: int
) -> None:
    first = made(*order[:2], speedups=speedups, conditions=("healthy", "degraded"), seed=seed)
    second = made(*order[1::-1], speedups=speedups[::-1], conditions=("healthy", "degraded"), seed=seed)
    assert second.designs == first.designs[::-1]
    assert sorted(second.runs, key=repr) == sorted(first.runs, key=repr)
    assert second.reverse == first.replacements
    assert second.replacements == first.reverse
    ordered = {"designs", "runs", "replacements", "reverse"}
    assert second.model_dump(exclude=ordered) == first.model_dump(exclude=ordered)
    for line in order[:2]:
        runs = [run for run in first.runs if run.design == line and run.condition == "healthy"]
        served = [run.iops or 0.0 for run in sorted(runs, key=lambda run: run.at)]
        assert all(after >= before * 0.98 for before, after in pairwise(served))
