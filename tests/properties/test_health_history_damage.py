"""Tables of samples that are damaged or arrive in pieces: told, never a traceback, and the others are kept."""

import io
from itertools import count
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drive_samples import START, content, opened, steady
from drivecast.health.history import importing, sample
from drivecast.health.history.history import History

places = count()
DAILY = (
    "date,serial_number,model,capacity_bytes,failure,smart_9_normalized,smart_9_raw,smart_194_raw\n"
    + "".join(
        f"2026-01-{day:02d},Z{day},ST4000DM000,4000787030016,0,95,{day * 24},30\n" for day in range(1, 20)
    )
).encode()


def table() -> pl.DataFrame:
    """Some drives day by day over three months, in the columns of an import."""
    records = [record for day in range(0, 90, 3) for drive in "ABC" for record in steady(drive, [day])]
    return sample.from_records(records).drop("doubtful")


def files() -> dict[str, bytes]:
    whole, text = io.BytesIO(), io.BytesIO()
    table().write_parquet(whole)
    table().write_csv(text)
    return {"table.parquet": whole.getvalue(), "table.csv": text.getvalue(), "daily.csv": DAILY}


FILES = files()


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=st.sampled_from(sorted(FILES)),
    cut=st.integers(0, 10_000),
    flips=st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=6),
)
def test_a_damaged_table_is_told(
    tmp_path_factory: pytest.TempPathFactory, name: str, cut: int, flips: list[tuple[int, int]]
) -> None:
    data = bytearray(FILES[name])
    for place, value in flips:
        data[place % len(data)] = value
    folder = tmp_path_factory.getbasetemp() / f"damage-{next(places)}"
    folder.mkdir()
    path = folder / name
    path.write_bytes(bytes(data[: len(data) - cut % len(data)] if cut % 3 else data))
    with shared(tmp_path_factory) as history:
        before = history.samples().height
        added = importing.take(history, [str(path)])
        assert history.samples().height == before + added.samples_new


def shared(tmp_path_factory: pytest.TempPathFactory) -> History:
    """One history for all: what is damaged must not harm what is there either."""
    return opened(str(tmp_path_factory.getbasetemp() / "damaged.sqlite3"))


@pytest.mark.parametrize("most", [4, 25, 60, 1000])
def test_pieces_of_any_size_make_the_same_history(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    whole = table()
    for place, part in enumerate(whole.iter_slices(11)):
        part.write_parquet(tmp_path / f"{place:02d}.parquet")
    whole.head(1).with_columns(time=pl.lit(None, sample.TIME)).write_parquet(tmp_path / "05b.parquet")
    monkeypatch.setattr(importing, "ROWS_AT_ONCE", most)
    monkeypatch.setattr(importing, "PART_ROWS", 5)
    with opened(str(tmp_path / "parts.sqlite3")) as parts, opened(str(tmp_path / "whole.sqlite3")) as direct:
        added = importing.take(parts, [str(tmp_path / "05b.parquet"), str(tmp_path)], group="md0")
        assert any("without a time" in text for text in added.refused)
        direct.add_table(whole.with_columns(group=pl.lit("md0")))
        assert added.samples_new == whole.height
        assert content(parts) == content(direct)
        assert parts.drives()["first_seen"].to_list() == [START] * 3
