"""Sizes of caches to compare: those given, checked, or powers of two up to the footprint."""

from collections.abc import Sequence

from drivecast import _core
from drivecast.document.cache import By
from drivecast.errors import HintedError

BLOCK_BYTES = 4096
SIZES_MAX = 100
OCTAVES = 10
"""The smallest size by default is about a thousandth of the footprint."""
FOLLOWED_MIN = 16
"""Blocks of a part of the sample that the smallest size must hold, as in a profile."""
PARTS = 8
"""Of a sample: its intervals come from these."""


def chosen(given: Sequence[int], by: By, accesses: "_core.Accesses") -> list[int]:
    """The sizes to play, rising.

    Raises `InputError` for a size that the sample does not resolve.
    """
    least = smallest(by, accesses)
    if given:
        if given[0] < least:
            why = (
                "of the sample that the trace is too long to do without"
                if accesses.rate < 1
                else "of a block"
            )
            raise HintedError(
                f"`--sizes`: {given[0]} bytes are less than the least size {why}: {least} bytes",
                f"begin with {least} bytes or more",
            )
        return list(given)
    top = 1
    while top < max(accesses.footprint_bytes, least):
        top *= 2
    sizes = [top >> octave for octave in range(OCTAVES, -1, -1)]
    return [size for size in sizes if size >= least] or [top]


def smallest(by: By, accesses: "_core.Accesses") -> int:
    """The least size that can be played: a block or a byte, or what the sample resolves."""
    unit = BLOCK_BYTES if by == "block" else 1
    if accesses.rate >= 1:
        return unit
    usual = accesses.footprint_bytes / max(accesses.objects, 1)
    return int(FOLLOWED_MIN * PARTS * usual / accesses.rate) + 1


def rising(sizes: Sequence[int]) -> list[int]:
    """The sizes as they were given, where they can be.

    Raises `InputError` for sizes of zero, too many, and those that do not rise.
    """
    if len(sizes) > SIZES_MAX:
        raise HintedError(
            f"expected up to {SIZES_MAX} sizes, found {len(sizes)}", "leave out every other one"
        )
    for before, size in zip([0, *sizes], sizes, strict=False):
        if size == 0:
            raise HintedError("a cache of 0 bytes holds nothing", "sizes are such as 1GiB,2GiB,4GiB")
        if size <= before:
            raise HintedError(
                f"sizes must rise: {size} bytes come after {before}", "sizes are such as 1GiB,2GiB,4GiB"
            )
    return list(sizes)
