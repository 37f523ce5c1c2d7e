"""What auditors ask of a model: exact answers over the boxes of its classes, any number of classes.

>>> from idnf import DNFClassifier, auditing
>>> policy = DNFClassifier.from_dnf("late | owner & member", classes=("no", "yes"))
>>> auditing.relevance(policy, [[1, 1, 0]])[0].necessary
('late',)
"""

from importlib import import_module
from typing import TYPE_CHECKING

# A fit does not wait for audits that nobody asked for.
_HOMES = {
    "Difference": "differences",
    "RuleSet": "rule_sets",
    "attribution": "model_audits",
    "can_decide": "model_audits",
    "principal_reasons": "model_audits",
    "relevance": "model_audits",
    "row_words": "example_rows",
}

if TYPE_CHECKING:
    from idnf.auditing.differences import Difference as Difference
    from idnf.auditing.example_rows import row_words as row_words
    from idnf.auditing.model_audits import attribution as attribution
    from idnf.auditing.model_audits import can_decide as can_decide
    from idnf.auditing.model_audits import principal_reasons as principal_reasons
    from idnf.auditing.model_audits import relevance as relevance
    from idnf.auditing.rule_sets import RuleSet as RuleSet
else:
    __all__ = [*_HOMES]

    def __getattr__(name):
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"idnf.auditing.{_HOMES[name]}"), name)

    def __dir__():
        return sorted({*globals(), *__all__})
