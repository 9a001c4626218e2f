"""The price of a class against closed forms: one solution of all unknowns, drawn to what was seen, wider ahead."""

import math
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest

from bundled import CATALOG
from drivecast.catalog.figure import Figure
from drivecast.catalog.price_index import Curve, Fit, Index, Market, Observation, month

CLASS, DAY = "nvme-tlc-ri", date(2026, 11, 1)


def positive(value: float) -> Figure[float]:
    return Figure[float](value=value, assumed="made up")


INDEX = Index(
    changes={"2025-10-15": positive(1.0), "2026-04-15": positive(2.0)},
    walk=positive(0.1),
    of_classes=positive(0.2),
    of_drives=positive(0.3),
    of_shops=positive(0.15),
    of_kinds=positive(0.5),
)
CURVES = {name: Curve(index="flash", base_usd=positive(50), usd_per_tb=positive(100)) for name in ("a", "b")}


def seen(what: str, day: date, usd: float, drive_class: str = "a", kind: str = "street") -> Observation:
    row = {"what": what, "class": drive_class, "capacity_tb": 2, "usd": usd, "day": day, "kind": kind}
    return Observation.model_validate({**row, "quantity": 1, "currency": "USD", "source": "made up"})


def made_up(count: int) -> Iterator[Observation]:
    draw = np.random.default_rng(7)
    for _ in range(count):
        day = date(2025, 11, 1) + timedelta(days=int(draw.integers(300)))
        kind = str(draw.choice(["street", "list", "second-hand"]))
        name = str(draw.choice(list("ab")))
        yield seen(f"drive {draw.integers(9)}", day, 250 * math.exp(draw.normal(0.7, 0.4)), name, kind)


def prior(keys: list[tuple[int, str, str, str]]) -> np.ndarray:
    """Covariance of observations by the model, entry by entry."""
    first = min(key[0] for key in keys)
    found = np.zeros((len(keys), len(keys)))
    for i, (month_a, class_a, drive_a, kind_a) in enumerate(keys):
        for j, (month_b, class_b, drive_b, kind_b) in enumerate(keys):
            found[i, j] = 4.0 + 0.01 * (min(month_a, month_b) - first)
            found[i, j] += 0.04 * (class_a == class_b)
            used = (kind_a == "second-hand") == (kind_b == "second-hand")
            found[i, j] += 0.09 * (class_a == class_b and drive_a == drive_b and used)
            found[i, j] += 0.25 * (kind_a == kind_b != "street")
    return found


def test_it_is_the_conditional_mean_of_all_unknowns() -> None:
    rows = list(made_up(60))
    fit = Fit(INDEX, CURVES, rows)
    keys = [(round(month(row.day)), row.drive_class, row.what, row.kind) for row in rows]
    asked = (round(month(date(2026, 5, 15))), "b", "drive 3", "street")
    joint = prior([*keys, asked])
    values = [math.log(row.usd / 250) - fit.published(month(row.day)) for row in rows]
    weights = np.linalg.solve(joint[:-1, :-1] + 0.0225 * np.eye(len(rows)), joint[:-1, -1])
    expected = float(weights @ values) + math.log(250) + fit.published(month(date(2026, 5, 15)))
    variance = joint[-1, -1] - float(weights @ joint[:-1, -1]) + 0.0225
    mean, deviation = fit.log_price("drive 3", "b", 2, date(2026, 5, 15))
    assert mean == pytest.approx(expected, abs=2e-3), "the day is not quite the middle of the month"
    assert deviation == pytest.approx(math.sqrt(variance), rel=1e-2)


def test_published_changes_are_spread_over_their_time() -> None:
    fit = Fit(INDEX, CURVES, [seen("drive", date(2025, 11, 1), 300)])
    assert fit.published(month(date(2025, 9, 1))) == 0
    assert fit.published(month(date(2026, 1, 14))) == pytest.approx(math.log(2) / 2, abs=0.01)
    assert fit.published(month(date(2027, 1, 1))) == pytest.approx(math.log(2))
    assert fit.moved(date(2025, 10, 1), date(2027, 1, 1)) == pytest.approx(2)


def test_a_drive_is_drawn_to_what_it_was_seen_at_and_its_class_a_little() -> None:
    rows = list(CATALOG.market.rows)
    before = CATALOG.market.figures("drive", CLASS, 4, DAY)
    other = CATALOG.market.figures("other", CLASS, 4, DAY)
    assert before == other
    usd = 2 * float(before["value"])
    row = seen("drive", date(2026, 10, 20), usd, CLASS).model_copy(update={"capacity_tb": 4})
    again = replace(CATALOG.market, rows=[*rows, row])
    after, beside = (again.figures(name, CLASS, 4, DAY) for name in ("drive", "other"))
    assert float(before["value"]) < float(beside["value"]) < 1.15 * float(before["value"])
    assert 1.5 * float(before["value"]) < float(after["value"]) < usd
    assert float(after["high"]) / float(after["low"]) < float(before["high"]) / float(before["low"])


def test_bounds_grow_with_the_months_ahead() -> None:
    ratios = []
    for months in (0, 3, 6, 12, 24):
        found = CATALOG.market.figures("x", CLASS, 4, DAY + timedelta(days=round(30.44 * months)))
        ratios.append(float(found["high"]) / float(found["low"]))
    assert ratios == sorted(ratios)
    assert ratios[-1] > 2 * ratios[0]


def test_a_class_without_observations_has_its_group_s_move_and_wider_bounds() -> None:
    market = Market(
        CATALOG.prices.index,
        CATALOG.prices.classes,
        [row for row in CATALOG.market.rows if row.drive_class != "qlc"],
    )
    with_rows, without = (at.figures("x", "qlc", 30, DAY) for at in (CATALOG.market, market))
    assert float(without["value"]) == pytest.approx(float(with_rows["value"]), rel=0.15)
    assert float(without["high"]) / float(without["low"]) > float(with_rows["high"]) / float(with_rows["low"])


def test_bundled_observations_follow_the_model_s_own_spread() -> None:
    """What is left of the observations is as wide as the shops' spread says: 80 % within the 80 % interval."""
    for fit_name, fit in CATALOG.market.fits.items():
        left = []
        for row in CATALOG.market.rows:
            if CATALOG.prices.classes[row.drive_class].index == fit_name and row.kind == "street":
                mean, _ = fit.log_price(row.what, row.drive_class, row.capacity_tb, row.day)
                left.append(abs(math.log(row.usd) - mean) < 1.2816 * fit.index.of_shops.value)
        assert np.mean(left) == pytest.approx(0.85, abs=0.13), fit_name
