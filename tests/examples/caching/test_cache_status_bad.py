"""Statistics that are not whole, not of one cache or not in order: field, limit, hint, and exit code 2."""

import os
from pathlib import Path

import pytest

import cache_samples as samples
from cache_verb import Shown, run


@pytest.fixture
def shown(tmp_path: Path) -> Shown:
    return Shown(tmp_path)


def flashcache(**changed: int) -> str:
    return samples.flashcache(
        samples.ISSUE_158 | {key.replace("_", " "): value for key, value in changed.items()}
    )


BAD = {
    "empty": ("", "the file is empty"),
    "nothing of a cache": (
        "Linux 6.1 (host)\n",
        "line 1: no statistics of a cache: found `Linux 6.1 (host)`",
    ),
    "other targets": ("swap: 0 8388608 linear 8:2 2048\n", "found `linear`"),
    "cut in a line": (samples.flashcache()[:-2], "`(0` does not end"),
    "cut between lines": (
        "".join(samples.flashcache().splitlines(keepends=True)[:12]),
        "line 12: FlashCache's statistics without `no_room`",
    ),
    "a version without metadata": (
        samples.flashcache({k: v for k, v in samples.ISSUE_158.items() if k != "metadata batch"}),
        "without `metadata_batch`",
    ),
    "no number": (
        samples.flashcache().replace("(113957619)", "(1e9)"),
        "line 2: reads: expected a whole number",
    ),
    "a negative number": (samples.flashcache().replace("(113957619)", "(-1)"), "found `-1`"),
    "a number too large": (
        samples.flashcache().replace("(113957619)", "(99999999999999999999)"),
        "below 2^64",
    ),
    "two samples in a file": (samples.flashcache_proc() * 2, "`reads` is there twice, first in line 1"),
    "a table alone": (samples.flashcache_table(), "table without its statistics"),
    "dm-cache cut": (samples.dm_cache()[:80], "dm-cache's status ends before"),
    "dm-cache failed": ("vg: 0 100 cache Fail\n", "the cache failed"),
    "dm-cache, more used than there is": (
        samples.dm_cache(used=2_000_000),
        "2000000 of 1740800 blocks are used",
    ),
    "dm-cache, features beyond the line": (
        samples.dm_cache().replace(" 2 metadata2", " 99 metadata2"),
        "ends before",
    ),
    "dm-cache's table alone": ("vg: 0 100 cache 253:1 253:2 253:3 128 0 smq 0\n", "table without its status"),
    "dm-writecache cut": (samples.writecache()[:40], "fields: expected 4 (before kernel 5.15) or 14"),
    "dm-writecache, more free": (samples.writecache(free=9_000_000), "9000000 of 4000000 blocks are free"),
    "bcache without its devices": (
        samples.bcache({k: v for k, v in samples.BCACHE.items() if "/" not in k or k.startswith("stats")}),
        "without `cache0/written`",
    ),
    "bcache without a backing device": (
        samples.bcache({k: v for k, v in samples.BCACHE.items() if "bdev" not in k}),
        "without `bdev0/cache_mode`, `bdev0/dirty_data`",
    ),
    "bcache, no size": (
        samples.bcache(samples.BCACHE | {"cache0/written": "much"}),
        "expected a size such as `1.5G`",
    ),
    "bcache's superblock": (
        "sb.magic\t\tok\nsb.first_sector\t8 [match]\n",
        "a superblock, which counts nothing",
    ),
    "OpenCAS cut": (samples.open_cas_csv()[:-40], "values for"),
    "OpenCAS without values": (samples.open_cas_csv().splitlines()[0], "titles without values"),
    "OpenCAS of a core": (
        samples.open_cas_csv({k: v for k, v in samples.OPEN_CAS.items() if k not in ("Dirty", "Free")}),
        "without `Free`, `Dirty`",
    ),
    "OpenCAS twice": (samples.open_cas_csv() * 2, "expected two lines, found 4"),
    "OpenCAS's table twice": (samples.open_cas_table() * 2, "is there twice"),
    "arcstats without its times": (samples.arcstats().split("\n", 1)[1], "without the line of its times"),
    "arcstats cut": (samples.arcstats()[:400], "arcstats without"),
    "Navy cut": ('{"navy_lookups": 1,', "no JSON object"),
    "Navy without a name": (samples.navy({"navy_lookups": 1}), "without `navy_succ_lookups`"),
    "Navy, no number": (samples.navy().replace("5e+06", "nan"), "expected a number from 0"),
}


