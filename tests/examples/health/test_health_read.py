"""What drives say, family by family, and what speaks against it."""

import gzip
import io
import json
import os
import tarfile
from pathlib import Path
from typing import Any

import pytest

import smart_reports as reports
from drivecast.document.record import Record, Unread
from drivecast.health import warranty
from drivecast.health.read import HostNames, records
from drivecast.health.read.normalise import Origin, normalise
from drivecast.health.rules import load
from drivecast.health.smart_data import SmartData
from drivecast.present import drive_table

MIB_32 = 32 << 20


def read(document: dict[str, Any]) -> Record:
    found = normalise(SmartData(document), Origin("a.json"), load())
    assert isinstance(found, Record), found
    return found


def test_intel_reads_its_gauge_where_the_timer_never_was_reset() -> None:
    record = read(reports.intel())
    wear = record.figures["wear_ratio"]
    assert wear.value == pytest.approx(0.05)
    assert wear.step == pytest.approx(0.01 / 1024)
    assert wear.trust == "observed"
    assert record.value("host_written_bytes") == 1_000_000 * MIB_32
    assert record.value("nand_written_bytes") == 1_500_000 * MIB_32
    assert record.catalog == "intel-dc-s3500-480gb"
    assert record.vendor == "intel-dc-sata"
    assert record.notes == ()


@pytest.mark.parametrize(
    ("changed", "note"),
    [
        ({"wear": 65535, "minutes": 65535}, "means that there is no value"),
        ({"minutes": 600}, "its timer was reset 10 h ago"),
        ({"minutes": 60 * 10_000 + 300}, "more than the 10000 h of power-on time"),
        ({"wear": 5120 + 3 * 1024}, "more than a point apart"),
        ({"wear": 102_400}, "more than a point apart"),
        ({"minutes": 65535}, "nothing shows when that was"),
    ],
)
def test_intel_falls_back_to_whole_points(changed: dict[str, int], note: str) -> None:
    record = read(reports.intel(**changed))
    wear = record.figures["wear_ratio"]
    assert (wear.value, wear.step, wear.trust) == (0.05, 0.01, "documented")
    assert wear.attribute == "233 Media_Wearout_Indicator (value)"
    assert any(note in text for text in record.notes)


def test_a_media_indicator_at_its_end_may_hide_more() -> None:
    record = read(reports.intel(wear=65535, minutes=65535, left=1))
    assert record.value("wear_ratio") == 0.99
    assert any("it may be more" in note for note in record.notes)


def test_the_warranty_of_a_drive_ends_before_its_flash() -> None:
    # 214,178,731 × 32 MiB = 7.19 PB of the 7.30 that a 400 GB S3700 is rated for, and 45 % of its wear.
    record = read(reports.intel(65535, 0, 65535, 55, host=214_178_731, model="INTEL SSDSC2BA400G3", gb=400))
    rated = warranty.rated(record.model, record.capacity_bytes)
    assert (rated.rated_bytes, rated.provenance) == (7.3e15, "published")
    assert record.value("host_written_bytes") == pytest.approx(7.1867e15, rel=1e-4)
    assert record.value("wear_ratio") == 0.45


def test_dell_shows_life_left_and_a_gauge_that_means_nothing() -> None:
    rows = [
        reports.attribute(226, 102_400, name="Workld_Media_Wear_Indic"),
        reports.attribute(228, 362_060_752, name="Workload_Minutes"),
        reports.attribute(241, 129_493, name="Total_LBAs_Written"),
        reports.attribute(245, 97, name="Percent_Life_Remaining"),
    ]
    record = read(reports.ata("SSDSCKJB240G7R", rows, hours=21_213, gb=240))
    assert record.vendor == "dell-intel-sata"
    assert record.value("wear_ratio") == 0.03
    assert record.value("host_written_bytes") == 129_493 * MIB_32


def test_sandforce_counts_absurd_hours_and_no_wear() -> None:
    rows = [
        reports.attribute(225, 40_000, name="Host_Writes_32MiB"),
        reports.attribute(226, 100, name="Workld_Media_Wear_Indic"),
        reports.attribute(228, 50_000, name="Workload_Minutes"),
        reports.attribute(233, 0, 100, name="Media_Wearout_Indicator"),
        reports.attribute(249, 813, name="NAND_Writes_1GiB"),
    ]
    record = read(reports.ata("INTEL SSDSC2CW240A3", rows, hours=894_561, gb=240))
    assert record.figures["power_on_hours"].trust == "doubtful"
    assert "102 years" in record.figures["power_on_hours"].reason
    assert record.figures["wear_ratio"].trust == "doubtful"
    assert record.value("wear_ratio") is None
    # It compresses: less is written to flash than the host gives.
    nand, host = record.value("nand_written_bytes"), record.value("host_written_bytes")
    assert nand is not None
    assert host is not None
    assert nand / host == pytest.approx(0.65, abs=0.001)


