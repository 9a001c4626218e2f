"""A result as a page and as text: every kind has one, names cannot harm it, and figures have axes with units."""

from typing import Any

import pytest

from drivecast.bench.sweep.analysis import of_sweep
from drivecast.document.findings import SweepKind as Kind
from drivecast.document.result import Point, Processor, Result, Transactions
from drivecast.present import result_page, result_text, style
from drivecast.present.measured import figures, naming
from drivecast.present.measured.cells import Table
from drivecast.present.measured.result_summary import headline

LINE = "random(16KiB, read=0.5)"
EVIL = "<script>alert(1)</script>\x1b[31m"


def point(depth: int, target: str = "sda", latency_ns: float = 1e6, **settings: Any) -> Point:
    iops = min(depth, 8) / latency_ns * 1e9
    mean = depth / iops * 1e9
    told = {
        "mean": mean,
        "q0.5": mean,
        "q0.9": mean * 1.5,
        "q0.95": mean * 2,
        "q0.99": mean * 3,
        "q0.999": mean * 4,
    }
    side = {"requests": 1000 * depth, "iops": iops / 2, "latency_ns": told}
    outcome: dict[str, Any] = {
        "schema_version": 1,
        "requests": 2000 * depth,
        "iops": iops,
        "throughput_bytes_per_s": iops * 16384,
        "duration_s": 40,
        "read": side,
        "write": side,
        "seconds": [
            {"second": at, "reads": iops / 2 + at % 7, "writes": iops / 2, "read_latency_ns_max": 5e6}
            for at in range(40)
        ],
    }
    chosen = {"series": LINE, "iodepth": depth, "threads": 1, "engine": "io_uring", **settings}
    return Point(
        target=target,
        settings=chosen,
        workload=LINE,
        started="2026-01-01T00:00:00+00:00",
        outcome=outcome,
        processor=Processor(user=0.1, system=0.2, iowait=0.3, steal=0.04),
        noise={"others_written_bytes": 5e6, "temperature_c_after": 41.0},
        notes=["measured by fio-3.33"],
    )


def result(points: list[Point], kind: Any = "run", **more: Any) -> Result:
    targets = list(dict.fromkeys(point.target for point in points)) or ["sda"]
    known: dict[str, Any] = {
        "title": "t",
        "version": "0.1.0",
        "seed": 3,
        "plan_hash": "ab12",
        "command": ["bench", kind, "a b"],
        "started": "2026-01-01T00:00:00+00:00",
        "complete": True,
        "environment": {"kernel": "6.1", "memory_bytes": 16 << 30, "governor": None, "virtual": True},
        "targets": [
            {"name": name, "bytes": 1 << 30, "disks": [{"model": "m", "queue": {"scheduler": "none"}}]}
            for name in targets
        ],
    }
    return Result(kind=kind, points=points, **{**known, **more})


def sweep(kind: Kind, points: list[Point]) -> Result:
    return result(points, "sweep", findings=of_sweep(kind, points))


SWEEPS: dict[Kind, list[Point]] = {
    "depth": [point(depth, target) for depth in (1, 4, 16) for target in ("sda", "sdb")],
    "threads": [point(1, threads=count, engine="psync") for count in (1, 4, 16)],
    "matrix": [
        point(8, latency_ns=1e6 * size, block_bytes=size << 12, read_fraction=mix)
        for size in (1, 4, 16)
        for mix in (1.0, 0.0)
    ],
    "sync": [
        made for n in (1, 4) for made in (point(1, threads=n, engine="psync"), point(n, latency_ns=5e5))
    ],
    "warmup": [point(8)],
    "jitter": [point(8), point(8, "sdb")],
}
FIGURES: dict[Kind, dict[str, set[str]]] = {
    "depth": {
        "depth-sweep": {
            "requests outstanding",
            "requests per second (IOPS)",
            "latency that 95 % and 99 % keep (ms)",
        },
        "latency-measured": {"read latency (ms)", "share of reads that take longer (%)"},
        "target-ratio": {"throughput, times that of sda"},
    },
    "threads": {"depth-sweep": {"threads"}, "latency-measured": {"write latency (ms)"}},
    "matrix": {"mix-matrix": {"request size", "reads (%)"}},
    "sync": {"waiting": {"requests outstanding", "p99 latency (ms)"}},
    "warmup": {"warm-up": {"time (s)", "requests per second (IOPS)"}},
    "jitter": {
        "jitter": {
            "time (s)",
            "density",
            "sda: requests per second (IOPS)",
            "longest latency in each second (ms)",
        }
    },
}


