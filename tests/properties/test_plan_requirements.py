"""Requirements hold for every design, and a looser one never gives a dearer winner. Trials are made up."""

from hypothesis import given, settings
from hypothesis import strategies as st

from bundled import CATALOG
from drivecast.document.design import Level
from drivecast.document.miss import Miss
from drivecast.plan.requirement import Given, Requirements, derive
from drivecast.plan.trial import Trial
from drivecast.plan.verdict import Verdict, judge
from drivecast.stage.design import Design
from made_up_load import PEAK, PROFILE
from worn import wear

BUSY = PROFILE.model_copy(update={"write_bytes_per_day": 300e9})
SHAPES: tuple[tuple[Level, int], ...] = (
    ("single", 1),
    ("raid0", 4),
    ("raid1", 2),
    ("raid1", 3),
    ("raid5", 4),
    ("raid6", 5),
    ("raid10", 4),
    ("raid50", 8),
    ("raid60", 8),
)
TOLERATED = {
    ("raid1", 2): 1,
    ("raid1", 3): 2,
    ("raid5", 4): 1,
    ("raid6", 5): 2,
    ("raid10", 4): 1,
    ("raid50", 8): 1,
    ("raid60", 8): 2,
}
DRIVES = ("samsung-pm893-480gb", "samsung-pm9a3-1.92tb", "solidigm-d7-p5620-3.2tb", "seagate-exos-x20-20tb")

needs = st.fixed_dictionaries(
    {
        "drive_losses": st.integers(0, 2),
        "years": st.sampled_from([3.0, 5.0, 8.0]),
        "budget_usd": st.none() | st.floats(100, 5000),
        "power_w_max": st.none() | st.floats(3, 60),
        "data_loss": st.none() | st.floats(1e-6, 1e-1),
        "endurance_tolerance": st.none() | st.floats(0, 0.5),
        "headroom_margin": st.none() | st.floats(1, 3),
    }
)
shapes = st.sampled_from(SHAPES)
designs = st.lists(
    st.builds(
        lambda drive, shape, spares: Design(
            CATALOG.get(drive), *shape, spares=spares if shape in TOLERATED else 0
        ),
        st.sampled_from(DRIVES),
        shapes,
        st.integers(0, 1),
    ),
    min_size=1,
    max_size=6,
)


def _required(values: dict[str, float | None]) -> Requirements:
    return derive(Given(growth_per_year=0.1, hours_per_day=24, **values), BUSY)  # type: ignore[arg-type]


def _judged(design: Design, required: Requirements) -> Verdict:
    worn = wear(parity_factor=2.0, members=design.count) if design.drive.is_flash else None
    carries = design.count / 2
    miss = None
    if carries < required.headroom:
        miss = Miss(kind="saturated", shortfall=required.headroom / carries, load=required.headroom)
    trial = Trial(PEAK, worn, miss, carries, {}, refined=True)
    return judge(design, trial, CATALOG, required, BUSY)


def _cheapest(found: list[Design], required: Requirements) -> float | None:
    verdicts = [_judged(design, required) for design in found]
    return min((each.cost.total_usd for each in verdicts if not each.misses), default=None)


@given(designs, needs)
@settings(deadline=None)
def test_what_fits_misses_no_requirement(found: list[Design], values: dict[str, float | None]) -> None:
    required = _required(values)
    for design in found:
        verdict = _judged(design, required)
        if verdict.misses:
            continue
        assert TOLERATED.get((design.level, design.count), 0) >= required.drive_losses
        assert verdict.life is None or verdict.life.life_years.value >= required.endures_years
        assert design.count / 2 >= required.headroom
        assert required.budget_usd is None or verdict.cost.total_usd <= required.budget_usd
        assert required.power_w_max is None or verdict.power_w.value <= required.power_w_max
        assert verdict.loss.probability.value <= required.data_loss


LOOSEST = {"drive_losses": 0, "data_loss": 1.0, "endurance_tolerance": 0.5, "headroom_margin": 1.0}
LIMITS = (*LOOSEST, "budget_usd", "power_w_max")


@given(designs, needs, st.sampled_from(LIMITS))
@settings(deadline=None)
def test_a_looser_requirement_gives_no_dearer_winner(
    found: list[Design], values: dict[str, float | None], which: str
) -> None:
    strict, loose = _required(values), _required({**values, which: LOOSEST.get(which)})
    winner = _cheapest(found, strict)
    if winner is not None:
        looser = _cheapest(found, loose)
        assert looser is not None
        assert looser <= winner
