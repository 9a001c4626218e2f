"""A model of more requests than memory holds: its busiest part is played, and a day of it stays a day."""

from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import ROOT, Run
from drivecast.document.model import Model, Open
from drivecast.model import counters
from drivecast.stage import model_file, model_part, trace

DAY = ROOT / "examples" / "day-of-mysql" / "sadf-d.csv.xz"
READING = trace.Reading(disk="sdb")


def fitted() -> Model:
    return counters.fit(trace.profile([DAY], READING), "day", 10**12)


def rate(model: Model) -> float:
    return sum(stream.arrivals.rate_iops for stream in model.streams if isinstance(stream.arrivals, Open))


def test_the_busiest_part_of_a_day_has_no_more_requests_than_are_held() -> None:
    whole = fitted()
    part = model_part.cut(whole, 1_000_000)
    length_s = part.model.duration_s
    assert length_s is not None
    assert 0.9e6 < rate(part.model) * length_s <= 1.001e6
    # The two humps of the day are around 11:00 and 16:30.
    assert 10 * 3600 < part.start_s < 18 * 3600
    assert rate(part.model) > 2 * rate(whole)
    assert part.note is not None
    assert "289," in part.note
    assert model_file.workload(part.model, seed=1).duration_s == pytest.approx(length_s)


def test_what_is_written_a_day_is_that_of_the_day() -> None:
    whole = fitted()
    written = model_part.written_bytes_per_day(whole)
    assert written == pytest.approx(1.18e12, rel=0.01)
    part = model_part.cut(whole, 1_000_000).model
    hours = model_part.hours_per_day(whole, part)
    assert 5 < hours < 20
    assert (model_part.written_bytes_per_day(part) or 0) * hours / 24 == pytest.approx(written)


def test_a_model_that_is_held_stays_as_it_is() -> None:
    small = fitted().model_copy(update={"duration_s": 10.0})
    assert model_part.cut(small) == model_part.Cut(small)


def test_a_model_of_a_day_is_generated_and_worn(drivecast: Callable[..., Run], tmp_path: Path) -> None:
    path = tmp_path / "day.toml"
    assert drivecast("model", "fit", DAY, "--disk", "sdc", "--span", "40GB", "-o", path).code == 0
    text = path.read_text().replace("rate_iops = ", "rate_iops = 10")
    path.write_text(text)
    run = drivecast("model", "generate", path, "-o", tmp_path / "day.parquet", "--output-format", "json")
    assert run.code == 0, run.err
    assert run.json["requests"] <= 1.01 * model_part.REQUESTS_MAX
