"""Statistics that are not whole, not of one cache or not in order: field, limit, hint, and exit code 2."""

import os
from pathlib import Path

import pytest

import cache_samples as samples
from agreed import agreed
from cache_verb import Shown, run


@pytest.fixture
def shown(tmp_path: Path) -> Shown:
    return Shown(tmp_path)


def flashcache(**changed: int) -> str:
    return samples.flashcache(
        samples.ISSUE_158 | {key.replace("_", " "): value for key, value in changed.items()}
    )


BAD = {
    "empty": "",
    "nothing of a cache": "Linux 6.1 (host)\n",
    "other targets": "swap: 0 8388608 linear 8:2 2048\n",
    "cut in a line": samples.flashcache()[:-2],
    "cut between lines": "".join(samples.flashcache().splitlines(keepends=True)[:12]),
    "a version without metadata": samples.flashcache(
        {k: v for k, v in samples.ISSUE_158.items() if k != "metadata batch"}
    ),
    "no number": samples.flashcache().replace("(113957619)", "(1e9)"),
    "a negative number": samples.flashcache().replace("(113957619)", "(-1)"),
    "a number too large": samples.flashcache().replace("(113957619)", "(99999999999999999999)"),
    "two samples in a file": samples.flashcache_proc() * 2,
    "a table alone": samples.flashcache_table(),
    "dm-cache cut": samples.dm_cache()[:80],
    "dm-cache failed": "vg: 0 100 cache Fail\n",
    "dm-cache, more used than there is": samples.dm_cache(used=2_000_000),
    "dm-cache, features beyond the line": samples.dm_cache().replace(" 2 metadata2", " 99 metadata2"),
    "dm-cache's table alone": "vg: 0 100 cache 253:1 253:2 253:3 128 0 smq 0\n",
    "dm-writecache cut": samples.writecache()[:40],
    "dm-writecache, more free": samples.writecache(free=9_000_000),
    "bcache without its devices": samples.bcache(
        {k: v for k, v in samples.BCACHE.items() if "/" not in k or k.startswith("stats")}
    ),
    "bcache without a backing device": samples.bcache(
        {k: v for k, v in samples.BCACHE.items() if "bdev" not in k}
    ),
    "bcache, no size": samples.bcache(samples.BCACHE | {"cache0/written": "much"}),
    "bcache's superblock": "sb.magic\t\tok\nsb.first_sector\t8 [match]\n",
    "OpenCAS cut": samples.open_cas_csv()[:-40],
    "OpenCAS without values": samples.open_cas_csv().splitlines()[0],
    "OpenCAS of a core": samples.open_cas_csv(
        {k: v for k, v in samples.OPEN_CAS.items() if k not in ("Dirty", "Free")}
    ),
    "OpenCAS twice": samples.open_cas_csv() * 2,
    "OpenCAS's table twice": samples.open_cas_table() * 2,
    "arcstats without its times": samples.arcstats().split("\n", 1)[1],
    "arcstats cut": samples.arcstats()[:400],
    "Navy cut": '{"navy_lookups": 1,',
    "Navy without a name": samples.navy({"navy_lookups": 1}),
    "Navy, no number": samples.navy().replace("5e+06", "nan"),
}


def test_what_is_wrong_with_a_file_is_said(shown: Shown) -> None:
    """By file, with its place in it and a hint."""
    said = [f"{name}: {shown.fails(text)}" for name, text in BAD.items()]
    agreed("cache-files.txt", "\n".join(said).replace(str(shown.folder), "FOLDER"))


LATER = samples.ISSUE_158 | {"reads": 113_957_700, "disk reads": 42_013_937}

BAD_PAIRS = {
    "two kinds": (samples.flashcache(), samples.dm_cache()),
    "two lengths": (samples.flashcache(), samples.flashcache(length=10)),
    "two names": (samples.flashcache(), samples.flashcache(name="other: ")),
    "two sets": (samples.bcache(), samples.bcache(uuid=samples.UUID.replace("6", "7"))),
    "two sizes": (samples.open_cas_csv(), samples.open_cas_csv(size=2_000_000)),
    "zeroed in between": (
        samples.flashcache(),
        samples.flashcache(samples.ISSUE_158 | {"reads": 5, "writes": 200_000_000}),
    ),
    "a reboot": (samples.arcstats(), samples.arcstats(created=99, snapped=10**15)),
}


def test_what_is_wrong_with_two_samples_is_said(shown: Shown) -> None:
    pairs = {
        **BAD_PAIRS,
        "swapped": (samples.flashcache(LATER), samples.flashcache()),
        "swapped, by their clock": (samples.arcstats(snapped=9_999_000_000_000), samples.arcstats()),
    }
    said = [f"{name}: {shown.fails(*texts)}" for name, texts in pairs.items()]
    agreed("cache-pairs.txt", "\n".join(said).replace(str(shown.folder), "FOLDER"))


def test_samples_in_the_wrong_order_by_their_files(shown: Shown) -> None:
    first, last = shown.files((samples.flashcache(), samples.flashcache(LATER)))
    done = run("status", last, first)
    assert done.code == 2
    assert f"{first} {last}" in done.err


def test_files_that_were_copied_have_no_time_between(shown: Shown) -> None:
    first, last = shown.files((samples.flashcache(), samples.flashcache(LATER)))
    os.utime(last, (1_700_000_000.4,) * 2)
    done = run("status", first, last)
    assert done.code == 2
    assert "0.40" in done.err
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
    assert str(tmp_path) in done.err


def test_fields_of_a_newer_version_are_named_with_their_lines(shown: Shown) -> None:
    text = samples.flashcache() + "\tnew counter(7)\n"
    (note,) = shown.json(text)["notes"]
    assert note == "fields of another version, left out: `new_counter` (line 26)"
