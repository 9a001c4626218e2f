"""Counters from a Prometheus server: the disk totals of node_exporter and windows_exporter.

A log called `prometheus+http://HOST:9090?instance=db1:9100&device=sda&start=-7d` (or
`prometheus+https://…`) is fetched through the HTTP API's range queries and read like a file with their
answers. What follows the `?`:

- `device`, `instance`, `job`: only series with these labels; `~` in front makes a regular expression, as in
  `device=~nvme.*`; `device` also covers the labels `disk` and `volume` of Windows;
- `start`, `end`: `-24h` (the default) and `now`, seconds since 1970, or `2026-11-21T08:00:00Z`;
- `step`: `15s`; by default the interval at which the disks were scraped; never more than 200,000 points a series.

A server answers a query with at most 11,000 points a series, so a longer time is queried in parts of 10,000.
A step shorter than the scrape interval repeats points and makes peaks look higher; a note says so. Log in
by environment: `DRIVECAST_PROMETHEUS_TOKEN`, or `DRIVECAST_PROMETHEUS_USER` and
`DRIVECAST_PROMETHEUS_PASSWORD`. Source: prometheus.io, HTTP API; the exporters' lists of metrics.
"""

import json
import math
import os
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from drivecast.errors import HintedError, InputError
from drivecast.plain_text import redacted
from drivecast.source import download_limit
from drivecast.timing import timed

if TYPE_CHECKING:
    import httpx

_SCHEME = re.compile(r"^prometheus\+(https?):/+")
_POINTS = 10_000
"""Points a series in one answer; servers refuse more than 11,000."""
_POINTS_MAX = 200_000
"""Points a series in all."""
_TRIES = 4
PAUSE_S = 0.25
"""Before a busy server is queried again, twice as long each time."""
_LESS = "ask for less: `device`, `instance`, a shorter time or a longer `step`"
_METRICS = (
    "node_disk_(reads_completed|writes_completed|flush_requests|read_bytes|written_bytes|reads_merged|"
    "writes_merged|read_time_seconds|write_time_seconds|flush_requests_time_seconds|io_time_seconds|io_time_weighted_seconds)_total|"
    "windows_(logical|physical)_disk_(reads|writes|read_bytes|write_bytes|read_latency_seconds|write_latency_seconds)_total"
)
_READS = "node_disk_reads_completed_total|windows_(logical|physical)_disk_reads_total"
_UNITS_S = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_LABELS = ("instance", "job")
_DEVICES = ("device", "disk", "volume")


def is_url(text: object) -> bool:
    """Return whether a log is fetched from a Prometheus server."""
    return bool(_SCHEME.match(str(text)))


@dataclass(frozen=True)
class Query:
    """Which series of which server."""

    base: str
    start_s: float
    end_s: float
    step_s: float | None
    matchers: tuple[str, ...] = ()
    device: str | None = None

    @property
    def host(self) -> str:
        """The server, as messages name it."""
        return urlsplit(self.base).netloc.rpartition("@")[2]

    def selector(self, names: str) -> str:
        """Return the PromQL for these metrics of the wanted disks."""
        base = [f'__name__=~"{names}"', *self.matchers]
        if self.device is None:
            return f"{{{','.join(base)}}}"
        sides = [f"{{{','.join([*base, matcher(label, self.device)])}}}" for label in _DEVICES]
        return " or ".join(sides)


def matcher(label: str, value: str) -> str:
    """Return a matcher of PromQL; `~` in front of the value makes it a regular expression."""
    sign, text = ("=~", value[1:]) if value.startswith("~") else ("=", value)
    return f"{label}{sign}{json.dumps(text, ensure_ascii=False)}"


def parse(url: object, now_s: float) -> Query:
    """Read the URL of a log.

    Raises `InputError` for one that is not understood.
    """
    # A path makes one slash of two.
    text = _SCHEME.sub(r"\1://", str(url))
    parts = urlsplit(text)
    if not parts.hostname:
        raise HintedError(f"`{redacted(str(url))}` names no server", "prometheus+http://HOST:9090?device=sda")
    given = dict(parse_qsl(parts.query, keep_blank_values=True))
    known = {*_LABELS, "device", "start", "end", "step"}
    if unknown := sorted(given.keys() - known):
        raise InputError(
            f"unknown option `{unknown[0]}` of a Prometheus URL; known are {', '.join(sorted(known))}"
        )
    start_s = instant_s("start", given.get("start", "-24h"), now_s)
    end_s = instant_s("end", given.get("end", "now"), now_s)
    if end_s <= start_s:
        raise InputError(
            f"`end` ({given.get('end', 'now')}) is not after `start` ({given.get('start', '-24h')})"
        )
    step_s = duration_s("step", given["step"]) if "step" in given else None
    matchers = tuple(matcher(label, given[label]) for label in _LABELS if label in given)
    base = urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/"), "", ""))
    return Query(base, start_s, end_s, step_s, matchers, given.get("device"))


