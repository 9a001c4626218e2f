"""Where a private server lives: its data in the target, perhaps its log in another, its socket out of the way.

All of it is in directories made for the run, named `drivecast-…`, and removed with it by a supervisor of their own,
started before they are made: they are gone even when drivecast is killed between two servers.

The socket and what the programs print are in a third directory, of the system's temporary files: a data directory may
be too deep for a socket (its path has 107 bytes), and printing is not to disturb the target.

Servers and load generators never run as root. Where drivecast itself is privileged, they run as the owner of the
target's directory, or else as the account that the package of the server made, or else as `nobody`. Otherwise they run
as whoever runs drivecast.
"""

import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from drivecast.bench.database.design_target import Design, Target
from drivecast.bench.target import free_bytes
from drivecast.document.attached import Held
from drivecast.errors import HintedError, InputError, NoRoomError
from drivecast.files import SOCKET_BYTES_MAX
from drivecast.supervisor import supervised

REMOVAL_S = 60.0
"""How long a dying server may keep its directory from being removed."""


@dataclass(frozen=True)
class Site:
    """A target as the user names it: where the data go, and where the log goes if elsewhere."""

    on: Target
    log_on: Target | None = None

    @property
    def name(self) -> str:
        """As the user calls it."""
        return f"{self.on}, log on {self.log_on}" if self.log_on else str(self.on)

    @property
    def designs(self) -> list[Design]:
        """Those of its targets that are attached."""
        return [target for target in (self.on, self.log_on) if isinstance(target, Design)]

    def needs(self, data_bytes: int, log_bytes: int) -> list[tuple[Target, Held, int]]:
        """What is on each of its targets, and the space that it takes there."""
        if self.log_on is None:
            return [(self.on, "data and log", data_bytes + log_bytes)]
        return [(self.on, "data", data_bytes), (self.log_on, "log", log_bytes)]


@dataclass(frozen=True)
class Account:
    """A user and a group of the system."""

    name: str
    user: int
    group: int

    @property
    def ids(self) -> tuple[int, int] | None:
        """What a program is to be started as; none where that is what we are."""
        return None if os.geteuid() == self.user else (self.user, self.group)

    def owns(self, folder: Path) -> None:
        """Make a directory that we made this account's."""
        if self.ids is not None:
            os.chown(folder, self.user, self.group)

    def must_reach(self, folder: Path) -> None:
        """Raise `InputError` where this account may not pass through `folder`."""
        given = {} if self.ids is None else {"user": self.user, "group": self.group, "extra_groups": []}
        done = subprocess.run(["test", "-x", folder], check=False, cwd="/", **given)  # type: ignore[call-overload]
        if done.returncode != 0:
            raise HintedError(
                f"`{folder}` cannot be entered by `{self.name}`, which the server runs as: it does not run as root",
                "`chmod o+x` the directories on the way, give the directory to another user with `chown`, "
                "or run drivecast as a user that is not root",
            )


def choose(folder: Path, preferred: Sequence[str]) -> Account:
    """Who programs run as that work in `folder`; `preferred` are names of accounts, the best first."""
    if os.geteuid() != 0:
        return _of(pwd.getpwuid(os.geteuid()))
    owner, names = folder.stat().st_uid, (*preferred, "nobody")
    if owner != 0:
        try:
            return _of(pwd.getpwuid(owner))
        except KeyError:
            return Account(str(owner), owner, folder.stat().st_gid)
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    for name in names:
        if name in known:
            return _of(known[name])
    raise HintedError(
        "no account to run the server as: it does not run as root, and there is no "
        f"{', '.join(f'`{name}`' for name in names)}",
        "give the directory to a user that is not root with `chown`",
    )


def _of(entry: pwd.struct_passwd) -> Account:
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


