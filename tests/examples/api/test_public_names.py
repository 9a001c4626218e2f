"""What `import drivecast` gives, and that it takes no time."""

import importlib
import inspect
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import drivecast as dc
from conftest import ROOT
from drivecast.document.outcome import Outcome

LINE = "random(4KiB, read=0.7, iodepth=4)"
DRIVE = "ssd(logical=1GiB, spare_factor=0.2)"
NAMES = [
    "InputError",
    "NoAnswer",
    "Windows",
    "Workload",
    "attach",
    "catalog",
    "compare",
    "fit",
    "health",
    "plan",
    "profile",
    "read",
    "simulate",
    "sweep",
    "versus",
    "wear",
    "workload",
]
"""A name that is taken away breaks notebooks: only a new major version may."""


@pytest.fixture(scope="module")
def run() -> Outcome:
    return dc.simulate(DRIVE, LINE, requests=2000)


def test_the_public_names() -> None:
    assert sorted(set(dc.__all__) - {"__version__"}) == NAMES
    assert all(hasattr(dc, name) for name in NAMES)


@pytest.mark.parametrize("name", ["plan", "versus", "compare"])
def test_a_room_is_callable_and_remains_a_module(name: str) -> None:
    room = importlib.import_module(f"drivecast.{name}")
    assert getattr(dc, name) is room
    assert "seed" in inspect.signature(room).parameters


def test_the_import_loads_nothing_heavy() -> None:
    heavy = "{'polars', 'pydantic', 'altair', 'numpy'} & set(sys.modules)"
    script = f"import sys, drivecast; print({heavy} or 'none')"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "none"


def test_the_catalog_is_a_mapping() -> None:
    assert dc.catalog["samsung-pm9a3-960gb"].user_bytes == 960_000_000_000
    assert "samsung-pm9a3-960gb" in dc.catalog
    assert len([*dc.catalog]) == len(dc.catalog) > 50
    with pytest.raises(dc.InputError) as refused:
        dc.catalog["samsung-pm9a3-960"]
    assert "samsung-pm9a3-960gb" in str(refused.value.hint)


def test_a_run_pickles_compares_and_turns_into_a_frame(run: Outcome) -> None:
    assert pickle.loads(pickle.dumps(run)) == run == dc.simulate(DRIVE, LINE, requests=2000)  # noqa: S301
    assert run != dc.simulate(DRIVE, LINE, requests=2000, seed=1)
    frame = run.to_polars()
    assert frame.height == 1
    assert frame["read.latency_ns.q0.99"][0] == run.latency("read", "q0.99")


def test_a_run_shows_itself_in_little_space(run: Outcome) -> None:
    shown = run._repr_html_() or ""
    assert "<table>" in shown
    assert "<svg" in shown
    assert len(shown) < 60_000
    assert len(repr(run)) < 400
    assert run.plot.latency().to_dict()["hconcat"]
    with pytest.raises(AttributeError) as refused:
        run.plot.nothing()
    assert "latency" in str(refused.value)


def test_names_of_designs_are_escaped() -> None:
    text = '<script>alert("x")</script>'
    assert "<script>" not in (Outcome(design=text, iops=1)._repr_html_() or "")


def test_a_workload_is_a_value() -> None:
    load = dc.workload(LINE)
    assert pickle.loads(pickle.dumps(load)) == load == dc.workload(load)  # noqa: S301
    with pytest.raises(dc.InputError) as refused:
        dc.workload("random(4KiB, raed=1)")
    assert refused.value.column == len("random(4KiB, r")
    assert "`read`" in str(refused.value.hint)


def test_a_sweep_is_the_same_on_one_thread_after_another(run: Outcome) -> None:
    runs = dc.sweep([DRIVE], [LINE], iodepth=[1, 4], requests=2000)
    assert runs["iodepth"].to_list() == [1, 4]
    assert runs["iops"][1] == run.iops


WITHOUT = """
import sys
sys.modules.update(dict.fromkeys(("scipy", "psycopg")))
import drivecast as dc
import drivecast.reproduce.measured_run
frame = dc.read("log.csv")
assert dc.fit(frame, kind="streams").streams
for needed in (lambda: dc.fit(frame), lambda: dc.health.open("postgresql://nobody@127.0.0.1/none")):
    try:
        needed()
    except dc.InputError as refused:
        print(refused)
"""


def test_an_extra_that_is_missing_is_named_where_it_is_needed_and_nowhere_else(tmp_path: Path) -> None:
    rows = (f"{1_000_000 * at},host,0,{('Read', 'Write')[at % 2]},{8192 * at},4096,1000" for at in range(40))
    (tmp_path / "log.csv").write_text("\n".join(rows))
    command = [sys.executable, "-c", WITHOUT]
    found = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    missing = "this needs the package `{}`, which is not installed\nhint: pip install 'drivecast[{}]'\n"
    assert found == missing.format("scipy", "fit") + missing.format("psycopg", "postgres")


def test_a_typed_script_of_a_user_runs(tmp_path: Path) -> None:
    """It has public names alone, and `make lint` checks its types."""
    script = ROOT / "examples/scripts/p99_by_depth.py"
    assert "drivecast." not in script.read_text()
    made = tmp_path / "p99.svg"
    done = subprocess.run(
        [sys.executable, "-W", "error", str(script), str(made)], capture_output=True, text=True, check=True
    )
    assert done.stdout.count("samsung") == 6
    assert "<svg" in made.read_text()
    assert "<svg" in (tmp_path / "p99-latency.svg").read_text()


def test_what_is_fitted_is_a_workload(tmp_path: Path) -> None:
    found = dc.fit(ROOT / "examples/mariadb-oltp/iostat.json.xz")
    load = dc.workload(found)
    assert pickle.loads(pickle.dumps(load)) == load == dc.workload(found)  # noqa: S301
    (tmp_path / "day.toml").write_bytes(load.content or b"")
    runs = [
        dc.simulate("samsung-pm893-480gb", source, requests=2000) for source in (found, tmp_path / "day.toml")
    ]
    assert runs[0].iops == runs[1].iops
    assert runs[0].latency("read", "q0.99") == runs[1].latency("read", "q0.99")


def test_what_is_no_workload_is_said() -> None:
    with pytest.raises(dc.InputError) as refused:
        dc.workload(5)  # type: ignore[arg-type]
    assert "int" in str(refused.value).split()
