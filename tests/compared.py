"""A small real comparison for the tests of what is shown: two arrays under two thousand requests."""

import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import made_once
from bundled import CATALOG
from drivecast.document.array_state import CONDITIONS
from drivecast.document.versus import Versus
from drivecast.versus import contest
from drivecast.versus.question import Question
from small_traces import mixed, write

FLASH = "raid5(4 * samsung-pm9a3-960gb)"
DISKS = "raid10(6 * seagate-exos-15e900-300gb)"


def made(*designs: str, **more: object) -> Versus:
    """A comparison of designs under a small trace, or under what `more` says."""
    with TemporaryDirectory() as folder:
        trace = write(Path(folder), mixed(2000), "small.blktrace")
        given = {
            "workload": str(trace),
            "speedups": (1.0, 40.0),
            "conditions": CONDITIONS,
            "threads": 1,
        } | more
        return contest.versus(Question(designs, **given), CATALOG, lambda _share, _what: None)  # type: ignore[arg-type]


@cache
def found() -> Versus:
    """Four SSDs against six disks, which fall behind."""
    text = made_once.text("compared.json", lambda: made(FLASH, DISKS).model_dump_json(by_alias=True))
    return Versus.check(json.loads(text))
