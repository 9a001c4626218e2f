"""Check that no two files of a crate need each other.

The graph: an edge from file A to file B where A names something that B defines, by a `use` or by a path in its
code (`crate::…`, `super::…`, `self::…`, or a module it declares or imports). A declaration `mod b;` is no edge, nor
is a `pub use`: a re-exported name leads to the file that defines it. A second graph joins the files of each module
at the root of the crate. Neither may hold a cycle; each one is printed with the lines that make it.

Not seen: calls of methods that another file of the same type's `impl` defines.

    python scripts/modules.py [CRATE...]
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

CRATES = Path(__file__).resolve().parents[1] / "crates"

# Crates that still have cycles, with the number of files in their largest: may only shrink.
KNOWN: dict[str, int] = {}

NOISE = re.compile(
    r'//[^\n]*|/\*.*?\*/|r(#*)".*?"\1|b?"(?:\\.|[^"\\])*"|b?\'(?:\\.[^\']*|[^\'\\])\'', re.DOTALL
)
# The tests at the end of a file see what it sees, and are no part of the graph.
TESTS = re.compile(r"#\[cfg\(test\)\]\s*mod \w+ \{.*", re.DOTALL)
MOD = re.compile(r"^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;", re.MULTILINE)
USE = re.compile(r"^[ \t]*(pub(?:\([^)]*\))?\s+)?use\s+([^;]+);", re.MULTILINE)
PATH = re.compile(r"(?<![\w:$])((?:[A-Za-z_]\w*::)+)([A-Za-z_]\w*)")

Module = tuple[str, ...]


@dataclass
class File:
    """A module in a file of its own."""

    path: Path
    text: str
    children: set[str] = field(default_factory=set)
    # Names brought in, each with the path it comes from: those that are re-exported apart from the others.
    imports: dict[str, tuple[Module, int]] = field(default_factory=dict)
    exports: dict[str, tuple[Module, int]] = field(default_factory=dict)
    globs: list[Module] = field(default_factory=list)


def blank(text: str) -> str:
    """Return the source with comments and literals blanked, line breaks kept."""
    return NOISE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def branches(tree: str) -> Iterator[tuple[Module, str]]:
    """Yield each path of a use tree with the name it gets."""
    tree = tree.strip()
    head, brace, rest = tree.partition("{")
    if not brace:
        written, _, alias = (part.strip() for part in tree.partition(" as "))
        parts = tuple(part.strip() for part in written.split("::") if part.strip())
        yield parts, alias or parts[-1]
        return
    prefix = tuple(part.strip() for part in head.split("::") if part.strip())
    depth, start, body = 0, 0, rest[: rest.rindex("}")]
    for at, char in enumerate(body + ","):
        depth += (char == "{") - (char == "}")
        if char == "," and depth == 0:
            if body[start:at].strip():
                for path, name in branches(body[start:at]):
                    # `a::{self}` names a itself.
                    own = path == ("self",)
                    yield prefix if own else prefix + path, prefix[-1] if name == "self" else name
            start = at + 1


class Crate:
    """The files of a crate and what each needs of the others."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files: dict[Module, File] = {}
        self.load((), root / "lib.rs", root)
        self.edges: dict[Module, dict[Module, int]] = defaultdict(dict)
        for module in self.files:
            self.read_uses(module)
        for module in self.files:
            self.read_edges(module)

    def load(self, module: Module, path: Path, folder: Path) -> None:
        """Read a file and those of the modules that it declares."""
        file = self.files[module] = File(path, TESTS.sub("", blank(path.read_text())))
        for name in MOD.findall(file.text):
            file.children.add(name)
            plain, nested = folder / f"{name}.rs", folder / name / "mod.rs"
            self.load((*module, name), plain if plain.exists() else nested, folder / name)

    def absolute(self, module: Module, path: Module) -> Module | None:
        """Return a path from the root of the crate; none if it leads elsewhere."""
        head = path[0]
        if head == "crate":
            return path[1:]
        if head == "self":
            return module + path[1:]
        if head == "super":
            up = next((at for at, part in enumerate(path) if part != "super"), len(path))
            return module[: len(module) - up] + path[up:]
        if head in self.files[module].children:
            return module + path
        known = self.files[module].imports.get(head) or self.files[module].exports.get(head)
        return known[0] + path[1:] if known else None

    def read_uses(self, module: Module) -> None:
        """Note the names that a file imports."""
        file = self.files[module]
        for match in USE.finditer(file.text):
            line = file.text.count("\n", 0, match.start(2)) + 1
            for path, name in branches(match[2]):
                target = self.absolute(module, path)
                if target is None:
                    continue
                if name == "*":
                    file.globs.append(target[:-1])
                elif match[1]:
                    file.exports[name] = (target, line)
                else:
                    file.imports[name] = (target, line)

    def home(self, path: Module) -> Module | None:
        """Return the module whose file defines what a path names; none if the path names a module."""
        module: Module = ()
        for at, part in enumerate(path):
            if (*module, part) in self.files:
                module = (*module, part)
                continue
            file = self.files[module]
            if part in file.exports:
                return self.home(file.exports[part][0] + path[at + 1 :])
            # A private import of a parent, seen by its children, stands for what it names.
            if part in file.imports:
                return self.home(file.imports[part][0] + path[at + 1 :])
            return module
        return None

    def read_edges(self, module: Module) -> None:
        """Note which files a file needs, and the first line at which it shows."""
        file = self.files[module]
        bare = USE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), file.text)
        found = [(target, line) for target, line in file.imports.values()]
        found += [
            entry
            for name, entry in file.exports.items()
            if re.search(rf"(?<![\w:]){name}\b(?!\s*::\w+\s*;)", bare)
        ]
        found += [((*glob, "*"), 1) for glob in file.globs]
        for match in PATH.finditer(bare):
            path = (*match[1].strip(":").split("::"), match[2])
            target = self.absolute(module, path)
            if target is not None:
                found.append((target, bare.count("\n", 0, match.start()) + 1))
        for target, line in sorted(found, key=lambda entry: entry[1]):
            home = self.home(target)
            if home is not None and home != module:
                self.edges[module].setdefault(home, line)


