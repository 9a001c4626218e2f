"""An attached design as text: how to reach it, the screen of each second, and whether it was on time."""

from collections.abc import Sequence
from pathlib import Path

from rich.text import Text

from drivecast.document.attached import KINDS, Attachment, Event, Kind, Late, Lateness, Snapshot
from drivecast.document.outcome import Outcome
from drivecast.present import grid, simulated
from drivecast.quantity import number

MILLISECOND_NS = 1e6
PLURALS: dict[Kind, str] = {"read": "reads", "write": "writes", "flush": "flushes"}


def connect(
    uri: str | None, device: str | None, mount: str | None, vhost_user: Path | None = None
) -> list[str]:
    """Return how programs reach it, a line for each way."""
    if mount is not None:
        return [f"mounted at {mount}"]
    if device is not None:
        return [f"block device {device}"]
    if vhost_user is not None:
        memory = "-object memory-backend-memfd,id=m,size=2G,share=on -machine memory-backend=m -m 2G"
        disk = f"-chardev socket,id=d,path={vhost_user} -device vhost-user-blk-pci,chardev=d"
        return [
            f"QEMU:              qemu-system-x86_64 … {memory} {disk}",
            "Cloud Hypervisor:  cloud-hypervisor … --memory size=2G,shared=on "
            f"--disk vhost_user=on,socket={vhost_user}",
        ]
    if uri is None:
        return []
    return [
        f"fio:      fio --ioengine=nbd --uri='{uri}' --name=j --rw=randread --bs=4k --iodepth=8 --size=1g",
        f"nbdcopy:  nbdcopy disk.img '{uri}'",
        f"QEMU:     qemu-system-x86_64 … -drive file={uri},format=raw,if=virtio,cache=none",
    ]


def screen(design: str, found: Snapshot) -> Text:
    """Lay out the last second: requests, lateness, wear, and what has failed."""
    rows = []
    for op in KINDS:
        second = found.of(op)
        if second.requests or op != "flush":
            rows.append((op, *_cells(op, found)))
    heads = ("<", "IOPS", "MB/s", "median", "p99", "maximum", "late p99")
    figures = [
        ("queue depth", number.significant(float(found.in_flight), 3)),
        ("late", _late_now(found.late)),
        ("write amplification", number.significant(found.write_amplification)),
        ("written", _written(found)),
        ("failed", _failed(found)),
        ("full", _full(found)),
    ]
    return grid.page(
        [
            Text(f"{grid.clean(design)}  {number.duration(found.at_s)}", style="bold"),
            *grid.table(heads, rows, indent=2),
            *grid.pairs(figures),
            "  latencies in ms",
        ]
    )


def line(found: Snapshot) -> str:
    """Return the last second as one line, for what is no terminal."""
    parts = []
    for op in KINDS:
        second = found.of(op)
        if second.requests:
            tail = f"{number.milliseconds(second.p50_ns)}/{number.milliseconds(second.p99_ns)} ms"
            parts.append(f"{op} {number.iops(found.iops(op))} IOPS, p50/p99 {tail}")
    parts.append(f"depth {found.in_flight}")
    if found.late and found.late.late:
        parts.append(f"late {_late_now(found.late)}")
    amplification = number.significant(found.write_amplification)
    if amplification != number.ABSENT:
        parts.append(f"write amplification {amplification}")
    parts.append(f"{_written(found)} written")
    parts += [words for words in (_failed(found), _full(found)) if words]
    return f"{number.duration(found.at_s)}: {'; '.join(parts)}"


def event(found: Event) -> str:
    """Return what was done to the design, as a sentence."""
    at = f"at {number.duration(found.at_s)}"
    if found.refused is not None:
        return f"{at} `--{found.what}` was refused: {found.refused}"
    match found.what:
        case "fail":
            return f"{at} member {found.member} failed"
        case "rebuild":
            return f"{at} a rebuild began, at {number.throughput(found.bytes_per_s)}"
        case "slow":
            return f"{at} member {found.member} became {number.significant(found.factor)} times as slow"
        case "cut":
            lost = number.size(found.bytes_lost) if found.bytes_lost else "nothing"
            return f"{at} the power was cut: {lost} that had not been flushed was lost"


def run(outcome: Outcome) -> Text:
    """Lay out a run: as a simulated one, what was done to it, and whether it was on time."""
    found = outcome.attached
    done = [] if found is None else _done(found)
    late = [] if outcome.lateness is None else _lateness(outcome.lateness)
    return grid.page([simulated.run(outcome), *late, *done])


