"""Load the part in C such that its threads soon sleep when there is nothing to do.

By default threads of libgomp spin for milliseconds after a product, so as to be there for the next. NumPy's
BLAS has threads of its own, and a solver calls one and then the other: with as many threads as cores in each,
those that have work would wait for those that have none, hundreds of times longer than a product takes. A
thousand turns are enough for products that follow each other.

The wheel has a libgomp of its own, which looks at the environment when it is loaded: nobody else sees this.
"""

import os

WAITING = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")  # what users may have set, and know better

_ours = not any(name in os.environ for name in WAITING)
if _ours:
    os.environ["GOMP_SPINCOUNT"] = "1000"
try:
    from . import _core  # noqa: F401
finally:
    if _ours:
        del os.environ["GOMP_SPINCOUNT"]
