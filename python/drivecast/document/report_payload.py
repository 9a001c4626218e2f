"""What a report carries besides its text, so that a browser can ask its plan again."""

from dataclasses import dataclass
from typing import Literal, Self

from pydantic import PrivateAttr

from drivecast.document.part import Document

WhatIf = Literal["simulate", "rank", "nothing"]
"""Whether a report's page can also simulate, for which it carries the recording, can rank anew, or neither."""


@dataclass(frozen=True)
class ReportPayload:
    """All that the designs of a plan were judged by; `crates/assess/src/what_if/carried.rs` reads it."""

    document: str
    """JSON."""
    recording: bytes | None
    """Times, addresses and sizes of all requests, in compact form; none where it only ranks, or plays counters."""
    of_counters: bool = False
    """Whether the document has what is played of counters, in place of a recording."""

    @property
    def plays(self) -> bool:
        """Whether the page can simulate."""
        return self.recording is not None or self.of_counters


class Asked(Document):
    """A document whose report can be asked again: what it carries for that is no part of the document."""

    _carried: ReportPayload | None = PrivateAttr(default=None)

    @property
    def carried(self) -> ReportPayload | None:
        """What its report carries."""
        return self._carried

    def carrying(self, carried: ReportPayload | None) -> Self:
        """Return the same with what its report carries."""
        found = self.model_copy()
        found._carried = carried
        return found