def duration_s(name: str, text: str) -> float:
    """Return `15s`, `5m`, `24h` or a number of seconds, in seconds."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smhdw]?)", text)
    if not found or float(found[1]) <= 0:
        raise InputError(f"{name}: expected a time such as 15s, 5m or 7d, found `{text}`")
    return float(found[1]) * _UNITS_S[found[2] or "s"]


def instant_s(name: str, text: str, now_s: float) -> float:
    """Return a point in time, in seconds since 1970."""
    if text == "now":
        return now_s
    if text.startswith("-"):
        return now_s - duration_s(name, text[1:])
    if re.fullmatch(r"\d+(\.\d+)?", text):
        return float(text)
    try:
        found = datetime.fromisoformat(text.replace(" ", "+"))
    except ValueError:
        raise InputError(
            f"{name}: expected -24h, now, seconds since 1970 or 2026-11-21T08:00:00Z, found `{text}`"
        ) from None
    return found.replace(tzinfo=found.tzinfo or UTC).timestamp()


@dataclass
class Server:
    """A Prometheus server."""

    query: Query
    client: "httpx.Client"
    notes: list[str] = field(default_factory=list)
    losses: list[str] = field(default_factory=list)
    """What the server reports as missing."""

    def ask(self, path: str, values: dict[str, str]) -> list[dict[str, Any]]:
        """Return the rows of an answer; a busy server is queried again, a silent one is not.

        Raises `InputError` with what the server said.
        """
        import httpx  # noqa: PLC0415 (only queries wait for it)

        said = ""
        for trial in range(_TRIES):
            if trial:
                time.sleep(PAUSE_S * 2**trial)
            try:
                taken = download_limit.into_memory(f"an answer of {self.query.host}", _LESS)
                answer = download_limit.answered(
                    self.client, "POST", f"{self.query.base}/api/v1/{path}", taken, data=values
                )
            except httpx.ReadTimeout:
                raise InputError(
                    f"Prometheus at `{self.query.host}` did not answer within {download_limit.SILENT_S:.0f} s"
                ) from None
            except httpx.HTTPError as error:
                said = str(error) or type(error).__name__
                continue
            if answer.status_code in {401, 403}:
                raise HintedError(
                    f"Prometheus at `{self.query.host}` refuses (status {answer.status_code})",
                    "set DRIVECAST_PROMETHEUS_TOKEN, or DRIVECAST_PROMETHEUS_USER and "
                    "DRIVECAST_PROMETHEUS_PASSWORD",
                )
            if answer.status_code in {429, 502, 503, 504} or answer.status_code >= 520:
                said = f"status {answer.status_code}: {answer.text[:200].strip()}"
                continue
            return self._rows(answer)
        raise HintedError(
            f"Prometheus at `{self.query.host}` did not answer after {_TRIES} tries: {said}",
            "check the address and that the server is up; nothing was written",
        )

    def _rows(self, answer: "httpx.Response") -> list[dict[str, Any]]:
        try:
            document = answer.json()
            status, data = document["status"], document.get("data")
            rows = data["result"] if isinstance(data, dict) and status == "success" else data
            warnings = document.get("warnings") or []
            if status == "success":
                if not (isinstance(warnings, list) and isinstance(rows, list)):
                    raise TypeError
                if not all(isinstance(row, dict) for row in rows):
                    raise TypeError
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise self._odd(answer.text, f"status {answer.status_code}") from None
        if status != "success":
            raise InputError(f"Prometheus at `{self.query.host}` says: {document.get('error', status)}")
        self.losses += [f"Prometheus says: {warning}" for warning in warnings]
        return cast("list[dict[str, Any]]", rows)

    def _odd(self, found: str, where: str) -> HintedError:
        return HintedError(
            f"`{self.query.host}` did not answer as Prometheus does ({where}): {found[:80].strip()!r}",
            "the address is that of the server's page, without /graph",
        )

    def scrape_interval_s(self) -> float | None:
        """Return how often the disks were scraped; nothing where they were not seen."""
        series = ",".join([f'__name__=~"{_READS}"', *self.query.matchers])
        for window_s in (600, 86_400):
            query = f"max(count_over_time({{{series}}}[{window_s}s]))"
            rows = self.ask("query", {"query": query, "time": f"{self.query.end_s:.3f}"})
            try:
                count = float(rows[0]["value"][1]) if rows else 0.0
            except (KeyError, IndexError, TypeError, ValueError):
                raise self._odd(str(rows[0]), "a count") from None
            if count > 1:
                return window_s / count
        return None

    def step_s(self) -> float:
        """Return the step of the queries: as scraped, in whole seconds, and no more points than a log should have."""
        least_s = math.ceil((self.query.end_s - self.query.start_s) / _POINTS_MAX)
        scraped_s = self.scrape_interval_s()
        if self.query.step_s is None:
            return float(max(1, least_s, round(scraped_s or 15)))
        if scraped_s is not None and self.query.step_s < 0.9 * scraped_s:
            self.notes.append(
                f"the step of {self.query.step_s:g} s is shorter than the scrape interval of {scraped_s:.0f} s: "
                "points repeat, and peaks look higher than they were"
            )
        return max(self.query.step_s, float(least_s))

    def disks(self) -> list[str]:
        """Return the disks that the server knows of in the stretch, with their instances."""
        values = {
            "match[]": f'{{__name__=~"{_READS}"}}',
            "start": f"{self.query.start_s:.3f}",
            "end": f"{self.query.end_s:.3f}",
        }
        rows = [(row.get("instance", ""), *map(row.get, _DEVICES)) for row in self.ask("series", values)]
        return sorted({f"{next(filter(None, disk), '?')} of {instance}" for instance, *disk in rows})


def chunks(start_s: float, end_s: float, step_s: float) -> Iterator[tuple[float, float]]:
    """Parts of a stretch with at most 10,000 points each, on one grid: no point is fetched twice."""
    count = math.floor((end_s - start_s) / step_s + 1e-9) + 1
    for first in range(0, count, _POINTS):
        last = min(first + _POINTS, count) - 1
        yield start_s + first * step_s, start_s + last * step_s


def fetch(
    url: object,
    folder: Path,
    progress: Callable[[float, str], None] | None = None,
    *,
    transport: "httpx.BaseTransport | None" = None,
) -> tuple[Path, list[str], list[str]]:
    """Fetch a log into a file in `folder`; the file, notes, and what it lacks.

    Raises `InputError` where the server cannot be reached, refuses, or knows no such disk.
    """
    import httpx  # noqa: PLC0415

    query = parse(url, time.time())
    path = folder / f"prometheus-{query.host.replace(':', '-')}.json"
    with httpx.Client(
        transport=transport,
        timeout=download_limit.patience(),
        follow_redirects=True,
        **credentials(os.environ),
    ) as client:
        server = Server(query, client)
        step_s = server.step_s()
        parts = list(chunks(query.start_s, query.end_s, step_s))
        series = 0
        with path.open("w") as file:
            for number, (first_s, last_s) in enumerate(parts):
                values = {
                    "query": query.selector(_METRICS),
                    "start": f"{first_s:.3f}",
                    "end": f"{last_s:.3f}",
                    "step": f"{step_s:g}",
                }
                with timed("fetch from %s", query.host):
                    rows = server.ask("query_range", values)
                series += len(rows)
                json.dump({"status": "success", "data": {"resultType": "matrix", "result": rows}}, file)
                file.write("\n")
                if progress is not None:
                    progress((number + 1) / len(parts), f"{number + 1} of {len(parts)} answers")
        if not series:
            raise nothing(server)
    server.notes.append(f"fetched from `{query.host}` in {len(parts)} queries, a point every {step_s:g} s")
    return path, list(dict.fromkeys(server.notes)), list(dict.fromkeys(server.losses))


def credentials(environment: "os._Environ[str] | dict[str, str]") -> dict[str, Any]:
    """Return the login from the environment."""
    if token := environment.get("DRIVECAST_PROMETHEUS_TOKEN"):
        return {"headers": {"Authorization": f"Bearer {token}"}}
    if user := environment.get("DRIVECAST_PROMETHEUS_USER"):
        return {"auth": (user, environment.get("DRIVECAST_PROMETHEUS_PASSWORD", ""))}
    return {}


def nothing(server: Server) -> InputError:
    """The error that there are no such disks, and which there are."""
    disks = server.disks()
    known = ", ".join(disks[:12]) + (f" and {len(disks) - 12} more" if len(disks) > 12 else "")
    return HintedError(
        f"Prometheus at `{server.query.host}` has no such disk in that time",
        f"it has {known}" if disks else "it has no disks of node_exporter or windows_exporter then",
    )
