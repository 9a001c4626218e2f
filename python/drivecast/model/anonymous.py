"""An archive of windows for others, who are not to learn what it is of.

Model. The address space is permuted (`stage.extents`), by the same permutation in what is played and in the map. The
name and the hash of the trace are left out, with names that were given to clusters and remarks that `fit` does not
make. Times are from the start of the trace, as they were: an archive has no date. Sizes, operations, their order and
the time between them are kept, since outcomes follow from these; so whoever has the trace can recognize it.
"""

import secrets
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from drivecast.document.validation import Validation
from drivecast.document.windows import ANONYMOUS, Cluster
from drivecast.errors import InputError
from drivecast.model.clusters import NAME, REMARK
from drivecast.stage import extents
from drivecast.stage.windows_file import Archive

KEY_MIN = 16
"""Characters of a key: a shorter one is found by trying."""


def key_of(text: str | None) -> bytes:
    """The key in an option; a new one at random where it is none.

    Raises `InputError` for one that is too short.
    """
    if text is None:
        return secrets.token_bytes(32)
    if len(text) < KEY_MIN:
        raise InputError(
            f"--key: expected {KEY_MIN} characters or more, found {len(text)}: a short key is found by trying"
        )
    return text.encode()


def anonymized(found: Archive, key: bytes) -> Archive:
    """The archive without names, its addresses permuted by this key, which is not stored.

    Raises `InputError` where runs join the whole address space.
    """
    header = found.header
    permutation = extents.permutation([found.rows, found.map], header.span_bytes, key)
    clusters = [_unnamed(cluster, number) for number, cluster in enumerate(header.clusters, 1)]
    remarks = [text for text in header.remarks if REMARK.fullmatch(text)]
    changes = dict.fromkeys([*header.changes, *_changes(found, permutation, len(remarks))])
    update = {
        "name": "anonymous",
        "trace_hash": "",
        "clusters": clusters,
        "remarks": remarks,
        "changes": list(changes),
    }
    return replace(
        found,
        header=header.model_copy(update=update),
        rows=permutation.of(found.rows),
        map=permutation.of(found.map),
    )


def _unnamed(cluster: Cluster, number: int) -> Cluster:
    """A cluster by the name that `fit` gave it, or by its number."""
    return (
        cluster if NAME.fullmatch(cluster.name) else cluster.model_copy(update={"name": f"cluster {number}"})
    )


def _changes(found: Archive, permutation: extents.Permutation, remarks: int) -> list[str]:
    header, length = found.header, permutation.extent_bytes
    size = f"{length >> 20} MiB" if length >= 1 << 20 else f"{length >> 10} KiB"
    blocks = permutation.block(found.map.filter(pl.col("size_bytes") > 0))
    most = np.bincount(blocks).max() / len(blocks) if len(blocks) else 0.0
    dropped = len(header.remarks) - remarks
    return [
        f"{ANONYMOUS}addresses permuted in {len(permutation.begins):,} blocks of extents of {size}, of which none "
        f"has more than {most:.0%} of the requests: runs, reuse and update distances are as they were; seek "
        f"distances are not, by up to {2 * extents.FAR:.0%} of the span, so disks differ",
        f"{ANONYMOUS}name and hash of the trace left out, and names given to clusters by hand"
        + (f", and {dropped} of {len(header.remarks)} remarks" if dropped else ""),
    ]


def stated(found: Validation, changes: Sequence[str]) -> Validation:
    """A validation of a model that was changed since its fit.

    Seek distances of permuted addresses are shown and not judged: they differ by intent.
    """
    is_permuted = any(text.startswith(ANONYMOUS) for text in changes)
    parts = [
        part.model_copy(update={"judged": part.judged and not (is_permuted and part.name == "seek distance")})
        for part in found.parts
    ]
    return found.model_copy(update={"changes": list(changes), "parts": parts})