def test_micron_counts_pages_and_says_used_where_it_is_named_remaining() -> None:
    rows = [
        reports.attribute(170, 0, 100, name="Reserved_Block_Pct"),
        reports.attribute(202, 3, 97, name="Percent_Lifetime_Remain"),
        reports.attribute(246, 7_916_536_962, name="Total_LBAs_Written"),
        reports.attribute(247, 250_000_000, name="Host_Program_Page_Count"),
        reports.attribute(248, 25_000_000, name="Bckgnd_Program_Page_Cnt"),
    ]
    record = read(reports.ata("Micron_5300_MTFDDAK480TDS", rows))
    host = 7_916_536_962 * 512
    assert record.value("wear_ratio") == 0.03
    assert record.value("host_written_bytes") == host
    assert record.value("nand_written_bytes") == pytest.approx(1.1 * host, rel=1e-9)
    assert record.figures["nand_written_bytes"].trust == "derived"


@pytest.mark.parametrize(
    ("used", "left", "wear"),
    [(3, 97, 0.03), (12, 88, 0.12), (130, 0, 1.3), (130, 1, 1.3), (97, 97, None), (0, 12, None)],
)
def test_micron_counts_up_and_down(used: int, left: int, wear: float | None) -> None:
    rows = [reports.attribute(202, used, left, name="Percent_Lifetime_Remain")]
    record = read(reports.ata("Micron_5300_MTFDDAK480TDS", rows))
    assert record.value("wear_ratio") == wear


def test_samsung_and_phison() -> None:
    samsung = read(
        reports.ata(
            "SAMSUNG MZ7LH480HAHQ-00005",
            [
                reports.attribute(177, 25, 99, name="Wear_Leveling_Count"),
                reports.attribute(180, 1434, 100, name="Unused_Rsvd_Blk_Cnt_Tot"),
                reports.attribute(241, 1000, 99, name="Total_LBAs_Written"),
                reports.attribute(251, 1190, name="NAND_Writes"),
            ],
        )
    )
    assert (samsung.value("wear_ratio"), samsung.value("spare_ratio")) == (0.01, 1.0)
    assert (samsung.value("host_written_bytes"), samsung.value("nand_written_bytes")) == (512_000, 1190 * 512)
    phison = read(
        reports.ata(
            "KINGSTON SA400S37240G",
            [
                reports.attribute(231, 98, 98, name="SSD_Life_Left"),
                reports.attribute(233, 979, name="Flash_Writes_GiB"),
                reports.attribute(241, 398, name="Lifetime_Writes_GiB"),
            ],
            gb=240,
        )
    )
    assert phison.value("wear_ratio") == 0.02
    assert (phison.value("host_written_bytes"), phison.value("nand_written_bytes")) == (398 << 30, 979 << 30)


def test_an_unknown_drive_is_read_by_the_standard_and_by_names() -> None:
    page = {
        "number": 7,
        "table": [{"name": "Percentage Used Endurance Indicator", "value": 130, "flags": {"valid": True}}],
    }
    rows = [reports.attribute(241, 77, name="Unknown_Attribute")]
    record = read(reports.ata("NONAME 9", rows, ata_device_statistics={"pages": [page]}))
    assert record.vendor == "standard"
    assert record.value("wear_ratio") == 1.3
    # 241 is sectors, 32 MiB or GiB: without a name it is nothing.
    assert "host_written_bytes" not in record.figures


def test_drives_known_by_the_names_of_their_attributes() -> None:
    rows = [
        reports.attribute(231, 90, 90, name="SSD_Life_Left"),
        reports.attribute(233, 700, name="NAND_GB_Written_TLC"),
        reports.attribute(241, 500, name="Total_Writes_GiB"),
    ]
    record = read(reports.ata("WDC WDS480", rows, in_smartctl_database=True))
    assert record.vendor == "standard"
    values = [record.value(name) for name in ("wear_ratio", "host_written_bytes", "nand_written_bytes")]
    assert values == [0.1, 500 << 30, 700 << 30]
    # One maker counts up in the raw value, another holds the normalized one at 100.
    rows[0] = reports.attribute(231, 88, 100, name="SSD_Life_Left")
    wear = read(reports.ata("WDC WDS480", rows, in_smartctl_database=True)).figures["wear_ratio"]
    assert (wear.trust, wear.value) == ("doubtful", 0)
    assert "88" in wear.reason


