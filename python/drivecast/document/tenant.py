"""Several logs on one design: what each has from the others."""

from drivecast.document.part import Part


class Effect(Part):
    """p99 of the requests of one of several logs on a design, in ns, at the peak of all."""

    alone: float | None
    together: float | None
    without: dict[str, float | None]
    """Beside all others but the one that is named."""

    @property
    def worst(self) -> str | None:
        """The log without which it falls most; none where it falls without none."""
        known = {log: p99 for log, p99 in self.without.items() if p99 is not None}
        least = min(known, key=lambda log: known[log], default=None)
        return least if least and self.together and known[least] < self.together else None


class Tenant(Part):
    """One of several logs on a design: how fast its requests are alone and beside the others."""

    log: str
    iops: float
    """At the peak of all."""
    read_p99_ns: Effect | None = None
    write_p99_ns: Effect | None = None
