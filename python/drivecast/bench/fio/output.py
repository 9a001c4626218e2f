"""What fio writes with `--output-format=json+`, typed; keys that are not used are passed over.

Lines of text before the document are fio's own words: warnings, and why a job failed. Counts are those of the latency
statistics (`N`), which are of what completed behind the ramp; `total_ios` counts what was issued and differs by the
requests that were outstanding then.
"""

import json
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from drivecast.bench.fio.histogram import Histogram
from drivecast.errors import InputError, first_fault

_LARGE = 1e18
"""More than any count, byte or nanosecond of a run."""
Count = Annotated[int, Field(ge=0, le=int(_LARGE))]
Number = Annotated[float, Field(ge=0, le=_LARGE, allow_inf_nan=False)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class Latency(_Part):
    """Latencies of one kind; the bins only where the job requested them."""

    longest: Count = Field(0, alias="max")
    mean: Number = 0.0
    count: Count = Field(0, alias="N")
    bins: dict[Count, Count] = {}
    percentile: dict[str, Number] = {}

    def histogram(self) -> Histogram:
        """The same as a histogram."""
        count = self.count or sum(self.bins.values())
        return Histogram(count, self.mean * count, self.longest, self.bins)


class Direction(_Part):
    """What a job read, or wrote."""

    io_bytes: Count = 0
    total_ios: Count = 0
    runtime: Count = 0
    """Milliseconds."""
    lat_ns: Latency = Latency(max=0, N=0)
    clat_ns: Latency = Latency(max=0, N=0)
    slat_ns: Latency = Latency(max=0, N=0)

    def histogram(self) -> Histogram:
        """From submission; where this fio reports no bins of that, those of completion."""
        whole, rest = self.lat_ns.histogram(), self.clat_ns.histogram()
        found = rest if (rest.bins and not whole.bins) or not whole.count else whole
        return found if found.count else Histogram(self.total_ios)


class Sync(_Part):
    """What a job flushed."""

    total_ios: Count = 0
    lat_ns: Latency = Latency(max=0, N=0)


class JobReport(_Part):
    """One job of the file, or one of its clones."""

    jobname: str
    error: int = 0
    read: Direction = Direction()
    write: Direction = Direction()
    sync: Sync = Sync()


class Report(_Part):
    """The whole document."""

    version: str = Field(alias="fio version")
    jobs: list[JobReport] = Field(min_length=1)


def split(text: str) -> tuple[list[str], str]:
    """Return fio's own messages, and the document."""
    lines = text.splitlines(keepends=True)
    at = next((n for n, line in enumerate(lines) if line.startswith("{")), len(lines))
    words = [line.strip() for line in lines[:at] if line.strip()]
    return words, "".join(lines[at:])


def parse(text: str) -> Report:
    """The report. Raises `InputError` where fio wrote something else."""
    _words, document = split(text)
    try:
        found, _end = json.JSONDecoder().raw_decode(document)
        return Report.model_validate(found)
    except (ValueError, RecursionError) as error:
        raise InputError(f"fio's JSON cannot be read: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    if isinstance(error, ValidationError):
        return first_fault(error)
    if isinstance(error, json.JSONDecodeError):
        return f"line {error.lineno}, column {error.colno}: {error.msg}" if error.doc else "it is empty"
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
