"""The designs worth a thought: every drive of the catalog, alone or in arrays of one kind.

Model: a design is `count` drives of one kind at one RAID level, whole or partitioned; usable capacity counts data
drives. Software RAID on the host is assumed, so an array costs its drives and their slots. Arrays that may lose data
too often are there with a hot spare, too. Caches before disks are those of
`cache_space`. Left out: mixed drives and tiers.
"""

from collections.abc import Iterator
from dataclasses import replace

from drivecast.catalog import Catalog
from drivecast.document.design import Level
from drivecast.document.plan_options import Where
from drivecast.document.profile import Profile
from drivecast.plan import data_loss
from drivecast.plan.requirement import Requirements
from drivecast.stage.design import SMALL_CHUNK_BYTES, Design

LADDERS: tuple[tuple[tuple[Level, int], ...], ...] = (
    (("single", 1), ("raid0", 2), ("raid0", 4), ("raid0", 8), ("raid0", 12), ("raid0", 16), ("raid0", 24)),
    (
        ("raid1", 2),
        ("raid10", 4),
        ("raid10", 6),
        ("raid10", 8),
        ("raid10", 12),
        ("raid10", 16),
        ("raid10", 24),
    ),
    (("raid1", 3),),
    (("raid5", 3), ("raid5", 4), ("raid5", 5), ("raid5", 6), ("raid5", 8)),
    (("raid6", 4), ("raid6", 5), ("raid6", 6), ("raid6", 8), ("raid6", 10), ("raid6", 12)),
)
"""Array sizes that people build, by kind of redundancy; a chassis holds 24 drives."""

GROUPED: tuple[tuple[tuple[Level, int, int], ...], ...] = (
    (("raid50", 8, 2), ("raid50", 10, 2), ("raid50", 12, 2), ("raid50", 16, 2), ("raid50", 24, 4)),
    (("raid60", 8, 2), ("raid60", 12, 2), ("raid60", 16, 2), ("raid60", 20, 2), ("raid60", 24, 2)),
    (("raid10", 6, 2), ("raid10", 9, 3), ("raid10", 12, 4), ("raid10", 18, 6), ("raid10", 24, 8)),
)
"""Drives and groups of RAID 50, of RAID 60, and of RAID 10 of three copies."""

PARTITIONS = (1.0, 0.8)
"""Share of a flash drive that is partitioned; 0.75-0.80 is the published advice for endurance (Percona)."""


M2_SLOTS = 2
"""Of a server's board or boot adapter (assumed): M.2 drives go into no bay, so larger arrays of them are not built."""

Ladder = tuple[Design, ...]
"""One drive with one kind of redundancy and partition, in rising counts: the first that fits ends the climb."""


def ladders(catalog: Catalog) -> Iterator[Ladder]:
    """Every ladder over the catalog, in a fixed order."""
    for _, drive in sorted(catalog.drives.items()):
        is_m2 = drive.form == "M.2"
        for steps in LADDERS:
            built = [step for step in steps if not is_m2 or step[1] <= M2_SLOTS]
            for partition in (PARTITIONS if drive.is_flash else PARTITIONS[:1]) if built else ():
                yield tuple(Design(drive, level, count, partition) for level, count in built)
        for large in () if is_m2 else GROUPED:
            yield tuple(Design(drive, level, count, groups=groups) for level, count, groups in large)


def chunk_kib(profile: Profile, *, is_flash: bool) -> int | None:
    """The chunk that an administrator would choose: the default of md, or that of controllers for small requests.

    A request that is larger than a chunk takes the heads of several disks; 1 MiB is the most that is usual. Flash has
    no heads: with small chunks its drives share a large request, and a large write renews whole rows, where parity
    needs no reads and md handles an eighth of the pages.
    """
    mean = profile.block_size_mean_bytes or 0
    if is_flash or mean <= SMALL_CHUNK_BYTES:
        return None
    return 512 if mean <= 512 * 1024 else 1024


def searched(catalog: Catalog, requirements: Requirements, where: Where, profile: Profile) -> list[Ladder]:
    """All ladders, laid out for the workload, and those with spares; none of a cloud."""
    found: list[Ladder] = []
    for plain in ladders(catalog) if where != "cloud" else ():
        chunk = chunk_kib(profile, is_flash=plain[0].is_flash)
        ladder = tuple(replace(design, chunk_kib=chunk) for design in plain) if chunk else plain
        found.append(ladder)
        if spared := with_spare(ladder, requirements):
            found.append(spared)
    return found


def with_spare(ladder: Ladder, requirements: Requirements) -> Ladder:
    """The steps of a ladder that may lose data too often, each with a hot spare with which it may not."""
    if not requirements.limits_data_loss:
        return ()
    slack = data_loss.CLOSED_FORM_SLACK
    return tuple(
        spared
        for design in ladder
        if design.failures_tolerated >= max(1, requirements.drive_losses) and not design.is_of_copies
        if data_loss.likely(design, requirements) > requirements.data_loss / slack
        if data_loss.likely(spared := replace(design, spares=1), requirements)
        <= requirements.data_loss * slack
    )
