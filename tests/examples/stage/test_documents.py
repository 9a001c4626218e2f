"""What the core hands over has the keys of its documents and no others, which pydantic itself would pass over."""

import json
import types
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Union, get_args, get_origin

import polars as pl
import pytest
from pydantic import BaseModel
from typing_extensions import get_type_hints, is_typeddict

from drivecast import _core
from drivecast.catalog import Catalog, load
from drivecast.document.design import Shape
from drivecast.document.outcome import Outcome
from drivecast.document.profile import CounterLog, Diurnal, Profile, TraceLog, summary_of
from drivecast.document.reliability import GroupLoss
from drivecast.document.table import Table
from drivecast.document.wear import Amplification
from drivecast.stage.design import Design
from drivecast.stage.loss import Service, specification
from drivecast.stage.simulate import Options, controller_specs, drive_specs
from drivecast.stage.trace import AS_IT_IS

SSD = "ssd(logical=64MiB, spare_factor=0.28)"
REBUILT = f"raid5(5 * {SSD}, spares=1, degraded=1, rebuild=50MB/s)"
DISK = "seagate-exos-x20-20tb"
LOAD = "random(4KiB, read=0.7, iodepth=4)"


def faults(found: Any, definition: Any, place: str = "") -> Iterator[str]:
    """The keys of `found` that its definition does not have, and those it lacks, by their places."""
    origin, arguments = get_origin(definition), get_args(definition)
    if origin is Annotated:
        yield from faults(found, arguments[0], place)
    elif origin in {Union, types.UnionType}:
        if found is not None or type(None) not in arguments:
            kinds = [kind for kind in arguments if kind is not type(None)]
            yield from min((list(faults(found, kind, place)) for kind in kinds), key=len)
    elif origin is list:
        found = found if isinstance(found, list) else listed(found)
        for part in {str(shape(part)): part for part in found}.values():
            yield from faults(part, arguments[0], f"{place}[]")
    elif isinstance(definition, type) and issubclass(definition, Table):
        rows = found if isinstance(found, list) else pl.DataFrame(found).head(1).to_dicts()
        yield from faults(rows, list[definition.row], place)
    elif is_typeddict(definition):
        yield from _keys(found, get_type_hints(definition), definition.__required_keys__, place)
    elif isinstance(definition, type) and issubclass(definition, BaseModel):
        fields = {field.alias or name: field for name, field in definition.model_fields.items()}
        required = {key for key, field in fields.items() if field.is_required()}
        types_of = {key: field.annotation for key, field in fields.items()}
        yield from _keys(found, types_of, required, place)


def listed(table: Any) -> list[Any]:
    """The first rows of a table, or the first lists of a matrix, of Arrow."""
    is_table = hasattr(table, "num_columns")
    return pl.DataFrame(table).head(1).to_dicts() if is_table else pl.Series(table).head(1).to_list()


def _keys(found: Any, known: Mapping[str, Any], required: Any, place: str) -> Iterator[str]:
    if not isinstance(found, Mapping):
        yield f"{place}: no object"
        return
    yield from (f"{place}.{key}: unknown" for key in found.keys() - known.keys())
    yield from (f"{place}.{key}: missing" for key in required - found.keys())
    for key in found.keys() & known.keys():
        yield from faults(found[key], known[key], f"{place}.{key}")


def shape(value: Any) -> Any:
    """A value without its figures: rows of a list that have the same shape are looked at once."""
    if isinstance(value, Mapping):
        return sorted((key, str(shape(part))) for key, part in value.items())
    if isinstance(value, list):
        return sorted({str(shape(part)) for part in value})
    return value is None


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load([])


def written(path: Path, pause_h: int = 0) -> Path:
    """Requests of two volumes in 100 s and a pause: some in order, some on blocks already written."""
    ticks = (
        128_166_372_000_000_000 + at * 500_000 + at // 1950 * pause_h * 36_000_000_000 for at in range(2000)
    )
    path.write_text(
        "".join(
            f"{tick},host,{at % 2},{'Read' if at % 3 else 'Write'},{(at if at % 5 else at % 40) * 4096},"
            f"{4096 << at % 3},{1000 + at % 700 * 10}\n"
            for at, tick in enumerate(ticks)
        )
    )
    return path


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    return written(tmp_path / "small.csv")


def simulated(design: str, catalog: Catalog) -> dict[str, Any]:
    drives, controllers = drive_specs(design, catalog), controller_specs(design, catalog)
    return _core.simulate(design, drives, _core.Workload.line(LOAD), Options(requests=500), controllers)


