"""Whatever a load generator printed, reading it gives finite figures or says that it cannot; options likewise."""

import math
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drivecast.bench.database import pgbench, sysbench
from drivecast.bench.database.configure import Request, planned
from drivecast.bench.database.generator import Measured, Run
from drivecast.errors import InputError

SAMPLES = Path(__file__).parents[1] / "golden/database"
OLTP = (SAMPLES / "sysbench-oltp.txt").read_text()
LOG = (SAMPLES / "pgbench.18181").read_bytes()
FIXTURE_REUSED = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


def must_be_finite(found: Measured) -> None:
    figures = [found.per_s, *found.latency_ns.values()]
    figures += [value for row in found.seconds for value in row.values()]
    assert all(math.isfinite(figure) and figure >= 0 for figure in figures)
    told = [value for name, value in found.latency_ns.items() if name.startswith("q")]
    assert told == sorted(told)


@settings(max_examples=60)
@given(
    cuts=st.lists(st.tuples(st.integers(0, len(OLTP)), st.integers(0, 300)), max_size=4),
    put=st.lists(st.tuples(st.integers(0, len(OLTP)), st.sampled_from("0 9.|*\n-e:(") | st.text(max_size=3))),
)
def test_damaged_output_of_sysbench(cuts: list[tuple[int, int]], put: list[tuple[int, str]]) -> None:
    text = OLTP
    for at, length in cuts:
        text = text[:at] + text[at + length :]
    for at, piece in put:
        text = text[:at] + piece + text[at:]
    try:
        found = sysbench.parse(text, Run(4, 2, 4, 0))
    except ValueError:
        return
    must_be_finite(found)


@FIXTURE_REUSED
@given(
    cut=st.tuples(st.integers(0, len(LOG)), st.integers(0, 300)),
    put=st.lists(
        st.tuples(st.integers(0, len(LOG)), st.sampled_from([b" ", b"\n", b"9", b"failed", b"\xff", b'"']))
    ),
)
def test_damaged_log_of_pgbench(tmp_path: Path, cut: tuple[int, int], put: list[tuple[int, bytes]]) -> None:
    data = LOG[: cut[0]] + LOG[cut[0] + cut[1] :]
    for at, piece in put:
        data = data[:at] + piece + data[at:]
    path = tmp_path / "log"
    path.write_bytes(data)
    try:
        found = pgbench.measured(pgbench.read_log([path]), Run(4, 0, 1, 0))
    except ValueError:
        return
    must_be_finite(found)


SIZES = st.sampled_from(
    ["1GiB", "10%", "1e400%", "nan%", "-1%", "", ",", "5,5", "0", "x", "1TiB,2TiB"]
) | st.text(max_size=6)
COUNTS = st.sampled_from(["1", "1,2", "0", "-1", "1e3", "9" * 30, "¹", ",,"]) | st.text(max_size=4)


@given(
    load=st.sampled_from(["sysbench", "pgbench", "tpcc"]),
    server=st.sampled_from([None, "mariadb", "mysql", "postgresql"]),
    size=st.none() | SIZES,
    buffer=st.none() | SIZES,
    flush=COUNTS,
    doublewrite=st.sampled_from(["on", "off", "on,off"]) | st.text(max_size=3),
    threads=st.none() | COUNTS,
    io_capacity=st.none() | COUNTS,
    set_=st.lists(st.sampled_from(["a=1", "a", "=", "a b=1", "x=y=z"]) | st.text(max_size=4), max_size=2),
)
def test_options_are_a_plan_or_an_error(**asked: str) -> None:
    flush = asked.pop("flush")
    typed = Request(on=[Path("/a")], quick=True, flush_at_commit=flush, **asked)  # type: ignore[arg-type]
    try:
        plan = planned(typed)
    except InputError:
        return
    assert plan.steps()
    assert all(tuning.buffer_bytes >= 1 << 24 for tuning in plan.tunings)
    assert all(count > 0 for count in plan.threads)
    assert len({str(plan.settings(step)) for step in plan.steps()}) == len(plan.steps())


def test_an_empty_log_says_so(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"")
    with pytest.raises(ValueError, match="no line"):
        pgbench.read_log([tmp_path / "log"])
