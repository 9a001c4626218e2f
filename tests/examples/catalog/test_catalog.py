"""The catalog that comes with the program, and what loading and asking for drives does."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import pytest

from drive_file import copied
from drivecast.catalog import (
    Catalog,
    CatalogError,
    Provenance,
    bundled,
    check,
    device_parameters,
    device_spec,
    load,
    provenance,
)

EXPERIMENTS = [
    "intel-x25-e-32gb",
    "intel-x25-e-64gb",
    "intel-320-120gb",
    "intel-520-240gb",
    "intel-710-100gb",
    "intel-910-200gb",
    "intel-910-800gb",
    "intel-dc-s3500-480gb",
    "micron-p320h-700gb",
    "virident-flashmax-ii-2.2tb",
    "fusionio-iodrive2-duo-2.4tb",
    "seagate-cheetah-15k5-300gb",
    "wd-1000fyps",
    "seagate-momentus-7200-750gb",
]
FLASH = {
    "nvme-tlc-ri",
    "nvme-tlc-mu",
    "qlc",
    "slc",
    "sata",
    "sata-mu",
    "sas",
    "boot",
    "consumer-nvme",
    "consumer-sata",
}
CLASSES = FLASH | {"15k", "10k", "nearline", "nas"}


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load()


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A catalog of two drives."""
    for name in ("solidigm-d7-p5520-7.68tb", "seagate-exos-x20-20tb"):
        copied(name, tmp_path / "drives")
    for name in ("nand", "interfaces", "failures", "latency", "prices"):
        shutil.copy(bundled() / f"{name}.toml", tmp_path)
    shutil.copytree(bundled() / "prices", tmp_path / "prices")
    return tmp_path


def edit(file: Path, pattern: str, replacement: str) -> None:
    text, count = re.subn(pattern, replacement, file.read_text(), count=1, flags=re.MULTILINE)
    assert count == 1, pattern
    file.write_text(text)


def test_holds_the_drives_of_the_experiments_and_a_buyers_choice(catalog: Catalog) -> None:
    assert set(EXPERIMENTS) <= catalog.drives.keys()
    today = [drive for drive in catalog.drives.values() if drive.available_today]
    assert len(today) >= 18
    assert {drive.drive_class for drive in today} == CLASSES
    assert min(drive.user_bytes for drive in today) <= 480 * 10**9


def test_holds_nothing_impossible(catalog: Catalog) -> None:
    assert [str(finding) for finding in check(catalog)] == []


def test_every_figure_of_a_drive_says_how_it_is_known(catalog: Catalog) -> None:
    for drive in catalog.drives.values():
        for row in provenance(drive):
            assert row.source.strip(), (drive.name, row.name)
    known = {row.provenance for drive in catalog.drives.values() for row in provenance(drive)}
    assert known == set(Provenance) - {Provenance.GIVEN}, "only a price may be given, by a quote"


def test_an_unknown_drive_names_the_nearest(catalog: Catalog) -> None:
    with pytest.raises(CatalogError) as refusal:
        catalog.get("samsung-pm893-480")
    assert "`samsung-pm893-480gb`" in str(refusal.value.hint)


def test_titles_and_ratings(catalog: Catalog) -> None:
    drive = catalog.get("samsung-pm893-480gb")
    assert drive.title == "Samsung PM893 480 GB"
    assert drive.dwpd == 1
    assert drive.tbw_bytes == 876e12
    assert catalog.get("seagate-exos-x20-20tb").pe_cycles is None


@pytest.mark.parametrize(
    ("pattern", "replacement", "key", "hint"),
    [
        (r"^idle_w", "idle_watt", "power", "idle_w"),
        (r"^idle_w = .*", "", "power.idle_w", ""),
        (r"value = 18,", "value = -18,", "power.active_w.value", ""),
        (r'source = "label"', 'source = "lable"', "capacity.user_gb", "label"),
        (r', source = "label"', "", "capacity.user_gb", ""),
        (r'nand = "tlc-128-176l"', 'nand = "tlc-128l"', "flash.nand", "tlc-128-176l"),
        (r'"PCIe 4.0 x4"', '"PCIe 4.0x4"', "identity.interface", "PCIe 4.0 x4"),
        (r"value = 16,", 'value = "16",', "flash.channels.value", ""),
        (r"value = 18,", "value = inf,", "power.active_w.value", ""),
        (r"^kind = .*", 'kind = "tape"', "", ""),
        (r"^\[power\]", "[power", "", ""),
    ],
)
def test_a_wrong_file_is_refused_by_file_key_and_hint(
    small: Path, pattern: str, replacement: str, key: str, hint: str
) -> None:
    file = small / "drives" / "solidigm-d7-p5520-7.68tb.toml"
    edit(file, pattern, replacement)
    with pytest.raises(CatalogError) as refusal:
        load(base=small)
    assert [(problem.file, problem.key) for problem in refusal.value.problems] == [(str(file), key)]
    assert hint in (refusal.value.hint or "")


