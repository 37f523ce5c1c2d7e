"""The page of bands: a ladder with both reasons of the current case, and cutoffs that a reader moves."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from idnf.classifier.bands import DNFBands
from idnf.classifier.fitted_bands import ExaminedBands
from idnf.classifier.plots import drawn_points
from idnf.columns.eager_frames import refuse_unknown
from idnf.columns.phrases import listed
from idnf.explaining.band_explanations import boundary_labels
from idnf.explaining.wording import label_words
from idnf.exporting.programs import to_javascript
from idnf.logic.errors import InvalidArgument
from idnf.pictures.chart import reliability_svg
from idnf.pictures.drawing import Axis, axes_of, escape
from idnf.reporting.html import Report, decisions_of, report_of
from idnf.reporting.page_frame import columns_looked_at, contents_of, facts_list, page_template, whole_page
from idnf.reporting.page_parts import histograms, printed_lines
from idnf.reporting.page_tables import framed_table, table_of
from idnf.reporting.sections import Section, further, further_parts, group_sections
from idnf.reporting.starting_cases import MOST_ROWS, made_up_case, starting_rows

if TYPE_CHECKING:
    from idnf.choosing.near_optimal import NearOptimalModels

# Names of bands that a person decides.
_REFERRED = re.compile(r"\b(refer|review|manual|person)")
# Rows of the data from which the live case can start, of each band.
_MOST_CASES = 6
_PARTS = (
    ("h-what-if", "Try a case"),
    ("h-cutoffs", "Cutoffs"),
    ("h-reasons", "What it takes"),
    ("h-shares", "Shares"),
    ("h-proof", "Proof"),
    ("h-decisions", "Column check"),
)


@report_of.register(DNFBands)
def _report_of_bands(  # noqa: PLR0913 - what a page says beside its model is a word each
    bands: DNFBands,
    X: object,
    y: ArrayLike,
    *,
    title: str | None = None,
    subgroup: str | None = None,
    first: object = None,
    near: NearOptimalModels | None = None,
    source: str = "given to this report",
    sections: Sequence[Section] = (),
    rows: int | None = MOST_ROWS,
    written: date | None = None,
    editing: str | None = None,
) -> Report:
    """Return the report on bands and how they do on some labelled rows."""
    for name, value in (("subgroup", subgroup), ("first", first), ("near", near), ("editable", editing)):
        if value is not None:
            raise InvalidArgument(name, "be left out for bands", remedy="It is about one classifier.")
    return Report(bands_page(bands, X, y, title=title, source=source, rows=rows, sections=sections, written=written))


def bands_page(  # noqa: PLR0913 - what a page says beside its model is a word each
    bands: DNFBands,
    X: object,
    y: ArrayLike,
    *,
    title: str | None = None,
    source: str = "given to this report",
    rows: int | None = MOST_ROWS,
    sections: Sequence[Section] = (),
    written: date | None = None,
) -> str:
    """Return the page as text; the live case starts from rows of ``X``, and `source` says where they are from."""
    table, levels = bands.fitted_.read(X), bands.fitted_.bands.levels
    sections = (*group_sections([table.fitted.columns[j] for j in table.fitted.used]), *sections)
    bands = bands if rows is not None else bands.without_rows()
    truth = _numbers(np.asarray(y), levels)
    counts = _counts(table, truth)
    names = list(bands.names_)
    about = f"{bands.fitted_.target or 'Bands'}: {listed(names, 'or') if len(names) < 5 else f'{len(names)} bands'}"
    two = len(levels) == 2
    axes = [
        axes_of(
            model.explainer,
            None if rows is None else drawn_points(part, truth if two else (truth > place).astype(np.intp)),
        )
        for place, (model, part) in enumerate(zip(bands.fitted_.models, table.parts, strict=True))
    ]
    body = page_template("bands.html").substitute(
        title=escape(title or about),
        lead=_lead(bands, table, truth),
        facts=_facts(bands, table, truth, source, written or date.today()),
        sections=further(sections),
        contents=contents_of([*(part for part in _PARTS if two or part[0] != "h-cutoffs"), *further_parts(sections)]),
        histograms=histograms(axes),
        ladder=_ladder(bands, counts),
        cutoffs=_cutoffs(bands) if two else "",
        shares=_shares(bands, counts),
        reasons=printed_lines(bands.to_text()),
        proof=_proof(bands),
        decisions=decisions_of(bands.columns_report_),
    )
    started = made_up_case(bands.fitted_.models) if rows is None else _cases(table, truth, rows)
    given = {**_script_data(bands, counts), **started, "drawn": _drawn(bands, axes)}
    return whole_page(title or about, body, to_javascript(bands), given, ["squares.js", "bands.js"])


def _numbers(y: NDArray[np.generic], levels: Sequence[object]) -> NDArray[np.intp]:
    """Return the places of labels among the levels, ascending; refuse other labels."""
    refuse_unknown("y", f"hold the labels {' and '.join(map(repr, levels))}", np.unique(y).tolist(), levels)
    return np.array([levels.index(label) for label in y.tolist()], dtype=np.intp)


def _counts(table: ExaminedBands, truth: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return how many rows of each label, ascending, are in each band."""
    bands = table.fitted.bands
    counts = np.zeros((len(bands.names), len(bands.levels)), dtype=np.intp)
    np.add.at(counts, (table.labels, truth), 1)
    return counts


