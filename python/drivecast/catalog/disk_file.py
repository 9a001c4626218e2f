"""Write a disk's published description as a file of the catalog.

Each figure names the file it was read in. What no description has (year, warranty, failures, power) is marked
assumed, with figures usual for disks of the time, so that the disk can be simulated; it should be edited before the
disk is planned with.
"""

from drivecast.catalog.disksim import READ_AHEAD, SCHEDULERS, SECTOR, Description
from drivecast.catalog.parameter_file import Block

SETTLING = (
    "the shortest seek, within the track skew: reads near the last one take about that on measured disks"
)
MEAN_RATE = "the mean over the disk less switches: the description has no zones"
MEAN_SEEK = "the mean of the measured table over random cylinders"
UNTOLD = "not in the description; usual for disks of its time"
NO_CONTROLLER = "no description of the controller was given"

Value = float | int | bool | str
Values = dict[str, Value]
Rows = dict[str, str]
"""The rows of a table: values as TOML, by key."""


def _toml(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _figure(value: Value, origin: str, text: str) -> str:
    return f"{{ value = {_toml(value)}, {origin} = {_toml(text)} }}"


def _assumed(value: Value, why: str = UNTOLD) -> str:
    return _figure(value, "assumed", why)


def _model(value: Value) -> str:
    return _figure(value, "measured", "model")


def _rate(found: Description, sectors: float) -> str:
    rate = found.mb_s(sectors)
    return _model(rate) if found.zones else _figure(rate * found.sustained_share(), "fitted", MEAN_RATE)


def _disk(found: Description) -> Rows:
    outer, inner = found.ends
    switch, is_published = found.head_switch_ms()
    rows = {
        "rpm": _model(found.rpm),
        "surfaces": _model(found.surfaces),
        "outer_mb_s": _rate(found, outer),
        "inner_mb_s": _rate(found, inner),
        "seek_track_ms": _figure(found.seek[0][1], "measured", "seek"),
        "seek_mean_ms": _figure(found.seek_mean_ms(), "fitted", MEAN_SEEK),
        "seek_full_ms": _figure(found.seek[-1][1], "measured", "seek"),
        "write_settle_ms": _model(found.mechanism.number("Add. write settling delay", 0, 100)),
        "head_switch_ms": _model(switch) if is_published else _assumed(switch, SETTLING),
    }
    controller = found.controller
    if controller is None:
        unknown: Values = {"overhead_us": 200, "cache_mib": 1.0, "write_cache": False, "queue_depth": 1}
        return rows | {name: _assumed(value, NO_CONTROLLER) for name, value in unknown.items()}
    sectors = controller.whole("Number of buffer segments") * controller.whole("Segment size (in blks)")
    scheduler = controller.values.get("Scheduler")
    policy = scheduler.whole("Scheduling policy", 1, 28) if isinstance(scheduler, Block) else 1
    known: Values = {
        "cache_mib": sectors * SECTOR / (1 << 20) if sectors else 1.0,
        "write_cache": bool(controller.whole("Fast write level", 0, 2)),
        "queue_depth": controller.whole("Max queue length", 1, 1024),
        "scheduler": SCHEDULERS.get(policy, "sptf"),
    }
    rows["overhead_us"] = _assumed(0, "`measured.overheads` has it")
    return rows | {name: _figure(value, "measured", "controller") for name, value in known.items()}


def _zones(found: Description) -> Rows:
    zones = [
        ", ".join(f"{name} = {value}" for name, value in zone.model_dump(exclude_defaults=True).items())
        for zone in found.zones
    ]
    return {
        "measured": _toml("model"),
        "surface_order": _toml(found.surface_order),
        "zones": "[\n" + "".join(f"    {{ {zone} }},\n" for zone in zones) + "]",
    }


def _overheads(controller: Block) -> Rows:
    scale = controller.number("Time scale for overheads", 0, 100) * 1e3
    rows = {"measured": _toml("controller")}
    for kind in ("Read hit", "Read miss", "Write hit", "Write miss"):
        times = [
            f"after_{before}_us = {_toml(controller.number(f'{kind} over. after {before}', 0, 1000) * scale)}"
            for before in ("read", "write")
        ]
        rows[kind.lower().replace(" ", "_")] = f"{{ {', '.join(times)} }}"
    return rows


def _buffer(controller: Block) -> Rows:
    ahead = controller.whole("Buffer continuous read")
    if ahead not in READ_AHEAD:
        known = "`Buffer continuous read` 0, 1, 3 or 4"
        raise controller.scalar("Buffer continuous read").place.fault(known, str(ahead))
    segments = controller.whole("Number of buffer segments", 1, 100_000)
    in_any_order = controller.whole("Immediate buffer read", 0, 1) == 1
    figures: Values = {
        "measured": "controller",
        "segments": segments,
        # Segments are not shared in the model: one is left for reads where writes may take them all.
        "write_segments": min(controller.whole("Maximum number of write segments", 0, 100_000), segments - 1),
        "segment_sectors": controller.whole("Segment size (in blks)", 1, 10**8),
        "read_ahead": READ_AHEAD[ahead],
        # A disk that reads in order fills its buffer from the first sector wanted: what came before has no place.
        "keeps_passing": controller.whole("Read any free blocks", 0, 1) == 1 and in_any_order,
        "keeps_delivered": controller.whole("Read-ahead over requested", 0, 1) == 0,
        "reads_on_arrival": in_any_order,
    }
    return {name: _toml(value) for name, value in figures.items()}


def _measured(found: Description) -> dict[str, Rows]:
    controller = found.controller
    seek = {
        "measured": _toml("seek"),
        "distances_cylinders": f"[{', '.join(str(distance) for distance, _ in found.seek)}]",
        "times_ms": f"[{', '.join(f'{time:.9g}' for _, time in found.seek)}]",
    }
    tables = {"measured.seek": seek} | ({"measured.layout": _zones(found)} if found.zones else {})
    if controller is None:
        return tables
    rate = SECTOR / 1e3 / controller.number("Bulk sector transfer time", 1e-6, 100)
    link = {"link_mb_s": _figure(rate, "measured", "controller")}
    times = {"measured.overheads": _overheads(controller), "measured.buffer": _buffer(controller)}
    return {"measured": link} | tables | times


def catalog_file(found: Description, *, vendor: str, model: str, interface: str) -> str:
    """Return the text of the catalog file of a described disk."""
    names = {"model": found.disk.place.file.name, "seek": found.seek_file.name}
    if found.controller is not None:
        names["controller"] = found.controller.place.file.name
    title = found.controller.name if found.controller else found.disk.name
    identity = {
        "vendor": _toml(vendor),
        "model": _toml(model),
        "class": _toml("old-disk"),
        "available_today": _toml(False),
        "form": _toml("3.5 in"),
        "interface": _toml(interface),
        "year": _assumed(2000),
    }
    tables: dict[str, Rows] = {
        "sources": {key: _toml(f"{name}: published measurement of {title}") for key, name in names.items()},
        "identity": identity,
        "capacity": {"user_gb": _model(found.blocks * SECTOR / 1e9)},
        "disk": _disk(found),
        **_measured(found),
        "endurance": {"warranty_years": _assumed(5)},
        "reliability": {"mtbf_mh": _assumed(1.0), "uber": _assumed(1e-15)},
        "power": {"idle_w": _assumed(10), "active_w": _assumed(15)},
    }
    text = ['kind = "hdd"\n']
    for name, rows in tables.items():
        text += [f"[{name}]", *(f"{key} = {value}" for key, value in rows.items()), ""]
    return "\n".join(text).rstrip() + "\n"
