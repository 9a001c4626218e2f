"""An outcome and the wear of a design, as the terminal shows them."""

import json
import re
from pathlib import Path

import pytest

from drivecast.document.outcome import Outcome, Stream
from drivecast.errors import InputError
from drivecast.present import outcome
from worn import wear

SAMPLE = json.loads((Path(__file__).parents[2] / "data" / "plan-sample.json").read_text(encoding="utf-8"))
OUTCOME = Outcome.model_validate(
    next(design for design in SAMPLE["designs"] if design["rank"] == 1)["outcome"]
)
WEAR = wear(
    write_amplification=1.8423,
    write_amplification_low=1.84,
    write_amplification_high=1.85,
    pe_cycles_per_day=2.61,
    life_years_media_low=3.1,
    life_years_media_high=4.4,
    dwpd_used=1.3,
)


def test_an_outcome_has_a_row_for_each_kind_of_request() -> None:
    lines = outcome.text(OUTCOME).splitlines()
    assert lines[0] == "raid1(2 * example-m1-480gb)"
    assert lines[1] == "  3,900 IOPS, 68 MB/s, busy 7.9 %, depth 1.4"
    table = [line.split() for line in lines if re.match(r"  (read|write|flush) ", line)]
    assert [row[0] for row in table] == ["read", "write", "flush"]
    assert table[0][1:6] == ["2,730", "0.11", "0.10", "0.17", "0.26"]


def test_an_outcome_that_cannot_keep_up_says_so() -> None:
    assert "saturated" in outcome.text(OUTCOME.model_copy(update={"saturated": True}))
    assert "saturated" not in outcome.text(OUTCOME)


def test_a_kind_of_request_that_never_came_has_no_row() -> None:
    assert "write" not in outcome.text(OUTCOME.model_copy(update={"write": Stream()}))


def test_wear_has_its_interval_and_leaves_out_what_is_not_known() -> None:
    shown = outcome.wear_text(WEAR)
    assert "write amplification         1.842 (1.84–1.85)" in shown
    assert "until flash is worn out     3.1–4.4 y" in shown
    assert "rated" not in shown
    assert "erasures of a block, so far 6.25 (3-9, standard deviation 1.5)" in shown
    assert "not steady" not in shown
    assert "not steady" in outcome.wear_text(WEAR.model_copy(update={"steady": False}))


def test_what_is_no_outcome_is_an_input_error() -> None:
    with pytest.raises(InputError, match="this is no outcome of this version"):
        Outcome.check({})
