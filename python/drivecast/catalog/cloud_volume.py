"""A rented volume as the simulator takes it: its rates as token buckets, behind those of its instance.

Model. A volume and its instance are two token buckets in a row. They are taken for one with the lower of both rates,
the lower of both bursts, and the fewer of both credits, which is no faster than the two. Times of requests are those of
the volume that the kind names. Left out: other volumes of the same instance.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from drivecast.catalog.cloud import CloudFile, Instance, Kind
from drivecast.catalog.figure import Figure, NonNegativeBounded
from drivecast.catalog.rental import LOCAL, Rental, Setting
from drivecast.catalog.volume import (
    GB,
    Rate,
    Share,
    Volume,
    VolumeCap,
    VolumeCapacity,
    VolumeCaps,
    VolumeIdentity,
    VolumeReliability,
    VolumeSheet,
)

MIB = 1 << 20
GIB = 1 << 30
CHOSEN = "what is rented, by the rules of its kind"
UNLIMITED = 1e8
SAVED = "what the rate earns in `saved_s` of cloud.toml"


@dataclass(frozen=True)
class Bucket:
    """A rate, and a burst with its credits."""

    rate: float
    burst: float | None = None
    credits: float = 0.0

    def behind(self, other: "Bucket") -> "Bucket":
        """Both buckets in a row."""
        rate, burst = min(self.rate, other.rate), min(self.burst or self.rate, other.burst or other.rate)
        if burst <= rate:
            return Bucket(rate)
        saved = [bucket.credits for bucket in (self, other) if bucket.rate < burst]
        return Bucket(rate, burst, min(saved))

    def cap(self, unit: float = 1.0, saved_s: float = 0.0) -> VolumeCap:
        """As the simulator takes it; what does not burst saves the tokens of a moment."""
        if self.burst is None:
            saved = NonNegativeBounded(value=self.rate * saved_s * unit, assumed=SAVED) if saved_s else None
            return VolumeCap(per_s=Rate(value=self.rate * unit, assumed=CHOSEN), credits=saved)
        return VolumeCap(
            per_s=Rate(value=self.rate * unit, assumed=CHOSEN),
            credits=NonNegativeBounded(value=self.credits * unit, assumed=CHOSEN),
            burst_per_s=Rate(value=self.burst * unit, assumed=CHOSEN),
        )


def buckets(kind: Kind, setting: Setting, instance: Instance | None) -> tuple[Bucket, Bucket]:
    """What a setting may do, behind an instance where there is one: of IOPS, and of MiB/s."""
    counts, sizes = Bucket(setting.iops), Bucket(setting.mib_per_s)
    burst = kind.burst
    if burst is not None and (burst.gib_max is None or setting.gib <= burst.gib_max.value):
        counts = _bursting(
            setting.iops,
            burst.iops.value,
            burst.seconds.value if burst.seconds else None,
            burst.iops_credits.value if burst.iops_credits else 0.0,
        )
        if burst.mib_per_s is not None and burst.seconds is not None:
            sizes = _bursting(setting.mib_per_s, burst.mib_per_s.value, burst.seconds.value)
    if instance is None:
        return counts, sizes
    lasts = instance.burst_s.value if instance.burst_s else 0.0
    most = [figure.value if figure else 0.0 for figure in (instance.burst_iops, instance.burst_mib_per_s)]
    return (
        counts.behind(_bursting(instance.iops.value, most[0], lasts)),
        sizes.behind(_bursting(instance.mib_per_s.value, most[1], lasts)),
    )


def _bursting(rate: float, burst: float, seconds: float | None, saved: float = 0.0) -> Bucket:
    if burst <= rate:
        return Bucket(rate)
    return Bucket(rate, burst, saved if seconds is None else (burst - rate) * seconds)


def volume(rental: Rental, volumes: dict[str, Volume], setting: Setting) -> Volume:
    """The volume that a setting describes."""
    cloud = rental.cloud
    kind = cloud.kinds[setting.kind]
    like = volumes[kind.like]
    counts, sizes = buckets(kind, setting, rental.instance(setting.instance) if setting.instance else None)
    moment = cloud.saved_s.value if cloud.saved_s else 0.0
    caps = VolumeCaps(
        iops=counts.cap(saved_s=moment),
        bytes=sizes.cap(MIB, moment),
        io_unit_bytes=like.sheet.caps.io_unit_bytes,
    )
    return Volume(
        setting.name,
        like.file,
        like.sheet.model_copy(
            update={
                "sources": {**like.sheet.sources, **cloud.sources},
                "identity": VolumeIdentity(
                    vendor=kind.vendor, model=kind.model, available_today=True, kind=setting.kind
                ),
                "capacity": VolumeCapacity(user_gb=Figure(value=setting.gib * GIB / GB, assumed=CHOSEN)),
                "caps": caps,
            }
        ),
    )


def rented(rental: Rental, volumes: dict[str, Volume], name: str) -> Volume | None:
    """The volume that a name says; none where it names nothing that is rented."""
    setting = rental.parse(name)
    return volume(rental, volumes, setting) if setting else local_drive(rental.cloud, name)


def local_drive(cloud: CloudFile, name: str) -> Volume | None:
    """One drive inside of the instance that `name` names; none where it has none."""
    instance = cloud.instances.get(name.removeprefix(LOCAL))
    if not name.startswith(LOCAL) or instance is None or instance.local is None or cloud.local is None:
        return None
    inside, times = instance.local, cloud.local
    identity = VolumeIdentity(
        vendor=instance.vendor, model=f"{name.removeprefix(LOCAL)} local NVMe", available_today=True
    )
    caps = VolumeCaps(
        read_iops=Bucket(inside.read_iops.value).cap(), write_iops=Bucket(inside.write_iops.value).cap()
    )
    sheet = VolumeSheet(
        kind="volume",
        sources=cloud.sources,
        identity=identity,
        capacity=VolumeCapacity(user_gb=inside.gb),
        read=times.read,
        write=times.write,
        caps=caps,
        reliability=VolumeReliability(afr=times.afr),
    )
    return Volume(name, Path("cloud.toml"), sheet)


def bursting(volume: Volume, saved_s: float, iops: tuple[float, bool], through: tuple[float, bool]) -> Volume:
    """The volume with these shares of its credits at the start.

    Where they do not run out, which is said beside each share, it is one that does its burst all the time. One without
    credits saves the tokens of a moment.
    """

    def starting(cap: VolumeCap | None, share: float, lasts: bool) -> VolumeCap | None:
        if cap is not None and cap.credits is None:
            return Bucket(cap.per_s.value).cap(saved_s=saved_s)
        if cap is None or cap.burst_per_s is None:
            return cap
        if lasts:
            return Bucket(cap.burst_per_s.value).cap(saved_s=saved_s)
        left = Share(value=min(1.0, max(0.0, share)), fitted="what the log before it leaves of the credits")
        return cap.model_copy(update={"credits_at_start": left})

    caps = volume.sheet.caps
    caps = caps.model_copy(
        update={"iops": starting(caps.iops, *iops), "bytes": starting(caps.bytes, *through)}
    )
    return Volume(volume.name, volume.file, volume.sheet.model_copy(update={"caps": caps}))


def unlimited(rental: Rental, volumes: dict[str, Volume], setting: Setting) -> Volume:
    """The volume of a setting without limits but those of its instance: as fast as its kind can be."""
    most = volume(rental, volumes, replace(setting, iops=UNLIMITED, mib_per_s=UNLIMITED))
    return Volume(setting.name, most.file, most.sheet)


def slower(volume: Volume, factor: float) -> Volume:
    """The volume with times of requests multiplied."""

    def scaled(figure: NonNegativeBounded) -> NonNegativeBounded:
        return NonNegativeBounded(
            value=figure.value * factor, assumed="an end of what such volumes are seen to take"
        )

    sheet = volume.sheet
    ops = {
        op: part.model_copy(update={"service_ns": scaled(part.service_ns)})
        for op, part in (("read", sheet.read), ("write", sheet.write))
    }
    return Volume(volume.name, volume.file, sheet.model_copy(update=ops))