@dataclass(frozen=True)
class Place:
    """The directories of one server."""

    account: Account
    top: Path
    """On the target."""
    log: Path | None
    """On the log's target."""
    work: Path
    """Of the socket, and of what programs print."""
    group: Path | None = None
    """The control group that programs are in, where the target wants one."""

    @property
    def data(self) -> Path:
        """The server's data directory."""
        return self.top / "data"

    @property
    def storage(self) -> list[Path]:
        """The directories on the user's storage."""
        return [self.top, *([self.log] if self.log else [])]

    def socket(self, name: str) -> Path:
        """The path of a socket in the work directory. Raises `InputError` where no socket can have it."""
        path = self.work / name
        if len(os.fsencode(path)) > SOCKET_BYTES_MAX:
            raise HintedError(
                f"the socket's path is too long: `{path}` has {len(os.fsencode(path))} bytes, "
                f"{SOCKET_BYTES_MAX} are possible",
                "set TMPDIR to a directory with a short name",
            )
        return path

    def forget(self) -> None:
        """Drop the page cache of the files, which needs no privileges and touches no other files.

        What a server that was stopped cleanly has written is on the storage, and only such pages are dropped.
        """
        for top in self.storage:
            for path in (file for file in top.rglob("*") if file.is_file() and not file.is_symlink()):
                handle = os.open(path, os.O_RDONLY)
                try:
                    os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
                finally:
                    os.close(handle)

    def data_bytes(self, inside: str) -> int:
        """What a directory in the data directory takes on the storage."""
        sum_ = 0
        for folder, _folders, files in os.walk(self.data / inside):
            for name in files:
                with suppress(OSError):  # a server at work also removes files
                    sum_ += Path(folder, name).lstat().st_blocks * 512
        return sum_


@contextmanager
def made(on: Path, log_on: Path | None, account: Account, group: Path | None = None) -> Iterator[Place]:
    """Directories for a server in these, for as long as the block lasts; its programs are in the control group."""
    name = f"drivecast-{os.getpid()}-{secrets.token_hex(4)}"
    work = Path(tempfile.gettempdir())
    for folder in {on, log_on or on, work}:
        account.must_reach(folder)
    log = log_on.resolve() / f"{name}-log" if log_on else None
    place = Place(account, on.resolve() / name, log, work / name, group)
    place.socket(".s.PGSQL.5432")  # the longest of all servers; refused before anything is made
    folders = [place.work, *place.storage]
    try:
        with supervised(["sleep", "infinity"], stop=signal.SIGKILL, grace_s=REMOVAL_S, remove=folders):
            for folder in folders:
                try:
                    folder.mkdir(mode=0o700)
                    account.owns(folder)
                except OSError as error:
                    raise InputError(
                        f"cannot make a directory in `{folder.parent}`: {error.strerror}"
                    ) from None
            yield place
    finally:
        for folder in folders:  # if somebody killed the supervisor
            shutil.rmtree(folder, ignore_errors=True)


def must_have_room(sites: Sequence[Site], data_bytes: int, log_bytes: int) -> None:
    """Raise `InputError` unless the sites' file systems have room for so much on each, and a twentieth over.

    Those of designs are made for it.
    """
    needs: dict[int, tuple[Path, int]] = {}
    for site in sites:
        for folder, _holds, need in site.needs(data_bytes, log_bytes):
            if isinstance(folder, Design):
                continue
            if not folder.is_dir():
                found = "not a directory" if folder.exists() else "no such directory"
                raise HintedError(
                    f"cannot use `{folder}` as a target: {found}",
                    "a database needs a directory on a file system of the storage",
                )
            number = folder.stat().st_dev
            first, sum_ = needs.get(number, (folder, 0))
            needs[number] = (first, sum_ + need)
    for folder, need in needs.values():
        free = free_bytes(folder)
        if need > free:
            raise NoRoomError(
                f"`{folder}` has too little space: about {need / 1e9:,.2f} GB needed, {max(0, free) / 1e9:,.2f} GB "
                "available (a twentieth of the file system is left free)",
                "give another directory, or a smaller `--size`",
                needed_bytes=need,
                free_bytes=free,
            )
