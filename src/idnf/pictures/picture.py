"""A picture as SVG, which notebooks show."""

from __future__ import annotations

from os import PathLike, fspath

from idnf.atomic_files import write_atomically
from idnf.logic.errors import InvalidArgument


class Picture:
    """A picture that notebooks show and `save` writes as SVG."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def __repr__(self) -> str:
        return f"<Picture of {len(self.svg)} characters>"

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return f'<div style="overflow-x:auto">{self.svg}</div>'

    def save(self, path: str | PathLike[str]) -> None:
        """Write the picture to a file, whose name ends in .svg."""
        if not fspath(path).lower().endswith(".svg"):
            raise InvalidArgument("path", "end in .svg, since pictures are written as SVG", repr(fspath(path)))
        write_atomically(path, self.svg)