def _lead(bands: DNFBands, table: ExaminedBands, truth: NDArray[np.intp]) -> str:
    """Return the page in a sentence or two: how well the bands rank, and how long the reasons at a boundary are."""
    from sklearn.metrics import roc_auc_score

    said, k = bands.fitted_.bands, bands.fitted_.k
    proved = f"Every boundary has a reason of at most {k} condition{'s' * (k != 1)}, proved."
    if said.is_ordered or not 0 < truth.sum() < len(truth):
        return proved
    low, high = (escape(label_words(level)) for level in said.levels)
    auc = roc_auc_score(truth, said.shares[table.labels][:, 1])
    return f"A case that is {high} ranks above one that is {low} <strong>{auc:.1%}</strong> of the time. {proved}"


def _facts(bands: DNFBands, table: ExaminedBands, truth: NDArray[np.intp], source: str, written: date) -> str:
    """Return how good the bands are and what they look at, a line each."""
    from sklearn.metrics import log_loss

    fitted, said = bands.fitted_, bands.fitted_.bands
    loss = log_loss(truth, said.shares[table.labels], labels=range(len(said.levels)))
    names = [column.name for j, column in enumerate(fitted.columns) if j in fitted.used]
    unused = [column.name for j, column in enumerate(fitted.columns) if j not in fitted.used]
    ranks = "" if said.is_ordered else "The share of pairs ranked rightly is the AUC; ties count half. "
    return facts_list({
        "Ranks": f"{ranks}Log loss {loss:.3f}.",
        "Looks at": columns_looked_at(names, unused),
        "Data": escape(f"{len(truth):,} rows {source}, {written.day} {written:%B %Y}."),
    })  # fmt: skip


def _ladder(bands: DNFBands, counts: NDArray[np.intp]) -> str:
    """Return a row for each band, the highest first."""
    said, total = bands.fitted_.bands, max(int(counts.sum()), 1)
    level = "its own label" if said.is_ordered else label_words(said.levels[1])
    head = ["band", f"{level}, estimated", f"{level}, seen", "rows", *["cutoffs"] * (not said.is_ordered)]
    starts = [f'<td role="cell" data-name="{escape(name)}"' for name in head]
    lines = []
    for band in range(len(said.names) - 1, -1, -1):
        rows = int(counts[band].sum())
        own = counts[band, band if said.is_ordered else 1]
        texts = [
            f"{said.probability(band):.1%}",
            f"{own / rows:.1%}" if rows else "–",
            f"{rows:,} ({rows / total:.1%})",
        ]
        cells = [f'{start} class="n">{text}</td>' for start, text in zip(starts[1:], texts)]
        cells += [f'{start} class="cut"></td>' for start in starts[4:]]
        name = f'<th role="rowheader" scope="row">{escape(said.names[band])}</th>'
        lines.append(f'<tr role="row" data-band="{band}">{name}{"".join(cells)}</tr>')
    names = "".join(f'<th role="columnheader" scope="col">{escape(name)}</th>' for name in head)
    return framed_table("ladder of bands", names, "".join(lines), 'class="cards ladder"')


def _cutoffs(bands: DNFBands) -> str:
    """Return two lists to choose cutoffs from, and a place for what they do to the rows."""
    said = bands.fitted_.bands
    low, high = (escape(label_words(level)) for level in said.levels)
    last, (first, second) = len(said.names), _first_cutoffs(bands)
    below = [(v, "no band" if v == 0 else f"{said.names[v - 1]} and below") for v in range(last + 1)]
    above = [(v, "no band" if v == last else f"{said.names[v]} and above") for v in range(last + 1)]
    rows = "".join(
        f'<tr role="row"><th role="rowheader" scope="row">{name}</th>'
        + "".join(f'<td role="cell" data-name="{column}" class="n" id="{cell}"></td>' for column, cell in cells)
        + "</tr>"
        for name, cells in (
            (f"said {low}", _cells("low", f"actually {high}")),
            ("to a person", [*_cells("person", "")[:2], ("", "none-wrong"), ("", "none-error")]),
            (f"said {high}", _cells("high", f"actually {low}")),
        )
    )
    names = ("", "rows", "share", "wrong", "share wrong")
    head = "".join(f'<th role="columnheader" scope="col">{name}</th>' for name in names)
    table = framed_table("what the cutoffs do", head, rows, 'class="cards"')
    return (
        '<section aria-labelledby="h-cutoffs"><h2 id="h-cutoffs">Cutoffs</h2><p class="muted">Move a cutoff: bands '
        "between the two go to a person. Counts and errors are those of the rows of this page.</p>"
        f'<div class="pair"><label><span>say {low} to</span>{_select("low", below, first)}</label>'
        f"<label><span>say {high} to</span>{_select('high', above, second)}</label></div>"
        '<p id="cut-said" role="status" aria-live="polite"></p>'
        f"{table}</section>"
    )


