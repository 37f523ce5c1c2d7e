"""What cross-validation found, as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from idnf.learning.path import LearningPath
from idnf.result_frames import Tabular


class PathTable(Tabular, LearningPath):
    """All settings that were tried, a table too: ``to_frame()``, and in a notebook."""

    def columns(self) -> Mapping[str, Sequence[object]]:
        """Return the settings by the names of their columns."""
        return self.to_dict()
