"""`drivecast cache status`: what is said of each cache, from one sample and from two."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

import cache_samples as samples
from cache_verb import Shown, run


def grown(counts: Mapping[str, int], **more: int) -> dict[str, int]:
    """The counts, some of them larger."""
    return {key: value + more.get(key.replace(" ", "_"), 0) for key, value in counts.items()}


@pytest.fixture
def shown(tmp_path: Path) -> Shown:
    return Shown(tmp_path)


LATER_FLASHCACHE = grown(
    samples.ISSUE_158,
    reads=1_000_000,
    writes=2_000_000,
    read_hits=700_000,
    write_hits=1_900_000,
    dirty_write_hits=1_600_000,
    metadata_dirties=400_000,
    metadata_cleans=300_000,
    metadata_batch=650_000,
    metadata_ssd_writes=50_000,
    cleanings=300_000,
    front_merge=200_000,
    back_merge=70_000,
    disk_reads=300_000,
    disk_writes=300_000,
    ssd_reads=1_000_000,
    ssd_writes=2_350_000,
)


def test_two_samples_of_flashcache_give_rates(shown: Shown) -> None:
    found = shown.json(
        samples.flashcache_table() + samples.flashcache(),
        samples.flashcache_table(dirty=9_100_000) + samples.flashcache(LATER_FLASHCACHE),
        options=("--drive", "samsung-pm9a3-960gb", "--backing-rate", "40MB/s"),
    )
    assert found["seconds"] == 3600
    assert found["requests"]["reads"] == 1_000_000
    assert found["requests"]["writes_per_s"] == pytest.approx(2_000_000 / 3600)
    assert found["requests"]["hit_ratio"] == pytest.approx(2_600_000 / 3_000_000)
    assert found["write_amplification"]["value"] == pytest.approx(2_350_000 / 2_000_000)
    written = {row["cause"]: row["bytes"]["value"] / 4096 for row in found["traffic"]["drive_written"]}
    assert written == {"host-writes": 2_000_000, "fills": 300_000, "metadata": 50_000}
    dirty = found["dirty"]
    assert dirty["bytes"] == 9_100_000 * 4096
    assert dirty["known"] == "measured"
    assert dirty["drain_s"] == pytest.approx(9_100_000 / (300_000 / 3600))
    assert dirty["grows_bytes_per_s"] == pytest.approx(100_000 * 4096 / 3600)
    assert dirty["missing"] == "grows"
    assert dirty["drain_under_load_s"] is None
    assert dirty["drain_backing_s"] == pytest.approx(9_100_000 * 4096 / 40e6)
    assert dirty["run_bytes"] == 10 * 4096
    assert all(check["holds"] for check in found["checks"])
    life = found["life"]
    assert life["written_bytes_per_day"] == pytest.approx(2_350_000 * 4096 * 24)
    assert life["without_bytes_per_day"] == pytest.approx(2_000_000 * 4096 * 24)
    assert life["life_years_rated_writes"] == pytest.approx(
        life["rated_bytes"] / life["written_bytes_per_day"] / 365
    )


def test_flashcache_stats_of_proc_say_the_same_as_dmsetup(shown: Shown) -> None:
    mine, its = shown.json(samples.flashcache_proc()), shown.json(samples.flashcache())
    for key in ("requests", "traffic", "write_amplification", "checks", "limits"):
        assert mine[key] == its[key]


def test_a_violated_identity_is_named(shown: Shown) -> None:
    off = grown(samples.ISSUE_158, ssd_writes=samples.ISSUE_158["ssd writes"] // 100)
    found = shown.json(samples.flashcache(off))
    assert [check["identity"] for check in found["checks"] if not check["holds"]] == [
        "ssd_writes = (writes - uncached_writes) + (reads - read_hits - uncached_reads) + metadata_ssd_writes"
    ]


def test_a_cache_through_which_writes_go_has_fewer_identities(shown: Shown) -> None:
    back = ("dirty", "metadata", "clean", "merge", "write hits")
    around = {key: value for key, value in samples.ISSUE_158.items() if not any(word in key for word in back)}
    around["uncached writes"] = around["disk writes"] = around["writes"]
    around["ssd reads"] = around["read hits"]
    around["ssd writes"] = around["reads"] - around["read hits"] - around["uncached reads"]
    found = shown.json(samples.flashcache(around))
    assert len(found["checks"]) == 4
    assert all(check["holds"] for check in found["checks"])
    assert found["dirty"]["missing"] == "no-write-back"
    assert found["traffic"]["drive_written"][0]["bytes"]["value"] == 0


def test_dm_cache(shown: Shown) -> None:
    later = grown(
        samples.DM_CACHE, read_hits=900_000, read_misses=100_000, write_hits=300_000, write_misses=100_000
    )
    later |= {
        "promotions": samples.DM_CACHE["promotions"] + 1_000,
        "dirty": samples.DM_CACHE["dirty"] - 72_000,
    }
    found = shown.json(samples.dm_cache(), samples.dm_cache(later), options=("--host-written", "4GB"))
    block = 128 * 512
    assert found["block_bytes"] == block
    assert found["size_bytes"] == 1_740_800 * block
    assert found["requests"]["read_hit_ratio"] == 0.9
    assert found["requests"]["write_hit_ratio"] == 0.75
    fills = 1_000 * block
    assert found["traffic"]["drive_written_bytes"] == {"low": 3e9, "value": 3e9 + fills, "high": 3e9 + fills}
    assert found["traffic"]["host_written_known"] == "given"
    assert found["write_amplification"]["high"] == pytest.approx((3e9 + fills) / 4e9)
    assert found["dirty"]["grows_bytes_per_s"] == pytest.approx(-72_000 * block / 3600)
    assert found["dirty"]["drain_under_load_s"] == pytest.approx(428_000 / 20)
    assert found["dirty"]["drain_s"] is None
    assert {setting["name"]: setting["value"] for setting in found["settings"]}["policy"] == "smq"


def test_dm_cache_without_the_bytes_of_the_host_has_no_amplification(shown: Shown) -> None:
    found = shown.json(samples.dm_cache())
    assert found["write_amplification"] is None
    assert found["traffic"]["drive_written_bytes"] is None
    assert "`--host-written`" in shown.out(samples.dm_cache())
    assert "--host-written" in shown.fails(samples.dm_cache(), options=("--drive", "samsung-pm9a3-960gb"))


def test_dm_writecache(shown: Shown) -> None:
    later = grown(samples.WRITECACHE, writes=360_000, allocated=360_000)
    found = shown.json(
        samples.WRITECACHE_TABLE + samples.writecache(),
        samples.WRITECACHE_TABLE + samples.writecache(later, free=1_960_000),
    )
    assert found["dirty"]["bytes"] == 2_040_000 * 4096
    assert found["dirty"]["aim_fraction"] == 0.55
    # 360,000 blocks came, 360,000 fewer are in use: 720,000 were written back.
    assert found["dirty"]["cleaned_bytes_per_s"] == pytest.approx(200 * 4096)
    assert found["dirty"]["drain_s"] == pytest.approx(2_040_000 / 200)
    assert found["dirty"]["drain_under_load_s"] == pytest.approx(2_040_000 / 100)
    assert found["dirty"]["aim_s"] == 0
    assert found["write_amplification"]["value"] == 1


def test_an_old_dm_writecache_counts_no_requests(shown: Shown) -> None:
    found = shown.json(samples.writecache({}))
    assert found["requests"]["writes"] is None
    assert found["dirty"]["bytes"] == 2_400_000 * 4096


def test_bcache_by_its_text_and_by_its_folder(shown: Shown, tmp_path: Path) -> None:
    found = shown.json(samples.bcache())
    folder = tmp_path / samples.UUID
    for name, text in samples.BCACHE.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n")
    done = run("status", str(folder), "--output-format", "json")
    assert done.code == 0, done.err
    its = json.loads(done.out)
    assert {**its, "samples": None} == {**found, "samples": None}
    dirty = found["dirty"]
    assert dirty["bytes"] == pytest.approx(48.2 * 2**30, rel=1e-6)
    assert dirty["drain_s"] == pytest.approx(48.2 * 2**30 / 2**22, rel=1e-6)
    assert dirty["aim_s"] == pytest.approx((dirty["bytes"] - 0.1 * found["size_bytes"]) / 2**22, rel=1e-6)


def test_sizes_that_bcache_rounds_give_bounds(shown: Shown) -> None:
    later = samples.BCACHE | {"cache0/written": "1.7T", "cache0/metadata_written": "30.9G"}
    later |= {"bdev0/dirty_data": "48.1G"}
    found = shown.json(
        samples.bcache(),
        samples.bcache(later),
        options=("--host-written", "100GiB", "--seconds-between", "1d"),
    )
    data = found["traffic"]["drive_written"][0]["bytes"]
    assert data["low"] == pytest.approx(0.1 * 2**40)
    assert data["value"] == pytest.approx(0.2 * 2**40)
    assert data["high"] == pytest.approx(0.3 * 2**40)
    assert found["write_amplification"]["low"] == pytest.approx(1.024 + 0.001)
    assert found["write_amplification"]["value"] == pytest.approx(2.048 + 0.002)
    assert found["dirty"]["grows_bytes_per_s"] is None, "a step of the display is no change"


def test_a_kernel_that_loses_counts_is_said(shown: Shown) -> None:
    later = samples.BCACHE | {"stats_total/cache_hits": str(800_000 + 4_000 * 3600)}
    assert any(
        "`cache_hits`" in note for note in shown.json(samples.bcache(), samples.bcache(later))["notes"]
    )
    assert not shown.json(samples.bcache(), samples.bcache())["notes"]


@pytest.mark.parametrize("bar", ["|", "║"])
def test_open_cas_by_its_table_and_its_csv(shown: Shown, bar: str) -> None:
    mine, its = shown.json(samples.open_cas_table(bar=bar)), shown.json(samples.open_cas_csv())
    for key in ("requests", "traffic", "write_amplification", "dirty", "limits", "size_bytes"):
        assert mine[key] == its[key]
    assert {"name": "Cleaning Policy", "value": "alru"} in mine["settings"]


def test_open_cas_bounds_its_fills(shown: Shown) -> None:
    found = shown.json(samples.open_cas_csv())
    host, fills = (row["bytes"] for row in found["traffic"]["drive_written"])
    # 380,000 blocks to the cache; 30,000 were read from the core, so at least 350,000 are the host's.
    assert (host["low"], host["high"]) == (350_000 * 4096, 380_000 * 4096)
    assert (fills["low"], fills["high"]) == (0, 30_000 * 4096)
    assert found["write_amplification"]["value"] == 0.95


def test_open_cas_without_what_passes_through_counts_its_cleaning(shown: Shown) -> None:
    alone = samples.OPEN_CAS | {"Pass-Through writes": 0}
    later = alone | {"Writes to core(s)": 136_000, "Dirty": 590_000}
    found = shown.json(samples.open_cas_csv(alone), samples.open_cas_csv(later))
    assert found["dirty"]["cleaned_bytes_per_s"] == 10 * 4096
    assert found["dirty"]["drain_s"] == 59_000
    passed = alone | {"Writes to core(s)": 136_000, "Pass-Through writes": 10}
    found = shown.json(samples.open_cas_csv(alone), samples.open_cas_csv(passed))
    assert found["dirty"]["cleaned_bytes_per_s"] is None, "some of these writes passed through"
    newer = samples.OPEN_CAS | {"Cleaner core writes": 0}
    found = shown.json(
        samples.open_cas_csv(newer), samples.open_cas_csv(newer | {"Cleaner core writes": 72_000})
    )
    assert found["dirty"]["cleaned_bytes_per_s"] == 20 * 4096


def test_open_cas_full_of_dirty_data(shown: Shown) -> None:
    full = samples.OPEN_CAS | {"Occupancy": 1_000_000, "Free": 0, "Clean": 20_000, "Dirty": 980_000}
    kinds = [limit["kind"] for limit in shown.json(samples.open_cas_csv(full))["limits"]]
    assert kinds[0] == "all-dirty"
    alone = full | {"Pass-Through writes": 0}
    later = alone | {"Writes to core(s)": 136_000}

    def said(*options: str) -> str:
        return " ".join(
            shown.out(samples.open_cas_csv(alone), samples.open_cas_csv(later), options=options).split()
        )

    # 36,000 blocks in an hour are 41 kB/s.
    assert "`--backing-rate`, with a second sample, shows whether" in said()
    assert "they are the limit, not the cleaning policy `alru`" in said("--backing-rate", "45kB/s")
    assert "it cleans 41 % of what the disks take" in said("--backing-rate", "100kB/s")


def test_arcstats_bring_their_time_along(shown: Shown) -> None:
    found = shown.json(samples.arcstats(), options=("--drive", "samsung-pm9a3-960gb"))
    assert found["seconds"] == pytest.approx(8_640)
    assert found["requests"]["read_hit_ratio"] == 0.4
    assert found["traffic"]["drive_written_bytes_per_s"] == pytest.approx(80e9 / 8_640)
    assert found["life"]["written_bytes_per_day"] == pytest.approx(800e9)
    kinds = {limit["kind"]: limit for limit in found["limits"]}
    assert kinds["feed"]["found"] == 0.3
    assert kinds["fills-unread"]["found"] == 0.5
    later = samples.ARCSTATS | {"l2_write_bytes": 81_000_000_000}
    between = shown.json(samples.arcstats(), samples.arcstats(later, snapped=8_752_627_639_090))
    assert between["seconds"] == 100
    assert between["traffic"]["drive_written_bytes"]["value"] == 1e9


def test_an_arc_without_a_drive(shown: Shown) -> None:
    none = {key: 0 if key.startswith("l2_") else value for key, value in samples.ARCSTATS.items()}
    found = shown.json(samples.arcstats(none))
    assert found["name"] == "ARC"
    assert found["requests"]["hit_ratio"] == 0.9
    assert not found["traffic"]["drive_written"]


def test_navy_by_its_map_and_as_json(shown: Shown) -> None:
    mine, its = shown.json(samples.navy()), shown.json(json.dumps(samples.NAVY))
    assert its["write_amplification"] == {"low": 3, "value": 3, "high": 3}
    assert mine["write_amplification"]["low"] < 3 < mine["write_amplification"]["high"]
    assert mine["requests"] == its["requests"]
    pairs = {
        f"{key}_{pair}" if key.startswith("navy_b") else key: value
        for key, value in samples.NAVY.items()
        for pair in (0, 1)
    }
    doubled = shown.json(json.dumps(pairs))
    assert doubled["traffic"]["host_written_bytes"]["value"] == 60e9


@pytest.mark.parametrize("text", samples.WHOLE.values(), ids=samples.WHOLE)
def test_every_cache_has_text_json_and_a_row(shown: Shown, text: str) -> None:
    assert "What limits it" in shown.out(text)
    assert shown.json(text)["schema_version"] == 1
    rows = shown.out(text, options=("--output-format", "csv")).splitlines()
    assert len(rows) == 2
    assert "requests.read_hit_ratio" in rows[0]


def test_times_come_from_the_names_of_files(tmp_path: Path) -> None:
    first, last = tmp_path / "cache-2026-01-12T10:00:00.txt", tmp_path / "cache-20260112_101000.txt"
    first.write_text(samples.flashcache())
    last.write_text(samples.flashcache(LATER_FLASHCACHE))
    done = run("status", str(first), str(last), "--output-format", "json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["seconds"] == 600
    assert json.loads(done.out)["samples"][0]["time_from"] == "file-name"


def test_one_of_several_caches_is_chosen(shown: Shown) -> None:
    several = samples.dm_cache() + samples.flashcache() + "swap: 0 8388608 linear \n"
    assert "`vg-data`" in shown.fails(several)
    assert shown.json(several, options=("--cache", "vg-data"))["cache"] == "dm-cache"
    assert "`other`" in shown.fails(several, options=("--cache", "other"))


@pytest.mark.parametrize(
    "names", [("", ""), ("cachedev: ", ""), ("", "cachedev: "), ("cachedev: ", "cachedev: ")]
)
def test_a_table_belongs_to_the_only_status_where_either_has_no_name(
    shown: Shown, names: tuple[str, str]
) -> None:
    text = samples.flashcache(name=names[0]) + samples.flashcache_table(name=names[1])
    found = shown.json(text)
    assert found["dirty"]["bytes"] == 9_000_000 * 4096
    assert found["name"] == ("cachedev" if any(names) else "")


def test_a_table_of_another_device_is_left_out(shown: Shown) -> None:
    text = samples.flashcache() + samples.flashcache_table(name="other: ")
    assert shown.json(text)["dirty"]["known"] == "derived"
