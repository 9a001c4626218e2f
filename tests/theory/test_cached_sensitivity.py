"""What a cached design is sensitive to, from its sides: sums of costs, and the life that ends first."""

from drivecast.document.plan import Cost, Design, Life, Move
from drivecast.plan import cached_sensitivity


def _move(
    name: str, costs: tuple[float, float], lives: tuple[float | None, float | None] = (None, None)
) -> Move:
    return Move(
        input=name,
        unit="",
        low=1.0,
        value=2.0,
        high=3.0,
        provenance="assumed",
        source="",
        cost_low=costs[0],
        cost_high=costs[1],
        life_years_low=lives[0],
        life_years_high=lives[1],
    )


def _side(total: float, life: float | None, *moves: Move) -> Design:
    return Design(
        line="x",
        title="x",
        verdict="fits",
        cost=Cost(total=total),
        life_years=Life(value=life) if life else None,
        sensitivity=[*moves],
    )


def test_what_moves_both_adds_up_and_what_moves_one_leaves_the_other_as_it_is() -> None:
    cache = _side(
        100.0,
        6.0,
        _move("electricity", (90, 110)),
        _move("growth", (100, 100), (9, 3)),
        _move("drive price", (80, 130)),
    )
    disks = _side(1000.0, None, _move("electricity", (900, 1150)), _move("drive price", (700, 1400)))
    found = {move.input: move for move in cached_sensitivity.moves([cache, disks])}
    assert list(found) == ["drive price of the disks", "electricity", "drive price of the cache", "growth"]
    ends = {name: (move.cost_low, move.cost_high) for name, move in found.items()}
    assert ends == {
        "drive price of the disks": (800, 1500),
        "electricity": (990, 1260),
        "drive price of the cache": (1080, 1130),
        "growth": (1100, 1100),
    }
    assert (found["growth"].life_years_low, found["growth"].life_years_high) == (9, 3)
    assert found["electricity"].life_years_low is None


def test_the_side_that_is_worn_out_first_ends_the_life() -> None:
    cache = _side(100.0, 6.0, _move("growth", (100, 100), (9, 3)), _move("P/E cycles", (100, 100), (4, 12)))
    flash = _side(1000.0, 5.0, _move("growth", (1000, 1000), (7, 4)))
    found = {move.input: move for move in cached_sensitivity.moves([cache, flash])}
    assert (found["growth"].life_years_low, found["growth"].life_years_high) == (7, 3)
    of_cache = found["P/E cycles of the cache"]
    assert (of_cache.life_years_low, of_cache.life_years_high) == (4, 5), "the other ends after five"