@pytest.mark.parametrize(
    ("attributes", "figures"),
    [
        ({241: "Total_Writes_GB", 249: "NAND_Writes_GiB"}, {"host_written": 10**9, "nand_written": 1 << 30}),
        (
            {235: "Lifetime_Writes_GiB", 241: "Lifetime_NAND_Prg_GiB"},
            {"host_written": 1 << 30, "nand_written": 1 << 30},
        ),
        ({242: "Total_Reads_GB", 233: "NAND_GiB_Written"}, {"host_read": 10**9, "nand_written": 1 << 30}),
    ],
)
def test_a_unit_in_the_name_is_the_unit(attributes: dict[int, str], figures: dict[str, int]) -> None:
    rows = [reports.attribute(number, 700, name=name) for number, name in attributes.items()]
    record = read(reports.ata("SHGS31-500GS-2", rows, in_smartctl_database=True))
    found = {name: record.value(f"{name}_bytes") for name in ("host_written", "host_read", "nand_written")}
    assert {name: value for name, value in found.items() if value is not None} == {
        name: 700 * unit for name, unit in figures.items()
    }


def test_percentage_used_of_255_after_few_writes_is_no_value() -> None:
    fresh = read(reports.nvme(255, written=100))
    assert fresh.figures["wear_ratio"].trust == "doubtful"
    worn = read(reports.nvme(255, written=10**9, gb=100))
    assert worn.value("wear_ratio") == 2.55
    assert worn.notes


@pytest.mark.parametrize(
    ("document", "figure", "reason"),
    [
        (reports.nvme(power_on_hours=400_000), "power_on_hours", "years"),
        (reports.nvme(written=10**11, power_on_hours=10), "host_written_bytes", "more than the link carries"),
        (reports.intel(nand=1), "nand_written_bytes", "no data compresses so far"),
        (reports.nvme(temperature=500), "temperature_c", "500 °C"),
        (reports.nvme(media_errors=2**64 - 1), "media_errors", "means that there is no value"),
    ],
)
def test_what_cannot_be_is_shown_and_not_computed_with(
    document: dict[str, Any], figure: str, reason: str
) -> None:
    record = read(document)
    assert record.figures[figure].trust == "doubtful"
    assert reason in record.figures[figure].reason
    assert record.value(figure) is None


@pytest.mark.parametrize(("threshold", "told"), [(10, 0.1), (0, None), (100, None)])
def test_a_drive_states_its_own_threshold_of_spare(threshold: int, told: float | None) -> None:
    flash = reports.nvme()
    flash["nvme_smart_health_information_log"] |= {
        "available_spare": 97,
        "available_spare_threshold": threshold,
    }
    sata = reports.intel()
    spare = next(row for row in sata["ata_smart_attributes"]["table"] if row["id"] == 232)
    spare |= {"value": 97, "thresh": threshold}
    for document in (flash, sata):
        record = read(document)
        assert record.value("spare_ratio") == pytest.approx(0.97)
        assert record.value("spare_threshold_ratio") == (None if told is None else pytest.approx(told))


def test_sectors_that_wait_to_be_replaced_are_read() -> None:
    rows = [reports.attribute(5, 3), reports.attribute(197, 8)]
    assert read(reports.ata("ST6000NM0115-1YZ110", rows)).value("pending_sectors") == 8


def test_sas_drives() -> None:
    record = read(
        reports.scsi(
            scsi_percentage_used_endurance_indicator=4,
            scsi_start_stop_cycle_counter={"accumulated_start_stop_cycles": 12},
        )
    )
    values = {name: record.value(name) for name in record.figures}
    assert values == {
        "host_written_bytes": 1_234_567_000_000,
        "host_read_bytes": 1_234_567_000_000,
        "wear_ratio": 0.04,
        "media_errors": 2,
        "reallocated_sectors": 2,
        "power_on_hours": 5000,
        "power_cycles": 12,
        "temperature_c": 33,
    }
    assert record.figures["host_written_bytes"].step == 1e6
    assert record.model == "ACME SAS400"


@pytest.mark.parametrize(
    ("status", "passed", "note"),
    [
        (0, True, None),
        (4, True, "a SMART command failed"),
        (8, False, None),
        (16, True, "expects to fail soon"),
        (32, True, "in the past"),
        (64, True, "error log"),
        (128, True, "self-test log"),
    ],
)
def test_exit_status_is_eight_bits(status: int, passed: bool, note: str | None) -> None:
    document = reports.intel()
    document["smartctl"]["exit_status"] = status
    record = read(document)
    assert record.passed is passed
    assert bool(record.notes) == (note is not None)
    assert note is None or note in record.notes[0]


