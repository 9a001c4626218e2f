"""What to do about a bad input is an attribute of its error, in every room; the text has it too."""

import ast
import os
import re
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import drivecast
from drivecast import _core, exchange
from drivecast.bench import guard, target
from drivecast.bench.fio import program, workload
from drivecast.calibration import drive_title
from drivecast.capture import block_device, scope
from drivecast.catalog import load
from drivecast.cli import profile as profile_verb
from drivecast.compare import comparison_side, error_log
from drivecast.document import result
from drivecast.errors import InputError, NoAnswer
from drivecast.health import rules
from drivecast.health.compare import prediction
from drivecast.health.history import sample
from drivecast.model import validation_file
from drivecast.reproduce import real_drives
from drivecast.source import locate
from drivecast.stage import model_file, rebuild, simulate, trace
from drivecast.stage.design import parse

CATALOG = load([])
FLASH = "ssd(logical=64MiB, spare_factor=0.28)"
DISK = "seagate-exos-x20-20tb"
DRIVE = """
kind = "ssd"
[capacity]
user_bg = {value = 960, source = "label"}
"""


def written(name: str, text: str) -> Path:
    """A file with this text, in the test's own folder."""
    path = Path(name)
    path.write_text(text)
    return path


def beyond() -> object:
    """Play a trace on a drive that is smaller than what it addresses."""
    rows = "".join(f"{128166372000000000 + at},host,0,Write,{at << 20},4096,1\n" for at in range(128))
    load = trace.workload([written("a.csv", rows)])
    return simulate.simulate(FLASH, load, CATALOG)


def worn(design: str) -> object:
    """Wear a design."""
    load = _core.Workload.line("random(4KiB, read=0)")
    return _core.wear(design, simulate.drive_specs(design, CATALOG), load, seed=0, fill=1.0)


FAULTS: dict[str, Callable[[], object]] = {
    "trace: no format": lambda: trace.profile([written("a.txt", "once upon a time\n")]),
    "workload: a zone that is too small": lambda: simulate.simulate(
        "ssd(logical=64MiB, spare_factor=0.28)", _core.Workload.line("random(128MiB)"), CATALOG
    ),
    "workload: the key of a model": lambda: _core.model_read("nam = 'a'\n", "m.toml"),
    "sim: a trace that is too long": beyond,
    "sim: a disk that wears": lambda: worn(DISK),
    "sim: no such drive": lambda: simulate.simulate(
        "samsung-pm9a3-960g", _core.Workload.line("random(4KiB)"), CATALOG
    ),
    "target: no direct I/O": lambda: _core.target_size("/proc/version"),
    "source: a log that is not whole": lambda: locate.Located([], [], ["an hour"]).remarks(strict=True),
    "catalog: no such drive": lambda: CATALOG.get("samsung-pm9a3-960g"),
    "catalog: the key of a sheet": lambda: load([written("mine.toml", DRIVE)]),
    "stage: no such model": lambda: model_file.load("oltq"),
    "stage: a rebuild of an array that is not whole": lambda: rebuild.loaded_h(
        parse(f"raid5(3 * {FLASH}, degraded=1)", CATALOG),
        _core.Workload.line("random(4KiB)"),
        CATALOG,
        simulate.Options(),
    ),
    "model: not validated": lambda: validation_file.demand(written("m.toml", MODEL), "0123"),
    "exchange: no known name": lambda: exchange.detect(Path("job.unknown")),
    "bench: a target that is given twice": lambda: target.refuse_twice(["a", "a"], "once"),
    "bench: a file that is not named again": lambda: guard.refuse_file_unless_free(
        os.open(written("a", "x"), os.O_RDONLY), "a", None
    ),
    "bench: fio plays no trace": lambda: workload.named("./a.blktrace"),
    "bench: no fio": lambda: program.found("libaio"),
    "document: no result": lambda: result.read(written("a.json", "{}")),
    "compare: neither a result nor an outcome": lambda: comparison_side.read(written("a.json", "{}")),
    "compare: no history": lambda: error_log.read(Path("none.jsonl")),
    "compare: no record": lambda: error_log.read(written("a.jsonl", "{}\n")),
    "health: a column": lambda: sample.typed(
        pl.DataFrame({"serial": [], "model": [], "time": [], "ware": []})
    ),
    "health: a prediction": lambda: prediction.read(written("a.json", "{"), None, CATALOG),
    "health: a rule": lambda: rules.read(Path(), [written("acme.toml", 'title = "Acme"\nmodles = []\n')]),
    "capture: no device": lambda: block_device.find("nonesuch"),
    "capture: no control group": lambda: scope.cgroup("/nonesuch"),
    "reproduce: no tables": lambda: real_drives.run(Path(), CATALOG),
    "reproduce: no such drive": lambda: drive_title.drive_named("Samsung 846DC PRO", Path("t.csv"), CATALOG),
    "cli: a file as a folder": lambda: profile_verb._folder(written("a", "")),
}
MODEL = model_file.NAMED.joinpath(f"{model_file.named()[0]}.toml").read_text()


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_a_hint_is_an_attribute(
    fault: Callable[[], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("drivecast.files._OF_ROOT", "")
    with pytest.raises(InputError) as raised:
        fault()
    assert raised.value.hint
    assert raised.value.hint in str(raised.value)
    assert "hint" not in raised.value.hint


def test_an_answer_has_a_hint_too() -> None:
    assert NoAnswer("nothing fits", "a larger budget").hint == "a larger budget"
    assert str(NoAnswer("nothing fits", "a larger budget")) == "nothing fits\nhint: a larger budget"
    assert NoAnswer("nothing fits").hint is None


def test_no_error_has_a_hint_in_its_text_alone() -> None:
    """All hints are worded in one place: a literal that begins one is a sign of another."""
    root = Path(drivecast.__file__).parent
    found = {
        f"{path.relative_to(root)}:{node.lineno}"
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"InputError", "NoAnswer", "HintedError"}
        if re.search(r"\\nhint|[;,] hint: |[;,] did you mean", ast.unparse(node))
    }
    assert not found
