"""What `dmsetup status` and `dmsetup table` print: a line a target, or a line and what follows it (FlashCache).

    [NAME: ]START LENGTH TARGET ARGUMENTS...

START and LENGTH are sectors of 512 bytes; the name is missing where one device was asked for. Lines before the first
such line (prompts, dates) are passed over. Source: dmsetup(8).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from drivecast.caching.cache_sample import Source

SECTOR_BYTES = 512
_HEAD = re.compile(
    r"^\s*(?:(?P<name>[^\s:]+): )?(?P<start>\d{1,20}) (?P<length>\d{1,20}) (?P<target>[a-z][\w-]*)(?: (?P<rest>.*))?$"
)


@dataclass
class Target:
    """A target with its arguments, and the lines below it."""

    source: Source
    line: int
    name: str
    length: int
    """In sectors."""
    target: str
    rest: str
    below: list[tuple[int, str]] = field(default_factory=list)

    @property
    def place(self) -> str:
        """Where it is, for a message."""
        return self.source.at(self.line)


def with_tables(status: Sequence[Target], tables: Sequence[Target]) -> Iterator[tuple[Target, Target | None]]:
    """Yield each status with its device's table: that of its name, or the only one where either has no name."""
    named = {target.name: target for target in tables}
    alone = tables[0] if len(tables) == len(status) == 1 else None
    for target in status:
        found = named.get(target.name)
        if found is None and alone is not None and not (target.name and alone.name):
            found = alone
        yield target, found


def targets(source: Source) -> list[Target]:
    """Return the targets in a text."""
    return list(_targets(source))


def _targets(source: Source) -> Iterator[Target]:
    current: Target | None = None
    for number, line in enumerate(source.text.splitlines(), 1):
        head = _HEAD.match(line)
        if head is not None:
            if current is not None:
                yield current
            current = Target(
                source,
                number,
                head["name"] or "",
                int(head["length"]),
                head["target"],
                (head["rest"] or "").strip(),
            )
        elif current is not None and line.strip():
            current.below.append((number, line))
    if current is not None:
        yield current
