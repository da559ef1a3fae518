"""Engines: cores, a cluster with a worker that is lost, and the GPU's kernels in Numba's own CUDA simulator."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from pathlib import Path

import pytest
from tests.contracts.sim_driver import default_game
from tests.daily import daily
from tests.heeding import heed_ctrl_c
from tests.patience import PATIENCE, until

from twentyone.authentic import PACKAGE, package_digest
from twentyone.rulebook import Rulebook
from twentyone.sim.cache import compiled_once
from twentyone.sim.engines import CpuEngine, DaskEngine, OtherPackage, play_on_worker
from twentyone.sim.job import Job
from twentyone.sim.setup import Setup
from twentyone.sim.stats import Totals

BATCHES = [(first * 500_000, (first + 1) * 500_000) for first in range(8)]


@pytest.mark.prove
def test_two_workers_of_a_cluster_give_the_same_sums_and_one_may_be_lost() -> None:
    job = Job.of(default_game("classic-blackjack"), 9)
    cores = CpuEngine(2)
    wanted = Totals.merged(cores.play(job, BATCHES))
    cores.close()
    engine, parts = DaskEngine(None, 2), []
    try:
        for part in engine.play(job, BATCHES):
            parts.append(part)
            if len(parts) == 1:
                workers = engine._client.run(os.getpid)
                os.kill(next(iter(workers.values())), signal.SIGKILL)
    finally:
        engine.close()
    assert len(parts) == len(BATCHES)
    assert Totals.merged(parts) == wanted


def test_a_batch_for_another_version_of_the_package_is_refused() -> None:
    job = Job.of(default_game("classic-blackjack"), 9)
    assert play_on_worker(job, 0, 1_000, package_digest()).rounds == 1_000
    with pytest.raises(OtherPackage, match="install the same version on every worker"):
        play_on_worker(job, 0, 1_000, "0" * 64)


@pytest.mark.prove
def test_a_worker_with_an_altered_package_takes_no_part(tmp_path: Path) -> None:
    """A worker started from another tree: the run is refused, and what it would have summed is not used."""
    other = tmp_path / "src"
    shutil.copytree(PACKAGE, other / "twentyone", ignore=shutil.ignore_patterns("__pycache__"))
    with (other / "twentyone" / "sim" / "__init__.py").open("a", encoding="utf-8") as file:
        file.write("\n# another version\n")
    job = Job.of(default_game("classic-blackjack"), 9)
    with cluster(other, tmp_path) as address:
        engine = DaskEngine(address)
        try:
            with pytest.raises(OtherPackage):
                list(engine.play(job, BATCHES[:1]))
        finally:
            engine.close()


@contextmanager
def cluster(source: Path, folder: Path) -> Iterator[str]:
    """A scheduler on loopback with one worker that has the package of this source; both are ended by their id."""
    told = folder / "scheduler.json"
    run = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
    run += ["--no-dashboard", "--scheduler-file", str(told)]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", str(told), "--no-nanny"]
    worker += ["--nthreads", "1", "--no-dashboard", "--local-directory", str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(source)}
    with ExitStack() as ended:
        for command in (run, worker):
            process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            ended.callback(process.wait)
            ended.callback(process.terminate)
            until(told.exists, "the scheduler says where it is")
        yield json.loads(told.read_text(encoding="utf-8"))["address"]


ON_THE_GPU = """
import sys, warnings; warnings.simplefilter("ignore")
from numba.cuda.simulator.kernelapi import FakeCUDAModule
from twentyone.rulebook import Rulebook
from twentyone.sim.cache import compiled_once
from twentyone.sim.cuda import Cuda
from twentyone.sim.job import Job
from twentyone.sim.setup import Setup
FakeCUDAModule.any_sync = staticmethod(lambda everyone, mine: mine)
FakeCUDAModule.ballot_sync = staticmethod(lambda everyone, mine: int(mine))
FakeCUDAModule.syncwarp = staticmethod(lambda everyone: None)
game = compiled_once(Setup.of(Rulebook.load("pa-spanish-21").under(), mode=sys.argv[1]))
print(Cuda(Job.of(game, 7), blocks=2, threads=4, each=16, slow=64).run(0, int(sys.argv[2])).sums)
"""
"""The simulator knows no votes of a warp: each thread votes alone, which changes when rounds are played, not which."""


@pytest.mark.parametrize(("mode", "last"), daily([("fresh", 200), ("shoe", 3)], ("shoe", 3)))
def test_the_kernels_of_the_gpu_give_the_same_sums(mode: str, last: int) -> None:
    """Interpreted, because there is no GPU here: what they do is checked, not how fast; `bench/gpu.py` runs on one."""
    settings = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", ON_THE_GPU, mode, str(last)]
    game = compiled_once(Setup.of(Rulebook.load("pa-spanish-21").under(), mode=mode))  # interpreted, it takes long
    told = subprocess.run(command, env=settings, capture_output=True, text=True, check=True)
    cores = CpuEngine(1)
    (wanted,) = cores.play(Job.of(game, 7, fast=False), [(0, last)])
    cores.close()
    assert told.stdout.strip() == str(wanted.sums)


@pytest.mark.parametrize("decks", range(1, 9))
def test_a_block_of_real_shoes_fits_into_a_gpu_whatever_the_shoe(decks: int) -> None:
    """Its shoes and tables into its shared memory; its threads, of 128 registers, into the 65,536 of a processor."""
    engine, kernels = import_module("twentyone.sim.cuda"), import_module("twentyone.sim.cuda_kernels")
    for kinds, tables, shared in ((2, 20_000, 64 << 10), (40, 40_000, 96 << 10), (80, 60_000, 227 << 10)):
        threads = engine.shoe_threads(52 * decks, kinds, tables, shared)
        assert threads >= 32
        assert threads % 32 == 0
        assert engine.shoe_bytes(threads, 52 * decks, kinds, tables) <= shared
        assert threads * kernels.REGISTERS <= 65_536


def processor_seconds(session: int) -> float:
    """What all processes of a session have worked so far: how far they are, however busy the machine is."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            ticks += (int(fields[11]) + int(fields[12])) * (int(fields[3]) == session)
    return ticks / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize("seconds", daily([1.0, 3.0], 1.0))
def test_ctrl_c_ends_a_cluster_without_a_traceback_whenever_it_comes(seconds: float) -> None:
    """As a terminal sends it, to the command and every process that it began: after so much work of theirs."""
    command = [
        *(sys.executable, "-m", "twentyone", "simulate", "classic-blackjack"),
        "--engine",
        "dask",
        "--rounds",
        "1e11",
    ]
    begun = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=heed_ctrl_c,
    )
    try:
        until(lambda: processor_seconds(begun.pid) >= seconds, "the command works")
        assert begun.poll() is None
        os.killpg(begun.pid, signal.SIGINT)
        out, err = begun.communicate(timeout=PATIENCE)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(begun.pid, signal.SIGKILL)
    assert begun.returncode == 130
    assert len(err.splitlines()) == 1
    assert "interrupted" in err
    assert not out or " rounds, 1 box, fresh shoes, engine dask" in out
