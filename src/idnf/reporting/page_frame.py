"""Pages that need nothing else: their frame, and the parts that every page may have."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import files
from string import Template

from idnf.columns.phrases import listed
from idnf.exporting.programs import script_json
from idnf.pictures.drawing import escape


def page_template(name: str) -> Template:
    """Return a template of this folder."""
    return Template((files("idnf.reporting") / "templates" / name).read_text("utf-8"))


@dataclass(frozen=True)
class PageTool:
    """What a page carries beside its own parts: a section, a style, and scripts at its end, which may run workers."""

    section: str
    css: str = ""
    closing: str = ""


def whole_page(  # noqa: PLR0913 - the parts of a page are a word each
    title: str,
    body: str,
    model: str,
    given: Mapping[str, object],
    scripts: Sequence[str],
    tool: PageTool | None = None,
) -> str:
    """Return a page that needs nothing else: its parts, a model as a script, what its own scripts read, and these."""
    return page_template("page.html").substitute(
        title=escape(title),
        version=version("idnf"),
        css=page_template("report.css").template,
        body=body,
        model=model,
        more_css=tool.css if tool else "",
        workers="; worker-src blob:" if tool and tool.closing else "",
        closing=tool.closing if tool else "",
        # As text that is parsed: in a literal, a column called __proto__ would be something else.
        given=script_json(json.dumps(given)),
        script="".join(page_template(name).template for name in ("case.js", *scripts)),
    )


def plain_page(title: str, body: str) -> str:
    """Return a page that is read and runs nothing, in the style of all pages.

    >>> plain_page("A & B", "<p>hello</p>").count("A &amp; B")
    2
    """
    return page_template("plain.html").substitute(
        title=escape(title), version=version("idnf"), css=page_template("report.css").template, body=body
    )


def facts_list(lines: Mapping[str, str]) -> str:
    """Return what a page is about, a line each."""
    return "<dl>" + "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in lines.items()) + "</dl>"


def columns_looked_at(used: Sequence[str], unused: Sequence[str]) -> str:
    """Return the columns that a model looks at, and folded away those that it never looks at.

    >>> print(columns_looked_at(["age"], ["name", "ZIP"]))
    age.<details><summary>Never at 2 others</summary>name and ZIP</details>
    """
    names = escape(listed(used, "and") if used else "nothing")
    count = f"{len(unused)} other{'s' * (len(unused) != 1)}"
    never = f"<details><summary>Never at {count}</summary>{escape(listed(unused, 'and'))}</details>" if unused else ""
    return f"{names}.{never}"


def contents_of(parts: Iterable[tuple[str, str]]) -> str:
    """Return links to the parts of the page."""
    links = (f'<a href="#{place}">{name}</a>' for place, name in parts)
    return f'<nav aria-label="contents">{" ".join(links)}</nav>'
