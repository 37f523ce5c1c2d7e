"""Data sets by name: the paper's eleven in its Boolean encoding, and a few tables with readable columns."""

from idnf.datasets.loading import PAPER, feature_names, load, load_paper, names

__all__ = ["PAPER", "feature_names", "load", "load_paper", "names"]