def test_all_problems_are_told_at_once(small: Path) -> None:
    edit(small / "drives" / "solidigm-d7-p5520-7.68tb.toml", r"^idle_w", "idle")
    edit(small / "drives" / "seagate-exos-x20-20tb.toml", r"^rpm", "rmp")
    edit(small / "prices.toml", r"(samsung-845dc-pro-400gb.* value = )\d+", r"\g<1>-98")
    with pytest.raises(CatalogError) as refusal:
        load(base=small)
    assert len(refusal.value.problems) == 3
    assert "drives.samsung-845dc-pro-400gb.value" in [problem.key for problem in refusal.value.problems]
    assert "`rpm`" in str(refusal.value.hint)


@pytest.mark.parametrize("name", ["nand", "interfaces", "failures", "latency", "prices"])
def test_a_missing_file_is_named(small: Path, name: str) -> None:
    (small / f"{name}.toml").unlink()
    with pytest.raises(CatalogError) as refusal:
        load(base=small)
    assert f"{name}.toml" in [problem.file for problem in refusal.value.problems]


def test_later_directories_win(small: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    mine = tmp_path_factory.mktemp("mine")
    (mine / "drives").mkdir(parents=True)
    shutil.copy(small / "drives" / "seagate-exos-x20-20tb.toml", mine / "drives" / "acme-one-20tb.toml")
    shutil.copy(small / "drives" / "seagate-exos-x20-20tb.toml", mine / "drives")
    edit(mine / "drives" / "seagate-exos-x20-20tb.toml", r'model = "Exos X20"', 'model = "Exos X20 of ours"')
    (mine / "prices.toml").write_text(
        '[sources]\nquote = "a quote"\n[drives]\nacme-one-20tb = { value = 300, source = "quote" }\n'
    )
    plain, ours = load(base=small), load([mine], base=small)
    assert ours.drives.keys() - plain.drives.keys() == {"acme-one-20tb"}
    assert ours.get("seagate-exos-x20-20tb").sheet.identity.model == "Exos X20 of ours"
    assert ours.price_usd("acme-one-20tb") == 300
    assert ours.price_usd("seagate-exos-x20-20tb") == plain.price_usd("seagate-exos-x20-20tb")
    assert ours.drives_hash != plain.drives_hash
    assert ours.prices_hash != plain.prices_hash


def test_hashes_follow_their_files(small: Path) -> None:
    before = load(base=small)
    edit(small / "prices.toml", r"(samsung-845dc-pro-400gb.* value = )\d+", r"\g<1>500")
    repriced = load(base=small)
    assert repriced.drives_hash == before.drives_hash
    assert repriced.prices_hash != before.prices_hash
    edit(small / "drives" / "seagate-exos-x20-20tb.toml", r"value = 5.4,", "value = 5.5,")
    changed = load(base=small)
    assert changed.drives_hash != repriced.drives_hash
    assert changed.prices_hash == repriced.prices_hash


def test_a_single_file_can_be_added(small: Path, tmp_path: Path) -> None:
    file = tmp_path / "acme-two-20tb.toml"
    shutil.copy(small / "drives" / "seagate-exos-x20-20tb.toml", file)
    assert "acme-two-20tb" in load([file], base=small).drives
    with pytest.raises(CatalogError) as refusal:
        load([tmp_path / "nowhere"], base=small)
    assert "nowhere" in str(refusal.value)
    shutil.rmtree(small / "prices")
    with pytest.raises(CatalogError) as refusal:
        load([file], base=small).price_usd("acme-two-20tb")
    assert refusal.value.problems[0].key == "drives.acme-two-20tb"


@pytest.mark.parametrize("kind", ["ssd", "hdd"])
def test_a_specification_has_the_fields_the_simulator_reads(catalog: Catalog, kind: str) -> None:
    """The struct in the simulator refuses unknown fields, and so does this test."""
    rust = Path(__file__).parents[3] / "crates" / "sim" / "src" / "spec" / f"{kind}.rs"
    struct = rust.read_text().split(f"pub struct {kind.title()}Spec {{")[1].split("\n}")[0]
    known = set(re.findall(r"pub (\w+):", struct))
    needed = set(re.findall(r"pub (\w+):", re.sub(r"#\[serde\(default.*?\)\]\s*pub \w+:", "", struct)))
    for drive in catalog.drives.values():
        spec = json.loads(json.dumps(device_spec(drive)))
        if spec.pop("kind") == kind:
            assert spec.keys() <= known, drive.name
            assert spec.keys() >= needed, drive.name


def test_corners_differ_in_the_flash_and_not_in_the_controller(catalog: Catalog) -> None:
    drive = catalog.get("solidigm-d7-p5520-7.68tb")
    slow, typical, fast = (device_spec(drive, corner) for corner in ("slow", "typical", "fast"))
    for key in ("read_ns", "program_ns", "erase_ns"):
        assert slow[key] > typical[key] > fast[key]
    assert slow["channel_bytes_per_s"] < typical["channel_bytes_per_s"] < fast["channel_bytes_per_s"]
    same = ("read_overhead_ns", "write_overhead_ns", "read_command_ns", "write_command_ns", "queue_depth")
    assert all(slow[key] == typical[key] == fast[key] for key in same)


def test_the_parts_of_a_read_add_up_to_the_sheets_latency_less_what_sheets_are_too_long(
    catalog: Catalog,
) -> None:
    drive = catalog.get("solidigm-d7-p5520-7.68tb")
    sheet_ns, overhead = drive.sheet.performance.read_latency_us.value * 1e3, drive.interface.read_overhead
    assert overhead is not None
    by_sheet = replace(drive, interface=drive.interface.as_stated)
    for of, expected_ns in ((by_sheet, sheet_ns), (drive, sheet_ns - overhead.beyond_us * 1e3)):
        spec = device_spec(of)
        transfers = 4096 / spec["channel_bytes_per_s"] + 4096 / spec["link_bytes_per_s"]
        total = spec["read_ns"] + spec["read_command_ns"] + spec["read_overhead_ns"] + transfers * 1e9
        assert total == pytest.approx(expected_ns, abs=2)


def test_no_lone_request_takes_longer_than_its_sheet_has_it_nor_less_than_was_measured(
    catalog: Catalog,
) -> None:
    overhead = catalog.get("solidigm-d7-p5520-7.68tb").interface.write_overhead
    assert overhead is not None
    least = overhead.measured_us.value
    assert [overhead.of(stated) for stated in (0.5 * least, least)] == [0.5 * least, least]
    assert overhead.of(least + 0.5 * overhead.beyond_us) == least
    assert overhead.of(10 * overhead.stated_us.value) == 10 * overhead.stated_us.value - overhead.beyond_us


def test_what_sheets_are_too_long_is_that_of_the_drives_that_were_measured(catalog: Catalog) -> None:
    drives = [
        drive
        for drive in catalog.drives.values()
        if drive.calibrated is not None and drive.interface.read_overhead is not None
    ]
    by_sheet = [
        replace(
            each, interface=each.interface.as_stated, sheet=each.sheet.model_copy(update={"calibrated": None})
        )
        for each in drives
    ]
    for way in ("read", "write"):
        measured, stated = (
            fmean(device_spec(each)[f"{way}_overhead_ns"] for each in of) / 1e3 for of in (drives, by_sheet)
        )
        for interface in {each.interface.line_mb_s.value: each.interface for each in drives}.values():
            overhead = getattr(interface, f"{way}_overhead")
            assert overhead.measured_us.value == pytest.approx(measured, abs=0.1)
            assert overhead.stated_us.value == pytest.approx(stated, abs=0.2)


def test_fitted_values_say_so(catalog: Catalog) -> None:
    rows = {row.name: row for row in device_parameters(catalog.get("solidigm-d7-p5520-7.68tb"))}
    assert rows["read_overhead_ns"].provenance is Provenance.FITTED
    assert rows["physical_bytes"].provenance is Provenance.ASSUMED
    assert device_spec(catalog.get("intel-x25-e-32gb"))["buffer_volatile"] is True


def test_dies_are_given_as_they_work(catalog: Catalog) -> None:
    """Planes that read alone are dies of their own; a 32 KiB mapping unit spans two dies, and the channels of both."""
    apart = catalog.get("micron-9550-max-3.2tb")
    spec = device_spec(apart)
    assert (spec["channels"], spec["dies_per_channel"], spec["planes"]) == (16, 24, 1)
    drive = catalog.get("intel-710-200gb")
    together = device_spec(drive)
    assert (together["channels"], together["dies_per_channel"], together["planes"]) == (5, 4, 4)
    assert together["channel_bytes_per_s"] == 2 * drive.nand.bus_mt_s.typical * 1e6
    assert together["mapping_bytes"] == together["page_bytes"] * together["planes"]


def test_a_one_shot_program_covers_its_pages(small: Path) -> None:
    spec = device_spec(load(base=small).get("solidigm-d7-p5520-7.68tb"))
    nand = load(base=small).nand.generations["tlc-128-176l"]
    assert spec["pages_per_program"] == nand.pages_per_program.value == 3
    assert spec["program_ns"] == nand.program_us.typical * 1000
    dies = spec["channels"] * spec["dies_per_channel"]
    program = spec["page_bytes"] * spec["planes"] * spec["pages_per_program"]
    assert spec["buffer_bytes"] >= 2 * dies * program, "two programs on every die, or dies wait for the host"
