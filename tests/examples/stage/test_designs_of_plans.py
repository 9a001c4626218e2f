"""Designs that plans judge: groups, copies, spares, and the lines that their rebuilds are simulated by."""

import pytest

from bundled import CATALOG
from drivecast.document.design import Level
from drivecast.errors import HintedError, InputError
from drivecast.stage.design import Design, parse, shape
from drivecast.stage.rebuild import bytes_per_s, rebuilding

NAME = "samsung-pm893-480gb"
DRIVE = CATALOG.get(NAME)


@pytest.mark.parametrize(
    ("line", "data_drives", "tolerated", "bays"),
    [
        (f"raid50(8 * {NAME}, groups=2)", 6, 1, 8),
        (f"raid60(12 * {NAME}, groups=2)", 8, 2, 12),
        (f"raid0(2 * raid5(4 * {NAME}))", 6, 1, 8),
        (f"raid0(3 * raid6(5 * {NAME}))", 9, 2, 15),
        (f"raid0(2 * raid1(3 * {NAME}))", 2, 2, 6),
        (NAME, 1, 0, 1),
        (f"raid0(4 * {NAME})", 4, 0, 4),
        (f"raid1(2 * {NAME})", 1, 1, 2),
        (f"raid1(3 * {NAME})", 1, 2, 3),
        (f"raid5(4 * {NAME})", 3, 1, 4),
        (f"raid6(6 * {NAME})", 4, 2, 6),
        (f"raid10(4 * {NAME})", 2, 1, 4),
        (f"raid5(5 * {NAME}, spares=1)", 3, 1, 5),
        (f"raid10(9 * {NAME}, spares=1)", 4, 1, 9),
        (f"raid0(2 * raid5(5 * {NAME}, spares=1))", 6, 1, 10),
    ],
)
def test_a_line_says_what_holds_data_what_may_fail_and_what_is_bought(
    line: str, data_drives: int, tolerated: int, bays: int
) -> None:
    design = parse(line, CATALOG)
    assert (design.data_drives, design.failures_tolerated, design.bays) == (data_drives, tolerated, bays)
    assert design.usable_bytes == data_drives * DRIVE.user_bytes


@pytest.mark.parametrize(
    ("level", "count", "groups", "spares"),
    [
        ("raid50", 12, 3, 0),
        ("raid60", 8, 2, 1),
        ("raid10", 9, 3, 0),
        ("raid10", 8, None, 1),
        ("raid5", 4, None, 2),
    ],
)
def test_what_a_search_makes_is_read_as_what_it_is(
    level: Level, count: int, groups: int | None, spares: int
) -> None:
    made = Design(DRIVE, level, count, groups=groups, spares=spares)
    read = parse(made.line, CATALOG)
    assert read.is_plain
    assert (read.level, read.count, read.redundancy, read.spares) == (level, count, made.redundancy, spares)
    assert read.title == made.title


def test_titles_say_groups_copies_and_spares() -> None:
    title = f"{DRIVE.title} (TLC)"
    assert Design(DRIVE, "raid50", 12, groups=3).title == f"12 × {title}, RAID 50 in 3 groups"
    assert Design(DRIVE, "raid10", 9, groups=3).title == f"9 × {title}, RAID 10 of 3 copies"
    assert Design(DRIVE, "raid5", 4, spares=1).title == f"5 × {title}, RAID 5, 1 hot spare"
    assert Design(DRIVE, "raid10", 8).title == f"8 × {title}, RAID 10"


def test_a_design_serves_without_its_spares() -> None:
    spared = f"raid5(5 * {NAME}, spares=1)"
    assert parse(spared, CATALOG).serving.line == f"raid5(4 * {NAME})"
    chunked = f"raid5(5 * {NAME}, spares=1, chunk=16KiB)"
    assert parse(chunked, CATALOG).serving.line == chunked


@pytest.mark.parametrize(
    ("line", "hit"),
    [
        (f"raid5(4 * {NAME})", f"raid5(5 * {NAME}, spares=1, degraded=1, rebuild=@)"),
        (f"raid5(5 * {NAME}, spares=1)", f"raid5(5 * {NAME}, spares=1, degraded=1, rebuild=@)"),
        (f"raid50(8 * {NAME}, groups=2)", f"raid50(9 * {NAME}, groups=2, spares=1, degraded=1, rebuild=@)"),
        (
            f"raid0(3 * raid5(4 * {NAME}), chunk=16KiB)",
            f"raid0(raid5(5 * {NAME}, spares=1, degraded=1, rebuild=@), 2 * raid5(4 * {NAME}), chunk=16KiB)",
        ),
    ],
)
def test_a_rebuild_is_of_the_group_that_was_hit(line: str, hit: str) -> None:
    found = rebuilding(parse(line, CATALOG))
    assert found == hit.replace("@", f"{bytes_per_s(DRIVE) / 1e6:g}MB/s")
    assert shape(found, CATALOG).usable_bytes == shape(line, CATALOG).usable_bytes


def test_what_has_no_one_redundancy_is_refused() -> None:
    with pytest.raises(HintedError) as refused:
        parse(f"raid1(2 * raid0(2 * {NAME}))", CATALOG)
    assert "RAID 0" in str(refused.value.hint)
    with pytest.raises(InputError):
        rebuilding(parse(f"raid5(4 * {NAME}, degraded=1)", CATALOG))
