"""What auditors ask of a model: exact answers over the boxes of its classes, any number of classes.

>>> from idnf import DNFClassifier, auditing
>>> policy = DNFClassifier.from_dnf("late | owner & member", classes=("no", "yes"))
>>> auditing.relevance(policy, [[1, 1, 0]])[0].necessary
('late',)
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from idnf.auditing.model_audits import attribution as attribution
    from idnf.auditing.model_audits import can_decide as can_decide
    from idnf.auditing.model_audits import principal_reasons as principal_reasons
    from idnf.auditing.model_audits import relevance as relevance
else:
    __all__ = ["attribution", "can_decide", "principal_reasons", "relevance"]

    def __getattr__(name):
        # A fit does not wait for audits that nobody asked for.
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from idnf.auditing import model_audits

        return getattr(model_audits, name)

    def __dir__():
        return sorted({*globals(), *__all__})