def _lateness(found: Lateness) -> list[str | Text]:
    kinds = [(op, of_kind) for op in KINDS if (of_kind := found.of(op)) is not None]
    rows = [_late_row("all", found)]
    rows += [_late_row(PLURALS[op], of_kind) for op, of_kind in kinds] if len(kinds) > 1 else []
    return [
        "",
        *grid.wrapped(verdict(found), indent=2),
        *grid.table(
            ("<lateness", "completions", "late", "", "p50", "p99", "p99.9", "maximum"), rows, indent=2
        ),
        f"  transport: {_late_by(found.transport_ns)} there and back, not counted as lateness"
        if found.transport_ns
        else "  transport: not known, and counted as lateness",
    ]


def _late_row(name: str, late: Late) -> tuple[str, ...]:
    share = late.late / late.requests if late.requests else 0.0
    times = (late.p50_ns, late.p99_ns, late.p999_ns, late.max_ns)
    return name, f"{late.requests:,}", f"{late.late:,}", number.percent(share), *map(_late_by, times)


def verdict(found: Lateness) -> str:
    """Return whether an application saw the latencies of the design, as a sentence."""
    shares = {op: share for op in KINDS if (share := found.share(op)) is not None}
    if not shares:
        return "nothing was read or written, so nothing was late"
    words = [f"{number.percent(share)} for {PLURALS[op]}" for op, share in shares.items()]
    that = f"the p99 of the lateness over that of the latency is {_listed(words)}"
    if found.way_read_ns:
        that += f", and reads waited {_late_by(found.way_read_ns)} in transport"
    if found.on_time:
        return f"served on time: {that}"
    late = _listed([PLURALS[op] for op in found.late_for or ()])
    is_whole = len(found.late_for or ()) == len(shares)
    return (
        f"NOT served on time{'' if is_whole else f' for {late}'}: {that}, so the application saw the {late} of this "
        "machine and not of the design; reduce the load (a lower rate or queue depth, --speed below 1), or leave more "
        "of the machine idle"
    )


def _listed(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _done(found: Attachment) -> list[str]:
    lines = []
    if found.events or found.fault or found.error_rate or found.refused_full:
        lines.append("")
    if found.error_rate:
        lines.append(f"  {number.percent(found.error_rate)} of the requests failed with EIO, by `--error`")
    lines += [f"  {event(each)}" for each in found.events]
    if found.fault:
        lines.append(f"  the design failed, and all I/O with EIO from then on: {found.fault}")
    if found.refused_full:
        where = "file" if found.data == "file" else "memory"
        lines.append(
            f"  {found.refused_full:,} writes were refused with ENOSPC: the {where} for the data was full"
        )
    if found.rated_writes_used:
        lines += ["", f"  used {_share(found.rated_writes_used)} of the rated writes of its drives"]
    if found.trace:
        lines.append(f"  trace of the requests: {found.trace}")
    return lines


def _cells(op: Kind, found: Snapshot) -> list[str]:
    second = found.of(op)
    rate = None if op == "flush" else found.bytes_per_s(op) / 1e6
    late = found.late and found.late.of(op)
    times = (second.p50_ns, second.p99_ns, second.max_ns, late.p99_ns if late else None)
    return [
        number.iops(found.iops(op)),
        number.significant(rate),
        *map(number.milliseconds, times),
    ]


def _late_now(late: Lateness | None) -> str:
    if late is None or not late.requests:
        return number.ABSENT
    share = number.percent(late.late / late.requests)
    return f"{share}, p50 {_late_by(late.p50_ns)}, p99 {_late_by(late.p99_ns)}"


def _late_by(late_ns: float | None) -> str:
    """Return a lateness in microseconds, as long as that is a small number."""
    if late_ns is None or late_ns >= MILLISECOND_NS:
        return number.latency(late_ns)
    return f"{number.significant(late_ns / 1e3, 2)} µs"


def _written(found: Snapshot) -> str:
    used = f" ({_share(found.rated_writes_used)} of the rated writes)" if found.rated_writes_used else ""
    return f"{number.size(found.written_bytes)}{used}"


def _share(share: float) -> str:
    return f"{number.significant(100 * share, 2)} %"


def _full(found: Snapshot) -> str | None:
    return f"ENOSPC for {found.refused_full:,} writes" if found.refused_full else None


def _failed(found: Snapshot) -> str | None:
    parts = []
    if found.failed:
        members = sorted(set(found.failed))
        parts.append(f"member{'s' * (len(members) > 1)} {', '.join(map(str, members))}")
    if found.rebuilt_share is not None:
        parts.append(f"rebuilt {number.percent(found.rebuilt_share)}")
    if found.fault:
        parts.append(f"answers EIO: {found.fault}")
    return "; ".join(parts) or None
