"""What a fitted classifier shows of its state, under the names that scikit-learn's users expect."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from idnf.auditing.fairness_report import FairnessReport
from idnf.classifier.fitted import Fitted
from idnf.learning.path import LearningPath
from idnf.logic.class_dnfs import ClassDNFs
from idnf.logic.dnf import DNF
from idnf.logic.double import DoubleDNF
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import NestedTree
from idnf.tables.binariser import TableBinariser
from idnf.tables.column_check import ColumnsReport


class FittedAttributes:
    """The attributes of a classifier that end in an underscore; each is read from its fitted state."""

    fitted_: Fitted

    @property
    def classes_(self) -> NDArray[np.generic]:
        """The labels, sorted."""
        return self.fitted_.classes

    @property
    def double_dnf_(self) -> DoubleDNF:
        """The model of two classes as a DNF for each of them."""
        double = self.fitted_.double
        if double is None:
            raise AttributeError(f"double_dnf_ is for two classes; this model has {len(self.classes_)}. Use dnfs_.")
        return double

    @property
    def dnfs_(self) -> dict[object, DNF]:
        """The DNF of each class by its label, for any number of classes."""
        return dict(zip(self.classes_.tolist(), self.fitted_.class_dnfs.dnfs, strict=True))

    @property
    def nested_(self) -> NestedDNF | NestedTree | None:
        """The model as a nested DNF or tree, where it is one."""
        model = self.fitted_.model
        return None if isinstance(model, (DoubleDNF, ClassDNFs)) else model

    @property
    def optimal_(self) -> str | None:
        """The family in which the training objective is proved optimal."""
        return self.fitted_.learned.optimal

    @property
    def bound_(self) -> float | None:
        """What no model of the family ``bound_family_`` can beat."""
        return self.fitted_.learned.bound

    @property
    def bound_family_(self) -> str | None:
        """The family for which the bound is proved."""
        return self.fitted_.learned.bound_family

    @property
    def objective_(self) -> float:
        """The training objective."""
        return self.fitted_.learned.objective

    @property
    def path_(self) -> LearningPath | None:
        """What cross-validation said of each size, price and objective."""
        return self.fitted_.learned.path

    @property
    def binariser_(self) -> TableBinariser:
        """The columns and their literals."""
        return self.fitted_.binariser

    @property
    def columns_report_(self) -> ColumnsReport:
        """What was decided about the columns and the labels of the training table."""
        return self.fitted_.binariser.report_

    @property
    def training_data_(self) -> str:
        """What the learner looked at."""
        return self.fitted_.training_data

    @property
    def n_features_in_(self) -> int:
        """The number of columns of the table."""
        return self.fitted_.binariser.n_features_in_

    @property
    def feature_names_in_(self) -> NDArray[np.object_]:
        """The names of the columns of the table, where it has names."""
        return self.fitted_.binariser.feature_names_in_

    @property
    def fairness_(self) -> FairnessReport:
        """The models considered under ``fairness``, the one taken, and what is proved."""
        if self.fitted_.fairness is None:
            raise AttributeError("fairness_ is there after a fit with fairness; this model was fitted without.")
        return self.fitted_.fairness
