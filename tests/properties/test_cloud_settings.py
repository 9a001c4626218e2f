"""Whatever is asked of a kind of cloud volume: what is rented does it, within the kind's limits, and has a name."""

from hypothesis import given
from hypothesis import strategies as st

from drivecast.catalog import load

CATALOG = load()
RENTAL = CATALOG.rental
KINDS = st.sampled_from(sorted(RENTAL.cloud.kinds))
GIB = st.integers(1, 40000)
RATE = st.floats(0, 120000)
THROUGH = st.floats(0, 2500)


@given(KINDS, GIB, RATE, THROUGH)
def test_what_is_rented_does_what_is_asked_and_its_name_says_it(
    kind: str, gib: int, iops: float, through: float
) -> None:
    found = RENTAL.smallest(kind, gib, iops, through)
    if found is None:
        return
    assert found.gib >= gib
    assert found.iops >= iops
    assert found.mib_per_s >= through
    said = RENTAL.parse(found.name)
    assert said.name == found.name
    volume = CATALOG.volume(found.name)
    assert volume.user_bytes >= gib * 2**30


@given(KINDS, GIB, RATE, THROUGH, st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_less_is_never_dearer(
    kind: str, gib: int, iops: float, through: float, size: float, rate: float, flow: float
) -> None:
    more = RENTAL.smallest(kind, gib, iops, through)
    if more is None:
        return
    less = RENTAL.smallest(kind, max(1, int(gib * size)), iops * rate, through * flow)
    assert less is not None
    assert RENTAL.month(less).usd <= RENTAL.month(more).usd + 1e-9