def test_a_critical_warning_is_the_drives_own_verdict() -> None:
    document = reports.nvme(critical_warning=8 + 1, available_spare=5)
    del document["smart_status"]
    record = read(document)
    assert record.passed is False
    assert {"its medium is read-only", "its spare is below its threshold"} <= set(record.notes)


def test_a_drive_that_is_too_hot_is_not_failing() -> None:
    document = reports.nvme(critical_warning=2)
    document["smart_status"]["passed"], document["smartctl"]["exit_status"] = False, 8
    record = read(document)
    assert record.passed is True
    assert "its temperature is out of range" in record.notes
    document["nvme_smart_health_information_log"]["critical_warning"] = 2 + 4
    assert read(document).passed is False


@pytest.mark.parametrize(
    ("count", "hours", "trust"),
    [(1_200_000, 20_000, "doubtful"), (10**9, 20_000, "observed"), (1_200_000, 200, "observed")],
)
def test_sectors_that_may_be_larger_units_are_unknown(count: int, hours: int, trust: str) -> None:
    rows = [
        reports.attribute(241, count, name="Total_LBAs_Written"),
        reports.attribute(242, 5, name="Total_LBAs_Read"),
    ]
    record = read(reports.ata("ACME SATA 960", rows, hours))
    figures = [record.figures[name] for name in ("host_written_bytes", "host_read_bytes")]
    assert [figure.trust for figure in figures] == [trust, trust]
    shown = "\n".join(map(str, drive_table.lines([record])))
    assert ("614 MB" not in shown and " ? " in shown) is (trust == "doubtful")


def test_a_wrong_clock_is_not_replaced_by_the_time_of_a_file(tmp_path: Path) -> None:
    document = reports.nvme()
    document["local_time"] = {"time_t": 12_345}
    path = tmp_path / "a.json"
    path.write_text(json.dumps(document))
    found = list(records([str(path)]))
    assert isinstance(found[0], Unread)
    assert "its clock was wrong" in found[0].reason


