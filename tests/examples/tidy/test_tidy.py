"""Ratchets: what the sources must not become."""

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

from needs import needs

ROOT = Path(__file__).parents[3]
FILE_LINES_MAX = 500
FUNCTION_LINES_MAX = 70
PINNED_SENTENCES_MAX = 193
"""Tests that assert the words of a message. Lower it as they get fewer: a better wording is to break one snapshot."""
LEFTOVERS = re.compile(
    r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b|\bto" r"do!\(|unimpl" r"emented!\(|NotImpl" r"ementedError"
)
MACHINE_PATHS = re.compile(r"(?<![\w.])/(work|root|home/\w+)/|/tmp/\w+/")
BANNED_FOLDERS = {"utils", "util", "misc", "common", "helpers", "dep"}


def tracked(*suffixes: str) -> list[Path]:
    """The files of the project, by git's list."""
    needs("git checkout")
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    paths = [ROOT / name for name in listed.stdout.splitlines()]
    return [path for path in paths if path.suffix in suffixes and path.exists()]


def python_functions() -> Iterator[tuple[str, int]]:
    """Functions with their decorators and signatures, without their docstrings."""
    for path in tracked(".py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and node.end_lineno is not None:
                first = node.decorator_list[0].lineno if node.decorator_list else node.lineno
                lines = node.end_lineno - first + 1
                if ast.get_docstring(node):
                    lines -= (node.body[0].end_lineno or 0) - node.body[0].lineno + 1
                yield f"{path.relative_to(ROOT)}:{node.name}", lines


def rust_functions() -> Iterator[tuple[str, int]]:
    """Functions as rustfmt lays them out: from `fn` to the closing brace of the same indentation."""
    start = re.compile(r"^( *)(?:pub(?:\(\w+\))? )?(?:const )?(?:unsafe )?fn (\w+)")
    for path in tracked(".rs"):
        open_functions: list[tuple[str, str, int]] = []
        for number, line in enumerate(path.read_text().splitlines()):
            if (found := start.match(line)) and not line.rstrip().endswith(("}", ";")):
                open_functions.append((found[1], found[2], number))
            elif open_functions and line == open_functions[-1][0] + "}":
                _, name, first = open_functions.pop()
                yield f"{path.relative_to(ROOT)}:{name}", number - first


def test_files_fit_a_reader() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in tracked(".py", ".rs")
        if (lines := len(path.read_text().splitlines())) > FILE_LINES_MAX
    }
    assert not long


def test_the_median_file_is_short() -> None:
    lengths = sorted(len(path.read_text().splitlines()) for path in tracked(".py", ".rs"))
    assert lengths[len(lengths) // 2] <= 200


def test_functions_fit_a_screen() -> None:
    functions = [*python_functions(), *rust_functions()]
    assert len(functions) > 100, "the finder finds nothing"
    assert not {name: lines for name, lines in functions if lines > FUNCTION_LINES_MAX}


def test_variables_are_named_by_what_they_hold() -> None:
    """`one` says nothing of what it holds."""
    assert not [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in tracked(".py")
        for node in ast.walk(ast.parse(path.read_text()))
        if (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id == "one")
        or (isinstance(node, ast.arg) and node.arg == "one")
    ]


def is_sentence(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value.split()) > 2


def pins_a_sentence(node: ast.AST) -> bool:
    """Whether it compares with three words or more, or with a pattern of them or one that is not written there."""
    if isinstance(node, ast.keyword) and node.arg == "match":
        return is_sentence(node.value) or not isinstance(node.value, ast.Constant)
    if not isinstance(node, ast.Assert):
        return False
    compared = [part for part in ast.walk(node.test) if isinstance(part, ast.Compare)]
    return any(is_sentence(part) for comparison in compared for part in ast.walk(comparison))


def test_ever_fewer_tests_pin_a_sentence() -> None:
    """The others assert values, exit codes, types of errors and their fields; messages are read in snapshots."""
    pinning = [
        test
        for path in (ROOT / "tests").rglob("test_*.py")
        for test in ast.walk(ast.parse(path.read_text()))
        if isinstance(test, ast.FunctionDef) and any(map(pins_a_sentence, ast.walk(test)))
    ]
    assert 20 < len(pinning) <= PINNED_SENTENCES_MAX


def test_nothing_is_left_over() -> None:
    sources = tracked(".py", ".rs", ".toml", ".md", ".sh", ".html")
    found = {
        f"{path.relative_to(ROOT)}:{number}": line.strip()
        for path in sources
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if LEFTOVERS.search(line) or MACHINE_PATHS.search(line)
    }
    assert not found


def test_folders_are_nouns() -> None:
    assert not [
        path for path in tracked(".py", ".rs") if BANNED_FOLDERS & {*path.relative_to(ROOT).parts, path.stem}
    ]


def test_documents_name_files_that_exist() -> None:
    missing = []
    for path in tracked(".md"):
        for name in re.findall(
            r"`((?:crates|python|docs|catalog|examples|tests|benches|scripts)/[\w./-]+)`", path.read_text()
        ):
            if not [*ROOT.glob(f"{name}*")] and "NAME" not in name and "VENDOR" not in name:
                missing.append(f"{path.relative_to(ROOT)}: {name}")
    assert not missing


def test_every_document_is_in_the_navigation_of_the_site() -> None:
    """By its path, or by that of its folder; `make docs-site` would refuse it, too."""
    listed = set(re.findall(r"([\w/-]+(?:\.md|/))$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE))
    assert len(listed) > 50, "the finder finds nothing"
    pages = [path.relative_to(ROOT / "docs") for path in tracked(".md") if path.is_relative_to(ROOT / "docs")]
    assert not [str(page) for page in pages if not {page.as_posix(), f"{page.parent.as_posix()}/"} & listed]


def test_no_path_reads_as_an_option() -> None:
    """A script that takes `--help` for a folder leaves such a one."""
    needs("git checkout")
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "README.md" in listed.stdout.splitlines()
    assert not [name for name in listed.stdout.splitlines() if name.startswith("-")]


def test_crates_say_truly_what_they_have_no_tests_in() -> None:
    """Cargo runs neither tests in sources nor examples in comments of a crate that says it has none.

    Tests in a source are run all the same where a program of `tests` has the file for a module.
    """
    fences = re.compile(r"//[/!] *```(.*)")
    for manifest in ROOT.glob("crates/*/Cargo.toml"):
        said = tomllib.loads(manifest.read_text()).get("lib", {})
        programs = "".join(path.read_text() for path in manifest.parent.glob("tests/*.rs"))
        for path in manifest.parent.glob("src/**/*.rs"):
            text, place = path.read_text(), path.relative_to(manifest.parent / "src")
            of_folder = f'"../src/{place.parts[0]}"' in programs and f"mod {place.stem};" in programs
            is_run = said.get("test", True) or f'"../src/{place}"' in programs or of_folder
            assert is_run or "#[test]" not in text, path
            run = {*fences.findall(text)[::2]} - {"text", "toml"}
            assert said.get("doctest", True) or not run, path
