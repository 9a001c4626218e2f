"""How far a job is: every stage says so, and what is said before a silent one is not lost."""

import json
import os
import select
import time
from pathlib import Path

import pytest

import waiting
from bundled import CATALOG
from drivecast.document.plan_options import PlanOptions
from drivecast.plan import requirement, search
from drivecast.plan.candidate import Options
from drivecast.serve.worker import Answers
from small_traces import mixed, write


def test_what_is_said_before_a_silent_stage_arrives(monkeypatch: pytest.MonkeyPatch) -> None:
    out, into = os.pipe()
    answers = Answers(into)
    monkeypatch.setattr(time, "monotonic", lambda: 1e6)  # all three within a moment, however busy the machine
    for share, what in ((0.1, "first"), (0.2, "passed over"), (0.3, "last")):
        answers.progress(share, what)
    answers.begin()
    said = b""
    while b"last" not in said:
        assert select.select([out], [], [], waiting.PATIENCE_S)[0], said
        said += os.read(out, 4096)
    assert [json.loads(line)["what"] for line in said.splitlines()] == ["first", "last"]
    os.close(out)


def test_every_kind_that_may_be_rented_is_named_as_it_is_found(tmp_path: Path) -> None:
    options = PlanOptions(peak_window=1.0, where="cloud", capacity="300GB")
    heard: list[tuple[float, str]] = []
    log = write(tmp_path, mixed(100), "tiny.blktrace")
    found = search.plan(
        [log],
        requirement.given(options),
        Options.of(options),
        lambda share, what: heard.append((share, what)),
    )
    assert found.winner is not None
    assert {f"volumes: {kind}" for kind in CATALOG.rental.cloud.kinds} <= {what for _, what in heard}
    shares = [share for share, _ in heard]
    assert shares == sorted(shares)
    assert max(shares) <= 1.0
