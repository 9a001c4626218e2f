"""Where the parts of a job are done: threads of this process, or any executor with its processes or machines.

A job has a context that all parts share (the requests of a workload, a catalog) and parts that are small. Threads use
the context as it is. Others get it once, pickled: processes of this machine read it from a file, the workers of a Dask
cluster get it as the result of a task, which the scheduler makes again if the worker that holds it dies; any other
executor gets it with each part. A worker keeps the last contexts. Results do not depend on who made them or in which
order: they come with the place of their part.

A worker must run the same version: another one gives other figures. Left out: what a worker that was interrupted had
begun is not stopped.
"""

import os
import pickle
import threading
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Generic, TypeVar

from drivecast import __version__, optional_dependency
from drivecast.errors import HintedError
from drivecast.lock import temporary_folder
from drivecast.plain_text import redacted
from drivecast.thread import TICK_S, as_ended, spare_memory

C = TypeVar("C")
A = TypeVar("A")
R = TypeVar("R")

CONTEXTS_MAX = 2
"""That a worker keeps: jobs follow each other, and their contexts may be large."""
REACHED_S = 10
"""How long a cluster, and its first worker, are waited for."""
_SAME = "install the same version of drivecast on all workers"


@dataclass(frozen=True)
class Workers:
    """Who does the parts of a job."""

    executor: Executor | None = None
    """None: threads of this process."""
    threads: int | None = None
    """How many of these; by default one a core."""
    passed: Callable[[], bool] = lambda: False
    """Whether the time for the work has passed: then there are no more results."""

    @property
    def parallel(self) -> int:
        """How many parts there may be at a time, as far as that is known here."""
        return self.threads or os.cpu_count() or 1

    @property
    def is_here(self) -> bool:
        """Whether all parts are done in this process, so that they may share what they find."""
        return self.executor is None or isinstance(self.executor, ThreadPoolExecutor)

    @contextmanager
    def job(self, context: C) -> "Iterator[Job[C]]":
        """Be ready to do parts that share a context.

        Raises `InputError` for an executor whose workers cannot do them.
        """
        if self.executor is None or self.is_here:
            yield Job(self, context, None)
            return
        _check(self.executor)
        content = pickle.dumps(context, protocol=pickle.HIGHEST_PROTOCOL)
        digest = blake2b(content, digest_size=16).hexdigest()
        with ExitStack() as stack:
            yield Job(self, context, (digest, stack.enter_context(_carried(self.executor, digest, content))))


@dataclass(frozen=True)
class Job(Generic[C]):
    """A context that is where its parts will be done."""

    workers: Workers
    context: C
    parcel: tuple[str, Any] | None
    """The digest of the pickled context, and what carries it; none in this process."""

    def until(self, passed: Callable[[], bool]) -> "Job[C]":
        """The same job, for as long as the time has not passed."""
        return replace(self, workers=replace(self.workers, passed=passed))

    def each(self, work: Callable[[C, A], R], items: Sequence[A]) -> Iterator[tuple[int, R]]:
        """What `work` makes of the context and each item, as it comes, with the place of the item.

        Elsewhere than in this process `work` is found by its name, and items and results are pickled. The first error
        is raised, and what has not begun is left out.
        """
        executor = self.workers.executor
        if executor is None:
            yield from as_ended(
                lambda item: work(self.context, item), items, self.workers.threads, self.workers.passed
            )
            return
        places = {self._begun(executor, work, item): place for place, item in enumerate(items)}
        try:
            left = set(places)
            while left and not self.workers.passed():
                ended, left = wait(
                    left, TICK_S, FIRST_COMPLETED
                )  # a signal does not end a wait: see `thread`
                for future in sorted(ended, key=places.__getitem__):
                    yield places[future], _result(future)
        finally:
            for future in places:
                future.cancel()

    def _begun(self, executor: Executor, work: Callable[[C, A], R], item: A) -> "Future[R]":
        if self.parcel is None:
            return executor.submit(work, self.context, item)
        part = pickle.dumps((work, item), protocol=pickle.HIGHEST_PROTOCOL)
        return executor.submit(done, __version__, *self.parcel, part)


def done(version: str, digest: str, carrier: bytes | str, part: bytes) -> Any:
    """Do a part, as a worker.

    Raises `InputError` where this is another version than the sender's.
    """
    if version != __version__:
        raise HintedError(f"a worker has drivecast {__version__}, and the job is of {version}", _SAME)
    context = _opened(digest, carrier)
    work, item = pickle.loads(part)  # noqa: S301 (who may submit tasks may run any code)
    return work(context, item)


