"""Text of a table inside a page: inert, and without power over the text around it."""

from __future__ import annotations

import html
import re

_DIRECTION = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    r"""Return a text with the marks that turn its direction written out, so that they do not rearrange other words.

    >>> print(visible("a\u202eb"))
    a\u202eb
    """
    return _DIRECTION.sub(lambda mark: f"\\u{ord(mark[0]):04x}", text)


def escape(text: str) -> str:
    """Return a text as HTML that shows it.

    >>> escape("<b>")
    '&lt;b&gt;'
    """
    return html.escape(visible(text))
