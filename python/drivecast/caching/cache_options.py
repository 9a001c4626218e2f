"""What a person asks of a cache, checked: sizes, policies and memory."""

import difflib

from drivecast import _core
from drivecast.caching import cache_sizes, simulated_sizes
from drivecast.caching.curves import POLICIES, Question
from drivecast.caching.simulated_sizes import Devices
from drivecast.catalog import Catalog, Drive
from drivecast.document.cache import By
from drivecast.errors import HintedError
from drivecast.quantity import parse as quantity


def question(
    sizes: str | None,
    policies: str | None,
    ram: str | None,
    pool: str | None,
    *,
    by: By,
    drive: Drive | None,
    seed: int,
    devices: Devices | None = None,
) -> Question:
    """The question that options put.

    Raises `InputError` for what cannot be asked.
    """
    ram_bytes = quantity.option("--ram", quantity.size_bytes, ram)
    pool_bytes = quantity.option("--pool", quantity.size_bytes, pool)
    if pool_bytes is not None and ram_bytes is None:
        raise HintedError("`--pool` bounds what `--ram` may do, which is not given", "add `--ram 64GB`")
    if drive is not None and drive.tbw_bytes is None:
        raise HintedError(
            f"--drive: `{drive.name}` has no rated writes", "name a flash drive that would hold the cache"
        )
    if devices is not None and (by == "object" or ram_bytes is not None):
        wrong = "--by object" if by == "object" else "--ram"
        raise HintedError(
            f"--backing: caches are simulated by block, below the memory of the recording; {wrong} is without time",
            f"leave out one of `--backing` and `{wrong}`",
        )
    if ram_bytes == 0:
        raise HintedError("`--ram`: 0 bytes hold nothing", "leave it out")
    return Question(
        sizes=() if sizes is None else cache_sizes.rising(_listed(sizes)),
        policies=POLICIES
        if policies is None
        else list(dict.fromkeys(policy(name.strip()) for name in policies.split(","))),
        by=by,
        ram_bytes=ram_bytes,
        pool_bytes=pool_bytes,
        drive=drive,
        devices=devices,
        seed=seed,
    )


def devices(
    drive: Drive | None, backing: str | None, program: list[str] | None, catalog: Catalog
) -> Devices | None:
    """What is simulated; none where nothing is behind the cache.

    Raises `InputError` for programs that there are not, and where a device is missing.
    """
    if backing is None:
        if program:
            raise HintedError(
                "--program is of a simulation",
                "name what is behind the cache: `--backing 'raid10(8 * DISK)'`",
            )
        return None
    if drive is None:
        raise HintedError("--backing needs the cache drive, too", "`--drive` names it")
    return Devices(drive, backing, catalog, simulated_sizes.programs(program or ["flashcache"]))


def _listed(sizes: str) -> list[int]:
    def parsed(text: str) -> list[int]:
        return [quantity.size_bytes(word.strip()) for word in text.split(",")]

    return quantity.option("--sizes", parsed, sizes) or []


def policy(name: str) -> str:
    """A policy by its name, in any case.

    Raises `InputError` for one that there is not, with the nearest name.
    """
    known = _core.eviction_policies()
    if name.lower() in known:
        return name.lower()
    near = difflib.get_close_matches(name.lower(), known, 1)
    hint = f"did you mean `{near[0]}`?" if near else f"known: {', '.join(known)}"
    raise HintedError(f"`--policies`: there is no policy `{name}`", hint)
