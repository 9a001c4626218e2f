"""Several workloads together: windows of the traces that they would make on one array.

Model. A pass of each is superposed with the others (`stage.superposed`): all begin together, for as long as the
shortest, each with addresses of its own. Windows are fitted to that anew. A pass has the requests of the windows that
are kept at their own times, and those of others at the times of windows like them; so what the windows of the parts are
off is in it, and is not in the error that is estimated here.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace

from drivecast.catalog import Catalog
from drivecast.errors import InputError
from drivecast.lock import temporary_folder
from drivecast.model import fit_windows
from drivecast.stage import trace, windows_file, windows_pass
from drivecast.stage.superposed import superposed
from drivecast.stage.windows_file import Archive

Progress = Callable[[float, str], None]


def joined(
    parts: Mapping[str, Archive], catalog: Catalog, *, within: float, seed: int, update: Progress
) -> Archive:
    """Windows of all of these archives at once, by their names.

    Raises `InputError` for fewer than two.
    """
    if len(parts) < 2:
        raise InputError(
            f"expected two archives of windows or more, each with a name of its own, found {len(parts)}"
        )
    digest = hashlib.sha256("\n".join(windows_file.fingerprint(each) for each in parts.values()).encode())
    with temporary_folder("drivecast-join-") as folder:
        paths = [folder / f"{name}.parquet" for name in parts]
        for path, part in zip(paths, parts.values(), strict=True):
            windows_pass.generate(part, path)
        with superposed(paths, trace.AS_IT_IS) as together:
            load = trace.workload([together.file], trace.AS_IT_IS)
            name = "+".join(parts)
            found = fit_windows.fit(
                load, name, digest.hexdigest(), catalog, within=within, seed=seed, update=update
            )
    of = ", ".join(f"`{name}` (within {part.header.error:.0%} of its own)" for name, part in parts.items())
    said = (
        f"join: passes of {of} at once, each with data of its own; the error and the intervals are those of the "
        "choice among windows of these passes, not of the traces"
    )
    before = [f"{name}: {text}" for name, part in parts.items() for text in part.header.changes]
    return replace(found, header=found.header.model_copy(update={"changes": [*before, said]}))