_contexts: OrderedDict[str, Any] = OrderedDict()
_opening = threading.Lock()


def _opened(digest: str, carrier: bytes | str) -> Any:
    """The context of a job, opened once in each process."""
    with _opening:
        if digest not in _contexts:
            if not _contexts:
                spare_memory()
            content = carrier if isinstance(carrier, bytes) else Path(carrier).read_bytes()
            _contexts[digest] = pickle.loads(content)  # noqa: S301 (who may submit tasks may run any code)
            while len(_contexts) > CONTEXTS_MAX:
                _contexts.popitem(last=False)
        _contexts.move_to_end(digest)
        return _contexts[digest]


def _result(future: "Future[R]") -> R:
    try:
        return future.result()
    except CancelledError:
        raise HintedError(
            "the workers were lost before the job was done", "see the log of the scheduler, and begin again"
        ) from None
    except Exception as error:
        if type(error).__name__ == "KilledWorker":  # of distributed, which need not be installed
            raise HintedError(
                f"several workers died of the same part: {error}",
                "give workers more memory, or fewer threads",
            ) from None
        raise


def _check(executor: Executor) -> None:
    """Refuse processes that may never end, and workers of another version."""
    context = getattr(executor, "_mp_context", None)
    if isinstance(executor, ProcessPoolExecutor) and context is not None:
        if context.get_start_method() == "fork":  # they would inherit threads in the middle of their work
            raise HintedError(
                "processes that are forked from one with threads may never end",
                "ProcessPoolExecutor(mp_context=multiprocessing.get_context('spawn'))",
            )
        return
    client = _client(executor)
    if client is not None:
        check_versions(client.run(_asked()))


def _client(executor: Executor) -> Any:
    """The client of an executor of Dask; none of another."""
    return getattr(executor, "_client", None) if type(executor).__module__.startswith("distributed") else None


def _asked() -> Callable[[], str | None]:
    """What a worker is asked; a function within one travels as its code, and need not be known there."""

    def version() -> str | None:
        from importlib import metadata  # noqa: PLC0415

        try:
            return metadata.version("drivecast")
        except metadata.PackageNotFoundError:
            return None

    return version


def check_versions(found: dict[str, str | None]) -> None:
    """Raise `InputError` where a worker, by its address, has another version, or none."""
    for worker, version in sorted(found.items()):
        if version != __version__:
            has = "no drivecast" if version is None else f"drivecast {version}"
            raise HintedError(f"the worker {worker} has {has}, and this is {__version__}", _SAME)


@contextmanager
def _carried(executor: Executor, digest: str, content: bytes) -> Iterator[Any]:
    """What brings a context to the workers of an executor."""
    client = _client(executor)
    if client is not None:
        with warnings.catch_warnings():  # it asks for `scatter`, whose data nobody can make again
            warnings.filterwarnings("ignore", "Sending large graph", UserWarning)
            future = client.submit(bytes, content, key=f"drivecast-{digest}", pure=False)
        yield future
        return
    if not isinstance(executor, ProcessPoolExecutor):
        yield content
        return
    with temporary_folder("drivecast-job-") as folder:
        file = folder / digest
        file.write_bytes(content)
        yield str(file)


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """An executor of the Dask cluster whose scheduler is at an address such as `tcp://10.0.0.1:8786`.

    Raises `InputError` where it cannot be reached, has no workers, or Dask is not installed.
    """
    shown = redacted(address)
    try:
        from distributed import Client  # noqa: PLC0415 (few need it)
    except ImportError as error:
        raise optional_dependency.missing(error) or error from error
    try:
        connected: Any = Client  # it has no types
        client = connected(address, timeout=REACHED_S, set_as_default=False)
    except (OSError, ValueError, RuntimeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise HintedError(
            f"cannot reach the cluster `{shown}`: {redacted(reason)}",
            "`dask scheduler` prints the address of a scheduler that it starts, such as tcp://10.0.0.1:8786",
        ) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=REACHED_S)
        except TimeoutError:
            raise HintedError(
                f"the cluster `{shown}` has no workers", f"`dask worker {shown}` adds those of a machine"
            ) from None
        yield client.get_executor()