@pytest.mark.parametrize(
    ("design", "own"),
    [(SSD, set()), ("aws-gp2-100gb", {"credits"}), (REBUILT, {"rebuild"}), (DISK, {"write_cache"})],
)
def test_an_outcome_of_the_core_has_the_keys_of_its_document(
    catalog: Catalog, design: str, own: set[str]
) -> None:
    found = simulated(design, catalog)
    assert found.keys() & {"credits", "rebuild", "write_cache"} == own
    assert not list(faults(found, Outcome))


def test_all_that_an_outcome_always_prints_is_handed_over(catalog: Catalog) -> None:
    found = simulated(SSD, catalog)
    assert Outcome.model_validate(found).model_dump(mode="json").keys() == found.keys()


@pytest.mark.parametrize("design", [SSD, f"raid1(2 * {SSD})"])
def test_wear_of_the_core_has_the_keys_of_its_document(catalog: Catalog, design: str) -> None:
    found = _core.wear(
        design, drive_specs(design, catalog), _core.Workload.line(LOAD), seed=0, fill=1.0, controllers={}
    )
    assert found["drives"]
    of_a_cache = {"host_bytes_read"}
    assert found.keys() == Amplification.model_fields.keys() - of_a_cache
    assert not list(faults(found, Amplification))


@pytest.mark.parametrize("design", [SSD, "raid5(4 * samsung-pm893-480gb)", f"raid0(2 * raid1(2 * {SSD}))"])
def test_the_shape_of_a_design_has_the_keys_of_its_document(catalog: Catalog, design: str) -> None:
    found = _core.design_shape(design, drive_specs(design, catalog))
    assert not list(faults(found, Shape))


def test_a_loss_of_the_core_has_the_keys_of_its_document(catalog: Catalog) -> None:
    drive, service = catalog.get("samsung-pm893-480gb"), Service(years=5, rebuild_h=10)
    groups = specification(Design(drive, "raid5", 4), service, None, "value")
    found = _core.lose(json.dumps(groups), seed=0, precision=0.1, missions_max=4096)
    assert found.keys() == GroupLoss.model_fields.keys()
    assert not list(faults(found, GroupLoss))


def profiled(path: Path) -> dict[str, Any]:
    return _core.profile([path], 60.0, AS_IT_IS.to_core())


def test_a_profile_of_counters_has_the_keys_of_its_document(example: Path) -> None:
    found = profiled(example / "iostat.json.xz")
    assert not list(faults(found, Profile))
    assert isinstance(summary_of(found["log"]), CounterLog)
    assert not list(faults(found["log"], CounterLog))


def test_a_profile_of_a_trace_has_the_keys_of_its_document(trace: Path) -> None:
    found = profiled(trace)
    assert [key for key, value in found.items() if value is None] == ["diurnal"], "a part is left unchecked"
    assert not list(faults(found, Profile))
    assert isinstance(summary_of(found["log"]), TraceLog)
    assert not list(faults(found["log"], TraceLog))


def test_the_day_of_a_long_trace_has_the_keys_of_its_document(tmp_path: Path) -> None:
    found = profiled(written(tmp_path / "long.csv", pause_h=50))["diurnal"]
    assert listed(found["hours"])
    assert not list(faults(found, Diurnal))


def test_the_tables_of_a_profile_are_arrow(trace: Path) -> None:
    """Lists that are left hold distributions, or text."""
    found = profiled(trace)
    plain = {key for key, value in found.items() if isinstance(value, list)}
    assert plain == {"miss_ratio_curves", "succession", "assumptions"}
    assert not [curve for curve in found["miss_ratio_curves"] if isinstance(curve["points"], list)]
    assert not isinstance(found["heat_map"]["counts"], list)
    profile = Profile.model_validate(found)
    assert [list(row) for row in profile.seconds[:1]] == [
        [
            *("second", "reads", "writes", "read_bytes", "written_bytes"),
            *("queue_depth", "flushes", "discards"),
        ]
    ]
    assert sum(map(sum, profile.heat_map.counts)) == profile.requests == 2000


@pytest.mark.parametrize("source", ["counters", "trace"])
def test_all_that_a_profile_always_prints_is_handed_over(example: Path, trace: Path, source: str) -> None:
    found = profiled(trace if source == "trace" else example / "iostat.json.xz")
    assert Profile.model_validate(found).model_dump(mode="json").keys() == found.keys()


def test_a_key_that_only_one_side_has_is_found(catalog: Catalog) -> None:
    found = simulated(SSD, catalog)
    found["read"]["latency_ns"]["q0.42"] = 1
    del found["iops"]
    found["seconds"] = [{"reads": 1, "swaps": 2}]
    assert sorted(faults(found, Outcome)) == [
        ".iops: missing",
        ".read.latency_ns.q0.42: unknown",
        ".seconds[].second: missing",
        ".seconds[].swaps: unknown",
    ]
