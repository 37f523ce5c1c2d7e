"""Classifiers whose every decision is explained by at most k conditions, with proof."""

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

# A public name is imported when it is first asked for, so that what needs no learner does not wait for one.
_HOMES = {
    "Certificate": "idnf.logic.verification",
    "ClassDNFs": "idnf.logic.class_dnfs",
    "DNF": "idnf.logic.dnf",
    "DNFBands": "idnf.classifier.bands",
    "DNFClassifier": "idnf.classifier.estimator",
    "DoubleDNF": "idnf.logic.class_dnfs",
    "InvalidArgument": "idnf.logic.errors",
    "NestedDNF": "idnf.logic.nested",
    "NestedTree": "idnf.logic.trees",
    "ReasonTexts": "idnf.auditing.reason_texts",
    "TableBinariser": "idnf.tables.binariser",
    "TableWarning": "idnf.tables.column_check",
    "VerificationError": "idnf.logic.verification",
    "adopt": "idnf.exporting.adoption",
    "auditing": "idnf",
    "check_rules": "idnf.auditing.model_audits",
    "choosing": "idnf",
    "choose_k": "idnf.choosing.k_by_folds",
    "count_reasons": "idnf.classifier.reason_counts",
    "datasets": "idnf",
    "difference": "idnf.auditing.model_audits",
    "exporting": "idnf",
    "reporting": "idnf",
    "retrain": "idnf.choosing.retraining",
    "show_versions": "idnf.versions",
}

if TYPE_CHECKING:
    from idnf import auditing as auditing
    from idnf import choosing as choosing
    from idnf import datasets as datasets
    from idnf import exporting as exporting
    from idnf import reporting as reporting
    from idnf.auditing.model_audits import check_rules as check_rules
    from idnf.auditing.model_audits import difference as difference
    from idnf.auditing.reason_texts import ReasonTexts as ReasonTexts
    from idnf.choosing.k_by_folds import choose_k as choose_k
    from idnf.choosing.retraining import retrain as retrain
    from idnf.classifier.bands import DNFBands as DNFBands
    from idnf.classifier.estimator import DNFClassifier as DNFClassifier
    from idnf.classifier.reason_counts import count_reasons as count_reasons
    from idnf.exporting.adoption import adopt as adopt
    from idnf.logic.class_dnfs import ClassDNFs as ClassDNFs
    from idnf.logic.class_dnfs import DoubleDNF as DoubleDNF
    from idnf.logic.dnf import DNF as DNF
    from idnf.logic.errors import InvalidArgument as InvalidArgument
    from idnf.logic.nested import NestedDNF as NestedDNF
    from idnf.logic.trees import NestedTree as NestedTree
    from idnf.logic.verification import Certificate as Certificate
    from idnf.logic.verification import VerificationError as VerificationError
    from idnf.tables.binariser import TableBinariser as TableBinariser
    from idnf.tables.column_check import TableWarning as TableWarning
    from idnf.versions import show_versions as show_versions
else:
    __all__ = [*_HOMES]

    def __getattr__(name):
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        home = _HOMES[name]
        found = import_module(f"idnf.{name}") if home == "idnf" else getattr(import_module(home), name)
        globals()[name] = found
        return found

    def __dir__():
        return sorted({*globals(), *__all__})
