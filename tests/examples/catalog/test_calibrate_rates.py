"""Drives calibrated to rates by threads and to ACT's slow reads: what is found, written, and refused."""

import math
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

from bundled import CATALOG
from drivecast.calibration import act_calibrate, thread_calibrate, thread_table
from drivecast.calibration.act_calibrate import RESERVES, WAITS_US
from drivecast.catalog import load
from drivecast.errors import HintedError, InputError

P4610, OPTANE = "intel-p4610-1.6tb", "intel-optane-p5800x-800gb"
TITLES = {P4610: "Intel P4610 1.6TB", OPTANE: "Intel Optane P5800X"}


def _table(folder: Path, *rows: tuple[str, float, int, str, float]) -> Path:
    """Write a table of drive, share of writes, threads of 128, engine, rate."""
    lines = [
        f"{TITLES[drive]},1 file(s)/device(s),1,random,{write},4096,128,{threads},10737418240,{engine},{rate}"
        for drive, write, threads, engine, rate in rows
    ]
    path = folder / "nvme-by-threads.csv"
    path.write_text("\n".join([",".join(thread_table.COLUMNS), *lines]) + "\n")
    return path


def test_commands_take_the_inverse_of_the_rate_of_all_threads(tmp_path: Path) -> None:
    """Means of repeats: 1e9/500,000 and 1e9/250,000; what a mix does judges, and the file keeps the rest."""
    rows = [(P4610, 0, 32, "libaio", rate) for rate in (490_000, 510_000)]
    rows += [(P4610, 1, 32, "libaio", 250_000), (P4610, 0.5, 32, "libaio", 333_000)]
    found, text = thread_calibrate.run(P4610, [_table(tmp_path, *rows)], CATALOG, by="lab")
    assert tomllib.loads(found.table)["fitted"]["read_command_ns"] == {"value": 2000, "measured": "lab"}
    assert found.error.startswith("median 0%"), "commands one after another: 1/(0.5/500,000 + 0.5/250,000)"
    path = tmp_path / f"{P4610}.toml"
    path.write_text(text)
    fitted = load([path]).get(P4610).sheet.fitted  # type: ignore[union-attr]
    assert fitted.write_command_ns.value == 4000
    assert any(line.startswith("read_overhead_ns") for line in found.undetermined)


def test_programs_are_what_bounds_writes_where_the_file_says_so(tmp_path: Path) -> None:
    rows = [(OPTANE, share, 32, "libaio", 1_000_000) for share in (0, 1)]
    found, _ = thread_calibrate.run(OPTANE, [_table(tmp_path, *rows)], CATALOG, by="threads")
    assert tomllib.loads(found.table)["fitted"]["program_mb_s"]["value"] == 4096
    assert any(line.startswith("write_command_ns") for line in found.undetermined)


def test_rates_without_the_rows_that_determine_them_are_refused(tmp_path: Path) -> None:
    reads = (P4610, 0.0, 32, "libaio", 5e5)
    for drive, lacking in ((P4610, "writes"), (OPTANE, OPTANE)):
        with pytest.raises(InputError) as refused:
            thread_calibrate.run(drive, [_table(tmp_path, reads)], CATALOG, by="lab")
        assert lacking in str(refused.value)


def test_what_a_thread_submits_is_written_from_rows_of_one_thread(tmp_path: Path) -> None:
    rows = [
        (OPTANE, share, 1, engine, rate)
        for engine, rates in (("libaio", (555_880, 426_800)), ("io_uring", (607_780, 444_680)))
        for share, rate in enumerate(rates)
    ]
    text = thread_calibrate.host_toml(_table(tmp_path, *rows), CATALOG)
    engines = tomllib.loads(text)["engines"]
    assert {
        name: (found["reads_per_s"], found["writes_per_s"]) for name, found in engines.items()
    } == thread_table.thread_per_s(), "the bundled rates are those of the public table"
    with pytest.raises(InputError):
        thread_calibrate.host_toml(_table(tmp_path, (P4610, 0, 1, "libaio", 5e5)), CATALOG)


@pytest.mark.parametrize(("wait_us", "reserve"), [(800.0, 0.75), (200.0, 0.3), (WAITS_US[0], RESERVES[-1])])
def test_the_search_finds_the_wait_and_the_reserve_that_were_put_in(wait_us: float, reserve: float) -> None:
    """Shares e^(-x/s)/(1 - r), as waits that end exponentially and programs that grow with the reserve give them."""

    def shares(at: tuple[float, float]) -> list[float]:
        return [math.exp(-us / at[0]) / (1 - at[1]) for us in (100, 200, 400, 800)]

    true = shares((wait_us, reserve))

    def ratios(wait: float, share: float) -> Sequence[float]:
        return [ours / theirs for ours, theirs in zip(shares((wait, share)), true, strict=True)]

    assert act_calibrate.search(ratios, [1e4] * 4, (500.0, 0.5)) == (wait_us, reserve)


def test_a_share_that_rests_on_few_reads_counts_for_little() -> None:
    """Seven reads of ten million say 200 us, and ten thousand say 800."""

    def ratios(wait: float, _: float) -> Sequence[float]:
        return [800 / wait, 200 / wait]

    assert act_calibrate.search(ratios, [1e4, 0.1], (500.0, 0.5))[0] == 800.0
    assert act_calibrate.search(ratios, [0.1, 1e4], (500.0, 0.5))[0] == 200.0


def test_act_without_a_row_to_fit_to_is_refused(tmp_path: Path) -> None:
    shares = ",".join(
        f"{kind}_{what}"
        for kind in ("RAW_READS", "LB_READS")
        for what in ("total", *(f"pct_over_{us}us" for us in (1024, 2048, 4096, 8192)))
    )
    path = tmp_path / "act.csv"
    path.write_text(
        f"device,overprov,record_bytes,write_recs_s,read_recs_s,large_block_kb,{shares}\n"
        "Samsung 845DC PRO 400GB,none,1536,1000,2000,128,990000,1,0.1,0.01,0,10000,10,1,0.1,0\n"
    )
    with pytest.raises(HintedError):
        act_calibrate.run("samsung-845dc-pro-400gb", [path], CATALOG, by="act", hold_out=[1000])
