r"""Which machine a reading is of, where the reading itself does not say so: from the user, a file's name, or labels.

A device name such as `/dev/sda` is there on every machine, so without a host it names no drive to pull. What the user
states comes first: a name for all, or a pattern for the ends of file names, members of archives included.

    {host}/{device}.json           db001/nvme0.json                {host} and {device} stand for part of a name
    {host}/*/smart-*.json          db001/2026-11-21/smart-7.json   * for anything within one
    (?P<host>db\d+)               any regular expression with a group `host`, found anywhere in the path

Then the labels of an exporter, by their usual names: a label that somebody put there to name the machine comes before
`instance`, which may be an address that moves. A port is taken off; a loopback address names no machine.
"""

import platform
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from drivecast.errors import HintedError

LABELS = ("host", "hostname", "node", "nodename", "kubernetes_node", "exported_instance", "instance")
"""Of an exporter's series, the first that is there."""
FIELDS = ("host", "device")
LOOPBACK = {"localhost", "::1"}
PORT = re.compile(r"(?P<host>\[.*\]|[^:]*):\d{1,5}")


@dataclass(frozen=True)
class Named:
    """What the name of a file says."""

    host: str | None = None
    device: str | None = None


UNNAMED = Named()


@dataclass
class HostNames:
    """What the user states about machines."""

    host: str | None = None
    """The machine of every reading."""
    pattern: re.Pattern[str] | None = None
    label: str | None = None
    """Name of the label that holds it."""
    unmatched: list[str] = field(default_factory=list)
    """Files whose names the pattern is not of."""
    example: str | None = None
    """A file of which nothing is stated."""

    @classmethod
    def of(cls, host: str | None, pattern: str | None, label: str | None = None) -> "HostNames":
        """Return what the three options state; raises `InputError` for several, or a pattern that names no host."""
        if sum(given is not None for given in (host, pattern, label)) > 1:
            raise HintedError(
                "`--host`, `--host-from` and `--host-label` exclude each other", "give one of them"
            )
        return cls(host, None if pattern is None else compiled(pattern), label)

    def named(self, path: str) -> Named:
        """Return what is stated of a file by its path."""
        if self.pattern is None:
            self.example = self.example or path
            return Named(self.host)
        found = self.pattern.search(path.replace("\\", "/"))
        if found is None:
            self.unmatched.append(path)
            return UNNAMED
        groups = found.groupdict()
        return Named(groups.get("host"), groups.get("device"))

    def labelled(self, labels: Mapping[str, str]) -> str | None:
        """Return the machine that labels name."""
        names = LABELS if self.label is None else (self.label,)
        return next((host for name in names if (host := without_port(labels.get(name, "")))), None)


def compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern for the ends of paths, or a regular expression; raises `InputError` where it names no host."""
    try:
        found = re.compile(pattern if "(?P<" in pattern else rf"(?:^|/){_translated(pattern)}$")
    except re.error as error:
        raise HintedError(f"--host-from: `{pattern}` is no pattern: {error}", _EXAMPLE) from None
    if "host" not in found.groupindex:
        raise HintedError(f"--host-from: `{pattern}` names no host", _EXAMPLE)
    return found


_EXAMPLE = "such as '{host}/{device}.json', or a regular expression with a group `(?P<host>…)`"


def _translated(pattern: str) -> str:
    parts = []
    for part in re.split(r"(\{[^{}]*\}|\*)", pattern.removeprefix("/")):
        name = part[1:-1]
        if part == "*":
            parts.append("[^/]*")
        elif part.startswith("{") and name in FIELDS:
            parts.append(f"(?P<{name}>[^/]+)")
        elif part.startswith("{"):
            raise HintedError(
                f"--host-from: `{part}` is no part of a pattern", "`{host}`, `{device}` and `*` are"
            )
        else:
            parts.append(re.escape(part))
    return "".join(parts)


def without_port(instance: str) -> str | None:
    """Return the machine of `HOST:PORT`, `[ADDRESS]:PORT` or a bare name; nothing for a loopback address."""
    found = PORT.fullmatch(instance)
    host = (found["host"] if found else instance).strip("[]")
    return None if not host or host in LOOPBACK or host.startswith("127.") else host


def this_machine() -> str | None:
    """Return the name of the machine that this runs on."""
    return platform.node() or None


def notes(unplaced: int, drives: int, hosts: HostNames) -> list[str]:
    """Return what a person should know: drives without a host, files that a pattern is not of."""
    found = []
    if hosts.unmatched:
        files, first = len(hosts.unmatched), hosts.unmatched[0]
        found.append(f"--host-from is not of {files} file{'s' * (files != 1)}, the first `{first}`")
    if unplaced:
        stated = f"--host-from '{_suggested(hosts.example)}'" if hosts.example else "--host-from"
        found.append(
            f"of {unplaced} of {drives} drives the machine is not known, and a device name alone names no drive to "
            f"pull: give `--host NAME` or `{stated}`"
        )
    return found


def _suggested(path: str) -> str:
    """Return a pattern that a path may have been named by."""
    folder, _, name = path.replace("\\", "/").rpartition("/")
    suffix = name.partition(".")[2]
    end = f".{suffix}" if suffix else ""
    return f"{{host}}/{{device}}{end}" if folder.strip("./") else f"{{host}}-{{device}}{end}"
