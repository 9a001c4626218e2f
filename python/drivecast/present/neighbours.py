"""What several logs on one array do to each other, in words."""

from drivecast.document.plan import Design, Plan
from drivecast.document.tenant import Effect, Tenant
from drivecast.quantity import number


def shared(plan: Plan) -> list[Design]:
    """Return the designs on which the logs were played alone and together: the winner, and what runs now."""
    return [design for design in plan.designs if design.tenants]


def effects(design: Design) -> list[tuple[str, str]]:
    """Return each log and its latency on a design: alone, and beside the others."""
    return [(tenant.log, _tenant(tenant)) for tenant in design.tenants or []]


def _tenant(tenant: Tenant) -> str:
    both = (("reads", tenant.read_p99_ns), ("writes", tenant.write_p99_ns))
    known = [f"p99 of {requests} {_effect(effect)}" for requests, effect in both if effect is not None]
    return "; ".join([f"{number.iops(tenant.iops)} IOPS", *known])


def _effect(effect: Effect) -> str:
    text = f"{number.latency(effect.alone)} alone, {number.latency(effect.together)} together"
    worst = effect.worst
    if worst is None or len(effect.without) < 2:
        return text
    return f"{text} ({number.latency(effect.without[worst])} without {worst})"
