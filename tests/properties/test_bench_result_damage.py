"""Whatever a file of a result holds: it is shown, or an `InputError` says what is wrong."""

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from damaged import places
from drivecast.bench.fio.aggregate import outcome
from drivecast.bench.fio.output import parse
from drivecast.bench.run import findings
from drivecast.cli.bench.show import show
from drivecast.cli.verb import OutputFormat
from drivecast.document.outcome import LatencyHistogram
from drivecast.document.result import Point, Result
from drivecast.errors import InputError
from fio_recorded import LOGS, REPORT

FOUND = outcome(parse(REPORT), LOGS, name="t", seed=0)
SHORT = FOUND.model_copy(update={"latencies": LatencyHistogram(FOUND.latencies.rows[:3])})
POINTS = [
    Point(
        target="a file",
        settings={"iodepth": 1, "threads": 1, "repeat": repeat, "series": "random(4KiB)"},
        workload="random(4KiB, iodepth=1)",
        started="2026-01-02T03:04:05+00:00",
        outcome=SHORT,
        noise={"disk_busy": 0.5},
        notes=["a note"],
    )
    for repeat in (0, 1)
]
DOCUMENT = json.loads(
    Result(
        kind="run",
        title="t",
        version="0.1.0",
        seed=0,
        plan_hash="0",
        command=["bench"],
        started="2026-01-02T03:04:05+00:00",
        environment={"kernel": "6.1", "processors": 2},
        targets=[
            {"name": "a file", "bytes": 1 << 30, "mount": {"file_system": "ext4"}, "disks": [{"name": "d"}]}
        ],
        points=POINTS,
        findings=findings(POINTS),
    ).model_dump_json()
)
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(),
    st.sampled_from(["", "x\x1b[2J", "read_fraction", "1e999"]),
    st.just([]),
    st.just({}),
    st.just([{}]),
    st.just({"a": [1]}),
)


PLACES = places(DOCUMENT)[1:]


@settings(max_examples=150)
@given(st.sampled_from(PLACES), VALUES, st.sampled_from(list(OutputFormat)), st.booleans())
def test_any_value_in_any_place(path: tuple[Any, ...], value: object, how: OutputFormat, named: bool) -> None:
    document = json.loads(json.dumps(DOCUMENT))
    node = document
    for key in path[:-1]:
        node = node[key]
    if named and isinstance(node, dict):
        node["block_bytes"] = value
    else:
        node[path[-1]] = value
    told(json.dumps(document), how)


@settings(max_examples=50)
@given(
    st.integers(0, 2000),
    st.integers(0, 30),
    st.sampled_from(["", "{", "]", '"', "9" * 5000, "\0", "[" * 9000]),
)
def test_a_file_that_is_overwritten(at: int, length: int, put: str) -> None:
    text = json.dumps(DOCUMENT)
    told(text[:at] + put + text[at + length :], OutputFormat.TEXT)


def told(text: str, how: OutputFormat) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "result.json"
        path.write_text(text)
        try:
            show(path, output_format=how)
        except InputError as error:
            assert "result.json" in str(error)  # noqa: PT017 (a result that is shown is right too)
