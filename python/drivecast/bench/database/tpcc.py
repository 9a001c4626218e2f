"""Loads like TPC-C: the one that comes with drivecast, and Percona's where its scripts are.

Both run on sysbench and print what it prints. Ours (`tpcc.lua`, which opens with what it is and is not) also counts
the kinds of transactions and has warehouses that can be smaller than the specification's. Percona's are started with
`--scale=WAREHOUSES --tables=1`. Neither is an audited TPC-C: their figures are not tpmC.

go-tpc cannot be used: it reaches a server through a network port alone, and a private server has none.
"""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from drivecast.bench.database import sysbench
from drivecast.bench.database.directory import Place
from drivecast.bench.database.generator import Load, Measured, Run
from drivecast.bench.database.server import Server
from drivecast.document.findings import Setting
from drivecast.errors import InputError

SCRIPT = Path(__file__).with_name("tpcc.lua")
WAREHOUSE_BYTES = 90_000_000
"""Of a whole warehouse with its indexes, in files of InnoDB after loading; measured at one and at three."""
ITEM_BYTES = 10_000_000
"""Of the items, which all warehouses share."""


@dataclass(frozen=True)
class Tpcc(Load):
    """Ours."""

    warehouses: int
    scale: float = 1.0
    """Size of a warehouse, as a share of the specification's."""

    @property
    def title(self) -> str:
        """What it may be called."""
        return "TPC-C-like"

    @property
    def data_bytes(self) -> int:
        """In proportion to warehouses and scale, and what an empty table takes."""
        return round(self.scale * (self.warehouses * WAREHOUSE_BYTES + ITEM_BYTES)) + 9 * (4 << 20)

    def settings(self) -> Mapping[str, Setting]:
        """What decides the load."""
        return {"load": "tpcc", "warehouses": self.warehouses, "warehouse_scale": self.scale}

    def programs(self) -> Mapping[str, Sequence[str]]:
        """sysbench, which runs the script."""
        return {"sysbench": [str(sysbench.program()), "--version"]}

    def prepare(self, server: Server, place: Place, threads: int) -> list[list[str]]:
        """Tables, rows, indexes."""
        shutil.copyfile(SCRIPT, place.work / SCRIPT.name)  # where the server's account may read it
        command = self._command(server, place)
        at_once = min(threads, self.warehouses)
        return [[*command, "create"], [*command, f"--threads={at_once}", "fill"], [*command, "index"]]

    def argv(self, server: Server, place: Place, run: Run) -> list[str]:
        """The program that runs it."""
        return [*self._command(server, place), *sysbench.timed(run), "run"]

    def read(self, printed: Path, place: Place, run: Run) -> Measured:  # noqa: ARG002 (it prints all there is)
        """What it printed."""
        return sysbench.read(printed, run)

    def _command(self, server: Server, place: Place) -> list[str]:
        return [
            str(sysbench.program()),
            str(place.work / SCRIPT.name),
            *server.sysbench(place),
            f"--warehouses={self.warehouses}",
            f"--scale={self.scale:g}",
        ]


@dataclass(frozen=True)
class PerconaTpcc(Tpcc):
    """Percona's sysbench-tpcc, from a directory that holds it."""

    scripts: Path = Path()

    @property
    def title(self) -> str:
        """Its name."""
        return "sysbench-tpcc"

    def settings(self) -> Mapping[str, Setting]:
        """What decides the load."""
        return {"load": "sysbench-tpcc", "warehouses": self.warehouses}

    def prepare(self, server: Server, place: Place, threads: int) -> list[list[str]]:
        """One program."""
        for script in found(self.scripts):
            shutil.copyfile(
                script, place.work / script.name
            )  # they look for each other where they are started
        return [[*self._command(server, place), f"--threads={min(threads, self.warehouses)}", "prepare"]]

    def _command(self, server: Server, place: Place) -> list[str]:
        return [
            str(sysbench.program()),
            str(place.work / "tpcc.lua"),
            *server.sysbench(place),
            "--tables=1",
            f"--scale={self.warehouses}",
        ]


def found(folder: Path) -> list[Path]:
    """The scripts in a directory. Raises `InputError` with how to get them."""
    scripts = sorted(folder.glob("tpcc*.lua"))
    if folder / "tpcc.lua" not in scripts:
        raise InputError(
            f"`{folder}` has no `tpcc.lua`\n"
            "hint: git clone https://github.com/Percona-Lab/sysbench-tpcc, and name that directory; "
            "without `--tpcc` the load that comes with drivecast is run"
        )
    return scripts
