"""The two ends of `make release`: what must hold before anything is built, and the tag once all has passed.

    python scripts/release.py ready
    python scripts/release.py tag
    python scripts/release.py notes

A release is a commit whose tree is clean, whose version (`Cargo.toml`) has no tag yet, and whose changelog has a
section of that version with a date. Both ends look, so that a check which changes a file ends the release. The notes
are that section, for whoever publishes the tag.
"""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SECTION = r"^## \[{version}\] - \d{{4}}-\d\d-\d\d$(?P<notes>.*?)(?=^## |\Z)"


def version(root: Path) -> str:
    """The version that everything takes from there."""
    found: str = tomllib.loads((root / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    return found


def faults(root: Path) -> list[str]:
    """What keeps the checkout from being a release."""
    found, released = [], version(root)
    if changed := git(root, "status", "--porcelain"):
        found.append(f"the tree has changes that are not committed:\n{changed}")
    if git(root, "tag", "--list", f"v{released}"):
        found.append(f"v{released} is released: raise `version` in Cargo.toml")
    if notes(root) is None:
        found.append(f"CHANGELOG.md has no section `## [{released}] - YYYY-MM-DD`")
    return found


def notes(root: Path) -> str | None:
    """What the changelog says of the version; none where it is not released there."""
    section = re.compile(SECTION.format(version=re.escape(version(root))), re.MULTILINE | re.DOTALL)
    found = section.search((root / "CHANGELOG.md").read_text())
    return found and found["notes"].strip()


def tag(root: Path) -> str:
    """Tag the commit; what is left to do."""
    name = f"v{version(root)}"
    git(root, "tag", "--annotate", name, "--message", f"Drivecast {name.removeprefix('v')}")
    return f"tagged {name}; publish it with: git push origin HEAD {name}"


def git(root: Path, *arguments: str) -> str:
    """What git answers."""
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def main(end: str, root: Path = ROOT) -> str | int:
    """Run one end: a message if the checkout is no release, or 0."""
    if end == "notes":
        print(notes(root))
        return 0
    if found := faults(root):
        return "\n".join(found)
    print(tag(root) if end == "tag" else f"releasing {version(root)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
