"""Whatever a report holds, it gives a file that the catalog reads, or an error that names the file."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bundled import CATALOG
from drivecast.catalog import load
from drivecast.catalog.entry import Seen, made
from drivecast.errors import InputError

WORDS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=12))
RUN = (
    "jobs",
    "job options",
    "global options",
    "read",
    "write",
    "iops",
    "bw_bytes",
    "lat_ns",
    "mean",
    "rw",
    "bs",
    "iodepth",
)
DRIVE = (
    "model_name",
    "user_capacity",
    "bytes",
    "nvme_total_capacity",
    "rotation_rate",
    "device",
    "protocol",
    "mn",
    "tnvmcap",
)
KEYS = st.sampled_from([*RUN, *DRIVE])
SIZES = st.floats(1e6, 1e17, allow_nan=False)
ANY = st.recursive(
    WORDS, lambda part: st.one_of(st.lists(part, max_size=3), st.dictionaries(KEYS, part, max_size=5))
)
REPORT = st.fixed_dictionaries(
    {"model_name": st.text(max_size=30), "nvme_total_capacity": st.floats(1e9, 1e17)},
    optional={
        "rotation_rate": st.integers(0, 20_000),
        "device": st.fixed_dictionaries({"protocol": st.text(max_size=5)}),
    },
)
JOB = st.fixed_dictionaries(
    {
        "job options": st.fixed_dictionaries(
            {
                "rw": st.sampled_from(["read", "write", "randread", "randwrite", "randrw"]),
                "iodepth": st.sampled_from(["1", "64", "x"]),
            }
        ),
        "read": st.fixed_dictionaries(
            {"iops": SIZES, "bw_bytes": SIZES, "lat_ns": st.fixed_dictionaries({"mean": SIZES})}
        ),
        "write": st.fixed_dictionaries(
            {"iops": SIZES, "bw_bytes": SIZES, "lat_ns": st.fixed_dictionaries({"mean": SIZES})}
        ),
    }
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("entry")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.one_of(ANY.map(json.dumps), st.text(max_size=40)))
def test_any_file_is_taken_or_refused(folder: Path, content: str) -> None:
    path = folder / "any.json"
    path.write_text(content)
    for take in ("smart", "nvme_id", "fio"):
        refused = ""
        try:
            getattr(Seen(), take)(path)
        except InputError as error:
            refused = str(error)
        assert not refused or path.name in refused


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(report=REPORT, jobs=st.lists(JOB, max_size=3))
def test_what_is_made_is_a_drive(folder: Path, report: dict[str, object], jobs: list[object]) -> None:
    seen = Seen()
    (folder / "smart.json").write_text(json.dumps(report))
    seen.smart(folder / "smart.json")
    (folder / "fio.json").write_text(json.dumps({"jobs": jobs}))
    try:
        seen.fio(folder / "fio.json")
    except InputError:
        assert not seen.rates
    (folder / "made.toml").write_text(made(CATALOG, seen))
    assert "made" in load([folder / "made.toml"]).drives