@pytest.mark.parametrize(("text", "message"), BAD.values(), ids=BAD)
def test_what_is_wrong_with_a_file_is_said(shown: Shown, text: str, message: str) -> None:
    error = shown.fails(text)
    assert message in error
    assert "sample-0.txt" in error
    assert "hint: " in error


LATER = samples.ISSUE_158 | {"reads": 113_957_700, "disk reads": 42_013_937}

BAD_PAIRS = {
    "two kinds": (samples.flashcache(), samples.dm_cache(), "is of flashcache, "),
    "two lengths": (
        samples.flashcache(),
        samples.flashcache(length=10),
        "`length` is `10`, and `4192204800`",
    ),
    "two names": (
        samples.flashcache(),
        samples.flashcache(name="other: "),
        "`name` is `other`, and `cachedev`",
    ),
    "two sets": (
        samples.bcache(),
        samples.bcache(uuid=samples.UUID.replace("6", "7")),
        "two different caches",
    ),
    "two sizes": (samples.open_cas_csv(), samples.open_cas_csv(size=2_000_000), "`Cache Size` is `2000000`"),
    "zeroed in between": (
        samples.flashcache(),
        samples.flashcache(samples.ISSUE_158 | {"reads": 5, "writes": 200_000_000}),
        "counters went backwards since",
    ),
    "a reboot": (
        samples.arcstats(),
        samples.arcstats(created=99, snapped=10**15),
        "ZFS was loaded again in between",
    ),
}


@pytest.mark.parametrize(("first", "last", "message"), BAD_PAIRS.values(), ids=BAD_PAIRS)
def test_what_is_wrong_with_two_samples_is_said(shown: Shown, first: str, last: str, message: str) -> None:
    error = shown.fails(first, last)
    assert message in error
    assert "hint: " in error


def test_samples_in_the_wrong_order(shown: Shown) -> None:
    error = shown.fails(samples.flashcache(LATER), samples.flashcache())
    assert "`reads` from 113,957,700 to 113,957,619" in error
    assert "if the samples are swapped" in error or "the samples are swapped" in error
    clocks = shown.fails(samples.arcstats(snapped=9_999_000_000_000), samples.arcstats())
    assert "no time between the two samples: -1," in clocks


def test_samples_in_the_wrong_order_by_their_files(shown: Shown) -> None:
    first, last = shown.files((samples.flashcache(), samples.flashcache(LATER)))
    done = run("status", last, first)
    assert done.code == 2
    assert "every counter that changed fell" in done.err
    assert f"give the earlier one first: {first} {last}" in done.err


def test_files_that_were_copied_have_no_time_between(shown: Shown) -> None:
    first, last = shown.files((samples.flashcache(), samples.flashcache(LATER)))
    os.utime(last, (1_700_000_000.4,) * 2)
    done = run("status", first, last)
    assert done.code == 2
    assert "the files were written 0.40 s apart, as copies are" in done.err
    assert run("status", first, last, "--seconds-between", "5min").code == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--seconds-between", "300"), "`--seconds-between` needs two samples"),
        (("--uptime", "0"), "--uptime: expected a time above 0"),
        (("--uptime", "soon"), "--uptime: expected a time"),
        (("--backing-rate", "0"), "--backing-rate: expected a rate above 0"),
        (("--host-written", "1GB"), "flashcache counts what the host writes"),
        (("--drive", "samsung-pm9a3-960gb"), "give a second sample, or `--uptime`"),
        (("--drive", "seagate-exos-x20-20tb", "--uptime", "1d"), "has no rated writes"),
        (("--drive", "samsung-pm9a3-961gb", "--uptime", "1d"), "samsung-pm9a3-960gb"),
    ],
)
def test_options_that_do_not_fit(shown: Shown, options: tuple[str, ...], message: str) -> None:
    assert message in shown.fails(samples.flashcache(), options=options)


def test_a_folder_without_a_set_of_bcache(tmp_path: Path) -> None:
    done = run("status", str(tmp_path))
    assert done.code == 2
    assert "no cache set of bcache" in done.err


def test_fields_of_a_newer_version_are_named_with_their_lines(shown: Shown) -> None:
    text = samples.flashcache() + "\tnew counter(7)\n"
    (note,) = shown.json(text)["notes"]
    assert note == "fields of another version, left out: `new_counter` (line 26)"
