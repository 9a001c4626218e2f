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
UNTOLD = "not in the description; usual for disks of its time"
NO_CONTROLLER = "no description of the controller was given"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _number(value: float | int | bool | str) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return _quoted(value)
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _figure(name: str, value: float | int | bool | str, origin: str, text: str) -> str:
    return f"{name} = {{ value = {_number(value)}, {origin} = {_quoted(text)} }}"


def _assumed(name: str, value: float | int | bool | str, why: str = UNTOLD) -> str:
    return _figure(name, value, "assumed", why)


def _model(name: str, value: float | int | bool | str) -> str:
    return _figure(name, value, "measured", "model")


def _controlled(found: Description, name: str, value: float | int | bool | str) -> str:
    return (
        _figure(name, value, "measured", "controller")
        if found.controller
        else _assumed(name, value, NO_CONTROLLER)
    )


def _disk(found: Description) -> list[str]:
    outer, inner = found.ends
    switch, is_published = found.head_switch_ms()
    controller = found.controller
    cache = (
        controller.whole("Number of buffer segments") * controller.whole("Segment size (in blks)")
        if controller
        else 0
    )
    rows = [
        _model("rpm", found.rpm),
        _model("surfaces", found.surfaces),
    ]
    for name, sectors in (("outer_mb_s", outer), ("inner_mb_s", inner)):
        rate = found.mb_s(sectors)
        sustained = rate * found.sustained_share()
        rows.append(_model(name, rate) if found.zones else _figure(name, sustained, "fitted", MEAN_RATE))
    rows += [
        _figure("seek_track_ms", found.seek[0][1], "measured", "seek"),
        _figure(
            "seek_mean_ms",
            found.seek_mean_ms(),
            "fitted",
            "the mean of the measured table over random cylinders",
        ),
        _figure("seek_full_ms", found.seek[-1][1], "measured", "seek"),
        _model("write_settle_ms", found.mechanism.number("Add. write settling delay", 0, 100)),
        _model("head_switch_ms", switch) if is_published else _assumed("head_switch_ms", switch, SETTLING),
        _assumed(
            "overhead_us",
            0 if controller else 200,
            "`measured.overheads` has it" if controller else NO_CONTROLLER,
        ),
        _controlled(found, "cache_mib", cache * SECTOR / (1 << 20) if cache else 1.0),
        _controlled(found, "write_cache", bool(controller and controller.whole("Fast write level", 0, 2))),
        _controlled(found, "queue_depth", controller.whole("Max queue length", 1, 1024) if controller else 1),
    ]
    if controller is not None:
        scheduler = controller.values.get("Scheduler")
        policy = scheduler.whole("Scheduling policy", 1, 28) if isinstance(scheduler, Block) else 1
        rows.append(_figure("scheduler", SCHEDULERS.get(policy, "sptf"), "measured", "controller"))
    return rows


def _zones(found: Description) -> list[str]:
    keys = ("cylinders", "sectors_per_track", "track_skew", "cylinder_skew")
    extra = ("range_cylinders", "spare_sectors", "empty_cylinders")
    rows = [
        "[measured.layout]",
        'measured = "model"',
        f"surface_order = {_quoted(found.surface_order)}",
        "zones = [",
    ]
    for zone in found.zones:
        named = [*keys, *(name for name in extra if getattr(zone, name))]
        rows.append("    { " + ", ".join(f"{name} = {getattr(zone, name)}" for name in named) + " },")
    return [*rows, "]", ""]


def _overheads(controller: Block) -> list[str]:
    scale = controller.number("Time scale for overheads", 0, 100) * 1e3
    rows = ["[measured.overheads]", 'measured = "controller"']
    for kind in ("Read hit", "Read miss", "Write hit", "Write miss"):
        after = {
            before: controller.number(f"{kind} over. after {before}", 0, 1000) * scale
            for before in ("read", "write")
        }
        times = ", ".join(f"after_{before}_us = {_number(float(time))}" for before, time in after.items())
        rows.append(f"{kind.lower().replace(' ', '_')} = {{ {times} }}")
    return [*rows, ""]


def _buffer(controller: Block) -> list[str]:
    ahead = controller.whole("Buffer continuous read")
    if ahead not in READ_AHEAD:
        known = "`Buffer continuous read` 0, 1, 3 or 4"
        raise controller.scalar("Buffer continuous read").place.fault(known, str(ahead))
    segments = controller.whole("Number of buffer segments", 1, 100_000)
    # Segments are not shared in the model: one is left for reads where writes may take them all.
    write_segments = min(controller.whole("Maximum number of write segments", 0, 100_000), segments - 1)
    in_any_order = controller.whole("Immediate buffer read", 0, 1) == 1
    figures: dict[str, int | bool | str] = {
        "segments": segments,
        "write_segments": write_segments,
        "segment_sectors": controller.whole("Segment size (in blks)", 1, 10**8),
        "read_ahead": READ_AHEAD[ahead],
        # A disk that reads in order fills its buffer from the first sector wanted: what came before has no place.
        "keeps_passing": controller.whole("Read any free blocks", 0, 1) == 1 and in_any_order,
        "keeps_delivered": controller.whole("Read-ahead over requested", 0, 1) == 0,
        "reads_on_arrival": in_any_order,
    }
    rows = [f"{name} = {_number(value)}" for name, value in figures.items()]
    return ["[measured.buffer]", 'measured = "controller"', *rows, ""]


def _measured(found: Description) -> list[str]:
    distances = ", ".join(str(distance) for distance, _ in found.seek)
    times = ", ".join(f"{time:.9g}" for _, time in found.seek)
    rows = [
        "[measured.seek]",
        'measured = "seek"',
        f"distances_cylinders = [{distances}]",
        f"times_ms = [{times}]",
        "",
    ]
    if found.zones:
        rows += _zones(found)
    if (controller := found.controller) is not None:
        transfer = controller.number("Bulk sector transfer time", 1e-6, 100)
        link = _figure("link_mb_s", SECTOR / 1e3 / transfer, "measured", "controller")
        rows = ["[measured]", link, "", *rows, *_overheads(controller), *_buffer(controller)]
    return rows


def catalog_file(found: Description, *, vendor: str, model: str, interface: str) -> str:
    """Return the text of the catalog file of a described disk."""
    names = {"model": found.disk.place.file.name, "seek": found.seek_file.name}
    if found.controller is not None:
        names["controller"] = found.controller.place.file.name
    title = found.controller.name if found.controller else found.disk.name
    sources = [
        f"{key} = {_quoted(f'{name}: published measurement of {title}')}" for key, name in names.items()
    ]
    parts = {
        "sources": sources,
        "identity": [
            f"vendor = {_quoted(vendor)}",
            f"model = {_quoted(model)}",
            'class = "old-disk"',
            "available_today = false",
            f"form = {_quoted('3.5 in')}",
            f"interface = {_quoted(interface)}",
            _assumed("year", 2000),
        ],
        "capacity": [_model("user_gb", found.blocks * SECTOR / 1e9)],
        "disk": _disk(found),
    }
    rest = {
        "endurance": [_assumed("warranty_years", 5)],
        "reliability": [_assumed("mtbf_mh", 1.0), _assumed("uber", 1e-15)],
        "power": [_assumed("idle_w", 10), _assumed("active_w", 15)],
    }
    text = ['kind = "hdd"', ""]
    for name, rows in parts.items():
        text += [f"[{name}]", *rows, ""]
    text += _measured(found)
    for name, rows in rest.items():
        text += [f"[{name}]", *rows, ""]
    return "\n".join(text).rstrip() + "\n"
