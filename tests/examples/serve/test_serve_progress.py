"""How far a job is: every stage says so, and what is said before a silent one is not lost."""

import json
import os
import time
from pathlib import Path

from drivecast.document.plan_options import PlanOptions
from drivecast.plan import requirement, search
from drivecast.plan.candidate import Options
from drivecast.serve.worker import REPORTS_PER_S, Answers
from small_traces import mixed, write


def test_what_is_said_before_a_silent_stage_arrives() -> None:
    out, into = os.pipe()
    answers = Answers(into)
    answers.begin()
    for share, what in ((0.1, "first"), (0.2, "passed over"), (0.3, "last")):
        answers.progress(share, what)
    time.sleep(3 / REPORTS_PER_S)
    said = [json.loads(line) for line in os.read(out, 4096).splitlines()]
    assert [line["what"] for line in (said[0], said[-1])] == ["first", "last"]
    assert len(said) < 3, "no more than a few a second"
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
    kinds = {what for _, what in heard if what.startswith("volumes: ")}
    assert len(kinds) > len({design.line for design in found.designs if design.where == "cloud"}) / 2
    shares = [share for share, _ in heard]
    assert shares == sorted(shares)
    assert max(shares) <= 1.0
