"""CacheLib's two engines on one drive: what it costs to mix them in the drive's erase blocks.

Model. The small-object engine overwrites buckets of 4 KiB at random, evenly, in its share of the cache; the
large-object engine writes the rest in order, region by region, over and over. A drive that takes them as one stream
mixes both in each block it erases, and what is overwritten at random leaves holes among what stays for a whole round;
with flexible data placement each has blocks of its own.

Scaled: drive, erase unit and region keep their ratios, so amplification stays what it is (it depends on the share of
spare, not on bytes); an erase unit is 1/256 of the drive here, about 1/300 there (6 GB of 1.88 TB, assumed), a region
1/256 of an erase unit.

Two parameters: the flash of the drive over its capacity, taken as 2 TiB over 1.88 TB; and the share of the bytes that
goes to small objects, which the publication's summary does not give: chosen, among steps of 0.05, for the mixed
figure at full use, which is shown as given and judges nothing.

Left out: hits, admission, Bloom filters, the index; gaps between regions, and other data on the drive.
"""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl

from drivecast import _core
from drivecast.catalog import Catalog
from drivecast.document.wear import Amplification
from drivecast.reproduce.experiment import Experiment, Findings, published

PAGE = 4096
LOGICAL = 1 << 30
REGION_PAGES = 4
SPARE = 2 * 2**40 / 1.88e12 - 1
SMALL_SPACE = 0.04
SMALL_BYTES = 0.6
USES = {"half": 0.5, "full": 1.0}
SAME = 0.02
"""Amplifications that differ by less show no gain."""


@dataclass(frozen=True)
class Engines:
    """The writes of both engines on a drive, until its amplification is steady."""

    use: float
    """Share of the drive that the cache takes."""
    streams: int
    """1: mixed; 2: kept apart."""
    small_space: float = SMALL_SPACE
    small_bytes: float = SMALL_BYTES

    def writes(self, seed: int) -> pl.DataFrame:
        """The requests of one round of the large-object engine, those of the small one evenly in between."""
        random = np.random.default_rng(seed)
        pages = int(LOGICAL * self.use) // PAGE
        small_pages = int(pages * self.small_space)
        large = (pages - small_pages) // REGION_PAGES
        small = int(large * REGION_PAGES * self.small_bytes / (1 - self.small_bytes))
        is_large = np.zeros(large + small, dtype=bool)
        is_large[(np.arange(large) * (large + small)) // large] = True
        page = np.empty(large + small, dtype=np.int64)
        page[is_large] = small_pages + np.arange(large) * REGION_PAGES
        page[~is_large] = random.integers(0, max(1, small_pages), small)
        return pl.DataFrame(
            {
                "time_ns": np.arange(large + small) * 1000,
                "op": ["write"] * (large + small),
                "offset_bytes": page * PAGE,
                "size_bytes": np.where(is_large, REGION_PAGES * PAGE, PAGE),
                "stream": is_large.astype(np.int64),
                "latency_ns": [None] * (large + small),
            }
        )

    def run(self, catalog: Catalog, seed: int) -> Amplification:  # noqa: ARG002 (no drive of the catalog)
        """Return what the flash does."""
        with TemporaryDirectory(prefix="drivecast-engines-") as folder:
            path = Path(folder) / "writes.csv"
            self.writes(seed).write_csv(path)
            load = _core.Workload.trace([path])
        apart = f", streams={self.streams}, stream_by=host" if self.streams > 1 else ""
        design = (
            f"ssd(logical={LOGICAL // 2**20}MiB, spare_factor={SPARE:.4f}, pages_per_block=1024, "
            f"channels=1, dies_per_channel=1{apart})"
        )
        found = _core.wear(design, {}, load, seed=seed, fill=0.0)
        return Amplification.model_validate(found)


TASKS = {
    f"{use}.{placement}": Engines(share, streams)
    for use, share in USES.items()
    for placement, streams in (("mixed", 1), ("apart", 2))
}
LARGE_ALONE = {
    f"large.{placement}": Engines(1.0, streams, small_space=0.0, small_bytes=0.0)
    for placement, streams in (("mixed", 1), ("apart", 2))
}


def read_engines(findings: Findings[Amplification]) -> None:
    """Amplification by use and placement; what mixing costs, and without the small-object engine."""
    theirs = published()["cachelib-fdp"]["amplification"]
    ours = {name: found.write_amplification for name, found in findings.outcomes.items()}
    for name in TASKS:
        use, placement = name.split(".")
        findings.figure(
            f"{use} use, engines {placement}",
            "x",
            theirs[use][placement],
            ours[name],
            kind="given" if name == "full.mixed" else "simulated",
        )
    for use in USES:
        statement = f"{use} use: keeping the engines apart lowers the amplification"
        findings.compared(statement, ours[f"{use}.apart"], "<", ours[f"{use}.mixed"], "x")
    findings.compared(
        "mixing costs more at full use than at half", ours["half.mixed"], "<", ours["full.mixed"]
    )
    mixed, apart = ours["large.mixed"], ours["large.apart"]
    findings.ordering(
        "without the small-object engine there is nothing to gain",
        abs(mixed / apart - 1) < SAME,
        f"{mixed:.2f} against {apart:.2f} x",
    )


ENGINES = Experiment(
    name="cachelib-fdp",
    title="CacheLib's small- and large-object engines, mixed and kept apart by flexible data placement",
    documents=("cachelib-fdp",),
    conditions=(
        "2 TiB of flash in a drive of 1.88 TB",
        f"{SMALL_BYTES:.0%} of the bytes go to small objects: chosen for the mixed figure at full use",
        "the drive erases 1/256 of itself at a time, and cleans the emptiest first",
        "requests of the two engines alternate evenly",
    ),
    read=read_engines,
    tasks=TASKS | LARGE_ALONE,
)
