"""sysbench: its loads, how it is started, and what it prints.

Read are the lines of each second (`--report-interval=1`), the histogram of all latencies (`--histogram`: buckets 1.8 %
apart from 1 µs to 100 s, so that a quantile is within 0.9 %) and the totals. The ramp ends with a checkpoint
(`--report-checkpoints`), upon which sysbench begins all of its counts anew. Described by its own source, 1.0.20.

Left out: queries by kind, and how even the threads were.
"""

import re
import shutil
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from drivecast.bench.database.directory import Place
from drivecast.bench.database.generator import Load, Measured, Run, quantiles
from drivecast.bench.database.server import Server, find, last_lines
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

_IN_THREADS = ("prepare", "fill")
"""The commands that load by several threads at once."""
_NUMBER = r"(\d+(?:\.\d+)?)"
_SECOND = re.compile(rf"^\[ (\d+)s \] thds: \d+ tps: {_NUMBER} .*?lat \(ms,95%\): {_NUMBER} ", re.MULTILINE)
_BUCKET = re.compile(rf"^ +{_NUMBER} \|\** +(\d+)$", re.MULTILINE)
_KIND = re.compile(r"^kind: ([a-z-]+) (\d+)$", re.MULTILINE)
_HISTOGRAM = "Latency histogram"


@dataclass(frozen=True)
class Script(Load):
    """A script that sysbench runs."""

    script: str
    """Its own by their name, others by their file in the working directory."""
    options: tuple[str, ...]
    at_once_max: int
    """How many threads have something to load."""
    stages: tuple[str, ...] = ("prepare",)
    """The commands that make the data set, in order."""
    running: tuple[str, ...] = ()
    """Further options of a run."""
    files: tuple[Path, ...] = ()
    """Scripts that are copied to where they are started: they look for each other there."""

    def program(self) -> Path:
        """Just sysbench."""
        return find("sysbench", "Debian: apt-get install sysbench")

    def bring(self, place: Place) -> None:
        """Its scripts, where the server's account may read them."""
        for file in self.files:
            shutil.copyfile(file, place.work / file.name)

    def prepare(self, server: Server, place: Place, threads: int) -> list[list[str]]:
        """One program a stage."""
        at_once = f"--threads={min(threads, self.at_once_max)}"
        command = self._command(server, place)
        return [[*command, *([at_once] if stage in _IN_THREADS else []), stage] for stage in self.stages]

    def argv(self, server: Server, place: Place, run: Run) -> list[str]:
        """The program that runs it."""
        return [
            *self._command(server, place),
            *self.running,
            f"--threads={run.threads}",
            f"--time={run.ramp_s + run.time_s}",
            "--report-interval=1",
            *([f"--report-checkpoints={run.ramp_s}"] if run.ramp_s else []),
            "--histogram=on",
            "--percentile=95",
            f"--rand-seed={1 + run.seed % SEEDS}",
            "run",
        ]

    def read(self, printed: Path, place: Place, run: Run) -> Measured:  # noqa: ARG002 (it prints all there is)
        """What it printed."""
        try:
            return parse(printed.read_text(errors="replace"), run)
        except ValueError as error:
            raise InputError(
                f"cannot read what sysbench printed: {error}\nits last lines:\n{last_lines(printed)}"
            ) from None

    def _command(self, server: Server, place: Place) -> list[str]:
        script = str(place.work / self.script) if self.files else self.script
        return [str(self.program()), script, *server.sysbench(place), *self.options]


def oltp(kind: str, size_bytes: int, distribution: str) -> Script:
    """One of its own loads, on tables of equal size that together take about so much.

    Raises `InputError` where so little cannot be.
    """
    tables = TABLES if size_bytes >= SMALL_BYTES else TABLES_SMALL
    rows = (size_bytes // tables - TABLE_BYTES) // ROW_BYTES
    if rows < ROWS_MIN:
        least = TABLES_SMALL * (TABLE_BYTES + ROWS_MIN * ROW_BYTES)
        raise InputError(f"--size: expected at least {least / 1e6:.1f} MB, found {size_bytes / 1e6:.1f} MB")
    name = f"oltp_{kind}"
    return Script(
        title=f"sysbench {name}",
        data_bytes=tables * (rows * ROW_BYTES + TABLE_BYTES),
        settings={"load": name, "distribution": distribution, "tables": tables, "rows_of_table": rows},
        script=name,
        options=(f"--tables={tables}", f"--table-size={rows}"),
        at_once_max=tables,
        running=(f"--rand-type={distribution}",),
    )


def parse(text: str, run: Run) -> Measured:
    """Return the figures in what a run of any script printed. Raises `ValueError` that names what is missing."""
    _before, mark, after = text.rpartition(_HISTOGRAM)
    if not mark:
        raise ValueError("it has no histogram of latencies")
    buckets = [(float(value) * 1e6, int(count)) for value, count in _BUCKET.findall(after)]
    if not any(count for _value, count in buckets):
        raise ValueError("no transaction was completed")
    latency_ns = {
        "mean": 1e6 * _figure(after, "avg:"),
        **quantiles(buckets),
        "max": 1e6 * _figure(after, "max:"),
    }
    beyond = sum(count for value, count in buckets if value >= LATENCY_MS_MAX * 1e6)
    kinds: Counter[str] = Counter()
    for kind, count in _KIND.findall(text):  # each thread printed its own
        kinds[kind] += int(count)
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
        kinds=dict(kinds) or None,
        notes=[f"{beyond} transactions took 100 s or longer: sysbench does not report how long"]
        if beyond
        else [],
    )


def _figure(text: str, name: str, before: str = "") -> float:
    found = re.search(rf"^ +{re.escape(name)} +{before}{_NUMBER}", text, re.MULTILINE)
    if found is None:
        raise ValueError(f"it has no `{name}`")
    return float(found[1])
