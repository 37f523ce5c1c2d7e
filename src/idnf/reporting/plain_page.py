"""A small self-contained page, and tables for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.metadata import version

from idnf.pictures.marks import escape

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}"
    "table{border-collapse:collapse}th,td{padding:.25rem .75rem;text-align:left;border-bottom:1px solid #8888}"
    "svg{max-width:100%}div{overflow-x:auto}"
)


def plain_page(title: str, body: str) -> str:
    """Return a page that works without a network.

    >>> plain_page("A & B", "<p>hello</p>").count("A &amp; B")
    2
    """
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{escape(title)}</h1>\n"
        f"{body}\n</main>\n<footer>Written by idnf {version('idnf')}.</footer>\n</body>\n</html>\n"
    )


def table_html(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table.

    >>> table_html(["a"], [["<b>"]]).count("&lt;b&gt;")
    1
    """
    names = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rows)
    return f"<div><table><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table></div>"
