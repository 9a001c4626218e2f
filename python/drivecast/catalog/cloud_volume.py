"""A rented volume as the simulator takes it: its rates as token buckets, behind those of its instance.

Model. What a setting may do is worked out in `crates/assess/src/bucket.rs`, which the page of a report calls, too.
Times of requests are those of the volume that the kind names. Left out: other volumes of the same instance.
"""

from dataclasses import replace
from pathlib import Path

from drivecast import _core
from drivecast.catalog.cloud import CloudFile
from drivecast.catalog.figure import Figure, NonNegativeBounded, Positive
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
LEFT = "what the log before it leaves of the credits"
SAVED = "what the rate earns in `saved_s` of cloud.toml"


def _cap(found: dict[str, float | None]) -> VolumeCap:
    """A token bucket of the arithmetic as one of a file."""
    per_s, saved, burst, share = (
        found.get(name) for name in ("per_s", "credits", "burst_per_s", "credits_at_start")
    )
    why = SAVED if burst is None else CHOSEN
    return VolumeCap(
        per_s=Rate(value=per_s or 0.0, assumed=CHOSEN),
        credits=None if saved is None else NonNegativeBounded(value=saved, assumed=why),
        burst_per_s=None if burst is None else Rate(value=burst, assumed=CHOSEN),
        credits_at_start=None if share is None else Share(value=share, fitted=LEFT),
    )


def _through(mib_per_s: Positive | None, saved_s: float) -> VolumeCap | None:
    """A limit in MiB/s as a token bucket of bytes, held in the mean of a moment as those of volumes are."""
    if mib_per_s is None:
        return None
    rate = MIB * mib_per_s.value
    return _cap({"per_s": rate, "credits": rate * saved_s})


def bucket(cap: VolumeCap) -> tuple[float, float | None, float | None]:
    """A token bucket as the arithmetic takes it."""
    saved, burst = (None if each is None else each.value for each in (cap.credits, cap.burst_per_s))
    return cap.per_s.value, saved, burst


def volume(rental: Rental, volumes: dict[str, Volume], setting: Setting) -> Volume:
    """The volume that a setting describes."""
    cloud = rental.cloud
    kind = cloud.kinds[setting.kind]
    like = volumes[kind.like]
    rented = (setting.gib, setting.iops, setting.mib_per_s)
    behind = rental.instance(setting.instance).model_dump_json() if setting.instance else None
    moment = cloud.saved_s.value if cloud.saved_s else 0.0
    counts, sizes = _core.rental_caps(rental.rules(setting.kind), rented, behind, moment)
    caps = VolumeCaps(iops=_cap(counts), bytes=_cap(sizes), io_unit_bytes=like.sheet.caps.io_unit_bytes)
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
    moment = cloud.saved_s.value if cloud.saved_s else 0.0
    identity = VolumeIdentity(
        vendor=instance.vendor, model=f"{name.removeprefix(LOCAL)} local NVMe", available_today=True
    )
    caps = VolumeCaps(
        read_iops=VolumeCap(per_s=Rate(value=inside.read_iops.value, assumed=CHOSEN)),
        write_iops=VolumeCap(per_s=Rate(value=inside.write_iops.value, assumed=CHOSEN)),
        read_bytes=_through(inside.read_mib_per_s, moment),
        write_bytes=_through(inside.write_mib_per_s, moment),
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
        if cap is None or (cap.burst_per_s is None and cap.credits is not None):
            return cap
        found = _cap(_core.cap_starting(bucket(cap), share, lasts, saved_s))
        return (
            cap.model_copy(update={"credits_at_start": found.credits_at_start})
            if found.burst_per_s
            else found
        )

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
