"""Caches before disks, in words: what they serve, what is lost with them, and why none is recommended."""

from drivecast.document.plan import CachedPart, Design, NoCaches, Plan
from drivecast.quantity import number


def brief(design: Design) -> str:
    """Return what the cache of a design stands before and what it serves, or why one drive is not enough."""
    part = design.cached
    if part is None:
        return ""
    if any(miss.kind == "failures-tolerated" and miss.volume for miss in design.misses):
        return "what was written is on one drive until it is cleaned"
    if part.slow is None or part.hit_ratio is None:
        return ""
    empty = part.hit_ratio_from_empty
    from_empty = f", {percent(empty)} from empty" if empty is not None else ""
    return f"before {part.slow.line}: {percent(part.hit_ratio)} hits{from_empty}"


def facts(part: CachedPart | None) -> list[str]:
    """Return what a buyer of a cached design must know: what it serves, when, and what is lost with it."""
    if part is None:
        return []
    return [text for text in (_serves(part), _warms(part), loss(part), _wears(part)) if text]


def loss(part: CachedPart) -> str:
    """Return what a failure of the cache's drives loses."""
    if not part.loses_dirty:
        return "All data lie behind the cache, too: a cache that fails loses nothing and costs time."
    chance = part.fast.data_loss.value if part.fast and part.fast.data_loss else None
    also = f", with a chance of {number.probability(chance)}, a part of that of losing data" if chance else ""
    return (
        "What was written is in the cache alone until it is cleaned: where its drives fail beyond their redundancy, it"
        f" is lost{also}."
    )


def summary(plan: Plan) -> str | None:
    """Return how many caches were considered, where none of them fits, and why not; none where there is no such."""
    considered = [design for design in plan.designs if design.cached is not None and not design.yours]
    if not considered or any(design.fits for design in considered):
        return None
    tried = sum(design.verdict != "pruned" for design in considered)
    return f"Flash caches before disks: {len(considered)} considered, {tried} simulated, none fits"


NO_CACHES: dict[NoCaches, str] = {
    "counters": (
        "No cache before disks was judged: counters say how many requests came, not which addresses. A cache helps as"
        " far as the same blocks come again, and with these very counters it may serve nearly all reads or none. Record"
        " requests with `drivecast capture`, over the busiest hours and into a second round of the day's jobs if it can"
        " be, until `drivecast cache` on a longer trace no longer shows more misses; then plan with the trace"
    ),
    "backup": (
        "No cache before disks was judged: the backup in the log is to be kept up with, and counters do not say what it"
        " reads again. `--backup exclude` leaves it out, and considers caches"
    ),
}


def unjudged(plan: Plan) -> str | None:
    """Return why no cache was considered, and what to do about it; none where they were, or were not wanted."""
    return NO_CACHES[plan.no_caches] if plan.no_caches else None


def nearest(plan: Plan) -> Design | None:
    """Return the cached design of the search that tells most: one that was simulated, else one that is safe."""
    considered = [design for design in plan.designs if design.cached is not None and not design.yours]
    return min(considered, key=_tells, default=None)


def _tells(design: Design) -> tuple[bool, bool, float]:
    lossy = any(miss.kind == "failures-tolerated" for miss in design.misses)
    return design.verdict == "pruned", lossy, design.cost.total if design.cost else 0.0


def _serves(part: CachedPart) -> str:
    if part.hit_ratio is None:
        return ""
    load = "load" if part.warm_up_s is None else "log"
    of = " at the peak" if part.hits_over == "peak" else ""
    text = (
        f"The cache, {number.size(part.size_bytes)} with {part.policy} and {part.mode}, serves"
        f" {percent(part.hit_ratio)} of all requests{of} once it has seen the {load}"
    )
    if part.hit_ratio_from_empty is not None:
        text += f", and {percent(part.hit_ratio_from_empty)} over the {load} from empty"
    if part.read_p99_from_empty_ns is not None:
        text += f" (p99 of reads {number.latency(part.read_p99_from_empty_ns)})"
    return f"{text}."


def _warms(part: CachedPart) -> str:
    if part.warm_up_s is None or part.new_read_ratio is None:
        return ""
    return (
        f"It is warm after {number.duration(part.warm_up_s)} of load like the log, in whose second half"
        f" {percent(part.new_read_ratio)} of the reads meet blocks for the first time."
    )


def _wears(part: CachedPart) -> str:
    fast = part.fast
    if fast is None or not fast.written_bytes_per_day or fast.life_years is None:
        return ""
    return (
        f"Its drives are written {number.size(fast.written_bytes_per_day)} a day and last"
        f" {number.years(fast.life_years.value)}."
    )


def percent(share: float) -> str:
    """Return a share of hits: what is left to 100 % is what counts."""
    if share >= 0.999 and share < 1.0:
        return f"{100 * share:.2f} %"
    return f"{100 * share:.3g} %"
