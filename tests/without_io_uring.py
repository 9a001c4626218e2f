"""Runs a program in a system that refuses io_uring, as containers do: `python without_io_uring.py PROGRAM …`."""

import ctypes
import errno
import os
import struct
import sys

IO_URING_SETUP = 425  # on every architecture
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
SECCOMP_RET_ERRNO, SECCOMP_RET_ALLOW = 0x00050000, 0x7FFF0000


class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


def refuse(call: int, error: int) -> None:
    rows = [
        (LOAD, 0, 0, 0),  # the number of the system call
        (JUMP_IF_EQUAL, 0, 1, call),
        (RETURN, 0, 0, SECCOMP_RET_ERRNO | error),
        (RETURN, 0, 0, SECCOMP_RET_ALLOW),
    ]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *row) for row in rows))
    program = Filter(len(rows), ctypes.addressof(code))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(
        PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0
    ):
        sys.exit(f"no seccomp: {os.strerror(ctypes.get_errno())}")


if __name__ == "__main__":
    refuse(IO_URING_SETUP, errno.EPERM)
    os.execvp(sys.argv[1], sys.argv[1:])  # noqa: S606 (that is all it is for)
