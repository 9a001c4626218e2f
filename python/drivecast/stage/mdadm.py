"""The commands that create an array as it is simulated, with Linux software RAID (mdadm(8)).

Model. RAID 10 is md's near layout, its copies on neighbouring members; parity is md's default, left-symmetric; RAID 50
and 60 are stripes over arrays with parity, which md makes one by one. The chunk is always given, since md's own
default of 512 KiB is that of few designs. Left out: names of drives, partitions, and the settings of a controller.
"""

from drivecast.stage.design import Design


def commands(design: Design) -> list[str]:
    """Those of the array, in order; none for one drive, nor for a line with options that md does not have."""
    if design.level == "single" or not design.is_plain:
        return []
    group, level = design.redundancy, design.level.removeprefix("raid")
    chunk = "" if level == "1" else f" --chunk={design.chunk.removesuffix('iB')}"
    if level in ("50", "60"):
        of_group = [
            _create(n, level[0], group.drives, chunk, _share(design.spares, group.groups, n))
            for n in range(1, group.groups + 1)
        ]
        arrays = f"/dev/md{{1..{group.groups}}}"
        return [*of_group, _create(0, "0", group.groups, chunk, 0, of=arrays)]
    copies = f" --layout=n{group.drives}" if level == "10" else ""
    return [_create(0, level + copies, design.count, chunk, design.spares)]


def _create(number: int, level: str, drives: int, chunk: str, spares: int, of: str = "DRIVES") -> str:
    waiting = f" --spare-devices={spares}" if spares else ""
    return f"mdadm --create /dev/md{number} --level={level} --raid-devices={drives}{chunk}{waiting} {of}"


def _share(spares: int, groups: int, number: int) -> int:
    """The spares of a group: where they do not divide evenly, the first groups have one more."""
    return spares // groups + (number <= spares % groups)
