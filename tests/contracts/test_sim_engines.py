"""Engines: cores, a cluster with a worker that is lost, and the GPU's kernels in Numba's own CUDA simulator."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from tests.contracts.sim_driver import default_game
from tests.daily import daily
from tests.heeding import heed_ctrl_c
from tests.patience import PATIENCE, until

from twentyone.rulebook import Rulebook
from twentyone.sim.cache import compiled_once
from twentyone.sim.engines import CpuEngine, DaskEngine
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
