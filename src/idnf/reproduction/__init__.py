"""The paper's experiments run again: its three tables with its printed figures beside ours."""

from idnf.reproduction.protocol import Cell, reproduce
from idnf.reproduction.tables import write

__all__ = ["Cell", "reproduce", "write"]
