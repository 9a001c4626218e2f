"""The questions that buyers ask by name, such as "QLC or TLC?": the best of either side, and where the answer flips.

Model. Designs of a side are those of a kind; its best is the first of the ranking, or where none fits, the cheapest
that was simulated. Where both fit, the cheaper one is the answer, unless they are tied on cost (one tier). Drives cost
`D` of a total `T`, with those bought again and less what they are sold for: with prices that move in proportion, the
dearer side costs as little as the other, `T′`, where its drives cost `1 − (T − T′) / D` times as much. With load, the
answer flips above the headroom of the side with less. Left out: questions with one side in the catalog, and what a side
would cost with a larger capacity than is needed.
"""

from collections.abc import Callable, Sequence

from drivecast.catalog import Catalog
from drivecast.catalog.prices import Bay
from drivecast.document.buyers_question import BuyersAnswer, BuyersQuestion, FlipsAt, Side
from drivecast.document.cost import Cost
from drivecast.document.plan import Design
from drivecast.stage.design import COPIES, PARITY

Kind = Callable[[Design, Catalog], bool]


def _is_flash(design: Design, _catalog: Catalog) -> bool:
    return design.flash not in (None, "HDD") and design.cached is None


def _of_bay(bay: Bay) -> Kind:
    return lambda design, catalog: (
        _is_flash(design, catalog) and design.drive is not None and catalog.drives[design.drive].bay == bay
    )


def _of_cells(cells: str) -> Kind:
    return lambda design, _: design.flash == cells and design.cached is None


def _for_desktops(*, wanted: bool) -> Kind:
    return lambda design, catalog: (
        _is_flash(design, catalog)
        and design.drive is not None
        and catalog.drives[design.drive].is_consumer is wanted
    )


def _of_kind(kind: str) -> Kind:
    return lambda design, _: design.rent is not None and design.rent.kind == kind


def _of_drives(least: int, most: int) -> Kind:
    return lambda design, catalog: (
        _is_flash(design, catalog) and least <= (design.count or 0) - design.spares <= most
    )


QUESTIONS: dict[BuyersQuestion, tuple[Kind, Kind]] = {
    "QLC or TLC": (_of_cells("QLC"), _of_cells("TLC")),
    "consumer or data-centre": (_for_desktops(wanted=True), _for_desktops(wanted=False)),
    "SATA or NVMe": (_of_bay("sata"), _of_bay("nvme")),
    "disks or flash": (lambda design, _: design.flash == "HDD" and design.cached is None, _is_flash),
    "mirror or parity": (
        lambda design, _: design.level in COPIES,
        lambda design, _: design.level in PARITY,
    ),
    "two large or four small": (_of_drives(1, 2), _of_drives(3, 4)),
    "EBS gp3 or io2": (_of_kind("aws-gp3"), _of_kind("aws-io2")),
    "buy or rent": (lambda design, _: design.where == "metal", lambda design, _: design.where == "cloud"),
}


def comparisons(designs: Sequence[Design], catalog: Catalog) -> list[BuyersAnswer]:
    """The questions of which both sides were simulated; none where nothing fits. Designs come in their ranking."""
    tried = [design for design in designs if design.verdict != "pruned" and design.cost is not None]
    if not any(design.fits for design in tried):
        return []
    found = []
    for question, kinds in QUESTIONS.items():
        best = [_best([design for design in tried if kind(design, catalog)]) for kind in kinds]
        if best[0] is not None and best[1] is not None and (best[0].fits or best[1].fits):
            found.append(_compared(question, best[0], best[1]))
    return found


def _best(designs: Sequence[Design]) -> Design | None:
    fits = [design for design in designs if design.fits]
    return fits[0] if fits else min(designs, key=lambda design: design.total, default=None)


def _compared(question: BuyersQuestion, first: Design, second: Design) -> BuyersAnswer:
    sides = [_side(first), _side(second)]
    answer = min((first, second), key=lambda design: (not design.fits, design.tier or 0, design.total))
    against = second if answer is first else first
    if not against.fits:
        return BuyersAnswer(question=question, sides=sides, answer=answer.line, decides="fits")
    is_tied = first.tier == second.tier == 1
    if is_tied:
        answer, against = (first, second) if (first.rank or 0) < (second.rank or 0) else (second, first)
    return BuyersAnswer(
        question=question,
        sides=sides,
        answer=answer.line,
        decides="ranking" if is_tied or answer.total > against.total else "cost",
        flips_at=[*_at_price(answer, against), *_at_load(answer, against)],
    )


def _side(design: Design) -> Side:
    cost = design.cost
    return Side(
        line=design.line,
        fits=design.fits,
        misses=design.misses,
        cost=cost.total if cost else None,
        life_years=design.life_years.value if design.life_years else None,
        headroom=design.headroom,
        read_p99_ns=design.read_p99_ns.value if design.read_p99_ns else None,
        write_p99_ns=design.write_p99_ns.value if design.write_p99_ns else None,
    )


def drives_cost(cost: Cost) -> float:
    """What moves with the price of the drives."""
    bought = (cost.purchase or 0.0) - (cost.hosting or 0.0)
    return bought + (cost.replacement or 0.0) - (cost.residual or 0.0)


def _at_price(answer: Design, against: Design) -> list[FlipsAt]:
    """By how much the drives of the dearer one must be cheaper; none where that is no price."""
    if answer.cost is None or against.cost is None or against.cost.total <= answer.cost.total:
        return []
    drives = drives_cost(against.cost)
    times = 1 - (against.cost.total - answer.cost.total) / drives if drives > 0 else 0.0
    return [FlipsAt(input="price", line=against.line, times=times)] if times > 0 else []


def _at_load(answer: Design, against: Design) -> list[FlipsAt]:
    """The multiple of the peak above which the other alone carries the load."""
    if answer.headroom is None or against.headroom is None or against.headroom <= answer.headroom:
        return []
    return [FlipsAt(input="load", line=against.line, times=answer.headroom)]
