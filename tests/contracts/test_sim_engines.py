"""Engines: cores, a cluster with a worker that is lost, and the GPU's kernels in Numba's own CUDA simulator."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

from tests.contracts.sim_driver import default_game

from twentyone.sim.engines import CpuEngine, DaskEngine
from twentyone.sim.job import Job
from twentyone.sim.stats import Totals

BATCHES = [(first * 500_000, (first + 1) * 500_000) for first in range(8)]


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
import warnings; warnings.simplefilter("ignore")
from twentyone.rulebook import Rulebook
from twentyone.sim.compile import compile_setup
from twentyone.sim.cuda import Cuda
from twentyone.sim.job import Job
from twentyone.sim.setup import Setup
game = compile_setup(Setup.of(Rulebook.load("pa-spanish-21").under()))
print(Cuda(Job.of(game, 7), blocks=2, threads=4, each=24, slow=64).run(0, 200).sums)
"""


def test_the_kernels_of_the_gpu_give_the_same_sums() -> None:
    """Interpreted, because there is no GPU here: what they do is checked, not how fast; `bench/gpu.py` runs on one."""
    settings = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    told = subprocess.run(
        [sys.executable, "-c", ON_THE_GPU], env=settings, capture_output=True, text=True, check=True, timeout=120
    )
    cores = CpuEngine(1)
    (wanted,) = cores.play(Job.of(default_game("pa-spanish-21"), 7, fast=False), [(0, 200)])
    cores.close()
    assert told.stdout.strip() == str(wanted.sums)
