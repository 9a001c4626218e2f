"""Whatever fio, or something in its place, has written: an outcome that conserves, or an `InputError`."""

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damaged import changed, places
from drivecast.bench.fio import workload_line as lines
from drivecast.bench.fio.aggregate import outcome
from drivecast.bench.fio.histogram import middle_of
from drivecast.bench.fio.output import parse, split
from drivecast.bench.fio.program import parsed
from drivecast.bench.fio.series import JobLogs, histogram_rows, longest_rows
from drivecast.errors import InputError
from fio_recorded import LOGS, REPORT

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.just([]),
    st.just({}),
    st.just([{}]),
)
ODD = [
    "",
    "\n",
    "-1",
    ",",
    "9" * 30,
    "nan",
    "0x7f",
    "{",
    "}",
    "[",
    "]",
    '"',
    "\0",
    "é",
    "1e999",
    " ",
    "1, 2",
    "null",
]


DOCUMENT = json.loads(REPORT)
PLACES = places(DOCUMENT)[1:]


def told(report: str, logs: list[JobLogs]) -> None:
    try:
        found = outcome(parse(report), logs, name="x", seed=0, depth=3, requested_iops=1e3)
    except InputError:
        return
    plain = found.model_dump(mode="json", by_alias=True)
    text = json.dumps(plain, allow_nan=False)
    assert len(text) < 10_000_000
    for op, key in (("read", "reads"), ("write", "writes")):
        assert sum(row[key] for row in plain["seconds"]) == plain[op]["requests"]


@settings(max_examples=50)
@given(st.sampled_from(PLACES), VALUES)
def test_a_report_with_any_value_in_any_place(path: tuple[Any, ...], value: object) -> None:
    told(json.dumps(changed(DOCUMENT, path, value)), LOGS)


@settings(max_examples=40)
@given(st.integers(0, len(REPORT)), st.integers(0, 50), st.sampled_from(ODD))
def test_a_report_that_is_cut_or_overwritten(at: int, length: int, put: str) -> None:
    told(REPORT[:at] + put + REPORT[at + length :], LOGS)
    told(REPORT[:at], LOGS)


@settings(max_examples=100)
@given(
    st.sampled_from(["histogram", "longest"]), st.integers(0, 300), st.integers(0, 20), st.sampled_from(ODD)
)
def test_a_log_that_is_overwritten(which: str, at: int, length: int, put: str) -> None:
    log = JobLogs(LOGS[0].histogram, LOGS[0].longest)
    text = getattr(log, which)
    setattr(log, which, text[:at] + put + text[at + length :])
    told(REPORT, [log, *LOGS[1:]])


@settings(max_examples=150)
@given(st.text(max_size=60))
def test_any_text(text: str) -> None:
    split(text)
    parsed(text)
    for read in (parse, histogram_rows, longest_rows, lines.parse):
        try:
            read(text)
        except InputError:
            continue


def test_a_number_of_thousands_of_digits_is_refused() -> None:
    with pytest.raises(InputError, match="expected numbers"):
        histogram_rows("9" * 5000 + ", 0, 4096, 1\n")
    with pytest.raises(InputError, match="cannot be read"):
        parse(REPORT.replace('"N" : ', '"N" : ' + "9" * 5000, 1))


@settings(max_examples=300)
@given(st.integers(0, 1 << 62))
def test_a_latency_is_near_the_middle_of_its_bin(latency_ns: int) -> None:
    assert math.isclose(middle_of(latency_ns), latency_ns, rel_tol=1 / 127, abs_tol=0.5)


SIZES = st.sampled_from(["512B", "4KiB", "8KiB", "1.5KiB", "64KiB", "1MiB", "4096"])
SHARES = st.sampled_from(["0", "1", "0.7", "30%", "0.123456789", "99.9%", ".5"])


@settings(max_examples=60)
@given(
    st.sampled_from(["random", "sequential", "hotcold"]),
    st.lists(st.tuples(st.integers(1, 99), SIZES), min_size=1, max_size=4),
    SHARES,
    st.one_of(st.none(), st.integers(1, 512)),
    st.sampled_from([None, "100iops", "2k", "1850", "0.5kiops"]),
    st.sampled_from([None, "0.5", "10%"]),
)
def test_a_line_prints_as_the_line_it_was(
    name: str, sizes: list[tuple[int, str]], read: str, depth: int | None, rate: str | None, span: str | None
) -> None:
    options = {"read": read, "iodepth": depth, "rate": rate, "span": span}
    items = [f"{weight} * {size}" for weight, size in sizes]
    items += [f"{key}={value}" for key, value in options.items() if value is not None]
    found = lines.parse(f"{name}({', '.join(items)})")
    again = lines.parse(found.text())
    assert again.text() == found.text()
    assert again.model(1 << 30) == found.model(1 << 30)
    assert again.read == found.read
