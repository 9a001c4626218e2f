"""RAID controllers, and software RAID as one: what each can do at a time, every figure with its origin.

Model: `docs/explanation/raid.md`. A controller's figures become the parameters of the simulated one by a
change of units only.
"""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import Field

from drivecast.catalog.figure import Count, Figure, NonNegative, Positive, Strict, Switch, known
from drivecast.document.catalog import Parameter

MB = 1_000_000
KIB = 1 << 10
MIB = 1 << 20
TIMES = ("host_command", "member_command", "stripe", "port_read", "port_write", "coalesce")
RATES = ("xor", "q", "host", "memory", "port")

DESTAGE_ABOVE = 0.5
"""Share of the cache that may be dirty before it is written out for its own sake. Assumed."""
DESTAGE_STRIPES = 64
"""Stripes being written out at a time. Assumed."""
DESTAGE_DEPTH = 1
"""Commands at each member at a time for stripes written out in part: Varma and Jacobson (1998), as in `cache.rs`."""


class BlockLayer(Strict):
    """The operating system's queue in front of a drive."""

    scheduler: Figure[Literal["fifo", "deadline", "cfq"]]
    requests: Count
    """Requests that it holds before their processes sleep."""
    device_depth: Count | None = None
    """Requests that the device takes at a time; none: as many as its drives."""


class Controller(Strict):
    """One controller of `controllers.toml`."""

    title: Annotated[str, Field(min_length=1)]
    processors: Count
    host_command_us: NonNegative
    member_command_us: NonNegative
    stripe_us: NonNegative
    stripe_kib: Count | None = None
    """Parity is handled in pieces of so much of each chunk; else by whatever a write changes."""
    stripe_cache_kib: Count | None = None
    """What a stripe cache holds of each member, in which writes in order join; none: each is carried out alone."""
    stripe_threads: Count | None = None
    """Threads for parity alone; else the processors do it among their commands."""
    parity_on_processors: Switch | None = None
    """Whether there is no parity engine."""
    xor_mb_s: Positive
    """Sources that an exclusive or takes in."""
    q_mb_s: Positive
    """Sources that the second parity of RAID 6 takes in."""
    host_mb_s: Positive | None = None
    memory_mb_s: Positive | None = None
    port_mb_s: Positive | None = None
    port_read_us: NonNegative | None = None
    """What a read takes of the link to its drive besides its data; none: what the drive needs."""
    port_write_us: NonNegative | None = None
    coalesce_us: NonNegative | None = None
    """How long completions are held back to interrupt the host once for several."""
    coalesce_from: Count | None = None
    """Commands outstanding from which on they are."""
    queue_depth: Count
    member_queue_depth: Count
    cache_mib: Figure[Annotated[int, Field(gt=0)]] | None = None
    cache_mode: Figure[Literal["write-back", "write-through"]] | None = None
    """Whether a write is complete in the cache, or only on the drives."""
    cache_battery: Switch | None = None
    """Whether the cache outlives a loss of power; without, a flush waits until it is written out."""

    block_layer: BlockLayer | None = None
    """Only where the operating system that ran it is known."""
    fitted_runs: list[str] = Field(default_factory=list)
    """Runs of a table of measured drives that figures here were fitted to: `drive randread 1x32`."""


class ControllerFile(Strict):
    """`controllers.toml`."""

    sources: dict[str, str]
    controllers: dict[str, Controller]


def _value(figure: Figure[Any] | None, unit: float = 1) -> Any:
    return None if figure is None else figure.value * unit


def controller_spec(controller: Controller) -> dict[str, Any]:
    """Return the parameters that a simulation takes."""
    cache = None
    if controller.cache_mib is not None and _value(controller.cache_mode) == "write-back":
        cache = {
            "bytes": controller.cache_mib.value * MIB,
            "battery": bool(_value(controller.cache_battery)),
            "destage_above": DESTAGE_ABOVE,
            "destage_stripes": DESTAGE_STRIPES,
            "destage_depth": DESTAGE_DEPTH,
        }
    return {
        "cores": controller.processors.value,
        **{f"{name}_ns": round(_value(getattr(controller, f"{name}_us"), 1e3) or 0) for name in TIMES},
        "coalesce_from": _value(controller.coalesce_from) or 0,
        "stripe_bytes": _value(controller.stripe_kib, KIB),
        "stripe_cache_bytes": _value(controller.stripe_cache_kib, KIB),
        "stripe_threads": _value(controller.stripe_threads),
        "parity_on_cores": bool(_value(controller.parity_on_processors)),
        **{f"{name}_bytes_per_s": _value(getattr(controller, f"{name}_mb_s"), MB) for name in RATES},
        "queue_depth": controller.queue_depth.value,
        "member_queue_depth": controller.member_queue_depth.value,
        "cache": cache,
        "block_layer": _block_layer(controller.block_layer),
    }


def _block_layer(layer: BlockLayer | None) -> dict[str, Any] | None:
    return None if layer is None else {name: _value(figure) for name, figure in layer}


def controller_provenance(controller: Controller, sources: dict[str, str]) -> list[Parameter]:
    """List the figures with what is known of each."""
    return [
        known(name, figure.value, figure, sources)
        for part in (controller, controller.block_layer)
        for name, figure in part or ()
        if isinstance(figure, Figure)
    ]


def doubts(controller: Controller) -> Iterator[tuple[str, str, str]]:
    """List what cannot be: key, what, limit."""
    if controller.memory_mb_s is not None and controller.host_mb_s is not None:
        memory, host = controller.memory_mb_s.value, controller.host_mb_s.value
        if memory < host:
            yield "memory_mb_s", f"{memory:,.0f} MB/s", f"the host's {host:,.0f} MB/s cross it twice"
    if controller.member_queue_depth.value > controller.queue_depth.value:
        each = f"{controller.member_queue_depth.value} at each member"
        yield "member_queue_depth", each, f"{controller.queue_depth.value} in all"
    if _value(controller.cache_mode) == "write-back" and controller.cache_mib is None:
        yield "cache_mode", "write-back", "there is no cache"
