"""The base classes of estimators: scikit-learn's, or plain ones in a process that only reads models.

Importing scikit-learn takes longer than labelling a table. So the program `idnf` calls `use_plain_estimators` before a
command that learns nothing; everywhere else estimators are scikit-learn's.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Self, TypeVar

_Asked = ParamSpec("_Asked")
_Estimator = TypeVar("_Estimator")
_Result = TypeVar("_Result")


class _Plain:
    """What a fitted model needs of a base class: its parameters, the fields of a dataclass."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name."""
        del deep
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def set_params(self, **parameters: object) -> Self:
        """Set parameters by name."""
        for name, value in parameters.items():
            setattr(self, name, value)
        return self


class _Nothing:
    """In place of a mixin."""


_PLAIN = {"BaseEstimator": _Plain, "ClassifierMixin": _Nothing, "TransformerMixin": _Nothing}

_bases: dict[str, type] = {}


def use_plain_estimators() -> None:
    """Let estimators of this process be plain, if neither they nor scikit-learn were imported before."""
    if not sys.modules.keys() & {"sklearn", "idnf.tables.binariser"}:
        _bases.update(_PLAIN)


if TYPE_CHECKING:
    from sklearn.base import BaseEstimator as BaseEstimator
    from sklearn.base import ClassifierMixin as ClassifierMixin
    from sklearn.base import TransformerMixin as TransformerMixin
else:

    def __getattr__(name):
        if name not in _PLAIN:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return _bases.get(name) or getattr(import_module("sklearn.base"), name)


def checks_parameters(
    fit: Callable[Concatenate[_Estimator, _Asked], _Result],
) -> Callable[Concatenate[_Estimator, _Asked], _Result]:
    """Return a method that fits, after scikit-learn has checked the parameters of the estimator.

    It is scikit-learn's own decorator, except that scikit-learn is imported by the call.
    """

    @wraps(fit)
    def checked(estimator: _Estimator, /, *args: _Asked.args, **named: _Asked.kwargs) -> _Result:
        from sklearn import config_context, get_config

        if not get_config()["skip_parameter_validation"]:
            estimator._validate_params()  # type: ignore[attr-defined]
        with config_context(skip_parameter_validation=True):
            return fit(estimator, *args, **named)

    return checked
