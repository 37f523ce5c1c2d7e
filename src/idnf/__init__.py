"""Classifiers whose every decision is explained by at most k conditions, with proof."""

from idnf import datasets, exporting, reporting
from idnf.auditing.fairness import Fairness
from idnf.auditing.reason_texts import ReasonTexts
from idnf.classifier.audits import audit, check_rules, difference
from idnf.classifier.choosing import choose_k, operating_points
from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.monitoring import monitor
from idnf.logic.class_dnfs import ClassDNFs
from idnf.logic.dnf import DNF
from idnf.logic.double import Certificate, DoubleDNF, VerificationError
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import NestedTree
from idnf.tables.binariser import TableBinariser
from idnf.tables.column_check import TableWarning
from idnf.versions import show_versions

__all__ = [
    "DNF",
    "Certificate",
    "ClassDNFs",
    "DNFClassifier",
    "DoubleDNF",
    "Fairness",
    "NestedDNF",
    "NestedTree",
    "ReasonTexts",
    "TableBinariser",
    "TableWarning",
    "VerificationError",
    "audit",
    "check_rules",
    "choose_k",
    "datasets",
    "difference",
    "exporting",
    "monitor",
    "operating_points",
    "reporting",
    "show_versions",
]
__version__ = "0.1.0"
