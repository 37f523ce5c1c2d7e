"""Tables of a page: they scroll by themselves if they are too wide, and those that are cards fit a phone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from idnf.pictures.drawing import escape

# How a cell of a column of numbers begins; a dash stands for none.
_NUMBER = re.compile(r"[-+]?\d|–$")


def framed_table(label: str, heads: str, rows: str, attributes: str) -> str:
    """Return a table that scrolls by itself if it is too wide; its roles keep it one for those who hear it."""
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{label}"><table role="table" {attributes}>'
        f'<thead role="rowgroup"><tr role="row">{heads}</tr></thead><tbody role="rowgroup">{rows}</tbody></table></div>'
    )


def table_of(head: Sequence[str], rows: Iterable[Sequence[str]], *, kind: str = "") -> str:
    """Return a table whose columns of numbers are set to the right; of kind "cards" it fits a phone."""
    lines = [list(row) for row in rows]
    numbers = [all(_NUMBER.match(line[i]) for line in lines) for i in range(len(head))]
    kinds = [' class="n"' if i and number else "" for i, number in enumerate(numbers)]
    names = "".join(f'<th role="columnheader" scope="col"{k}>{escape(name)}</th>' for k, name in zip(kinds, head))
    # Rows shown as cards name each value.
    starts = [f'<td role="cell" data-name="{escape(name)}"{k}>' for k, name in zip(kinds, head)]
    texts = ("".join(f"{start}{escape(text)}</td>" for start, text in zip(starts, line)) for line in lines)
    body = "".join(f'<tr role="row">{text}</tr>' for text in texts)
    return framed_table(escape(head[0]), names, body, f'class="{kind}"')
