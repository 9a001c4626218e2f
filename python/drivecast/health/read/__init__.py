"""From sources to records: drives in this machine, files, standard input, exporters and Prometheus servers.

A source is a device (`/dev/sda`), a file or folder of reports, `-` for standard input, `http://HOST:9633/metrics` of a
smartctl_exporter, `prometheus+http://HOST:9090` of a server, or any URL that fsspec knows. Without one, the drives of
this machine are read. A drive that cannot be read gives an `Unread` that says why; the others are read all the same.
"""

import stat
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from drivecast.document.record import Record, Unread
from drivecast.errors import InputError
from drivecast.files import read_bytes
from drivecast.health import rules as families
from drivecast.health.read import smartctl_exporter
from drivecast.health.read.contents import Beside, left, records_of
from drivecast.health.read.host_name import HostNames, this_machine, without_port
from drivecast.health.read.normalise import Origin, normalise, unread
from drivecast.health.read.smartctl import Device, Smartctl
from drivecast.health.read.stream import BYTES_MAX
from drivecast.health.rules import Rules
from drivecast.health.smart_data import SmartData
from drivecast.plain_text import redacted
from drivecast.source import download_limit, locate, prometheus

__all__ = ["Device", "HostNames", "Smartctl", "records"]

_AT_ONCE = 8
"""Drives read at once: a slow one does not hold up the others."""
_KNOWN = {".json", ".jsonl", ".ndjson", ".gz", ".tgz", ".tar", ".prom", ".metrics", ".txt"}
"""Names in a folder that are worth opening."""


def records(
    sources: Sequence[str | Path] = (),
    *,
    smartctl: Smartctl | None = None,
    kinds: Sequence[str] = (),
    rules: Rules | None = None,
    hosts: HostNames | None = None,
) -> Iterator[Record | Unread]:
    """Yield a record, or the reason for none, of each drive in each source.

    `hosts` states which machines the readings are of. Raises `InputError` where no source is given and smartctl cannot
    list the drives.
    """
    program = smartctl or Smartctl()
    known = rules or families.load()
    named = hosts or HostNames()
    if not sources:
        found, closed = program.scan()
        yield from _drives(found, program, known, named)
        yield from closed
        return
    beside = Beside()
    drives = [str(source) for source in sources if is_device(str(source))]
    devices = [Device(name, kind) for name in drives for kind in kinds or (None,)]
    yield from _drives(devices, program, known, named)
    for source in map(str, sources):
        if not is_device(source):
            try:
                yield from _source(source, known, beside, named)
            except InputError as error:
                yield unread(source, error)
    yield from left(beside, known)


def is_device(source: str) -> bool:
    """Whether a source is a drive of this machine: a block or character device, or one that is gone."""
    if locate.is_url(source) or source == locate.STANDARD_INPUT:
        return False
    path = Path(source)
    try:
        mode = path.stat().st_mode
    except OSError:
        return source.startswith("/dev/")
    return stat.S_ISBLK(mode) or stat.S_ISCHR(mode) or (source.startswith("/dev/") and stat.S_ISDIR(mode))


def _drives(
    devices: Sequence[Device], program: Smartctl, rules: Rules, hosts: HostNames
) -> Iterator[Record | Unread]:
    host = hosts.host or this_machine()
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for device, answer in zip(devices, pool.map(program.read, devices), strict=True):
            if isinstance(answer, Unread):
                yield answer
            else:
                yield normalise(answer, Origin(device.place, host, datetime.now(UTC)), rules)


def _source(source: str, rules: Rules, beside: Beside, hosts: HostNames) -> Iterator[Record | Unread]:
    now = datetime.now(UTC)
    if prometheus.is_url(source):
        for time, host, content in smartctl_exporter.answers(source, hosts):
            document = SmartData(content)
            origin = Origin(f"{redacted(source)}: {document.device}", hosts.host or host, time)
            yield normalise(document, origin, rules)
    elif source == locate.STANDARD_INPUT:
        origin = Origin("standard input", time=now, time_from="that of reading it")
        data = sys.stdin.buffer.read(BYTES_MAX + 1)
        if len(data) > BYTES_MAX:
            raise InputError(f"standard input: more than {BYTES_MAX >> 20} MiB, and no reports have that")
        yield from records_of(data, origin, rules, beside, hosts)
    elif source.startswith(("http://", "https://")):
        host = without_port(urlsplit(source).hostname or "") or this_machine()
        yield from records_of(_scrape(source), Origin(redacted(source), host, now), rules, beside, hosts)
    elif locate.is_url(source):
        with locate.located([source]) as place:
            for path in place.files:
                yield from _path(path, rules, beside, hosts)
    else:
        yield from _path(Path(source), rules, beside, hosts)


def _scrape(url: str) -> bytes:
    import httpx  # noqa: PLC0415 (only who asks a server waits for it)

    try:
        with httpx.Client(timeout=download_limit.patience(), follow_redirects=True) as client:
            taken = download_limit.into_memory(redacted(url), "give the address of an exporter's metrics")
            answer = download_limit.answered(client, "GET", url, taken)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        why = redacted(str(error), url) or type(error).__name__
        raise InputError(f"cannot read `{redacted(url)}`: {why}") from None
    if answer.status_code != httpx.codes.OK:
        raise InputError(f"cannot read `{redacted(url)}`: status {answer.status_code}")
    return answer.content


def _path(path: Path, rules: Rules, beside: Beside, hosts: HostNames) -> Iterator[Record | Unread]:
    if path.is_dir():
        files = sorted(
            file for file in path.rglob("*") if file.suffix.lower() in _KNOWN and not file.is_dir()
        )
        if not files:
            yield Unread(str(path), "has no reports", f"files end in {', '.join(sorted(_KNOWN))}")
        for file in files:
            if file.is_file():
                yield from _path(file, rules, beside, hosts)
            else:
                what = "is a link to nothing" if not file.exists() else "is a pipe or a device, no file"
                yield Unread(str(file), what, "remove it, or give it by its own name")
        return
    try:
        data = read_bytes(path, BYTES_MAX)
        changed = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except (InputError, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error).removeprefix(f"{path}: ")
        yield Unread(str(path), str(reason), "check its name and who may read it")
        return
    origin = Origin(str(path), time=changed, time_from="when its file was last written")
    yield from records_of(data, origin, rules, beside, hosts)
