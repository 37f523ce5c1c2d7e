"""Tables of a page: they scroll by themselves if they are too wide, and those that are cards fit a phone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from idnf.pictures.drawing import escape


def framed_table(label: str, heads: str, rows: str, attributes: str) -> str:
    """Return a table that scrolls by itself if it is too wide; its roles keep it one for those who hear it."""
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{label}"><table role="table" {attributes}>'
        f'<thead role="rowgroup"><tr role="row">{heads}</tr></thead><tbody role="rowgroup">{rows}</tbody></table></div>'
    )


def table_of(head: Sequence[str], rows: Iterable[Sequence[str]], *, numbers_from: int = 1, kind: str = "") -> str:
    """Return a table whose first columns are text and whose others are numbers; of kind "cards" it fits a phone."""
    kinds = ["" if i < numbers_from else ' class="n"' for i in range(len(head))]
    names = "".join(f'<th role="columnheader" scope="col"{k}>{escape(name)}</th>' for k, name in zip(kinds, head))
    # Rows shown as cards name each value.
    starts = [f'<td role="cell" data-name="{escape(name)}"{k}>' for k, name in zip(kinds, head)]
    lines = ("".join(f"{start}{escape(text)}</td>" for start, text in zip(starts, row)) for row in rows)
    body = "".join(f'<tr role="row">{line}</tr>' for line in lines)
    return framed_table(escape(head[0]), names, body, f'class="{kind}"')
