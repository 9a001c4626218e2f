"""Programs that never outlive us: fio, database servers, load generators.

A program is started by a supervisor: a small process in a session of its own that holds the reading end of a pipe; we
hold the other end. When we let go of it or end in any way (`kill -9` too), the supervisor asks the program to stop,
waits `grace_s`, and kills what is left: its whole session, and all descendants. Daemons that left the session and lost
their parent are the supervisor's children by then (`PR_SET_CHILD_SUBREAPER`). Then it runs the command it was given for
what a program leaves in the kernel (a mount, a loop device), and removes the directories it was given. If the
supervisor itself is killed, the kernel kills the program (`PR_SET_PDEATHSIG`), and we kill the rest of its session, run
the command and remove the directories.

The pipe is not enough where we serve a disk: a thread of ours that waits for that very disk cannot be killed, holds the
pipe open, and waits for what the killed threads would have served. With a command for afterwards, the supervisor also
checks once a second whether we are dying.

Not covered: a daemon that has left its session survives a killed supervisor. Only root and the kernel's OOM killer kill
supervisors.

The supervisor is this file, run by the interpreter with nothing but the standard library.
"""

import contextlib
import ctypes
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_PF_EXITING = 4
_LOOK_S = 1.0
_ATTEMPTS = 5
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def supervised(  # noqa: PLR0913 (keywords, as those of `Popen`)
    argv: Sequence[str],
    *,
    stop: signal.Signals = signal.SIGTERM,
    grace_s: float = 10.0,
    remove: Sequence[Path] = (),
    scratch: Sequence[Path] = (),
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    stdin: IO[Any] | int | None = subprocess.DEVNULL,
    stdout: IO[Any] | int | None = subprocess.DEVNULL,
    stderr: IO[Any] | int | None = subprocess.DEVNULL,
    pass_fds: Sequence[int] = (),
    account: tuple[int, int] | None = None,
    group: Path | None = None,
    after: Sequence[str] = (),
) -> Iterator[subprocess.Popen[bytes]]:
    """Run the program `argv` for as long as the block lasts; leaving the block stops it.

    The process has the program's return code (128 + N where signal N ended it). Directories and files in `remove` go
    after it has ended (processes that still write there have `grace_s` to end), those in `scratch` only if it was
    stopped: what a program that ended on its own has written is still to be read. `account` is the user and group that
    the program runs as, where we are privileged, and `group` the directory of the control group that it is in. `after`
    is a command that is run when the program has ended, again if it is killed.
    """
    order = json.dumps(
        {
            "argv": list(argv),
            "stop": int(stop),
            "grace_s": grace_s,
            "remove": [str(folder) for folder in remove],
            "scratch": [str(folder) for folder in scratch],
            "account": account,
            "group": None if group is None else str(group),
            "after": list(after),
            "owner": os.getpid(),
        }
    )
    _log(argv)
    reading, writing = os.pipe()
    try:
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", __file__, str(reading), order],
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            cwd=cwd,
            env=None if env is None else dict(env),
            pass_fds=[reading, *pass_fds],
            start_new_session=True,
        )
    finally:
        os.close(reading)
    try:
        yield process
    finally:
        # A process that was forked meanwhile may hold the pipe open too, so closing it is not enough.
        with contextlib.suppress(OSError):
            os.write(writing, b"!")
        os.close(writing)
        process.wait()
        if process.returncode < 0:
            _kill_all(lambda: _of_session(process.pid))
            _run_after(after)
            _remove([*remove, *scratch], time.monotonic() + grace_s)


def _log(argv: Sequence[str]) -> None:
    import logging  # noqa: PLC0415 (a supervisor has no need of these two)
    import shlex  # noqa: PLC0415

    logging.getLogger("drivecast").info("run %s", shlex.join(argv))


def _supervise(pipe: int, order: Mapping[str, Any]) -> int:
    """Run the program until it ends or the pipe does; its return code."""
    # What is meant for the whole terminal or session must not end the supervisor before its program.
    for number in _ENDING:
        signal.signal(number, signal.SIG_IGN)
    os.set_inheritable(pipe, False)
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)
    us = os.getpid()
    user, group = order["account"] or (None, None)
    home = _home(order["group"])
    try:
        _join(order["group"], us)
        # It is in the supervisor's session and process group: both are one to kill.
        child = subprocess.Popen(  # one thread here: code may run between fork and exec
            order["argv"],
            close_fds=False,
            user=user,
            group=group,
            extra_groups=None if user is None else [],
            preexec_fn=lambda: _tied(us),  # noqa: PLW1509
        )
    except OSError as error:
        sys.stderr.write(f"{order['argv'][0]}: {error.strerror}\n")
        return 127
    finally:
        _join(home, us)
    ended = os.pidfd_open(child.pid)
    ready: list[int] = []
    while not ready and not (order["after"] and dying(order["owner"])):
        ready, _, _ = select.select([pipe, ended], [], [], _LOOK_S if order["after"] else None)
    stopped = ended not in ready
    if stopped:
        child.send_signal(order["stop"])
        select.select([ended], [], [], order["grace_s"])
    code = _reap(child)
    _run_after(order["after"])
    _remove([*order["remove"], *(order["scratch"] if stopped else [])], time.monotonic() + order["grace_s"])
    return 128 - code if code < 0 else code


