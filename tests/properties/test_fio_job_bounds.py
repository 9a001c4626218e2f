"""Whatever is asked: a job file that stays within its target, and a workload that the simulator takes; or an error."""

import re
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from drivecast import _core
from drivecast.bench.fio import job_file
from drivecast.bench.fio.workload import played
from drivecast.bench.job import Job
from drivecast.errors import InputError
from drivecast.stage.model_file import named

UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
LINES = st.builds(
    "{}({}, read={}{}{})".format,
    st.sampled_from(["random", "sequential", "hotcold"]),
    st.lists(st.sampled_from(["512B", "4KiB", "3 * 16KiB", "2 * 1MiB", "7KiB"]), min_size=1, max_size=3).map(
        ", ".join
    ),
    st.sampled_from(["0", "1", "0.37"]),
    st.sampled_from(["", ", rate=1234.5iops", ", trim=0.2", ", iodepth=7", ", align=512", ", align=1MiB"]),
    st.sampled_from(["", ", span=1%", ", span=0.5"]),
)
MIXES = st.sampled_from(["jesd219", "iometer-webserver(iodepth=4)", *named()])


def number(text: str) -> int:
    match = re.fullmatch(r"(\d+)([kmgt]?)", text)
    assert match is not None, text
    return int(match[1]) * UNITS[match[2]]


@settings(max_examples=60)
@given(
    st.one_of(LINES, MIXES),
    st.integers(1, 1 << 44),
    st.integers(1, 40),
    st.one_of(st.none(), st.integers(1, 300)),
    st.sampled_from(["io_uring", "psync"]),
)
def test_jobs_stay_within_the_target(
    load: str, size: int, threads: int, depth: int | None, engine: str
) -> None:
    job = Job(load, 60, threads=threads, iodepth=depth, engine="psync" if engine == "psync" else "io_uring")
    try:
        found = played(job, size)
        written = job_file.write(job, found, "target", lambda _option: True)
    except InputError:
        return
    _head, *sections = re.split(r"^\[.*\]$", written.text, flags=re.MULTILINE)[1:]
    assert sections
    for section in sections:
        options = dict(line.split("=", 1) for line in section.split())
        end = number(options["offset"]) + number(options["size"])
        assert end <= size, (options, size)
        assert options["rw"].strip("rand") != "trim"
    names = re.findall(r"^\[(.*)\]$", written.text, flags=re.MULTILINE)
    assert max(Counter(names).values()) == 1
    if found.hash is None:
        _core.Workload.line(found.text)
        assert found.text.startswith(load.partition("(")[0])
