"""`drivecast reproduce --live`: what it lists and refuses, and a small experiment with a real server."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from drivecast.attach import kernel
from drivecast.catalog import load
from drivecast.errors import HintedError
from drivecast.reproduce.live import DEFAULT, LIVE, carried_out
from drivecast.reproduce.live.study import Setup
from needs import needs

Program = Callable[..., Any]


def mounted() -> list[str]:
    """The disks of this process that are mounted."""
    return [place for place, _, _ in kernel.mounts() if f"drivecast-{os.getpid()}-" in place]


def test_the_list_names_every_live_experiment(drivecast: Program) -> None:
    rows = drivecast("reproduce", "--live", "--list", "--output-format", "json").json["experiments"]
    assert [row["name"] for row in rows] == list(LIVE)
    assert {row["name"]: row["tasks"] for row in rows}["tpcc-pools"] == 16
    assert set(DEFAULT) <= set(LIVE)


@pytest.mark.parametrize(
    ("options", "said", "hint"),
    [
        (["--live", "tpc-pools"], "no live experiment `tpc-pools`", "did you mean `tpcc-pools`?"),
        (["--live", "x25e"], "no live experiment `x25e`", "simulated: leave out `--live`"),
        (["x25e-mysql"], "no experiment `x25e-mysql`", "`--live`"),
        (["--quick"], "`--quick` needs `--live`", "simulated"),
        (["--journal", "there"], "`--journal` needs `--live`", "simulated"),
        (["--live", "--journal", "missing/there"], "cannot make `missing/there`", "a directory"),
    ],
)
def test_what_cannot_be_run_is_refused(drivecast: Program, options: list[str], said: str, hint: str) -> None:
    refused = drivecast("reproduce", *options)
    assert refused.code == 2
    assert said in refused.err
    assert hint in refused.err


@pytest.mark.parametrize(
    ("lacking", "said"),
    [("root", "root"), ("fuse", "FUSE"), ("mariadbd", "mariadbd"), ("sysbench", "sysbench")],
)
@pytest.mark.needs("sysbench", "mariadbd")
def test_what_is_missing_is_named_before_anything_is_made(
    lacking: str, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if lacking == "root":
        monkeypatch.setattr(os, "geteuid", lambda: 1000)
    elif needs("root") and lacking == "fuse":
        monkeypatch.setattr("drivecast.attach.attach_options.FUSE", tmp_path / "fuse")
    else:
        where = "drivecast.bench.database.server.program"
        monkeypatch.setattr(where, lambda name: None if name == lacking else f"/usr/sbin/{name}")
    with pytest.raises(HintedError) as refused:
        carried_out([LIVE["x25e-mysql"]], load(), seed=0, progress=lambda *_: None)
    assert said in refused.value.reason
    assert not mounted()


@pytest.mark.needs("root", "fuse", "loop")
@pytest.mark.needs("sysbench", "mariadbd")
def test_a_small_experiment_with_a_real_server(tmp_path: Path) -> None:
    """Two setups for two seconds: points in time of the design, stored, and read again without another run."""
    whole = LIVE["x25e-mysql"]
    small = replace(
        whole,
        load={**whole.load, "size": "40MB", "threads": "4", "ramp": 1, "runtime": 2},
        pools={"": "16MiB"},
        setups={
            "disk": Setup(
                "seagate-cheetah-15k5-300gb", "raid1(2 * intel-x25-e-32gb, controller=iop348)", 0.5
            ),
            "ssd": Setup("intel-x25-e-32gb", None, 0.5, 0.7),
        },
        read=lambda findings: findings.faster("flash", findings.point("ssd"), findings.point("disk")),
    )
    said: list[str] = []
    found = carried_out(
        [small], load(), seed=0, progress=lambda _share, what: said.append(what), folder=tmp_path
    )
    assert [point.setup for point in found.points] == ["disk", "ssd"]
    for point in found.points:
        assert point.per_s == pytest.approx(point.per_s_clock / 0.5)
        assert point.per_s > 0
        assert point.reads_per_s + point.writes_per_s > 0
    assert found.orderings[0].statement == "flash"
    assert "MariaDB" in found.environment["programs"]["mariadb"]
    assert any("x25e-mysql (1 of 1)" in what for what in said)
    assert {("copying" in what, "intel-x25-e-32gb: " in what) for what in said if "ing 40 MB" in what} == {
        (False, False),
        (True, True),
    }, "the data set is loaded once, and its log joins the data"
    stored = json.loads((tmp_path / "x25e-mysql.json").read_text())
    assert stored["complete"]
    said.clear()
    assert carried_out([small], load(), seed=0, progress=lambda *_: said.append(""), folder=tmp_path) == found
    assert not said, "it was read, not measured"
    assert not mounted()
