"""The same seed gives the same outcome in WebAssembly as natively: the page shows what the program would."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from bundled import CATALOG
from drivecast import _core
from drivecast.errors import InputError
from drivecast.stage.simulate import Options, controller_specs, drive_specs
from needs import needs
from wasm_module import CoreError, WasmModule

RECORDING = Path(__file__).parents[3] / "examples/mariadb-oltp/mariadb-oltp.blktrace.0.xz"
PEAK = Options(seed=7, start_s=5.0, length_s=4.0, wrap=True)
SSD, DISK = "samsung-pm9a3-960gb", "seagate-exos-15e900-600gb"
DESIGNS = [
    SSD,
    f"raid1(2 * {SSD})",
    f"raid5(4 * {SSD})",
    f"raid5(5 * {SSD}, spares=1)",
    f"raid6(6 * {SSD})",
    f"raid10(4 * {SSD})",
    f"raid50(8 * {SSD}, groups=2)",
    DISK,
    f"raid10(4 * {DISK})",
    "aws-gp2-100gb",
    "aws-io2-1tb-64000iops",
    f"cache(fast={SSD}, slow=raid10(4 * {DISK}), size=1GiB)",
    f"cache(fast={SSD}, slow={DISK}, size=1GiB, policy=bcache)",
    f"cache(fast={SSD}, slow={DISK}, size=1GiB, policy=l2arc)",
]
LINES = [
    ("raid6(12 * seagate-exos-x24-24tb)", "random(64KiB, read=0.7, iodepth=16)"),
    (SSD, "zipf(4KiB, theta=0.9, read=0.5, rate=5000iops)"),
    (SSD, "jesd219"),
    ("gcp-pd-ssd-1tb", "hotcold(16KiB, read=0.6, rate=3000iops)"),
]


@pytest.fixture(scope="module")
def recorded() -> _core.Workload:
    return _core.Workload.trace([RECORDING])


@pytest.fixture(scope="module")
def module(recorded: _core.Workload, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WasmModule]:
    needs("wasm")
    node = needs("node")
    path = tmp_path_factory.mktemp("web") / "recording"
    path.write_bytes(recorded.compact())
    with WasmModule(node, path) as module:
        yield module


def specs(design: str) -> dict[str, Any]:
    """The drives and controllers of a design, as a call has them."""
    drives, controllers = drive_specs(design, CATALOG), controller_specs(design, CATALOG)
    return {
        "drives": {name: json.loads(spec) for name, spec in drives.items()},
        "controllers": {name: json.loads(spec) for name, spec in controllers.items()},
    }


def native(design: str, load: _core.Workload, options: Options) -> dict[str, Any]:
    """The outcome of a native run, its tables as rows."""
    drives, controllers = drive_specs(design, CATALOG), controller_specs(design, CATALOG)
    found = _core.simulate(design, drives, load, options, controllers)
    tables = {name: pl.DataFrame(found[name]).to_dicts() for name in ("seconds", "latencies")}
    return found | tables


@pytest.mark.parametrize("design", DESIGNS)
def test_a_recording(module: WasmModule, recorded: _core.Workload, design: str) -> None:
    found = module.call("simulate", design=design, options=asdict(PEAK), **specs(design))
    assert found["completed"] > 1000
    assert found == native(design, recorded, PEAK)


@pytest.mark.parametrize(("design", "line"), LINES)
def test_a_line(module: WasmModule, design: str, line: str) -> None:
    options = Options(seed=3, requests=5_000)
    found = module.call("simulate", design=design, line=line, options=asdict(options), **specs(design))
    assert found == native(design, _core.Workload.line(line), options)


def test_a_run_that_takes_up_a_steady_state(module: WasmModule, recorded: _core.Workload) -> None:
    options = asdict(PEAK) | {"speedup": 2.0}
    for _ in range(2):
        found = module.call("simulate", design=DESIGNS[2], options=options, **specs(DESIGNS[2]))
        assert found == native(DESIGNS[2], recorded, Options(**options))


@pytest.mark.parametrize("design", [DESIGNS[0], DESIGNS[2], DESIGNS[6]])
def test_wear(module: WasmModule, recorded: _core.Workload, design: str) -> None:
    drives, controllers = drive_specs(design, CATALOG), controller_specs(design, CATALOG)
    found = module.call("wear", design=design, seed=5, fill=0.8, **specs(design))
    assert found["host_bytes_written"] > 0
    assert found == _core.wear(design, drives, recorded, seed=5, fill=0.8, controllers=controllers)


def test_another_seed_is_another_outcome(module: WasmModule, recorded: _core.Workload) -> None:
    other = module.call("simulate", design=SSD, options=asdict(PEAK) | {"seed": 8}, **specs(SSD))
    assert other != native(SSD, recorded, PEAK)


@pytest.mark.parametrize(
    "design",
    ["raid5(6 * drive", f"raid5(2 * {SSD})", f"raid6(3 * {SSD})", "none-such", f"{SSD}(partition=9)"],
)
def test_a_refusal_says_the_same(module: WasmModule, recorded: _core.Workload, design: str) -> None:
    drives = drive_specs(SSD, CATALOG)
    with pytest.raises(InputError) as natively:
        _core.simulate(design, drives, recorded, PEAK, {})
    with pytest.raises(CoreError) as found:
        module.call("simulate", design=design, options=asdict(PEAK), drives=specs(SSD)["drives"])
    assert str(found.value) == str(natively.value)


def test_a_document_that_is_none_is_refused(module: WasmModule) -> None:
    with pytest.raises(CoreError, match="damaged"):
        module.call("open", carried={"designs": [{}, {}]})
