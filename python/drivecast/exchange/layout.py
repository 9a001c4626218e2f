"""What importers share: places in a file for messages, and several targets on one span.

A model has one range of addresses. Where a job file works on several files or drives, they are laid one after the
other.
"""

import math
from dataclasses import dataclass, field
from itertools import chain, count

from drivecast.document.model import Model, Quantiles, Stream, Zone, mean
from drivecast.errors import HintedError, InputError

LONGEST_FOUND = 60
"""Characters of what was found that a message repeats."""
STREAMS_MAX = 256
SPAN_MAX = 1 << 60


@dataclass(frozen=True)
class Place:
    """A line of a file."""

    file: str
    line: int

    def fault(self, expected: str, found: str, hint: str = "") -> InputError:
        """What is wrong here."""
        short = found if len(found) <= LONGEST_FOUND else f"{found[:LONGEST_FOUND]}…"
        return self._error(f"expected {expected}, found `{short}`", hint)

    def unsupported(self, what: str, hint: str = "") -> InputError:
        """What is understood but has no place in a model."""
        return self._error(f"{what}: a workload model does not represent that", hint)

    def _error(self, what: str, hint: str) -> InputError:
        error = HintedError(f"{self.file}:{self.line}: {what}", hint)
        error.path, error.line = str(self.file), self.line
        return error

    def number(self, text: str, what: str, low: int = 0, high: int = SPAN_MAX) -> int:
        """A whole number in a range."""
        word = text.strip()
        if not (word.isascii() and word.isdigit() and len(word) < 20 and low <= int(word) <= high):
            raise self.fault(f"{what} from {low} to {high}", text)
        return int(word)


Part = tuple[int, int, float]
"""A zone: where it begins and ends in bytes of a target, and its share."""


@dataclass
class Piece:
    """A stream whose zones are in bytes of a target."""

    stream: Stream
    target: str
    parts: list[Part]


@dataclass
class Found:
    """What a file holds: streams on targets, the size of each target where the file states it, and notes."""

    pieces: list[Piece] = field(default_factory=list)
    sizes: dict[str, int] = field(default_factory=dict)
    duration_s: float | None = None
    notes: list[str] = field(default_factory=list)

    def note(self, what: str) -> None:
        """Add what was read otherwise than written."""
        if what not in self.notes:
            self.notes.append(what)

    def note_cap(self, tool: str) -> None:
        """Note that a rate of the tool's is not one of the model's."""
        self.note(
            f"a rate of {tool}'s is a cap with a bounded depth; the model's comes whatever the device does"
        )

    def add(self, stream: Stream, target: str, parts: list[Part], size: int) -> None:
        """Add a stream on parts of a target that has at least this size."""
        self.pieces.append(Piece(stream, target, parts))
        self.sizes[target] = max(self.sizes.get(target, 0), size)

    def model(self, name: str, source: str) -> Model:
        """The streams on one span."""
        bases, base = {}, 0
        for target in dict.fromkeys(piece.target for piece in self.pieces):
            bases[target] = base
            base += self.sizes[target]
        if len(bases) > 1:
            order = ", ".join(f"`{target}`" for target in bases)
            self.note(f"{len(bases)} targets are laid one after the other: {order}")
        streams, names = [], set[str]()
        for piece in self.pieces:
            first, called = bases[piece.target], piece.stream.name
            zones = [
                Zone(from_=(first + start) / base, to=(first + end) / base, share=share)
                for start, end, share in piece.parts
            ]
            tried = chain([called], (f"{called}-{n}" for n in count(2)))
            own = next(name for name in tried if name not in names)
            names.add(own)
            address = piece.stream.address.model_copy(update={"zones": zones})
            streams.append(piece.stream.model_copy(update={"name": own, "address": address}))
        if len(streams) > STREAMS_MAX:
            raise InputError(f"{source}: expected at most {STREAMS_MAX} streams, found {len(streams)}")
        return Model(
            name=name,
            span_bytes=base,
            duration_s=self.duration_s,
            streams=streams,
            provenance={"default": {"published": f"imported from {source}"}},
        )


def geometric_runs(mean_requests: float, request_bytes: float) -> Quantiles:
    """Lengths of runs that end after each request with the same chance, as a table with exactly that mean.

    A run is longer than k requests with chance (1 − 1/m)^k.
    """
    if mean_requests <= 1:
        return request_bytes
    ends = 1 / mean_requests
    shares = [ends + (1 - ends) * share for share in (0.0, 0.25, 0.5, 0.75, 0.9, 0.97, 0.995)]
    steps = [math.log(1 - share) / math.log(1 - ends) for share in shares]
    points = [*zip(shares, steps, strict=True), (1.0, steps[-1] + mean_requests)]

    def table(stretch: float) -> list[tuple[float, float]]:
        return [(share, request_bytes * (1 + stretch * max(0.0, step - 1))) for share, step in points]

    low, high = 0.0, 8.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if mean(table(middle)) < mean_requests * request_bytes else (low, middle)
    return table(high)
