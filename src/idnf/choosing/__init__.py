"""What trains above one fit: operating points, fairness, near-optimal and rectified models, Occam's bound.

:func:`idnf.choose_k` and :func:`idnf.retrain` are in this room too.

>>> from idnf import DNFClassifier, choosing
>>> policy = DNFClassifier.from_dnf("late | owner", classes=("no", "yes"))
>>> choosing.rectify(policy, "if late then yes", [[1, 0], [0, 0]], ["yes", "no"]).changed
0
"""

from importlib import import_module
from typing import TYPE_CHECKING

_HOMES = {
    "Fairness": "idnf.learning.fairness",
    "fair_alternative": "idnf.choosing.fair_training",
    "fit_fairly": "idnf.choosing.fair_training",
    "near_optimal_models": "idnf.choosing.near_optimal",
    "occam_bound": "idnf.choosing.occam",
    "operating_points": "idnf.choosing.operating",
    "rectify": "idnf.choosing.rectification",
}

if TYPE_CHECKING:
    from idnf.choosing.fair_training import fair_alternative as fair_alternative
    from idnf.choosing.fair_training import fit_fairly as fit_fairly
    from idnf.choosing.near_optimal import near_optimal_models as near_optimal_models
    from idnf.choosing.occam import occam_bound as occam_bound
    from idnf.choosing.operating import operating_points as operating_points
    from idnf.choosing.rectification import rectify as rectify
    from idnf.learning.fairness import Fairness as Fairness
else:
    __all__ = [*_HOMES]

    def __getattr__(name):
        # Nothing is loaded for what nobody asked for.
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_HOMES[name]), name)

    def __dir__():
        return sorted({*globals(), *__all__})
