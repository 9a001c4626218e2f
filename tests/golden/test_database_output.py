"""What the real programs printed, recorded, and read as they meant it."""

import re
from pathlib import Path
from statistics import fmean

import pytest

from drivecast.bench.database import pgbench, sysbench
from drivecast.bench.database.generator import Run

SAMPLES = Path(__file__).parent / "database"


def printed(text: str, name: str) -> float:
    """The last figure behind a name."""
    return float(re.findall(rf"{re.escape(name)}\s+(?:\d+ +\()?([\d.]+)", text)[-1])


@pytest.mark.parametrize(
    ("sample", "ramp_s", "per_s", "count", "errors"),
    [
        ("sysbench-oltp.txt", 2, 565.53, 2269, 0),
        ("sysbench-drivecast-tpcc.txt", 2, 341.29, 1371, 0),
        ("sysbench-percona-tpcc.txt", 1, 150.43, 454, 1),
    ],
)
def test_sysbench_is_read_as_it_sums_up_itself(
    sample: str, ramp_s: int, per_s: float, count: int, errors: int
) -> None:
    text = (SAMPLES / sample).read_text()
    found = sysbench.parse(text, Run(4, ramp_s, 4, 0))
    assert found.per_s == per_s
    assert found.errors == errors
    assert found.latency_ns["mean"] == printed(text, "avg:") * 1e6
    assert found.latency_ns["max"] == printed(text, "max:") * 1e6
    # Its own percentile is of the same buckets, 1.8 % apart, but rounds the rank where ours is the next one up.
    assert found.latency_ns["q0.95"] == pytest.approx(printed(text, "95th percentile:") * 1e6, rel=0.019)
    assert ("q0.999" in found.latency_ns) == (count >= 1000)
    seconds = [row["second"] for row in found.seconds]
    assert seconds == [float(second) for second in range(1, len(seconds) + 1)]
    assert sum(row["per_s"] for row in found.seconds) == pytest.approx(count, rel=0.01)
    assert all(row["latency_ns_q0.95"] > 0 for row in found.seconds)


def test_kinds_are_summed_over_the_threads() -> None:
    found = sysbench.parse((SAMPLES / "sysbench-drivecast-tpcc.txt").read_text(), Run(4, 2, 4, 0))
    assert found.kinds == {
        "new-order": 153 + 229 + 301 + 242,
        "payment": 165 + 260 + 282 + 222,
        "order-status": 17 + 31 + 23 + 28,
        "delivery": 17 + 20 + 22 + 23,
        "stock-level": 22 + 22 + 25 + 22,
    }


def test_pgbench_is_read_as_it_sums_up_itself() -> None:
    text = (SAMPLES / "pgbench.txt").read_text()
    rows = pgbench.read_log(sorted(SAMPLES.glob("pgbench.1*")))
    assert rows.height == int(printed(text, "actually processed:")) == 400
    found = pgbench.measured(rows, Run(4, 0, 10, 0))
    assert found.per_s == 40
    lines = "".join(path.read_text() for path in SAMPLES.glob("pgbench.1*")).splitlines()
    assert found.latency_ns["mean"] == pytest.approx(1e3 * fmean(int(line.split()[2]) for line in lines))
    assert found.latency_ns["max"] == 1e3 * max(int(line.split()[2]) for line in lines)
    assert list(found.latency_ns) == ["mean", "q0.5", "q0.9", "q0.95", "q0.99", "max"]
    assert sum(row["per_s"] for row in found.seconds) == 400
    assert len(found.seconds) == 10
    assert found.seconds[-1] == {"second": 10.0, "per_s": 0.0}


def test_the_ramp_of_pgbench_is_cut_off() -> None:
    rows = pgbench.read_log(sorted(SAMPLES.glob("pgbench.1*")))
    whole = pgbench.measured(rows, Run(4, 0, 1, 0))
    with pytest.raises(ValueError, match="no transaction"):
        pgbench.measured(rows, Run(4, 5, 1, 0))
    assert whole.per_s == 400
