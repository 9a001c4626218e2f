"""The bundled catalog as the last process left it, so that a start need not validate thousands of figures again.

Model. The whole catalog, checked and joined, is pickled in the user's state folder beside a digest of all that it was
made of: every file's bytes, the sources of this package and the versions of Python and pydantic. Another digest,
another owner, or a file that cannot be read: the catalog is read from its files, and written here anew. Left out:
catalogs with files of a user, which change.
"""

import gc
import os
import pickle
import sys
from hashlib import sha256
from pathlib import Path

import pydantic

from drivecast.errors import InputError
from drivecast.files import state_folder, write_whole

DIGEST_BYTES = 32


def digest(base: Path) -> bytes:
    """Hash what a catalog in this folder is made of."""
    hashed = sha256(f"{sys.version} {pydantic.VERSION} {base}".encode())
    for file in sorted(base.rglob("*.*")):
        hashed.update(f"\\0{file}\\0".encode() + file.read_bytes())
    for file in sorted(Path(__file__).parent.glob("*.py")):
        stat = file.stat()
        hashed.update(f"\\0{file.name} {stat.st_size} {stat.st_mtime_ns}".encode())
    return hashed.digest()


def _file() -> Path:
    return state_folder() / "catalog"


def found(wanted: bytes) -> object:
    """What was kept under this digest; none where it is another's, or damaged."""
    collects = gc.isenabled()
    gc.disable()  # nothing that is made here can be garbage
    try:
        with _file().open("rb") as file:
            if os.fstat(file.fileno()).st_uid != os.geteuid() or file.read(DIGEST_BYTES) != wanted:
                return None
            return pickle.load(file)  # noqa: S301 (the user's own file)
    except Exception:  # whatever a damaged file raises: the sources are there to be read
        return None
    finally:
        if collects:
            gc.enable()


def keep(made_of: bytes, catalog: object) -> None:
    """Leave a catalog for the next process; where that cannot be written, it reads the files again."""
    try:
        file = _file()
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(file, made_of + pickle.dumps(catalog, pickle.HIGHEST_PROTOCOL))
    except (OSError, InputError):
        return
