"""One thread for NumPy while a lesson runs.

NumPy multiplies matrices with as many threads as there are processors. For a lesson's small matrices, one is as fast;
but on a busy machine, several threads wait for each other at every product: lesson 7's 500
iterations took 31 s with two threads and 1.8 s with one. So the lessons' questions (`viz.before`, `viz.exercise`,
`viz.predict`) set NumPy to one thread, only in a notebook's kernel. A number of threads that was set with
OPENBLAS_NUM_THREADS, MKL_NUM_THREADS or OMP_NUM_THREADS stays.
Imports threadpoolctl where it is needed.
"""

from __future__ import annotations

import os
import sys
from functools import cache

from ..browser import here

CHOSEN = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")


@cache
def one_thread() -> None:
    """From now on, NumPy multiplies matrices with one thread, if this is a notebook's kernel."""
    # In a browser, NumPy has one thread
    if here() or "ipykernel" not in sys.modules or any(os.environ.get(name) for name in CHOSEN):
        return
    from threadpoolctl import threadpool_limits

    threadpool_limits(limits=1, user_api="blas")
