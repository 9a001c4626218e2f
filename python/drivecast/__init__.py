"""Drivecast: which storage should a workload run on, how fast, how long, and for how much.

    import drivecast as dc

    plan = dc.plan("trace.blktrace", years=5)                     # ranked designs, with reasons
    run = dc.simulate("raid10(8 * intel-710-100gb)", "random(16KiB, read=0.3, iodepth=16)")
    runs = dc.sweep(["samsung-pm893-960gb", "samsung-pm9a3-960gb"], ["random(4KiB)"], iodepth=[1, 8, 32])

The public names are those of `__all__`; each is a function or a type of `drivecast.api`, loaded when it is first used,
so that the import takes no time. Rooms of the program such as `drivecast.plan` are modules, too: the public function of
the same name is what such a module does when it is called (`_Room`). All else in the rooms may change at any time.

Everything per I/O happens in Rust (`drivecast._core`); Python owns what happens per run.
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from drivecast import health as health
    from drivecast.api.attach import attach as attach
    from drivecast.api.catalog_mapping import catalog as catalog
    from drivecast.api.frame import read as read
    from drivecast.api.model import Windows as Windows
    from drivecast.api.model import fit as fit
    from drivecast.api.plans import plan as plan
    from drivecast.api.plans import versus as versus
    from drivecast.api.sweep import sweep as sweep
    from drivecast.api.verbs import compare as compare
    from drivecast.api.verbs import profile as profile
    from drivecast.api.verbs import simulate as simulate
    from drivecast.api.verbs import wear as wear
    from drivecast.api.workload_value import Workload as Workload
    from drivecast.api.workload_value import workload as workload
    from drivecast.errors import InputError as InputError
    from drivecast.errors import NoAnswer as NoAnswer

    __version__: str

_PUBLIC = {
    "InputError": "errors",
    "NoAnswer": "errors",
    "Windows": "api.model",
    "Workload": "api.workload_value",
    "attach": "api.attach",
    "catalog": "api.catalog_mapping",
    "compare": "api.verbs",
    "fit": "api.model",
    "plan": "api.plans",
    "profile": "api.verbs",
    "read": "api.frame",
    "simulate": "api.verbs",
    "sweep": "api.sweep",
    "versus": "api.plans",
    "wear": "api.verbs",
    "workload": "api.workload_value",
}
"""The module of each public name."""
_ROOMS = {"attach", "catalog", "compare", "health", "plan", "versus"}
"""Public names that are rooms of the program, too."""

__all__ = ["__version__", *sorted({*_PUBLIC, "health"})]  # noqa: PLE0604 (all are strings)


def _public(name: str) -> Any:
    from importlib import import_module  # noqa: PLC0415 (`--help` needs nothing of this)

    return getattr(import_module(f"drivecast.{_PUBLIC[name]}"), name)


class _Room(ModuleType):
    """A room that does what the public name of the same spelling does: called, asked for an item, or listed."""

    def _own(self) -> Any:
        return _public(self.__name__.removeprefix("drivecast."))

    def __call__(self, *args: Any, **options: Any) -> Any:
        return self._own()(*args, **options)

    @property
    def __signature__(self) -> Any:
        import inspect  # noqa: PLC0415

        return inspect.signature(self._own())

    def __getitem__(self, name: str) -> Any:
        return self._own()[name]

    def __iter__(self) -> Any:
        return iter(self._own())

    def __len__(self) -> int:
        return len(self._own())

    def __contains__(self, name: object) -> bool:
        return name in self._own()


class _Package(ModuleType):
    """The package: the import system hands it the rooms, which become callable then."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _ROOMS and type(value) is ModuleType:
            value.__class__ = _Room
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used; the version, too: reading it takes longer than `--help` may."""
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415

        return version("drivecast")
    if name in _ROOMS:
        from importlib import import_module  # noqa: PLC0415

        return import_module(f"drivecast.{name}")
    if name in _PUBLIC:
        found = _public(name)
        globals()[name] = found
        return found
    raise AttributeError(f"module `drivecast` has no attribute `{name}`")


def __dir__() -> list[str]:
    return [*__all__]
