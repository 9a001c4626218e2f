"""pgbench: its built-in transactions, how it is started, and the log of every transaction.

All figures come from that log (`--log`, a file a thread, a line a transaction: client, number, latency in µs, script,
and the end as seconds and microseconds), so that quantiles are exact and the ramp is cut off where it ends. Described
in PostgreSQL's documentation of pgbench. The log of a long run is a random sample (`--sampling-rate`), of at most
about 20 million lines; counts are then scaled up.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from drivecast.bench.database.directory import Place
from drivecast.bench.database.generator import Load, Measured, Run, quantiles
from drivecast.bench.database.postgresql import DATABASE, PostgreSQL, program
from drivecast.bench.database.server import Server, last_lines
from drivecast.document.findings import Setting
from drivecast.errors import InputError

KINDS = ("tpcb-like", "simple-update", "select-only")
SCALE_BYTES = 15_500_000
"""Of 100,000 accounts with their index; measured at a scale of 100."""
LINES_MAX = 20_000_000
PER_S_MAX = 50_000
"""Transactions a second that a log is made for; assumed."""
LOG = "pgbench"

_COLUMNS = ("client", "transaction", "latency_us", "script", "second", "microsecond")


@dataclass(frozen=True)
class Builtin(Load):
    """One of pgbench's built-in transactions."""

    kind: str
    scale: int

    def program(self) -> Path:
        """Just pgbench."""
        return program("pgbench")

    def prepare(self, server: Server, place: Place, threads: int) -> list[list[str]]:  # noqa: ARG002 (it has one)
        """One program."""
        return [[*self._command(server, place), "-i", "-q", "-s", str(self.scale), DATABASE]]

    def argv(self, server: Server, place: Place, run: Run) -> list[str]:
        """The program that runs it."""
        for old in place.work.glob(f"{LOG}.*"):
            old.unlink()
        return [
            *self._command(server, place),
            *("-b", self.kind, "-M", "prepared", "-T", str(run.ramp_s + run.time_s)),
            *("-c", str(run.threads), "-j", str(min(run.threads, os.cpu_count() or 1))),
            f"--random-seed={run.seed}",
            "--log",
            f"--log-prefix={place.work / LOG}",
            *([f"--sampling-rate={sampled(run):g}"] if sampled(run) < 1 else []),
            DATABASE,
        ]

    def read(self, printed: Path, place: Place, run: Run) -> Measured:
        """What it logged."""
        try:
            return measured(read_log(sorted(place.work.glob(f"{LOG}.*"))), run)
        except ValueError as error:
            raise InputError(
                f"cannot read pgbench's log: {error}\nits last lines:\n{last_lines(printed)}"
            ) from None

    def _command(self, server: Server, place: Place) -> list[str]:
        if not isinstance(server, PostgreSQL):
            raise InputError(f"pgbench knows PostgreSQL alone, not {server.title}")
        return [str(self.program()), *server.reached(place)]


def builtin(kind: str, size_bytes: int) -> Builtin:
    """The load whose data take about so much."""
    scale = max(1, round(size_bytes / SCALE_BYTES))
    settings: dict[str, Setting] = {"load": kind, "scale": scale}
    return Builtin(f"pgbench {kind}", scale * SCALE_BYTES, settings, kind=kind, scale=scale)


def sampled(run: Run) -> float:
    """The share of transactions that is logged."""
    return min(1.0, LINES_MAX / (PER_S_MAX * (run.ramp_s + run.time_s)))


def read_log(paths: Sequence[Path]) -> pl.DataFrame:
    """Rows `latency_us` (null: the transaction failed) and `end_us`. Raises `ValueError` for what is no such log."""
    if not any(path.stat().st_size for path in paths):
        raise ValueError("it has no line")
    try:
        rows = pl.scan_csv(
            [path for path in paths if path.stat().st_size],
            separator=" ",
            has_header=False,
            schema=dict.fromkeys(_COLUMNS, pl.String()),
            truncate_ragged_lines=True,
            quote_char=None,
            encoding="utf8-lossy",
        )
        whole = pl.col("second", "microsecond", "latency_us").cast(pl.Int64, strict=False)
        found = rows.with_columns(whole).collect()
    except pl.exceptions.PolarsError as error:
        raise ValueError(str(error).partition("\n")[0]) from None
    broken = found.filter(pl.any_horizontal(pl.col("second", "microsecond").is_null())).height
    if broken:
        raise ValueError(f"{broken} of {found.height} lines have no time")
    return found.select("latency_us", end_us=pl.col("second") * 1_000_000 + pl.col("microsecond"))


def measured(rows: pl.DataFrame, run: Run) -> Measured:
    """Return the figures of the measured time. Raises `ValueError` where nothing happened in it."""
    begin_us = (pl.col("end_us") - pl.col("latency_us").fill_null(0)).min() + run.ramp_s * 1_000_000
    inside = rows.select("latency_us", at_us=pl.col("end_us") - begin_us).filter(
        pl.col("at_us").is_between(0, run.time_s * 1_000_000, closed="left")
    )
    done = inside.drop_nulls("latency_us")
    if done.is_empty():
        raise ValueError("no transaction was completed")
    rate = sampled(run)
    counts = done.group_by("latency_us").len().sort("latency_us")
    latencies = done["latency_us"]
    return Measured(
        per_s=done.height / rate / run.time_s,
        latency_ns={
            "mean": 1e3 * _number(latencies.mean()),
            **quantiles([(1e3 * value, count) for value, count in counts.iter_rows()]),
            "max": 1e3 * _number(latencies.max()),
        },
        seconds=_seconds(done, run.time_s, rate),
        errors=round((inside.height - done.height) / rate),
        notes=[f"latencies are of a random sample of {rate:.1%} of the transactions"] if rate < 1 else [],
    )


def _seconds(done: pl.DataFrame, time_s: int, rate: float) -> list[dict[str, float]]:
    """A row for each second, those in which nothing ended too; seconds are named by their ends, as sysbench does."""
    every = pl.DataFrame({"second": range(1, time_s + 1)}, schema={"second": pl.Int64})
    measured = done.group_by(second=pl.col("at_us") // 1_000_000 + 1).agg(
        per_s=pl.len() / rate, p95=pl.col("latency_us").quantile(0.95, "higher") * 1e3
    )
    rows = every.join(measured, on="second", how="left", maintain_order="left").iter_rows()
    return [
        {"second": float(second), "per_s": per_s or 0.0}
        | ({"latency_ns_q0.95": p95} if p95 is not None else {})
        for second, per_s, p95 in rows
    ]


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
