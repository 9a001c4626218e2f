"""Cached designs that cannot be: the field, the limit, a hint where there is one, and exit code 2."""

from collections.abc import Callable

import pytest

from conftest import Run

FAST, SLOW = "fast=samsung-pm893-480gb", "slow=raid10(4 * seagate-exos-15e900-300gb)"
BOTH = f"{FAST}, {SLOW}, size=1GB"


@pytest.mark.parametrize(
    ("options", "message", "hint"),
    [
        (
            "fast=samsung-pm9a3-1.92tb, slow=seagate-exos-15e900-300gb",
            "size: expected less than the 300 GB behind the cache, found 1920 GB",
            "leave the slow device out",
        ),
        (
            f"{FAST}, {SLOW}, size=900GB",
            "size: expected at most the 480.00 GB of the fast device",
            "leave size out",
        ),
        (f"{FAST}, {SLOW}, size=1KB", "size: expected at least 2068 KiB", "give a larger size="),
        (f"{BOTH}, block=4MiB", "block: expected a power of two from 512 to 1048576, found 4194304", ""),
        (
            f"{BOTH}, block=64KiB, set=32KiB",
            "set: a block of 64 KiB is larger than a set of 32 KiB",
            "256 to 8192",
        ),
        (f"{BOTH}, dirty_thresh_pct=120", "dirty_thresh_pct: expected from 10 to 95, found 120", ""),
        (
            f"{BOTH}, mode=writethrough, dirty_thresh_pct=50",
            "nothing is ever dirty",
            "leave dirty_thresh_pct out",
        ),
        (
            f"{BOTH}, policy=l2arc, mode=writeback",
            "with policy=l2arc nothing is ever dirty",
            "leave mode out",
        ),
        (f"{BOTH}, policy=bcach", "policy: expected one of flashcache", "did you mean `bcache`?"),
        (f"{BOTH}, polcy=bcache", "unknown option `polcy` of `cache`", "did you mean `policy`?"),
        (f"{BOTH}, restart=maybe", "restart: expected one of remove, fast_remove, crash", ""),
        (FAST, "`cache` needs slow=", ""),
        (f"samsung-pm893-480gb, {SLOW}", "`cache` takes key=value only", "names its two devices"),
    ],
)
def test_what_cannot_be_is_refused(
    drivecast: Callable[..., Run], options: str, message: str, hint: str
) -> None:
    run = drivecast("simulate", f"cache({options})", "-w", "random(4KiB, read=0.7, iodepth=4)", "-q")
    assert run.code == 2
    assert message in run.err
    assert hint in run.err
    assert "^" in run.err  # the place in the line
    assert not run.out


def test_counters_under_flashcaches_names_and_the_wear_of_its_drive(drivecast: Callable[..., Run]) -> None:
    small = "cache(fast=ssd(logical=256MiB, spare_factor=0.2), slow=ssd(logical=2GiB, spare_factor=0.2), size=128MiB)"
    load = (
        "-w",
        "random(4KiB, read=0.5, span=0.04, iodepth=4)",
        "--requests",
        "20000",
        "--output-format",
        "json",
    )
    run = drivecast("simulate", small, *load)
    assert run.code == 0, run.err
    cache = run.json["cache"]
    in_flight = 8  # at either end of what is measured
    assert cache["reads"] + cache["writes"] == pytest.approx(20_000, abs=in_flight)
    assert cache["read_hits"] <= cache["reads"]
    assert cache["hit_ratio"] == pytest.approx(
        (cache["read_hits"] + cache["write_hits"]) / (cache["reads"] + cache["writes"])
    )
    assert cache["hit_ratio"] > 0.9  # 4 % of 2 GiB lie in the cache, filled before
    assert 0 < cache["dirty_bytes"] <= cache["cached_bytes"] <= cache["size_bytes"]
    assert cache["ssd_written_bytes"] >= cache["write_hits"] * 4096
