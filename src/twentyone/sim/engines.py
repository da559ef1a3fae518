"""Who plays the batches: the cores of this machine, a GPU, or the workers of a cluster. The sums are the same."""

from __future__ import annotations

import os
import platform
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from logging import CRITICAL
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING, Any, Protocol

from twentyone.authentic import package_digest
from twentyone.errors import TwentyoneError
from twentyone.platforms import core_count
from twentyone.sim.job import Job, run_batch
from twentyone.sim.stats import Totals

if TYPE_CHECKING:
    from twentyone.sim.cuda import Cuda

__all__ = ["CpuEngine", "CudaEngine", "DaskEngine", "Engine", "EngineFault", "engine_named", "in_order"]

Batch = tuple[int, int]
"""The first round (or shoe) of a batch, and the one after its last."""


class EngineFault(TwentyoneError):
    """An engine that cannot start or had to give up."""


class OtherPackage(EngineFault):
    """A worker that has another version of this package: its sums are not of these rules."""


class Engine(Protocol):
    """Plays batches in order, as many at a time as it likes."""

    name: str
    """What it is called."""
    rounds: int
    """Rounds of a good batch."""
    shoes: int
    """Shoes of a good batch."""

    def play(self, job: Job, batches: Iterable[Batch]) -> Iterator[Totals]:
        """The sums of the batches, in their order."""

    def close(self) -> None:
        """Release everything."""


def in_order(submit: Callable[[Batch], Any], batches: Iterable[Batch], ahead: int) -> Iterator[Totals]:
    """The results of batches that run `ahead` at a time."""
    running: deque[Any] = deque()
    try:
        for batch in batches:
            running.append(submit(batch))
            if len(running) >= ahead:
                yield running.popleft().result()
        while running:
            yield running.popleft().result()
    finally:
        for future in running:
            future.cancel()


class CpuEngine:
    """The cores of this machine: Numba's code runs beside Python's lock."""

    name = "cpu"
    rounds, shoes = 1 << 21, 1 << 15

    def __init__(self, threads: int | None = None) -> None:
        self.threads = threads or core_count()
        self._pool = ThreadPoolExecutor(self.threads)

    def play(self, job: Job, batches: Iterable[Batch]) -> Iterator[Totals]:
        """The sums of the batches, in their order."""
        return in_order(lambda batch: self._pool.submit(run_batch, job, *batch), batches, 2 * self.threads)

    def close(self) -> None:
        """End the threads once their batches are done."""
        self._pool.shutdown(cancel_futures=True)


class CudaEngine:
    """A GPU of this machine."""

    name = "cuda"
    rounds, shoes = 1 << 30, 1 << 22

    def __init__(self) -> None:
        try:
            from twentyone.sim import cuda
        except ImportError as missing:
            raise EngineFault(f"no GPU can be used: {missing}; install twentyone[cuda]") from None
        self._module = cuda

    @property
    def device(self) -> str:
        """What the GPU calls itself."""
        return self._module.device_name()

    @property
    def compiler(self) -> str:
        """What compiles for it, with its version."""
        from importlib.metadata import version
        from importlib.util import find_spec

        name = "numba-cuda" if find_spec("numba_cuda") else "numba"
        return f"{name} {version(name)}"

    def play(self, job: Job, batches: Iterable[Batch]) -> Iterator[Totals]:
        """The sums of the batches, in their order."""
        gpu = self._module.Cuda(job)
        for first, last in batches:
            yield gpu.run(first, last)

    def close(self) -> None:
        """Nothing is held."""


class DaskEngine:
    """Workers of a cluster (or two processes here), each with this package; a lost worker's batch is played again."""

    name = "dask"
    rounds, shoes = 1 << 25, 1 << 19

    def __init__(self, scheduler: str | None = None, workers: int | None = None) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise EngineFault("the dask engine needs twentyone[cluster]") from None
        self._scheduler = scheduler
        try:
            make: Callable[..., Any] = Client
            self._client = make(scheduler, timeout="5s") if scheduler else _local(make, workers)
        except (OSError, TimeoutError, ValueError) as wrong:
            raise EngineFault(f"no scheduler answers at {scheduler or 'this machine'}: {wrong}") from None

    def play(self, job: Job, batches: Iterable[Batch]) -> Iterator[Totals]:
        """The sums of the batches, in their order."""
        client, known = self._client, self._scattered(job)
        threads = sum(client.nthreads().values()) or 1
        submit = client.submit
        try:
            yield from in_order(
                lambda batch: submit(play_on_worker, known, *batch, package_digest(), pure=False, retries=5),
                batches,
                3 * threads,
            )
        except OtherPackage:
            raise
        except Exception as wrong:
            lost = type(wrong).__name__ in ("KilledWorker", "CancelledError", "FutureCancelledError")
            if not lost and not isinstance(wrong, OSError):
                raise
            raise EngineFault(f"the workers were lost: {wrong}") from None

    def _scattered(self, job: Job) -> Any:
        """The job, lying with every worker."""
        try:
            with _interrupts_wait():
                return self._client.scatter(job, broadcast=True, hash=False)
        except OSError as wrong:
            where = self._scheduler or "this machine"
            raise EngineFault(f"no worker answers at {where}: {wrong or 'it took too long'}") from None

    def close(self) -> None:
        """Leave the cluster."""
        self._client.close()


def _local(client: Callable[..., Any], workers: int | None) -> Any:
    """A cluster of processes on this machine, without its profiler, which would take time from the rounds."""
    import dask

    dask.config.set({"distributed.worker.profile.enabled": False})
    count = workers or core_count()
    with _interrupts_wait():
        return client(
            n_workers=count,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",
            silence_logs=CRITICAL,
        )


@contextmanager
def _interrupts_wait() -> Iterator[None]:
    """Hold Ctrl-C back; processes started meanwhile inherit that, so that only their parent ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # it would unblock them
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def play_on_worker(job: Job, first: int, last: int, package: str) -> Totals:
    """A batch on a worker: by its GPU where it has one and says so, else by a core.

    `package` is the digest of the package that asks. Batches of two versions do not add up to a simulation of either.
    """
    if package_digest() != package:
        raise OtherPackage(
            f"worker {platform.node()} (process {os.getpid()}) has another version of twentyone, package "
            f"{package_digest()[:12]} instead of {package[:12]}: install the same version on every worker"
        )
    if os.environ.get("TWENTYONE_WORKER") == "cuda":
        return _gpu_of(job).run(first, last)
    return run_batch(job, first, last)


def _gpu_of(job: Job) -> Cuda:
    """The worker's GPU, made ready for a job once: its batches are short."""
    from twentyone.sim.cuda import Cuda

    if not _ready or _ready[0].job is not job:
        _ready[:] = [Cuda(job)]
    return _ready[0]


_ready: list[Cuda] = []
"""The GPU of this worker, where it was used."""


def engine_named(name: str, threads: int | None = None, scheduler: str | None = None) -> Engine:
    """The engine of this name."""
    if name == "cuda":
        return CudaEngine()
    if name == "dask":
        return DaskEngine(scheduler, threads)
    return CpuEngine(threads)