def _first_cutoffs(bands: DNFBands) -> tuple[int, int]:
    """Return the band from which cases go to a person, and that from which they get the higher label.

    Those called a referral go to a person, or the middle one of three; else the likelier label is given.
    """
    names, (_, high) = bands.names_, bands.fitted_.order
    referred = [band for band, name in enumerate(names) if _REFERRED.search(name.casefold())]
    referred = referred or [1] * (len(names) == 3)
    if referred:
        return referred[0], referred[-1] + 1
    given = bands.fitted_.given.tolist()
    first = next((band for band, label in enumerate(given) if label == high), len(names))
    return first, first


def _cells(name: str, wrong: str) -> list[tuple[str, str]]:
    """Return what is shown of the rows on one side of the cutoffs: its head, and where the page writes it."""
    return [
        ("rows", f"rows-{name}"),
        ("share", f"share-{name}"),
        (wrong, f"wrong-{name}"),
        ("of them", f"error-{name}"),
    ]


def _select(name: str, options: Sequence[tuple[int, str]], chosen: int) -> str:
    listed_options = "".join(
        f'<option value="{value}"{" selected" * (value == chosen)}>{escape(text)}</option>' for value, text in options
    )
    return f'<select id="{name}">{listed_options}</select>'


def _shares(bands: DNFBands, counts: NDArray[np.intp]) -> str:
    """Return the share seen in each band against the share estimated, as a picture and in words."""
    said = bands.fitted_.bands
    rows = counts.sum(axis=1)
    own = [counts[band, band if said.is_ordered else 1] for band in range(len(rows))]
    picture = reliability_svg({
        "band": said.names,
        "rows": rows.tolist(),
        "estimated": [said.probability(band) for band in range(len(rows))],
        "seen": [float(own[band] / rows[band]) if rows[band] else None for band in range(len(rows))],
    })  # fmt: skip
    text = "<p>On the line, the share seen among the rows of this page is the one estimated in training.</p>"
    head = ["band", "rows", *(f"actually {label_words(level)}" for level in said.levels)]
    lines = ([name, f"{rows[b]:,}", *(f"{count:,}" for count in counts[b])] for b, name in enumerate(said.names))
    return f'{text}<div class="beside"><div class="chart">{picture}</div>{table_of(head, lines, kind="cards")}</div>'


def _proof(bands: DNFBands) -> str:
    return (
        "<p>Proved, for all values that the columns can have and not only for the rows above: every case is on one "
        f"side of each boundary for a reason of at most {bands.fitted_.k} conditions, and whoever passes a boundary "
        "passes all lower ones. How likely a label is in a band is an estimate.</p>"
        "<p>To prove it again from the model file alone:</p><pre>idnf verify bands.json</pre>"
        f"<details><summary>The proof, for the expert</summary><pre>{escape(str(bands.verify()))}</pre></details>"
    )


def _drawn(bands: DNFBands, axes: Sequence[Sequence[Axis]]) -> list[dict[str, object]]:
    """Return what the script reads to draw the reasons of each boundary: axes, names of histograms, colours."""
    said = bands.fitted_.bands
    two = [label_words(level) for level in said.levels]
    return [
        {
            "axes": [axis.to_dict() for axis in own],
            "prefix": f"h{place}-",
            "labels": list(boundary_labels(said.names[place + 1])) if said.is_ordered else two,
        }
        for place, own in enumerate(axes)
    ]


def _cases(table: ExaminedBands, truth: NDArray[np.intp], count: int) -> dict[str, object]:
    """Return rows to start from, a few of each band, the highest first."""
    highest_first = range(len(table.fitted.names) - 1, -1, -1)
    rows = [int(row) for band in highest_first for row in np.flatnonzero(table.labels == band)[:_MOST_CASES]][:count]
    return starting_rows(table, rows, truth[rows].tolist())


def _script_data(bands: DNFBands, counts: NDArray[np.intp]) -> dict[str, object]:
    """Return what the script of the page reads."""
    said = bands.fitted_.bands
    return {
        "labels": [label_words(level) for level in said.levels],
        "ends": [label_words(said.levels[0]), label_words(said.levels[-1])],
        "counts": counts.tolist(),
        "about": [said.said(band).partition(" (")[2].rstrip(")") for band in range(len(said.names))],
    }
