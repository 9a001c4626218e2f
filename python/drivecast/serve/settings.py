"""What a server may do: where it listens, what it holds, and the limits of what is sent and done."""

import ipaddress
import os
import socket
from dataclasses import dataclass, field
from pathlib import Path

from drivecast.errors import HintedError, InputError

UPLOAD_BYTES_MAX = 2_000_000_000
JOB_TIME_S = 4 * 3600.0
BODY_BYTES_MAX = 1 << 20
"""Of a request that is no upload."""
DOCUMENT_BYTES_MAX = 32_000_000
"""Of readings of drives, and of a result of benchmarks."""
MEMORY_SHARE = 0.75
"""Of the machine's, for all jobs together, unless it is stated."""
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Settings:
    """All that is chosen when a server is started."""

    data: Path
    host: str = "127.0.0.1"
    port: int = 8642
    names: tuple[str, ...] = ()
    """Names by which browsers may call the server, apart from its address."""
    folders: dict[str, Path] = field(default_factory=dict)
    """Folders in which traces may be named, by what they are called."""
    catalog: tuple[Path, ...] = ()
    """Further catalog files, for all plans."""
    token: str | None = None
    upload_bytes_max: int = UPLOAD_BYTES_MAX
    jobs: int = 1
    """Plans at a time."""
    job_time_s: float = JOB_TIME_S
    job_memory_bytes: int | None = None
    fetch: tuple[str, ...] | None = None
    """Hosts that traces may be fetched from; none for any."""
    body_idle_s: float = 30.0
    """So long a body may pause."""
    header_s: float = 15.0
    """So long a connection may take to ask for something."""
    pages: Path = Path(__file__).parent / "pages"

    def __post_init__(self) -> None:
        """Refuse to be open to a network without a token."""
        if not self.loopback and self.token is None:
            raise HintedError(
                f"{self.host} is open to the network, and there is no token: whoever reaches it could read and "
                "delete everything",
                "`--token-file FILE` has one; a file that is not there is made, with a token that is printed once",
            )

    @property
    def loopback(self) -> bool:
        """Whether this machine alone can reach it."""
        return is_loopback(self.host)

    @property
    def hosts(self) -> frozenset[str]:
        """The names that a request may call the server by."""
        own = () if self.loopback else (socket.gethostname().lower(), socket.getfqdn().lower())
        return frozenset((*LOOPBACK_NAMES, self.host.lower(), *own, *(name.lower() for name in self.names)))

    def called_rightly(self, name: str) -> bool:
        """Whether a request's `Host` is ours: a name that an attacker has pointed here (DNS rebinding) is not.

        An address is no name that could be pointed elsewhere; where we listen on all of them, any of them is ours.
        """
        host = name.lower().rstrip(".")
        return host in self.hosts or (self.everywhere and _address(host) is not None)

    @property
    def everywhere(self) -> bool:
        """Whether it listens on all addresses of the machine."""
        found = _address(self.host)
        return found is not None and found.is_unspecified

    @property
    def threads(self) -> int:
        """Of each plan, so that all of them have the cores among them."""
        return max(1, (os.cpu_count() or 1) // self.jobs)

    @property
    def memory_bytes(self) -> int | None:
        """Of each job: stated, or an equal part of the machine's; none where nobody knows what that is."""
        if self.job_memory_bytes is not None:
            return self.job_memory_bytes
        try:
            machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        except (AttributeError, ValueError, OSError):
            return None
        return int(MEMORY_SHARE * machine / (self.jobs + 1))


def is_loopback(host: str) -> bool:
    """Whether an address, or a name that the system's own table has for it, is this machine's alone."""
    address = _address(host)
    return host.lower() == "localhost" if address is None else address.is_loopback


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None


def named_folders(given: list[str]) -> dict[str, Path]:
    """Folders by name: `NAME=PATH`, or a path that is called by its last part.

    Raises `InputError` for what is no folder, and for two of one name.
    """
    found: dict[str, Path] = {}
    for text in given:
        name, equals, place = text.partition("=")
        path = Path(place if equals else text)
        called = name if equals else path.resolve().name
        if not path.is_dir():
            raise InputError(f"--folder: `{path}` is no folder")
        if not called or "/" in called:
            raise InputError(f"--folder {text}: expected NAME=PATH, or a path with a name")
        if called in found:
            raise HintedError(f"--folder: two folders are called `{called}`", f"--folder OTHER={path}")
        found[called] = path.resolve()
    return found
