"""Classifiers whose every decision is explained by at most k conditions, with proof."""

from idnf.logic.dnf import DNF
from idnf.logic.double import Certificate, DoubleDNF, VerificationError
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import NestedTree

__all__ = ["DNF", "Certificate", "DoubleDNF", "NestedDNF", "NestedTree", "VerificationError"]
__version__ = "0.1.0"
