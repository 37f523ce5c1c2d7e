"""The paper's experiments run again: its three tables with its printed figures beside ours."""

from idnf.reproduction.paper_tables import write
from idnf.reproduction.protocol import Cell, Experiment, reproduce, run

__all__ = ["Cell", "Experiment", "reproduce", "run", "write"]
