"""A program that writes to an attached disk and says outside of it what was asked, what answered and what flushed.

    python attach_writer.py TARGET RECORD SEED     writes until it cannot, or is killed
    python attach_writer.py --read TARGET OUT      copies what is there

TARGET is a URI of NBD or a directory. Each block of 4 KiB holds its own number and how often it was written. A line
of RECORD is written before a request is sent (`s BLOCK TIMES ZEROS`), after its answer (`a BLOCK TIMES`, or
`D BLOCK TIMES` where that means that it is durable), before a flush (`f`) and after its answer (`d`).

In a directory there are two files: `blocks`, written in place with `fdatasync` now and then, and `named`, which gets
its name by `rename` after an `fsync` and is durable when the directory is; it is block 2048.
"""

import contextlib
import os
import random
import struct
import sys
from pathlib import Path

from nbd_client import FLUSH, READ, WRITE, WRITE_ZEROES, Client

BLOCK = 4096
BLOCKS = 2048
NAMED = BLOCKS
_UNIT = struct.Struct("<QQ")


def content(block: int, times: int) -> bytes:
    """What a block holds after so many writes."""
    return _UNIT.pack(block + 1, times) * (BLOCK // _UNIT.size)


def times_written(block: int, data: bytes) -> int:
    """The opposite: 0 of zeros, -1 of what no single write has left."""
    if not any(data):
        return 0
    number, times = _UNIT.unpack_from(data)
    return times if data == content(block, times) and number == block + 1 else -1


class Record:
    """What is said outside of the disk, and how often each block was written."""

    def __init__(self, path: str, seed: int) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self.times = [0] * (BLOCKS + 1)
        self.dice = random.Random(seed)
        self.say(f"p {os.getpid()}\n")

    def say(self, lines: str) -> None:
        """Say it at once."""
        os.write(self._file, lines.encode())


def write_nbd(socket: str, record: Record) -> None:
    """Batches of writes, some forced, some of zeros, all in flight together; a flush now and then."""
    dice = record.dice
    with Client(socket) as client:
        while True:
            asked: dict[int, tuple[int, int, bool]] = {}
            lines, batch = "", []
            for block in dice.sample(range(BLOCKS), dice.randint(1, 16)):
                record.times[block] += 1
                fua, zeros = dice.random() < 0.05, dice.random() < 0.05
                batch.append((block, record.times[block], fua, zeros))
                lines += f"s {block} {record.times[block]} {int(zeros)}\n"
            record.say(lines)
            for block, times, fua, zeros in batch:
                command, size, data = (
                    (WRITE_ZEROES, BLOCK, b"") if zeros else (WRITE, 0, content(block, times))
                )
                asked[client.send(command, block * BLOCK, size, data, fua=fua)] = block, times, fua
            for _ in batch:
                reply = client.reply()
                if reply.error:
                    return
                block, times, fua = asked[reply.cookie]
                record.say(f"{'D' if fua else 'a'} {block} {times}\n")
            if dice.random() < 0.05:
                record.say("f\n")
                client.send(FLUSH)
                if client.reply().error:
                    return
                record.say("d\n")


def write_files(folder: Path, record: Record) -> None:
    """Writes to a file in place, flushed now and then, and a file that gets its name when it is whole."""
    dice = record.dice
    whole = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    file = os.open(folder / "blocks", os.O_RDWR | os.O_CREAT, 0o600)
    os.fsync(file)
    os.fsync(whole)
    while True:
        for _ in range(dice.randint(1, 32)):
            block = dice.randrange(BLOCKS)
            record.times[block] += 1
            record.say(f"s {block} {record.times[block]} 0\n")
            os.pwrite(file, content(block, record.times[block]), block * BLOCK)
            record.say(f"a {block} {record.times[block]}\n")
        record.say("f\n")
        os.fdatasync(file)
        record.say("d\n")
        if dice.random() < 0.2:
            record.times[NAMED] += 1
            record.say(f"s {NAMED} {record.times[NAMED]} 0\n")
            with (folder / "new").open("wb") as new:
                new.write(content(NAMED, record.times[NAMED]))
                new.flush()
                os.fsync(new.fileno())
            (folder / "new").rename(folder / "named")
            os.fsync(whole)
            record.say(f"D {NAMED} {record.times[NAMED]}\n")


def read(target: str, out: Path) -> None:
    """What is there, block after block; what is missing is zeros."""
    if target.startswith("nbd"):
        with Client(target.partition("socket=")[2]) as client:
            client.send(READ, 0, BLOCKS * BLOCK)
            out.write_bytes(client.reply().data)
        return
    found = b""
    for name, size in (("blocks", BLOCKS * BLOCK), ("named", BLOCK)):
        with contextlib.suppress(FileNotFoundError):
            found += Path(target, name).read_bytes()[:size]
        found = found.ljust(BLOCKS * BLOCK + (0 if name == "blocks" else BLOCK), b"\0")
    out.write_bytes(found)


def main() -> None:
    """See the module."""
    if sys.argv[1] == "--read":
        read(sys.argv[2], Path(sys.argv[3]))
        return
    target, record = sys.argv[1], Record(sys.argv[2], int(sys.argv[3]))
    with contextlib.suppress(OSError):  # the disk is gone: that is what is tried
        if target.startswith("nbd"):
            write_nbd(target.partition("socket=")[2], record)
        else:
            write_files(Path(target), record)


if __name__ == "__main__":
    main()
