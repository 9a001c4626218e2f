"""Completion: the names that are offered, what an answer costs to import, and real shells that ask for it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from test_cli_emit import verbs

from conftest import PROGRAM
from drivecast.catalog import load
from drivecast.cli import complete
from drivecast.cli.main import app
from drivecast.reproduce import EXPERIMENTS, disks
from drivecast.reproduce.live import LIVE
from drivecast.stage import model_file
from needs import needs

MODEL, DRIVE = "swingbench", "samsung-pm893-960gb"
HEAVY = (
    "numpy",
    "polars",
    "pydantic_core",
    "rich.console",
    "sqlalchemy",
    "drivecast.catalog",
    "drivecast.stage",
)


def test_drives_are_those_of_the_catalog_and_of_further_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalog = load()
    assert complete.drives("") == sorted({*catalog.drives, *catalog.volumes})
    (tmp_path / "more/drives").mkdir(parents=True)
    for name in ("more/drives/samsung-mine.toml", "samsung-ours.toml"):
        (tmp_path / name).touch()
    monkeypatch.setenv(complete.INSTRUCTION, "complete_bash")
    monkeypatch.setenv(
        "COMP_WORDS", f"drivecast --catalog {tmp_path}/more --catalog {tmp_path}/samsung-ours.toml"
    )
    assert complete.drives("samsung-m") == ["samsung-mine"]
    assert complete.drives("samsung-o") == ["samsung-ours"]


def test_the_last_name_of_a_design_is_completed() -> None:
    assert complete.designs("samsung-pm893-9") == [DRIVE]
    assert complete.designs("raid1(2 * samsung-pm893-9") == [f"raid1(2 * {DRIVE}"]
    assert complete.designs("raid0(4*raid1(2*samsung-pm893-9") == [f"raid0(4*raid1(2*{DRIVE}"]
    assert complete.designs("no-such-drive") == []


def test_workloads_are_models_and_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert complete.models("") == model_file.named()
    Path("swing.log").touch()
    assert complete.models("sw") == [MODEL, "swing.log"]
    Path("alone/inner").mkdir(parents=True)
    assert complete.models("al") == ["alone/inner/"]
    Path("alone/trace.csv").touch()
    assert complete.models("alone/") == ["alone/inner/", "alone/trace.csv"]
    assert complete.models("no-such-folder/") == []


OFFERED = {"workload": (MODEL, MODEL), "design": ("raid1(2 * samsung-pm893-9", f"raid1(2 * {DRIVE}")}
"""By the name of what is taken: a word begun, and what it becomes."""


def test_models_and_drives_are_offered_wherever_workloads_and_designs_are_taken() -> None:
    taken = [
        (f"{name} {parameter.name}", parameter, OFFERED[parameter.name])
        for name, verb in verbs(typer.main.get_command(app))
        for parameter in verb.params
        if parameter.name in OFFERED
    ]
    assert len(taken) > 10
    lacking = []
    for where, parameter, (begun, whole) in taken:
        found = parameter.shell_complete(typer.Context(typer.main.get_command(app)), begun)
        lacking += [where] if whole not in [item.value for item in found] else []
    assert lacking == []


def test_experiments_are_those_that_can_be_reproduced() -> None:
    assert set(complete.EXPERIMENTS) == {*EXPERIMENTS, disks.NAME, "measured", *LIVE}


def asked(words: str, at: int, shell: str = "bash") -> dict[str, str]:
    """The environment in which the script of a shell calls the program."""
    given = {"COMP_WORDS": words, "COMP_CWORD": str(at), "_TYPER_COMPLETE_ARGS": words}
    action = {"_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    return {**os.environ, **given, **action, complete.INSTRUCTION: f"complete_{shell}"}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("drivecast rel", ["reliability"]),
        ("drivecast simulate samsung-pm893-9", [DRIVE]),
        (f"drivecast simulate {DRIVE} -w swing", [MODEL]),
        ("drivecast plan --today 'raid1(2 * samsung-pm893-9", [f"raid1(2 * {DRIVE}"]),
        ("drivecast reproduce intel-it life", ["life-sums"]),
        ("drivecast plan --output-format json", ["json", "jsonl"]),
    ],
)
def test_a_shell_is_answered_without_heavy_imports(words: str, expected: list[str], tmp_path: Path) -> None:
    last = max(words.count(" ", 0, words.find("'")) if "'" in words else words.count(" "), 1)
    environment = {**asked(words, last), "PYTHONPROFILEIMPORTTIME": "1"}
    done = subprocess.run(
        [PROGRAM], env=environment, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n")[:-1] == expected
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "drivecast.cli.plan" in imported
    assert not imported.intersection(HEAVY)


def test_what_is_offered_to_bash_is_what_bash_completes(tmp_path: Path) -> None:
    words = f'drivecast versus {DRIVE} "\'raid1(2 * samsung-pm893-9"'
    script = (
        f"source <(drivecast --show-completion bash); COMP_WORDS=({words}); COMP_CWORD=3; "
        '_drivecast_completion drivecast; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    assert in_shell("bash", script, tmp_path) == f"raid1(2 * {DRIVE}\n"


def test_fish_completes_models_with_their_files(tmp_path: Path) -> None:
    (tmp_path / "swing.log").touch()
    script = f'drivecast --show-completion fish | source; complete -C "drivecast simulate {DRIVE} -w swing"'
    assert in_shell("fish", script, tmp_path) == f"swing.log\n{MODEL}\n"


def test_zsh_is_given_a_specification_that_it_takes(tmp_path: Path) -> None:
    """`_arguments` is a function of its line editor: here it prints what it is called with."""
    script = (
        "_arguments() { print -r -- $1 }; compdef() { : }; words=(drivecast simulate samsung-pm893-9); CURRENT=3; "
        'eval "$(drivecast --show-completion zsh)"; _drivecast_completion'
    )
    assert in_shell("zsh", script, tmp_path) == f'*: :(("{DRIVE}"))\n'


def in_shell(shell: str, script: str, home: Path) -> str:
    """What a script prints in a shell that finds the program."""
    environment = {
        "HOME": str(home),
        "PATH": f"{PROGRAM.parent}:/usr/bin:/bin",
        "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1",
    }
    done = subprocess.run(
        [needs(shell), "-c", script],
        env=environment,
        cwd=home,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stderr == ""
    return done.stdout


def test_another_program_is_not_told_to_do_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(complete.INSTRUCTION, raising=False)
    complete.prepare()
    assert all(sys.modules.get(name, ...) is not None for name in complete.HEAVY)
