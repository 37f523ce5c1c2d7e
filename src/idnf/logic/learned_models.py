"""What a learned model can be: every learner returns one of these, and everything downstream takes any of them."""

from __future__ import annotations

from idnf.logic.double import DoubleDNF
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import NestedTree

Model = NestedDNF | NestedTree | DoubleDNF
"""A model of class 1; the complement of a nested DNF comes as a tree of depth 0 with a complemented leaf."""
