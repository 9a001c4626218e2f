"""`drivecast reliability` as people use and misuse it."""

import csv
import io
from typing import Any

import pytest

from conftest import Run, invoke

MIRROR = "raid1(2 * samsung-pm893-960gb)"
PARITY = "raid5(8 * samsung-pm893-960gb)"


def run(*words: str) -> Run:
    """Run the verb."""
    return invoke("reliability", *words)


def document(*words: str) -> dict[str, Any]:
    """Run it, and read its JSON."""
    result = run(*words, "--output-format", "json")
    assert result.code == 0, result.err
    return dict(result.json)


def test_the_document_holds_chances_with_intervals_and_what_they_rest_on() -> None:
    found = document(PARITY, "--years", "5", "--write-per-day", "2TB")
    for name in (
        "data_loss_probability",
        "failure_probability",
        "unreadable_probability",
        "lost_bytes",
        "nomdl",
        "availability",
        "degraded_fraction",
    ):
        assert 0 <= found[f"{name}_low"] <= found[name] <= found[f"{name}_high"], name
    assert found["relative_error"] <= 0.01
    assert 0 < found["closed_form"]["failure_probability"] < found["closed_form"]["data_loss_probability"]
    assert {row["name"] for row in found["assumptions"]} >= {"failures a year", "rebuild", "scrub", "wear"}
    assert all(row["provenance"] and row["source"] for row in found["assumptions"])


def test_equal_questions_have_equal_answers_and_seeds_differ() -> None:
    assert document(MIRROR) == document(MIRROR)
    assert (
        document(MIRROR)["data_loss_probability"] != document(MIRROR, "--seed", "7")["data_loss_probability"]
    )


def test_spares_scrubs_and_quick_operators_help() -> None:
    base = document(PARITY)
    assert document(PARITY, "--spares", "1")["failure_probability"] < 0.2 * base["failure_probability"]
    assert (
        document(PARITY, "--scrub-days", "7")["unreadable_probability"] < 0.5 * base["unreadable_probability"]
    )
    never = document(PARITY, "--scrub-days", "0")
    assert never["unreadable_probability"] > 5 * base["unreadable_probability"]
    quick = document(PARITY, "--operator-hours", "4", "--rebuild-hours", "2")
    assert quick["failure_probability"] < 0.2 * base["failure_probability"]


def test_wear_makes_drives_of_one_age_lose_data_and_policies_help() -> None:
    writes = ("--years", "8", "--write-per-day", "5TB", "--spares", "1")
    one_age = document(PARITY, *writes)["failure_probability"]
    assert one_age > 5 * document(PARITY, "--years", "8", "--spares", "1")["failure_probability"]
    staggered = document(PARITY, *writes, "--policy", "staggered", "--replacement", "copied")
    assert staggered["failure_probability"] < 0.5 * one_age


def test_a_workload_sets_the_wear_and_the_rebuild() -> None:
    words = ("-w", "random(16KiB, read=0.3, rate=3000)", "--write-per-day", "500GB")
    found = document("raid10(4 * samsung-pm893-480gb)", *words)
    rebuild = next(row for row in found["assumptions"] if row["name"] == "rebuild")
    assert rebuild["provenance"] == "simulated"
    assert found["rebuild_h"] > document("raid10(4 * samsung-pm893-480gb)")["rebuild_h"] * 0.99


def test_text_and_csv() -> None:
    result = run(MIRROR, "--years", "5")
    assert result.code == 0, result.err
    assert "Assumptions" in result.out
    rows = list(csv.DictReader(io.StringIO(run(MIRROR, "--output-format", "csv").out)))
    assert len(rows) == 1
    assert float(rows[0]["data_loss_probability"]) > 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("raid5(8 * nobody-1tb)",), "nobody-1tb"),
        (("raid1(2 * raid0(2 * samsung-pm893-960gb))",), "one kind of catalog drive"),
        ((MIRROR, "--years", "0"), "--years"),
        ((MIRROR, "--years", "soon"), "--years"),
        ((MIRROR, "--operator-hours", "nan"), "--operator-hours"),
        ((MIRROR, "--growth", "-200%"), "--growth"),
        ((MIRROR, "--write-per-day", "100PB"), "rated cycles"),
        ((MIRROR, "--policy", "staggered"), "nothing wears"),
        ((MIRROR, "--policy", "uneven", "--write-per-day", "1TB"), "RAID 5"),
        ((MIRROR, "-w", "random(4KiB, read=0)"), "--write-per-day"),
        ((MIRROR, "--write-per-day", "much"), "--write-per-day"),
        ((MIRROR, "-w", "nowhere.blktrace"), "nowhere"),
    ],
)
def test_what_cannot_be_used_is_said(words: tuple[str, ...], said: str) -> None:
    result = run(*words)
    assert result.code == 2, result.err
    assert said in result.err
