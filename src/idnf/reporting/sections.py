"""Sections: a heading, and paragraphs, tables, code and charts under it, as Markdown or as part of a page.

Whoever adds to a page, or writes one, gives sections; text is escaped here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from os import PathLike

from idnf.atomic_files import write_atomically
from idnf.columns.column import TableColumn
from idnf.columns.value_groups import MOST_GROUPED, group_texts
from idnf.pictures.chart import Series, chart_svg, round_ticks
from idnf.pictures.drawing import escape
from idnf.reporting.page_frame import plain_page
from idnf.reporting.page_tables import table_of

# Names along an axis that fit beside each other, and columns of a table that fit a phone.
_MOST_NAMES, _MOST_COLUMNS = 8, 3


@dataclass(frozen=True)
class _Table:
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def to_markdown(self) -> str:
        lines = [self.head, ("---",) * len(self.head), *self.rows]
        return "\n".join("| " + " | ".join(_cell(text) for text in line) + " |" for line in lines)

    def to_html(self) -> str:
        return table_of(self.head, self.rows, kind="cards" if len(self.head) > _MOST_COLUMNS else "")


@dataclass(frozen=True)
class _Code:
    text: str

    def to_markdown(self) -> str:
        return f"```\n{self.text}\n```"

    def to_html(self) -> str:
        return f'<div class="wide" tabindex="0"><pre>{escape(self.text)}</pre></div>'


@dataclass(frozen=True)
class _Paragraph:
    text: str

    def to_markdown(self) -> str:
        return self.text

    def to_html(self) -> str:
        return f"<p>{escape(self.text)}</p>"


@dataclass(frozen=True)
class _Chart:
    lines: Mapping[str, Sequence[float]]
    across: tuple[str, ...]
    x: str
    y: str
    least_top: float

    def to_markdown(self) -> str:
        columns = list(zip(*self.lines.values(), strict=True))
        rows = [(name, *(f"{value:.3g}" for value in values)) for name, values in zip(self.across, columns)]
        return _Table((self.x, *self.lines), tuple(rows)).to_markdown()

    def to_html(self) -> str:
        count, values = len(self.across), [value for line in self.lines.values() for value in line]
        series = [
            Series(name, tuple(enumerate(line)), dotted=place == 0, ours=place == 0)
            for place, (name, line) in enumerate(self.lines.items())
        ]
        named = [(place, self.across[place]) for place in range(0, count, max(1, -(-count // _MOST_NAMES)))]
        up = round_ticks(0, max([self.least_top, *values]), percent=False)
        picture = chart_svg(series, [(-0.5, ""), *named, (count - 0.5, "")], up, x=self.x, y=self.y)
        return f'<div class="chart">{picture}</div>'


@dataclass(frozen=True)
class Section:
    r"""A heading and what stands under it; each method returns the section with one thing more.

    Parameters
    ----------
    heading : str
        None is written if it is empty.

    Examples
    --------
    >>> section = Section("Data").paragraph("3 rows.").table(("a", "b"), [("1", "x|y")]).code("idnf verify model.json")
    >>> print(section.to_markdown())
    ## Data
    <BLANKLINE>
    3 rows.
    <BLANKLINE>
    | a | b |
    | --- | --- |
    | 1 | x\|y |
    <BLANKLINE>
    ```
    idnf verify model.json
    ```
    """

    heading: str
    blocks: tuple[_Paragraph | _Table | _Code | _Chart, ...] = ()

    def paragraph(self, text: str) -> Section:
        """Add a paragraph."""
        return self._with(_Paragraph(text))

    def table(self, head: Iterable[str], rows: Iterable[Iterable[str]]) -> Section:
        """Add a table."""
        return self._with(_Table(tuple(head), tuple(map(tuple, rows))))

    def code(self, text: str) -> Section:
        """Add text that is printed as it stands."""
        return self._with(_Code(text))

    def chart(
        self, lines: Mapping[str, Sequence[float]], across: Iterable[str], *, x: str, y: str, least_top: float = 0.0
    ) -> Section:
        """Add a chart of lines by name, each with a number for every name along the axis; the first is in colour.

        Parameters
        ----------
        lines : mapping of str to sequence of float
        across : iterable of str
            What the places along the axis are called.
        x, y : str
            What the axes are called.
        least_top : float
            What the upward axis goes up to at least.
        """
        return self._with(_Chart(lines, tuple(across), x, y, least_top))

    def to_markdown(self) -> str:
        """Return the section as Markdown."""
        return "\n\n".join([*([f"## {self.heading}"] if self.heading else []), *(b.to_markdown() for b in self.blocks)])

    def to_html(self, level: int = 3) -> str:
        """Return the section as HTML, its heading of some level."""
        heading = f"<h{level}>{escape(self.heading)}</h{level}>" if self.heading else ""
        return heading + "".join(block.to_html() for block in self.blocks)

    def _with(self, block: _Paragraph | _Table | _Code | _Chart) -> Section:
        return replace(self, blocks=(*self.blocks, block))


def group_sections(columns: Sequence[TableColumn]) -> list[Section]:
    """Return every value of the groups of some columns under a heading; nothing if no column has groups.

    >>> from idnf.columns.value_groups import GroupedColumn
    >>> zips = GroupedColumn("zip", "refused", groups=(("1",), ("2", "3")), one_order=True)
    >>> print(group_sections([zips])[0].blocks[0].text)
    Groups of zip
         low (1 value): 1
         high (2 values): 2, 3
    """
    texts = group_texts(columns, MOST_GROUPED)
    return [reduce(Section.code, texts, Section("Groups of values"))] if texts else []


def further_parts(sections: Iterable[Section]) -> list[tuple[str, str]]:
    """Return the places and headings of sections that a page was given."""
    return [(f"h-further-{number}", section.heading) for number, section in enumerate(sections, 1)]


def further(sections: Sequence[Section]) -> str:
    """Return sections that a page was given, each a part of the page."""
    parts = zip(further_parts(sections), sections, strict=True)
    return "".join(
        f'\n<section aria-labelledby="{place}">\n<h2 id="{place}">{escape(heading)}</h2>\n'
        f"{replace(section, heading='').to_html()}\n</section>"
        for (place, heading), section in parts
    )


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def sections_to_html(title: str, sections: Iterable[Section], path: str | PathLike[str]) -> None:
    """Write sections as a page that works without a network.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     sections_to_html("Counts", [Section("Rows").table(["count"], [["3"]])], f"{folder}/counts.html")
    """
    write_atomically(path, plain_page(title, "".join(section.to_html(2) for section in sections)))