def test_serial_numbers_and_what_stands_in() -> None:
    document = reports.intel()
    document["serial_number"] = "00000000"
    document["wwn"] = {"naa": 5, "oui": 6083300, "id": 70368744177664 // 1024}
    assert read(document).serial == "wwn-0x55cd2e41000000000"
    del document["wwn"]
    found = normalise(SmartData(document), Origin("x"), load())
    assert isinstance(found, Unread)


def put(folder: Path, name: str, *documents: Any) -> str:
    (folder / name).write_text("".join(json.dumps(document) + "\n" for document in documents))
    return str(folder / name)


def test_one_file_may_hold_many(tmp_path: Path) -> None:
    lines = put(tmp_path, "all.jsonl", reports.intel(), reports.nvme(), [reports.scsi()])
    found = [record for record in records([lines]) if isinstance(record, Record)]
    assert [entry.bus for entry in found] == ["ata", "nvme", "scsi"]
    assert all(entry.time.timestamp() == reports.TIME_S for entry in found)


def test_folders_archives_and_other_encodings(tmp_path: Path) -> None:
    (tmp_path / "deep/er").mkdir(parents=True)
    put(tmp_path, "deep/er/a.json", reports.intel())
    (tmp_path / "deep/b.json.gz").write_bytes(gzip.compress(json.dumps(reports.nvme()).encode()))
    (tmp_path / "deep/c.json").write_bytes(json.dumps(reports.scsi()).encode("utf-16"))
    with tarfile.open(tmp_path / "deep/d.tar.gz", "w:gz") as archive:
        for name in ("one.json", "two.json"):
            data = json.dumps(
                reports.intel(model=f"INTEL SSDSC2BB{'240' if name < 'p' else '800'}G4")
            ).encode()
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    (tmp_path / "deep/README.md").write_text("no report")
    found = list(records([tmp_path]))
    assert len(found) == 5
    assert all(isinstance(entry, Record) for entry in found), found


def test_a_cut_document_is_told_with_its_byte_and_the_others_are_read(tmp_path: Path) -> None:
    whole, cut = json.dumps(reports.intel()), json.dumps(reports.nvme(), indent=1)
    path = tmp_path / "a.json"
    path.write_text(f"{whole}\n{cut[:500]}\n{json.dumps(reports.scsi())}\n")
    found = list(records([path]))
    kinds = [type(entry).__name__ for entry in found]
    assert kinds == ["Record", "Unread", "Record"], found
    path.write_text(f"{whole}\n{cut[:500]}")
    last = list(records([path]))[-1]
    assert isinstance(last, Unread)
    assert last.place.startswith(f"{path}: byte ")
    assert "cut off" in last.reason
    assert int(last.place.rsplit(" ", 1)[1]) > len(whole)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b"smartctl 7.3 2022-02-28 r5338\nCopyright (C)", "report for people"),
        (b"[1, 2]", "expected an object"),
        (b'{"a": 1}', "it has `a`"),
        (b'{"Devices": []}', "list of drives"),
        (b'{"smartctl": {"exit_status": 0}, "devices": []}', "list of drives"),
        (b"\x1f\x8b damaged", "packed and damaged"),
        (b'{"smartctl": {"exit_status": NaN}}', "no number of JSON"),
        (b"[" * 100_000, "nested too deep"),
        (b"\xff\xd8\xff\xe0 a picture", "no JSON"),
    ],
)
def test_files_that_are_no_reports(content: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(content)
    found = list(records([path]))
    assert all(isinstance(entry, Unread) for entry in found)
    assert reason in str(found[0])


def test_nvme_logs_need_an_identity_beside_them(tmp_path: Path) -> None:
    put(tmp_path, "nvme0-smart-log.json", reports.nvme_log())
    (alone,) = list(records([tmp_path]))
    assert isinstance(alone, Unread)
    assert "id-ctrl" in alone.hint
    put(tmp_path, "nvme0-id-ctrl.json", reports.nvme_identity())
    (found,) = list(records([tmp_path]))
    assert isinstance(found, Record)
    assert (found.serial, found.model) == ("NV9", "Some NVMe")
    assert found.value("host_written_bytes") == 9000 * 512_000
    assert found.value("temperature_c") == 41
    assert found.value("wear_ratio") == 0.07
    both = put(tmp_path, "x.json", reports.nvme_log(critical_warning={"value": 4}), reports.nvme_identity())
    (joined,) = list(records([both]))
    assert isinstance(joined, Record)
    assert joined.passed is False


def test_halves_of_nvme_pair_by_the_device_that_they_name(tmp_path: Path) -> None:
    def log(percent: int) -> dict[str, object]:
        return {
            "critical_warning": 0,
            "temperature": 310,
            "avail_spare": 100,
            "spare_thresh": 10,
            "percent_used": percent,
        }

    def identity(serial: str) -> dict[str, object]:
        return {"sn": serial, "mn": "KIOXIA KCD8", "fr": "1", "tnvmcap": 960_197_124_096}

    def wear(text: str) -> dict[str, float]:
        path = tmp_path / "drives.json"
        path.write_text(text)
        found = [item for item in records([path], hosts=HostNames(host="h")) if isinstance(item, Record)]
        return {record.serial: record.figures["wear_ratio"].value for record in found}

    flat = [
        {"device": "/dev/nvme0", **log(3)},
        {"device": "/dev/nvme1n1", **log(4)},
        {"device": "/dev/nvme1", **identity("B")},
        {"device": "/dev/nvme0", **identity("A")},
    ]
    assert wear("\n".join(map(json.dumps, flat))) == {"A": 0.03, "B": 0.04}
    wrapped = {f"/dev/nvme{n}n1": {"smart-log": log(n), "id-ctrl": identity(f"S{n}")} for n in range(2)}
    assert wear(json.dumps(wrapped)) == {"S0": 0.0, "S1": 0.01}


def test_what_is_no_reading_is_named_and_much_of_it_is_given_up(tmp_path: Path) -> None:
    (tmp_path / "zero.json").write_bytes(bytes(100))
    (tmp_path / "list.json").write_text("[]")
    (tmp_path / "link.json").symlink_to("/nowhere")
    (tmp_path / "raid.txt").write_text("CLI Version = 007.1\n")
    (tmp_path / "log.txt").write_text("Smart Log for NVME device:nvme0 namespace-id:ffffffff\n")
    os.mkfifo(tmp_path / "pipe.json")
    found = {Path(item.place).name: item for item in records([tmp_path]) if isinstance(item, Unread)}
    assert set(found) == {"zero.json", "list.json", "link.json", "raid.txt", "log.txt", "pipe.json"}
    assert "megaraid,N" in found["raid.txt"].hint
    assert "-o json" in found["log.txt"].hint
    (tmp_path / "foreign.json").write_text(json.dumps([{"x": n} for n in range(5000)]))
    assert len(list(records([tmp_path / "foreign.json"]))) == 4
