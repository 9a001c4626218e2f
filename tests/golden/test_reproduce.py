"""Published experiments that run in seconds keep coming out, against the table that was read."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from drivecast.catalog import load
from drivecast.document.reproduction import Reproduction, share_within
from drivecast.reproduce import EXPERIMENTS, percona, run
from drivecast.reproduce.experiment import published

FAST = ("wear-320", "warmup", "endurance", "intel-it-sums", "life-sums")


@pytest.fixture(scope="module")
def report() -> Reproduction:
    return run([EXPERIMENTS[name] for name in FAST], load([]), seed=0, progress=lambda *_: None)


def test_orderings_are_right(report: Reproduction) -> None:
    assert report.orderings
    assert not [ordering.statement for ordering in report.orderings if not ordering.right]


def test_wear_and_arithmetic_come_out(report: Reproduction) -> None:
    wear = [row for row in report.rows if row.experiment == "wear-320"]
    assert share_within(wear) == 1.0
    assert (share_within(report.rows, "computed") or 0) >= 0.8


def test_a_figure_that_a_drive_file_rests_on_is_not_counted(report: Reproduction) -> None:
    assert [row.quantity for row in report.rows if row.kind == "given"]
    assert len([row for row in report.rows if row.kind == "simulated"]) < len(report.rows)


def leaves(table: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def test_the_table_is_the_one_that_was_read(corpus: Path) -> None:
    """Every number of ours that is in the collection by the same name and document is the same."""
    read = dict(leaves(tomllib.loads((corpus.parent / "reference" / "experiments.toml").read_text())))
    same = {
        name: value
        for name, value in leaves(published())
        if name in read and name.split(".")[0] != "documents"
    }
    assert len(same) > 40
    assert {name: read[name] for name in same} == same


def test_every_card_of_the_published_table_is_run() -> None:
    assert set(percona.CARDS) == set(published()["percona"]["fileio"])
