"""Who servers and load generators run as: never root.

Where drivecast itself is privileged, they run as the owner of the target's directory, or else as the account that the
package of the server made, or else as `nobody`. Otherwise they run as whoever runs drivecast.
"""

import os
import pwd
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from drivecast.errors import InputError


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
            raise InputError(
                f"`{folder}` cannot be entered by `{self.name}`, which the server runs as: it does not run as root\n"
                f"hint: `chmod o+x` the directories on the way, give the directory to another user with `chown`, "
                "or run drivecast as a user that is not root"
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
    raise InputError(
        "no account to run the server as: it does not run as root, and there is no "
        f"{', '.join(f'`{name}`' for name in names)}\n"
        "hint: give the directory to a user that is not root with `chown`"
    )


def _of(entry: pwd.struct_passwd) -> Account:
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)