def titles(document: Any) -> set[str]:
    """Every title of an axis in a chart."""
    if isinstance(document, list):
        return set().union(*(titles(row) for row in document))
    if not isinstance(document, dict):
        return set()
    own = {document["title"]} if isinstance(document.get("title"), str) else set()
    return own.union(*(titles(value) for value in document.values()))


@pytest.mark.parametrize("kind", SWEEPS)
def test_each_sweep_has_its_figures_with_units(kind: Kind) -> None:
    drawn = {figure.name: figure for figure in figures.of_result(sweep(kind, SWEEPS[kind]))}
    for name, wanted in FIGURES[kind].items():
        assert wanted <= titles(style.spec(drawn[name].chart)), name
        assert drawn[name].caption


@pytest.mark.parametrize("kind", SWEEPS)
def test_each_sweep_has_a_page_and_a_text_that_agree(kind: Kind) -> None:
    made = sweep(kind, SWEEPS[kind])
    page, lines = result_page.render(made), result_text.narrative(made).plain
    title = headline(made).title
    assert f"<h1>{title}</h1>".replace("&", "&amp;") in page
    assert lines.splitlines()[0][:10] == title[:10]
    for told in (
        "bench sweep &#39;a b&#39;",
        "disks: queue: scheduler",
        "ab12",
        "17.2 GB",
        "41 °C",
        "measured by fio-3.33",
    ):
        assert told.lower() in page.lower(), told
    assert "governor" not in page, "what is unknown is left out"
    assert "Partial result" not in page


def test_a_depth_sweep_of_two_targets_says_how_they_compare() -> None:
    points = [
        point(depth, target, speed) for depth in (1, 8, 32) for target, speed in (("sda", 1e6), ("sdb", 5e5))
    ]
    assert headline(sweep("depth", points)).title.startswith("sdb carries 2× ")


def test_a_database_has_its_seconds_drawn() -> None:
    seconds = [{"second": float(at), "per_s": 100.0 + at % 3} for at in range(20)]
    told = Transactions(per_s=101.0, latency_ns={"q0.95": 5e6}, seconds=seconds)
    single = point(1).model_copy(update={"outcome": None, "transactions": told, "workload": None})
    made = result([single], "database")
    assert 'id="figure-transactions"' in result_page.render(made)


@pytest.mark.parametrize("kind", ["run", "replay", "quick", "sweep", "database"])
def test_a_result_without_points_has_a_page_too(kind: str) -> None:
    page = result_page.render(result([], kind, complete=False, partial="interrupted after 0 of 4 points"))
    assert "Partial result" in page


def test_names_cannot_harm_the_page_or_the_terminal() -> None:
    made = sweep("depth", [point(depth, EVIL, series=EVIL) for depth in (1, 4)])
    assert "<script" not in result_page.render(made)
    assert "\x1b" not in result_text.narrative(made).plain


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("random(16KiB, read=1)", "random 16 KiB reads"),
        ("sequential(128KiB, read=0, iodepth=4)", "sequential 128 KiB writes"),
        ("random(4KiB, read=0.7)", "random 4 KiB, 70 % reads"),
        ("random(4KiB)", "random 4 KiB reads"),
        ("random(4KiB, read=1, rate=500iops)", "random(4KiB, read=1, rate=500iops)"),
        ("hotcold(4KiB, hot=0.2, share=0.8, read=0)", "hotcold(4KiB, hot=0.2, share=0.8, read=0)"),
        ("mysql.toml", "mysql.toml"),
    ],
)
def test_workloads_are_called_what_people_call_them(line: str, said: str) -> None:
    assert naming.load(line) == said


def test_columns_that_are_all_alike_are_told_once() -> None:
    table = Table("T", ("target", "load", "x"), [("a", "r", "1"), ("a", "w", "2")], 2).slim()
    assert (table.title, table.heads, table.rows, table.words) == (
        "T, a",
        ("load", "x"),
        [("r", "1"), ("w", "2")],
        1,
    )
