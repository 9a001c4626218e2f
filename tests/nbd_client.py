"""A client of NBD on a Unix socket that has many requests in flight and sees the reply to each.

The older handshake and simple replies (the NBD project's `doc/proto.md`): what fio, nbdcopy and QEMU hide is when a
flush or a forced write was answered.
"""

import socket
import struct
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

READ, WRITE, DISCONNECT, FLUSH, TRIM, WRITE_ZEROES = 0, 1, 2, 3, 4, 6
FUA = 1


@dataclass(frozen=True)
class Reply:
    """An answer: the number of the request, the error or 0, and what was read."""

    cookie: int
    error: int
    data: bytes


class Client:
    """A connection. Raises `OSError` where the server is gone."""

    def __init__(self, path: str | Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(60)
        self._socket.connect(str(path))
        assert self._take(16) == b"NBDMAGICIHAVEOPT"
        self._take(2)
        self._socket.sendall(struct.pack(">I8sII", 3, b"IHAVEOPT", 1, 0))
        self.size, _abilities = struct.unpack(">QH", self._take(10))
        self._reads: dict[int, int] = {}
        self._cookie = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.close()

    def send(
        self, command: int, offset: int = 0, size: int = 0, data: bytes = b"", *, fua: bool = False
    ) -> int:
        """Ask; the number of the request."""
        self._cookie += 1
        head = struct.pack(
            ">IHHQQI", 0x25609513, FUA if fua else 0, command, self._cookie, offset, size or len(data)
        )
        if command == READ:
            self._reads[self._cookie] = size
        self._socket.sendall(head + data)
        return self._cookie

    def reply(self) -> Reply:
        """The next answer, to whichever request."""
        magic, error, cookie = struct.unpack(">IIQ", self._take(16))
        assert magic == 0x67446698
        size = self._reads.pop(cookie, 0)
        return Reply(cookie, error, b"" if error else self._take(size))

    def _take(self, size: int) -> bytes:
        taken = bytearray()
        while len(taken) < size:
            part = self._socket.recv(size - len(taken))
            if not part:
                raise ConnectionResetError("the server hung up")
            taken += part
        return bytes(taken)