def _join(group: str | Path | None, process: int) -> None:
    if group is not None:
        Path(group, "cgroup.procs").write_text(str(process))


def _home(group: str | None) -> Path | None:
    """The control group that we are in, in the hierarchy of another one, to return to once the program is in that.

    Only the program is to be in it: what ends the group must not end the supervisor. In version 2 the directory above
    may hold no processes (`cgroups(7)`).
    """
    if group is None:
        return None
    if not Path(group, "cgroup.controllers").exists():
        return Path(group).parent
    ours = next(line[3:] for line in Path("/proc/self/cgroup").read_text().splitlines() if line[:3] == "0::")
    top = [above for above in Path(group).parents if (above / "cgroup.procs").exists()][-1]
    return top / ours.lstrip("/")


def dying(process: int) -> bool:
    """Whether a process is dead, or killed and held up by a thread that waits in the kernel."""
    try:
        words = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        if words[0] in "ZX" or int(words[6]) & _PF_EXITING:  # state and flags (proc_pid_stat(5))
            return True
        # Each thread of a killed process has SIGKILL pending until it has ended.
        return any(
            int(line.split()[1], 16) >> (signal.SIGKILL - 1) & 1
            for task in Path(f"/proc/{process}/task").iterdir()
            for line in (task / "status").read_text().splitlines()
            if line.startswith("SigPnd:")
        )
    except OSError:  # a thread that ends while we read is no reason to end the others
        return not Path(f"/proc/{process}").exists()


def _run_after(command: Sequence[str]) -> None:
    """Run a command to its end, whoever kills it meanwhile."""
    for _attempt in range(_ATTEMPTS if command else 0):
        ended = subprocess.run(command, stdin=subprocess.DEVNULL, start_new_session=True, check=False)
        if ended.returncode >= 0:
            return


def _tied(supervisor: int) -> None:
    """In the child: die with the supervisor, and take signals as a program does that was started from a shell."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != supervisor:  # it ended before prctl took effect
        os._exit(127)
    for number in _ENDING:
        signal.signal(number, signal.SIG_DFL)


def _reap(child: "subprocess.Popen[bytes]") -> int:
    """End the program and all that came from it."""
    if child.poll() is None:
        child.kill()
    code = child.wait()
    us = os.getpid()

    def left() -> Iterable[int]:
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        return {*_of_session(us), *_descendants(us)} - {us}

    _kill_all(left)
    return code


def _kill_all(left: Callable[[], Iterable[int]], patience_s: float = 5.0) -> None:
    """Kill what is `left` until nothing is: the killed may have started others meanwhile."""
    until = time.monotonic() + patience_s
    while (others := list(left())) and time.monotonic() < until:
        for process in others:
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.02)


def _of_session(session: int) -> Iterator[int]:
    """The processes of a session."""
    return (process for process, (_parent, of) in _processes().items() if of == session)


def _descendants(ancestor: int) -> Iterator[int]:
    """The processes that came from one, at any remove."""
    alive = _processes()
    for process in alive:
        parent = process
        while (parent := alive.get(parent, (0, 0))[0]) not in (0, ancestor):
            pass
        if parent == ancestor:
            yield process


def _processes() -> dict[int, tuple[int, int]]:
    """Parent and session of each process, the dead that wait to be collected left out."""
    found = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                state, parent, _group, session = (
                    Path(entry.path, "stat").read_text().rpartition(")")[2].split()[:4]
                )
                if state != "Z":
                    found[int(entry.name)] = (int(parent), int(session))
    return found


def _remove(folders: Sequence[str | Path], until: float) -> None:
    """Remove directories, and again what others put there meanwhile; files and sockets, too."""
    for folder in map(Path, folders):
        if not folder.is_dir():
            folder.unlink(missing_ok=True)
        shutil.rmtree(folder, ignore_errors=True)
        while folder.exists() and time.monotonic() < until:
            time.sleep(0.05)
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(_supervise(int(sys.argv[1]), json.loads(sys.argv[2])))
