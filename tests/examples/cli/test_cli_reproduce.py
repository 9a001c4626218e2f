"""`drivecast reproduce`: what it lists, prints and refuses."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from drivecast.catalog import load
from drivecast.document.reproduction import Ordering, Row, passed
from drivecast.reproduce.experiment import Findings

Program = Callable[..., Any]
FAST = "wear-320"
SUMS = "life-sums"


@pytest.fixture(scope="module")
def found(drivecast: Program) -> Any:
    """One fast experiment of devices and one of arithmetic."""
    return drivecast("reproduce", FAST, SUMS, "--output-format", "json")


def test_the_list_names_every_experiment(drivecast: Program) -> None:
    listed = drivecast("reproduce", "--list")
    assert listed.code == 0
    names = [line.split()[0] for line in listed.out.splitlines()]
    assert {"intel-it", "x25e", "fileio", "s3500", FAST, SUMS} <= set(names)
    rows = drivecast("reproduce", "--list", "--output-format", "json").json["experiments"]
    assert [row["name"] for row in rows] == names


def test_json_has_figures_orderings_and_the_verdict(found: Any) -> None:
    assert found.code == 0, found.err
    document = found.json
    assert [each["name"] for each in document["experiments"]] == [FAST, SUMS]
    assert all(each["documents"] for each in document["experiments"])
    for row in document["rows"]:
        assert row["ratio"] == pytest.approx(row["ours"] / row["published"])
        assert row["within"] == (abs(row["ratio"] - 1) <= document["within_required"])
    assert document["share_within_simulated"] >= document["share_required"]
    assert document["share_within_computed"] == 1.0
    assert document["passed"] == (found.code == 0)
    assert all(set(row) == {"experiment", "statement", "ours", "right"} for row in document["orderings"])


def test_a_run_again_is_the_same_bytes(drivecast: Program, found: Any) -> None:
    assert drivecast("reproduce", FAST, SUMS, "--output-format", "json").out == found.out


def test_an_unknown_name_is_refused_with_the_nearest(drivecast: Program) -> None:
    refused = drivecast("reproduce", "intel-iit")
    assert refused.code == 2
    assert "`intel-it`" in refused.err


def test_disks_ask_for_their_files(
    drivecast: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DRIVECAST_CORPUS", raising=False)
    refused = drivecast("reproduce", "disks")
    assert refused.code == 2
    assert "--data DIR" in refused.err
    empty = drivecast("reproduce", "disks", "--data", tmp_path)
    assert empty.code == 2
    assert "atlas10k.model" in empty.err or "barracuda.model" in empty.err or "cheetah4LP.model" in empty.err


def test_disks_are_closer_than_disksim(drivecast: Program, corpus: Path) -> None:
    found = drivecast("reproduce", "disks", "--data", corpus, "--output-format", "json")
    assert found.code == 0, found.err
    assert found.json["orderings_right"] == len(found.json["orderings"]) == 3


def test_a_wrong_ordering_or_too_few_ratios_fail() -> None:
    def rows(*ours: float) -> list[Row]:
        findings = Findings[None]("sample", load())
        for value in ours:
            findings.figure("rate", "IOPS", published=100.0, ours=value)
        return findings.rows

    def ordering(right: bool) -> Ordering:
        return Ordering(experiment="sample", statement="a is faster than b", ours="2 over 1", right=right)

    assert passed(rows(*[125.0] * 4, 126.0), [ordering(True)])
    assert not passed(rows(*[100.0] * 3, 74.0), [ordering(True)])
    assert not passed(rows(100.0), [ordering(True), ordering(False)])
