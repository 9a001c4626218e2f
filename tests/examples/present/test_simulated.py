"""A run, and the wear of a design, as the terminal shows them."""

import pytest

from drivecast.document.outcome import LatencyInterval, LatencyKnowledge, Outcome, Served, Stream
from drivecast.errors import InputError
from drivecast.present import reason, simulated
from real_plan import plan
from worn import wear

WEAR = wear(
    write_amplification=1.8423,
    write_amplification_low=1.84,
    write_amplification_high=1.85,
    pe_cycles_per_day=2.61,
    life_years_media_low=3.1,
    life_years_media_high=4.4,
    dwpd_used=1.3,
)


@pytest.fixture(name="outcome", scope="module")
def of_the_winner() -> Outcome:
    found = plan().ranked()[0].outcome
    assert found is not None
    return found


def test_a_saturated_run_says_so(outcome: Outcome) -> None:
    assert "saturated" in simulated.run(outcome.model_copy(update={"saturated": True})).plain
    assert "saturated" not in simulated.run(outcome).plain


def test_what_bounds_a_latency_and_what_is_served_is_said(outcome: Outcome) -> None:
    def shown(high: float | None, served: Served | None = None) -> str:
        span = LatencyInterval(op="read", quantile="q0.99", low=2e6, high=high)
        known = LatencyKnowledge(drives="platform", intervals=[span], served=served)
        saturated = served is not None
        return simulated.run(
            outcome.model_copy(update={"latency_known": known, "saturated": saturated})
        ).plain

    assert "below saturation; the drive is as another of its platform" in shown(5e6)
    assert shown(5e6).endswith("read: p99 2–5")
    assert "read: p99 2 or more\n" in shown(None)
    assert simulated.NEAR in shown(None)
    served = Served(iops=100e3, low=80e3, high=125e3)
    assert "80 % interval of what it serves: 80,000–125,000 IOPS" in shown(None, served)


def test_the_disks_write_cache_is_named_where_it_decides(outcome: Outcome) -> None:
    assert "write cache" not in simulated.run(outcome).plain
    for state, said in (
        ("on", "write cache on\n"),
        ("off", "write cache off\n"),
        ("mixed", "on in some disks\n"),
    ):
        assert said in simulated.run(outcome.model_copy(update={"write_cache": state})).plain
    design = plan().ranked()[0]
    cached = outcome.model_copy(update={"write_cache": "on"})
    assert reason.text(design.model_copy(update={"outcome": cached})).startswith(f"{reason.text(design)}; ")


def test_a_kind_of_request_that_never_came_has_no_row(outcome: Outcome) -> None:
    lines = simulated.run(outcome.model_copy(update={"write": Stream()})).plain.splitlines()
    assert not [line for line in lines if line.startswith("  write ")]


def test_wear_has_its_interval_and_leaves_out_what_is_not_known() -> None:
    shown = simulated.wear(WEAR).plain
    assert "write amplification      1.842 (1.84–1.85)" in shown
    assert "flash worn out after     3.1–4.4 y" in shown
    assert "rated" not in shown
    assert "erases per block so far  6.25 (3–9, standard deviation 1.5)" in shown
    assert "not steady" not in shown
    assert "not steady" in simulated.wear(WEAR.model_copy(update={"steady": False})).plain


def test_what_is_no_outcome_is_an_input_error() -> None:
    with pytest.raises(InputError):
        Outcome.check({})
