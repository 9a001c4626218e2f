"""What is done to an attached design, and when: `--fail 3@60s`, `--rebuild 200MB/s@90s`, `--slow 2@30s:10`, `--cut 9s`.

Times count from the moment at which the device is there, by the clock of the wall. Members are drives in the order of
the design line, counted from 0 as in `failed=2+5`.

Which failures a level survives: no group of it may lose more members than its redundancy tolerates; groups are members
in order. Left out: arrays of arrays and caches, of which the core alone knows (it then answers EIO, too), and whether
a rebuild is done before the next failure, so only those before it count as rebuilt.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from drivecast.assess.mttdl import redundancy
from drivecast.document.attached import What
from drivecast.document.design import Shape
from drivecast.errors import HintedError, InputError
from drivecast.quantity import parse as quantity
from drivecast.quantity.number import duration

FACTOR_MAX = 1e6


@dataclass(frozen=True)
class Planned:
    """One thing to be done."""

    at_s: float
    what: What
    member: int | None = None
    bytes_per_s: float | None = None
    factor: float | None = None


@dataclass(frozen=True)
class Timetable:
    """All that is to be done, the earliest first."""

    events: Sequence[Planned] = field(default=())

    @property
    def cuts(self) -> bool:
        """Whether the power is cut: what was not flushed must be held apart."""
        return any(event.what == "cut" for event in self.events)

    def within(self, members: int, design: str) -> None:
        """Raise `InputError` where a member is named that the design does not have."""
        for event in self.events:
            if event.member is not None and event.member >= members:
                raise HintedError(
                    f"--{event.what}: `{design}` has no member {event.member}",
                    f"it has {members}, counted from 0"
                    if members > 1
                    else "it has one drive, which is member 0",
                )


def timetable(
    fails: Iterable[str] = (), rebuilds: Iterable[str] = (), slows: Iterable[str] = (), cut: str | None = None
) -> Timetable:
    """The timetable that options describe. Raises `InputError` for what is not understood, and names the option."""
    given = (
        ("--fail", _fail, fails),
        ("--rebuild", _rebuild, rebuilds),
        ("--slow", _slow, slows),
        ("--cut", _cut, () if cut is None else (cut,)),
    )
    events = [quantity.option(option, parse, text) for option, parse, texts in given for text in texts]
    return Timetable(sorted(filter(None, events), key=lambda event: event.at_s))


def unsurvived(found: Timetable, shape: Shape) -> str | None:
    """What no redundancy of the design survives, as a sentence; none where it survives all, or nothing is known."""
    if shape.level is None:
        return None
    count = sum(shape.drives.values()) - shape.spares
    groups = None if shape.level == "single" else shape.groups
    group = redundancy(shape.level, count, groups)
    gone: set[int] = set()
    for event in found.events:
        if event.what == "rebuild":
            gone.clear()
        if event.what != "fail" or event.member is None:
            continue
        gone.add(event.member)
        lost = Counter(member // group.drives for member in gone)
        if max(lost.values()) > group.failures:
            level = "one drive" if shape.level == "single" else f"RAID {shape.level.removeprefix('raid')}"
            return (
                f"{level} does not survive the failure of member {event.member} at {duration(event.at_s)}: "
                "the device answers EIO from then on"
            )
    return None


def error_rate(text: str) -> float:
    """A share of requests: `0.001`, `0.1%`. Raises `InputError` beyond 1."""
    found = quantity.fraction_or_more(text)
    if not 0 <= found <= 1:
        raise InputError(f"expected a share of requests such as 0.1% or 0.001, found `{text}`")
    return found


def _fail(text: str) -> Planned:
    member, at = _apart(text, "MEMBER@TIME such as 3@60s")
    return Planned(_time_s(at), "fail", member=_member(member))


def _rebuild(text: str) -> Planned:
    rate, at = _apart(text, "RATE@TIME such as 200MB/s@90s")
    return Planned(_time_s(at), "rebuild", bytes_per_s=float(quantity.bytes_per_s(rate)))


def _slow(text: str) -> Planned:
    form = "MEMBER@TIME:FACTOR such as 2@30s:10"
    member, rest = _apart(text, form)
    at, colon, factor = rest.partition(":")
    if not colon:
        raise InputError(f"expected {form}, found `{text}`")
    return Planned(_time_s(at), "slow", member=_member(member), factor=_factor(factor))


def _cut(text: str) -> Planned:
    return Planned(_time_s(text), "cut")


def _apart(text: str, form: str) -> tuple[str, str]:
    what, at, time = text.partition("@")
    if not (at and what.strip() and time.strip()):
        raise InputError(f"expected {form}, found `{text}`")
    return what.strip(), time.strip()


def _member(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise InputError(f"expected the number of a member, counted from 0, found `{text}`")
    return int(text)


def _factor(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 1 <= found <= FACTOR_MAX:
        raise InputError(f"expected how many times as long it takes, from 1 on such as 10, found `{text}`")
    return found


def _time_s(text: str) -> float:
    """A time from 0 on."""
    try:
        found = float(text)
    except ValueError:
        found = quantity.time_s(text)
    if not 0 <= found < quantity.SECONDS_MAX:
        raise InputError(f"expected a time such as 60s or 5min, found `{text}`")
    return found
