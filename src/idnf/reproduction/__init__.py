"""The paper's experiments run again: its three tables with its printed figures beside ours."""

from idnf.reproduction.protocol import Cell, Experiment, reproduce, run
from idnf.reproduction.tables import write

__all__ = ["Cell", "Experiment", "reproduce", "run", "write"]
