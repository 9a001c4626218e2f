"""Loads like TPC-C: the one that comes with drivecast, and Percona's where its scripts are.

Both run on sysbench and print what it prints. Ours (`tpcc.lua`, which opens with what it is and is not) also counts
the kinds of transactions and has warehouses that can be smaller than the specification's. Percona's are started with
`--scale=WAREHOUSES --tables=1`. Neither is an audited TPC-C: their figures are not tpmC.

go-tpc cannot be used: it reaches a server through a network port alone, and a private server has none.
"""

from pathlib import Path

from drivecast.bench.database.sysbench import Script
from drivecast.errors import HintedError

SCRIPT = Path(__file__).with_name("tpcc.lua")
WAREHOUSE_BYTES = 90_000_000
"""Of a whole warehouse with its indexes, in files of InnoDB after loading; measured at one and at three."""
ITEM_BYTES = 10_000_000
"""Of the items, which all warehouses share."""


def ours(warehouses: int, scale: float = 1.0) -> Script:
    """Ours; `scale` is the size of a warehouse, as a share of the specification's."""
    return Script(
        title="TPC-C-like",
        data_bytes=_data_bytes(warehouses, scale),
        settings={"load": "tpcc", "warehouses": warehouses, "warehouse_scale": scale},
        script=SCRIPT.name,
        options=(f"--warehouses={warehouses}", f"--scale={scale:g}"),
        at_once_max=warehouses,
        stages=("create", "fill", "index"),
        files=(SCRIPT,),
    )


def percona(warehouses: int, folder: Path) -> Script:
    """Percona's sysbench-tpcc in a directory. Raises `InputError` with how to get it where it is not there."""
    scripts = sorted(folder.glob("tpcc*.lua"))
    if folder / "tpcc.lua" not in scripts:
        raise HintedError(
            f"`{folder}` has no `tpcc.lua`",
            "git clone https://github.com/Percona-Lab/sysbench-tpcc, and name that directory; "
            "without `--tpcc` the load that comes with drivecast is run",
        )
    return Script(
        title="sysbench-tpcc",
        data_bytes=_data_bytes(warehouses, 1.0),
        settings={"load": "sysbench-tpcc", "warehouses": warehouses},
        script="tpcc.lua",
        options=("--tables=1", f"--scale={warehouses}"),
        at_once_max=warehouses,
        files=tuple(scripts),
    )


def _data_bytes(warehouses: int, scale: float) -> int:
    """In proportion to warehouses and scale, and what an empty table takes."""
    return round(scale * (warehouses * WAREHOUSE_BYTES + ITEM_BYTES)) + 9 * (4 << 20)
