"""Bytes into JSON documents: one, several behind each other, one a line, a list of them; packed or not.

A document that is damaged or ends halfway is reported with its byte offset, and reading continues at the next line that
begins one. Left out: numbers that JSON does not have (`NaN`), which are damage here.
"""

import gzip
import io
import json
import re
import tarfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

BYTES_MAX = 512 << 20
"""Unpacked; more is not a log of drives."""
_AGAIN_LEAST, _AGAIN_TIMES = 1_000_000, 10
"""Characters that are read in vain: so many, and so many times the text, are borne."""
_COUNTED = 50
"""Characters in which the decoder counts lines, up to its error, in the time of reading one."""
_BEGINS = re.compile(r"\n(?=[{\[])")
_BETWEEN = re.compile("[ \t\r\n,;\x00\x1e\ufeff]*")
"""What may stand between documents."""
_GZIP = b"\x1f\x8b"


class PackedError(ValueError):
    """What is packed cannot be unpacked."""


@dataclass(frozen=True)
class Damage:
    """Where the text is no JSON, and why."""

    byte: int
    what: str


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"`{name}` is no number of JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def unpack(data: bytes, name: str = "") -> list[tuple[str, bytes]]:
    """The files of an archive by name, or the bytes alone; raises `PackedError` where they are damaged."""
    try:
        if data.startswith(_GZIP):
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
                data = packed.read(BYTES_MAX + 1)
            if len(data) > BYTES_MAX:
                raise PackedError(f"more than {BYTES_MAX >> 20} MiB when unpacked")
        if data[257:262] == b"ustar":
            with tarfile.open(fileobj=io.BytesIO(data)) as archive:
                return list(_members(archive, name))
    except (OSError, EOFError, OverflowError, zlib.error, tarfile.TarError) as error:
        raise PackedError(f"packed and damaged: {error}") from None
    return [(name, data)]


def _members(archive: tarfile.TarFile, name: str) -> Iterator[tuple[str, bytes]]:
    """The files of an archive; raises `PackedError` where they are too large, as one of holes may be."""
    left = BYTES_MAX
    for member in archive:
        if member.isfile() and (file := archive.extractfile(member)) is not None:
            left -= member.size
            if left < 0:
                raise PackedError(f"more than {BYTES_MAX >> 20} MiB when unpacked")
            yield f"{name}/{member.name}", file.read()


def text_of(data: bytes) -> tuple[str, str]:
    """Return the text and its encoding; a shell of Windows writes UTF-16 where others write UTF-8."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace"), "utf-16"
    return data.decode("utf-8-sig", errors="replace"), "utf-8"


def documents(text: str) -> Iterator[tuple[int, Any] | Damage]:
    """Yield each document with the byte at which it begins, or what is wrong there.

    Damage is read again from the next line that begins a document; what takes too long by that is given up.
    """
    at = byte = 0
    patience = _AGAIN_LEAST + _AGAIN_TIMES * len(text)
    whole = len(text.rstrip())
    while (begin := _next(text, at)) < len(text):
        byte += _bytes(text[at:begin])
        if patience < 0:
            yield Damage(byte, "so much before it is damaged that the rest was not read")
            return
        try:
            value, at = _DECODER.raw_decode(text, begin)
        except json.JSONDecodeError as error:
            yield Damage(byte + _bytes(text[begin : error.pos]), _fault(text, error, whole))
            patience -= error.pos - begin + begin // _COUNTED
            at = _resume(text, begin)
        except (ValueError, RecursionError) as error:
            yield Damage(byte, "nested too deep" if isinstance(error, RecursionError) else str(error))
            patience -= _AGAIN_LEAST // 10
            at = _resume(text, begin)
        else:
            yield byte, value
        byte += _bytes(text[begin:at])


def _bytes(text: str) -> int:
    return len(text.encode(errors="replace"))


def _next(text: str, at: int) -> int:
    found = _BETWEEN.match(text, at)
    return found.end() if found else at


def _fault(text: str, error: json.JSONDecodeError, whole: int) -> str:
    """What is wrong in a text that is blank from `whole` on."""
    if error.pos >= whole or error.msg.startswith("Unterminated"):
        return "the document ends halfway: it was cut off"
    found = (text[error.pos : error.pos + 20].strip().splitlines() or [""])[0]
    return f"no JSON: {error.msg[:1].lower()}{error.msg[1:]}, found `{found}`"


def _resume(text: str, at: int) -> int:
    """Return where the next document may begin: a line that opens one."""
    found = _BEGINS.search(text, at)
    return found.end() if found else len(text)