def cycles(edges: dict[Module, dict[Module, int]]) -> list[list[Module]]:
    """Return the strongly connected components of more than one node (Tarjan 1972)."""
    index: dict[Module, int] = {}
    low: dict[Module, int] = {}
    stack: list[Module] = []
    found: list[list[Module]] = []

    def visit(node: Module) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in edges.get(node, {}):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            at = stack.index(node)
            component = sorted(stack[at:])
            del stack[at:]
            if len(component) > 1:
                found.append(component)

    for node in sorted(edges):
        if node not in index:
            visit(node)
    return found


def rooms(crate: Crate) -> dict[Module, dict[Module, int]]:
    """Return the graph of the modules at the root of a crate."""
    edges: dict[Module, dict[Module, int]] = defaultdict(dict)
    for module, targets in crate.edges.items():
        for target in targets:
            if module[:1] != target[:1] and module and target:
                edges[module[:1]].setdefault(target[:1], 0)
    return edges


def report(crate: Crate, component: list[Module], depth: int | None) -> None:
    """Print a cycle of modules, cut to a depth of their paths, with the lines that make it."""
    print(f"{crate.root.parent.name}: {len(component)} modules need each other:")
    for module, targets in sorted(crate.edges.items()):
        for target, line in sorted(targets.items()):
            if module[:depth] != target[:depth] and {module[:depth], target[:depth]} <= set(component):
                path = crate.files[module].path.relative_to(CRATES.parent)
                print(f"  {path}:{line}: needs {'::'.join(target) or 'the root'}")


def main(names: list[str]) -> int:
    """Check the named crates, or all; return the exit code."""
    bad = False
    for name in names or sorted(path.parents[1].name for path in CRATES.glob("*/src/lib.rs")):
        crate = Crate(CRATES / name / "src")
        found: list[tuple[list[Module], int | None]] = [
            (component, None) for component in cycles(crate.edges)
        ]
        found += [(component, 1) for component in cycles(rooms(crate))]
        largest = max((len(component) for component, _ in found), default=0)
        if largest > KNOWN.get(name, 0) or (not largest and name in KNOWN):
            bad = True
            for component, depth in found:
                report(crate, component, depth)
            if not found:
                print(f"{name}: has no cycles any more; take it out of KNOWN")
    return int(bad)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
