"""sysbench: its OLTP loads, how it is started, and what it prints.

Read are the lines of each second (`--report-interval=1`), the histogram of all latencies (`--histogram`: buckets 1.8 %
apart from 1 µs to 100 s, so that a quantile is within 0.9 %) and the totals. The ramp ends with a checkpoint
(`--report-checkpoints`), upon which sysbench begins all of its counts anew. Described by its own source, 1.0.20.

Left out: queries by kind, and how even the threads were.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from drivecast.bench.database.directory import Place
from drivecast.bench.database.generator import Load, Measured, Run
from drivecast.bench.database.quantiles import quantiles
from drivecast.bench.database.server import Server, find, last_lines
from drivecast.document.findings import Setting
from drivecast.errors import InputError

OLTP = ("read_write", "read_only", "write_only", "update_index", "update_non_index", "point_select", "insert")
DISTRIBUTIONS = ("special", "uniform", "gaussian", "pareto")
TABLES = 8
TABLES_SMALL = 2
"""Of less data than `SMALL_BYTES`, most of which would be empty pages in eight tables."""
SMALL_BYTES = 512 << 20
ROW_BYTES = 240
"""Of a row with its part of the secondary index, in files of InnoDB after loading; this and the next are the line
through tables of 5,868 and of 245,630 rows."""
TABLE_BYTES = 8_000_000
"""Of a table without rows."""
ROWS_MIN = 1000
SEEDS = (1 << 31) - 1
LATENCY_MS_MAX = 99_000.0
"""The histogram ends at 100 s: what took longer is counted in its last bucket."""

_NUMBER = r"(\d+(?:\.\d+)?)"
_SECOND = re.compile(rf"^\[ (\d+)s \] thds: \d+ tps: {_NUMBER} .*?lat \(ms,95%\): {_NUMBER} ", re.MULTILINE)
_BUCKET = re.compile(rf"^ +{_NUMBER} \|\** +(\d+)$", re.MULTILINE)
_KIND = re.compile(r"^kind: ([a-z-]+) (\d+)$", re.MULTILINE)
_HISTOGRAM = "Latency histogram"


@dataclass(frozen=True)
class Oltp(Load):
    """One of sysbench's own loads, on tables of equal size."""

    kind: str
    rows: int
    """Of each table."""
    distribution: str
    tables: int

    @property
    def title(self) -> str:
        """As sysbench calls it."""
        return f"sysbench oltp_{self.kind}"

    @property
    def data_bytes(self) -> int:
        """Rows, and what an empty table takes."""
        return self.tables * (self.rows * ROW_BYTES + TABLE_BYTES)

    def settings(self) -> Mapping[str, Setting]:
        """What decides the load."""
        return {
            "load": f"oltp_{self.kind}",
            "distribution": self.distribution,
            "tables": self.tables,
            "rows_of_table": self.rows,
        }

    def programs(self) -> Mapping[str, Sequence[str]]:
        """Just sysbench."""
        return {"sysbench": [str(program()), "--version"]}

    def prepare(self, server: Server, place: Place, threads: int) -> list[list[str]]:
        """One program, a table a thread at a time."""
        return [[*self._command(server, place), f"--threads={min(threads, self.tables)}", "prepare"]]

    def argv(self, server: Server, place: Place, run: Run) -> list[str]:
        """The program that runs it."""
        return [*self._command(server, place), f"--rand-type={self.distribution}", *timed(run), "run"]

    def read(self, printed: Path, place: Place, run: Run) -> Measured:  # noqa: ARG002 (it prints all there is)
        """What it printed."""
        return read(printed, run)

    def _command(self, server: Server, place: Place) -> list[str]:
        return [
            str(program()),
            f"oltp_{self.kind}",
            *server.sysbench(place),
            f"--tables={self.tables}",
            f"--table-size={self.rows}",
        ]


def sized(kind: str, size_bytes: int, distribution: str) -> Oltp:
    """The load whose data take about so much. Raises `InputError` where so little cannot be."""
    tables = TABLES if size_bytes >= SMALL_BYTES else TABLES_SMALL
    rows = (size_bytes // tables - TABLE_BYTES) // ROW_BYTES
    if rows < ROWS_MIN:
        least = TABLES_SMALL * (TABLE_BYTES + ROWS_MIN * ROW_BYTES)
        raise InputError(f"--size: expected at least {least / 1e6:.1f} MB, found {size_bytes / 1e6:.1f} MB")
    return Oltp(kind, rows, distribution, tables)


def program() -> Path:
    """The program. Raises `InputError` with how to install it."""
    return find("sysbench", "Debian: apt-get install sysbench")


def timed(run: Run) -> list[str]:
    """The options of one run of any script."""
    return [
        f"--threads={run.threads}",
        f"--time={run.ramp_s + run.time_s}",
        "--report-interval=1",
        *([f"--report-checkpoints={run.ramp_s}"] if run.ramp_s else []),
        "--histogram=on",
        "--percentile=95",
        f"--rand-seed={1 + run.seed % SEEDS}",
    ]


def read(printed: Path, run: Run) -> Measured:
    """What a run of any script printed. Raises `InputError` with its last lines where it is not whole."""
    try:
        return parse(printed.read_text(errors="replace"), run)
    except ValueError as error:
        raise InputError(
            f"cannot read what sysbench printed: {error}\nits last lines:\n{last_lines(printed)}"
        ) from None


def parse(text: str, run: Run) -> Measured:
    """Return the figures in the printed text. Raises `ValueError` that names what is missing."""
    _before, mark, after = text.rpartition(_HISTOGRAM)
    if not mark:
        raise ValueError("it has no histogram of latencies")
    buckets = [(float(value) * 1e6, int(count)) for value, count in _BUCKET.findall(after)]
    whole = sum(count for _value, count in buckets)
    if whole == 0:
        raise ValueError("no transaction was completed")
    latency_ns = {
        "mean": 1e6 * _figure(after, "avg:"),
        **quantiles(buckets),
        "max": 1e6 * _figure(after, "max:"),
    }
    beyond = sum(count for value, count in buckets if value >= LATENCY_MS_MAX * 1e6)
    return Measured(
        per_s=_figure(after, "transactions:", r"\d+ +\("),
        latency_ns=latency_ns,
        seconds=[
            {
                "second": float(second) - run.ramp_s,
                "per_s": float(per_s),
                # It prints 0 in the second of a checkpoint.
                **({"latency_ns_q0.95": float(p95) * 1e6} if float(p95) > 0 else {}),
            }
            for second, per_s, p95 in _SECOND.findall(text)
            if int(second) > run.ramp_s
        ],
        errors=int(_figure(after, "ignored errors:")) + int(_figure(after, "reconnects:")),
        kinds=_kinds(text),
        notes=[f"{beyond} transactions took 100 s or longer: sysbench does not report how long"]
        if beyond
        else [],
    )


def _figure(text: str, name: str, before: str = "") -> float:
    found = re.search(rf"^ +{re.escape(name)} +{before}{_NUMBER}", text, re.MULTILINE)
    if found is None:
        raise ValueError(f"it has no `{name}`")
    return float(found[1])


def _kinds(text: str) -> dict[str, int] | None:
    """Transactions by kind, summed over the threads, each of which printed its own."""
    found: dict[str, int] = {}
    for kind, count in _KIND.findall(text):
        found[kind] = found.get(kind, 0) + int(count)
    return found or None
