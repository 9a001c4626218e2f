"""The page of the figures by maker, made of the rules that readings are made with."""

from collections.abc import Iterator

from drivecast.document.record import NAMES
from drivecast.health.rules import STANDARD, Place, Rule, load

HEAD = """# What drives report: figures by maker

`drivecast health read` brings what a drive reports into the same figures whoever made it. Which attribute each figure
is read from, by family, best first; what a family does not list is read as the standard of its bus has it. The
rules are in `catalog/smart`.

- **D** documented by a standard or the maker, **o** observed on real drives or named by smartctl's data base,
  **=** derived by our arithmetic, **?** doubtful: shown, never computed with.
- A number is an ATA attribute: its raw value, or the normalized one where `(value)` supports it. `stat` is an
  entry of the ATA device statistics log (`smartctl -x`); other names are fields of smartctl's JSON.
- `÷1024 %` is the gauge of Intel's drives: believed only where its timer was never reset and the whole points agree.
- `listed`: only of models in smartctl's data base; what it calls an attribute of others is a guess.
"""
UNITS = {
    "count": "",
    "hours": "",
    "celsius": "",
    "percent": "%",
    "percent/1024": "÷1024 %",
    "percent left": "100 − n %",
    "lba": "sectors",
    "512": "512 B",
    "512000": "512,000 B",
}
TRUST = {"documented": "D", "observed": "o", "derived": "=", "doubtful": "?"}
TITLES = {
    "host_written_bytes": "host writes",
    "host_read_bytes": "host reads",
    "nand_written_bytes": "NAND writes",
    "wear_ratio": "wear",
    "spare_ratio": "spare",
    "media_errors": "media errors",
    "reallocated_sectors": "reallocated",
    "power_on_hours": "hours",
    "power_cycles": "power cycles",
    "temperature_c": "temperature",
    "spare_threshold_ratio": "spare threshold",
    "pending_sectors": "pending",
}


def cell(place: Place) -> str:
    """One place in a few letters."""
    if place.attribute is not None:
        where = f"{place.attribute}" + (" (value)" if place.part == "normalized" else "")
        where += f" `{place.named}`" if place.named else ""
        where += f", low {place.bits} bits" if place.bits else ""
    elif place.statistic is not None:
        where = f"stat `{place.statistic}`"
    else:
        fields = [place.field] if isinstance(place.field, str) else place.field or []
        where = " + ".join(
            f"`{field.removeprefix('nvme_smart_health_information_log.')}`" for field in fields
        )
    if place.pages is not None:
        host, background = place.pages
        where += f" × ({host} + {background}) / {host}"
    unit = UNITS.get(place.unit, place.unit)
    more = [unit] if unit else []
    more += ["listed"] if place.listed else []
    more += [f"{', '.join(map(str, place.invalid))} is no value"] if place.invalid else []
    return f"{where}{' (' + '; '.join(more) + ')' if more else ''} **{TRUST[place.trust]}**"


def overview(rules: list[Rule]) -> Iterator[str]:
    """Which figures each family gives: its own, those of the standard, or none."""
    standards = {rule.bus: rule for rule in rules if rule.name.startswith(STANDARD)}
    yield "\n## Which figures each family gives\n"
    yield "`●` by a rule of its own, `○` where the drive reports it as the standard says, empty: not reported.\n"
    yield "| family | " + " | ".join(TITLES[name] for name in NAMES) + " | workload timer |"
    yield "|---" * (len(NAMES) + 2) + "|"
    for rule in rules:
        standard = rule is standards[rule.bus]
        marks = []
        for name in NAMES:
            if name in rule.figures and not standard:
                marks.append("●" if rule.figures[name] else "")
            else:
                marks.append("○" if standards[rule.bus].figures.get(name) else "")
        timer = f"{rule.timer.wear}, {rule.timer.reads}, {rule.timer.minutes}" if rule.timer else ""
        yield f"| {rule.title} | " + " | ".join(marks) + f" | {timer} |"


def details(rules: list[Rule]) -> Iterator[str]:
    """Where each figure of each family is read from, and what its maker rates."""
    for rule in rules:
        yield f"\n## {rule.title}\n"
        yield f"`catalog/smart/{rule.name}.toml`" + (
            ": figures as the standard has them." if not rule.figures else ""
        )
        if rule.models:
            yield "\nModels: " + ", ".join(f"`{model}`" for model in rule.models)
        if rule.figures:
            yield "\n| figure | read from |\n|---|---|"
            for name in NAMES:
                if places := rule.figures.get(name, []):
                    yield f"| `{name}` | {'; '.join(cell(place) for place in places)} |"
        if rule.ratings:
            yield "\n| rated | warranty | TBW by capacity in GB, or the catalog's drive | known from |"
            yield "|---|---|---|---|"
            for rating in rule.ratings:
                sizes = {**rating.tbw_tb, **rating.catalog}
                listed = ", ".join(
                    f"{gb}: {f'`{size}`' if isinstance(size, str) else f'{size:,.0f} TB'}"
                    for gb, size in sorted(sizes.items(), key=lambda pair: float(pair[0]))
                )
                source = rule.sources.get(rating.document or "", rating.reason)
                known = f"{rating.provenance.value}: {source}"
                yield f"| {rating.name} | {rating.warranty_years:g} y | {listed} | {known} |"
        if rule.sources:
            yield "\nSources: " + "; ".join(f"{text}" for text in rule.sources.values()) + "."


def pages() -> dict[str, str]:
    """The text of the page by its name."""
    rules = load().all()
    return {"reference/smart.md": "\n".join([HEAD, *overview(rules), *details(rules)]) + "\n"}
