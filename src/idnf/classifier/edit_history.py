"""What a model keeps of the edits by people that made it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class AdoptedEdits:
    """Edits that were adopted at one time.

    Parameters
    ----------
    model : str
        The SHA-256 of the file of the model that was edited.
    name : str
        Who edited it, as they wrote it.
    time : str
        When the edits were saved.
    changes : tuple of (str, str)
        Each edit in words, and the note on it.

    Examples
    --------
    >>> AdoptedEdits("0" * 64, "Dr Lee", "2026-01-02T10:00:00Z", (("line 1: dropped", "never seen here"),)).heading
    'Edited by Dr Lee, saved 2026-01-02T10:00:00Z'
    """

    model: str
    name: str
    time: str
    changes: tuple[tuple[str, str], ...]

    @property
    def heading(self) -> str:
        """Who edited the model and when."""
        return f"Edited by {self.name or 'somebody who gave no name'}, saved {self.time}"
