"""What a comparison reads of an outcome; other keys are passed over. See `docs/reference/json.md`."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from drivecast.errors import InputError, first_fault

_LARGE = 1e18
"""More than any count, byte or nanosecond of a run."""
Number = Annotated[float, Field(ge=0, le=_LARGE, allow_inf_nan=False)]
Second = Annotated[int, Field(ge=0, le=10_000_000)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class _Stream(_Part):
    requests: Number | None = None
    iops: Number | None = None
    latency_ns: dict[str, Number | None] | None = None


class _Seconds(_Part):
    second: Second
    reads: Number | None = None
    writes: Number | None = None
    read_bytes: Number | None = None
    written_bytes: Number | None = None
    read_latency_ns_mean: Number | None = None
    write_latency_ns_mean: Number | None = None
    read_latency_ns_max: Number | None = None
    write_latency_ns_max: Number | None = None


class _Bucket(_Part):
    op: str
    latency_ns: Number
    count: Number


class _BySecond(_Part):
    second: Second
    op: str
    latency_ns: list[Number]
    count: list[Number]


class _Target(_Part):
    name: str = ""
    made: bool = False


class _Outcome(_Part):
    design: str = ""
    seed: int | None = None
    duration_s: Number | None = None
    iops: Number | None
    throughput_bytes_per_s: Number | None = None
    queue_depth_mean: Number | None = None
    host_read_bytes: Number | None = None
    host_written_bytes: Number | None = None
    saturated: bool | None = None
    workload: str | None = None
    target: _Target | None = None
    read: _Stream | None
    write: _Stream | None
    seconds: list[_Seconds] | None = None
    latencies: list[_Bucket] | None = None
    latencies_by_second: list[_BySecond] | None = None


def check(where: str, document: Any) -> None:
    """Raise `InputError` that names the place where a document is no outcome that can be compared."""
    try:
        found = _Outcome.model_validate(document)
    except ValidationError as error:
        raise InputError(
            f"`{where}` is neither a result nor an outcome: {first_fault(error)}\n"
            "hint: give a file that `drivecast bench … -o` or `drivecast simulate … -o` wrote"
        ) from None
    for at, row in enumerate(found.latencies_by_second or []):
        if len(row.latency_ns) != len(row.count) or not row.count:
            raise InputError(
                f"`{where}`: latencies_by_second.{at}: expected as many counts as latencies, at least one, found "
                f"{len(row.count)} and {len(row.latency_ns)}"
            )
