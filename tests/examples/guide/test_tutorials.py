"""The tutorials: every command in them is run on what is bundled, and what they show is what it printed."""

from pathlib import Path

from test_guides import play

from conftest import ROOT

HERE = {"examples/": f"{ROOT}/examples/"}


def test_a_first_plan(tmp_path: Path) -> None:
    play("tutorials/first-plan.md", tmp_path, HERE)


def test_qlc_or_tlc(tmp_path: Path) -> None:
    play("tutorials/qlc-or-tlc.md", tmp_path, HERE)


def test_drives_in_service(tmp_path: Path) -> None:
    play("tutorials/drives-in-service.md", tmp_path, HERE)
