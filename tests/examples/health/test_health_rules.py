"""The rules of the families: read strictly, and pointing at what there is."""

from pathlib import Path

import polars as pl
import pytest

from agreed import agreed_refusals
from drivecast.catalog import load as load_catalog
from drivecast.catalog.reader import CatalogError
from drivecast.health import rules, warranty

STANDARDS = Path(rules.bundled()) / "smart"

FAMILY = """
title = "T"
bus = "ata"
models = ['ACME .*']
[sources]
sheet = "a sheet"
[figures]
wear_ratio = [{ attribute = 233, part = "normalized", unit = "percent left", trust = "documented", source = "sheet" }]
"""


def folder(tmp_path: Path, text: str) -> Path:
    for bus in ("ata", "nvme", "scsi"):
        name = f"standard-{bus}.toml"
        (tmp_path / name).write_text((STANDARDS / name).read_text())
    (tmp_path / "acme.toml").write_text(text)
    return tmp_path


def test_a_family_has_the_standard_behind_it(tmp_path: Path) -> None:
    known = rules.read(folder(tmp_path, FAMILY))
    rule = known.of("ata", "acme  S1")
    assert rule.name == "acme"
    assert rule.figures["wear_ratio"][0].attribute == 233
    assert rule.figures["power_on_hours"] == known.standards["ata"].figures["power_on_hours"]
    assert known.of("nvme", "ACME S1").name == "standard-nvme"


def test_mistakes_are_told_with_file_and_key(tmp_path: Path) -> None:
    mistakes = [
        ("models =", "modles ="),
        ("part =", "parts ="),
        ("wear_ratio", "wear_ration"),
        ('"percent left"', '"percent  left"'),
        ('source = "sheet"', 'source = "sheets"'),
        (', source = "sheet"', ""),
        ("attribute = 233", "attribute = 300"),
        ("attribute = 233", 'attribute = 233, statistic = "x"'),
        ("'ACME .*'", "'ACME (.*'"),
        ('"documented"', '"sure"'),
        ('title = "T"', "title = "),
    ]
    tries = [lambda of=of: rules.read(folder(tmp_path, FAMILY.replace(*of))) for of in mistakes]
    agreed_refusals("smart-rules.txt", tries, {str(tmp_path): "FOLDER"})


def test_a_folder_without_standards(tmp_path: Path) -> None:
    with pytest.raises(CatalogError) as error:
        rules.read(tmp_path)
    assert "`standard-ata.toml`" in str(error.value)


def test_own_rules_come_before_those_of_the_program(tmp_path: Path) -> None:
    own = tmp_path / "mine" / "smart"
    own.mkdir(parents=True)
    (own / "acme.toml").write_text(FAMILY.replace("ACME .*", "INTEL SSDSC2BB480G4"))
    (own / "samsung-sata.toml").write_text(FAMILY)
    known = rules.read(STANDARDS, [tmp_path / "mine"])
    assert known.of("ata", "INTEL SSDSC2BB480G4").name == "acme"
    assert known.of("ata", "INTEL SSDSC2BB240G4").name == "intel-dc-sata"
    assert known.of("ata", "ACME 1").name == "samsung-sata"
    assert known.of("ata", "Samsung SSD 860 EVO 500GB").name == "standard-ata"
    assert rules.read(STANDARDS, [own / "acme.toml"]).of("ata", "INTEL SSDSC2BB480G4").name == "acme"
    with pytest.raises(CatalogError) as error:
        rules.read(STANDARDS, [tmp_path / "nosuch"])
    assert "nosuch" in str(error.value)


def test_ratings_name_drives_of_the_catalog() -> None:
    known = load_catalog()
    named = {
        name for rule in rules.load().all() for rating in rule.ratings for name in rating.catalog.values()
    }
    assert named
    assert named <= set(known.drives)
    for rule in rules.load().all():
        for rating in rule.ratings:
            for gb, name in rating.catalog.items():
                drive = known.get(name)
                assert abs(drive.user_bytes - float(gb) * 1e9) <= 0.03 * drive.user_bytes, name
                assert drive.warranty_years == rating.warranty_years, name


@pytest.mark.parametrize(
    ("model", "gb", "name"),
    [
        ("INTEL SSDSC2BB480G4", 480.103981056, "intel-dc-s3500-480gb"),
        ("INTEL SSDSC2CW240A3", 240.057, "intel-520-240gb"),
        ("SAMSUNG MZ7L3480HCHQ-00A07", 480.1, "samsung-pm893-480gb"),
        ("INTEL SSDSC2BB480G4", 300.0, None),
        ("UNKNOWN 480", 480.0, None),
    ],
)
def test_models_of_the_catalog(model: str, gb: float, name: str | None) -> None:
    assert warranty.match(model, round(gb * 1e9)) == name


def test_ratings_as_a_table() -> None:
    drives = pl.DataFrame(
        {
            "drive": [1, 2, 3],
            "model": ["INTEL SSDSC2BA400G3", "INTEL SSDSC2BB480G4", "nobody's"],
            "capacity_bytes": [400_088_457_216, 480_103_981_056, None],
        }
    )
    table = warranty.ratings(drives)
    catalog = load_catalog().get("intel-dc-s3500-480gb")
    assert table["rated_bytes"].to_list() == [7.3e15, catalog.tbw_bytes, None]
    assert table["catalog"].to_list() == [None, catalog.name, None]
    assert table["warranty_years"].to_list() == [5, 5, None]
    assert table["pe_cycles"][1] == (catalog.pe_cycles.typical if catalog.pe_cycles else None)


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("INTEL SSDSC2BB480G4", "intel-dc-sata"),
        ("INTEL SSDSC2BW240A4", "intel-sandforce"),
        ("INTEL SSDSA2BW160G3", "intel-g3-sata"),
        ("SSDSC2KB480G8R", "dell-intel-sata"),
        ("Micron_5300_MTFDDAK480TDS", "micron-sata"),
        ("CT500MX500SSD1", "micron-sata"),
        ("MTFDDAK256MAM-1K1", "micron-m4"),
        ("Samsung SSD 860 EVO 500GB", "samsung-sata"),
        ("KINGSTON SA400S37240G", "phison-sata"),
        ("ST6000NM0115-1YZ110", "seagate-disk"),
    ],
)
def test_each_model_belongs_to_one_family(model: str, family: str) -> None:
    # The order of files must not matter.
    assert [
        family.name for family in rules.load().families if family.bus == "ata" and family.matches(model)
    ] == [family]
