"""What retraining changed, as a section of a page or a card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idnf.auditing.differences import Disagreement
from idnf.columns.phrases import together
from idnf.explaining.wording import label_words
from idnf.reporting.sections import Section

if TYPE_CHECKING:
    from idnf.choosing.retrained import Retrained

# Regions shown; a difference may have hundreds.
_MOST_REGIONS = 50


def retraining_section(found: Retrained) -> Section:
    """Return which decisions retraining changed, what is proved of it, and accuracy against changes.

    >>> from idnf import DNFClassifier, retrain
    >>> old = DNFClassifier.from_dnf("late & owner", classes=("no", "yes"))
    >>> found = retrain(old, [[True, False], [False, True], [False, False]], ["yes", "no", "no"], 0.5, cv=0)
    >>> print(retraining_section(found).to_markdown())  # doctest: +ELLIPSIS
    ## Decisions changed by retraining
    ...
    | decision | if | rows | right before | right after |
    ...
    """
    section = Section("Decisions changed by retraining")
    for sentence in found.figures:
        section = section.paragraph(sentence)
    regions = found.changes.regions
    if regions:
        count = f"{len(regions)}" if found.changes.complete else f"more than {len(regions)}"
        where = f"Proved: the decisions differ in {count} region{'s' * (len(regions) != 1)}, and nowhere else."
        section = section.paragraph(where if found.changes.complete else where.replace(", and nowhere else", ""))
        head = ("decision", "if", "rows", "right before", "right after")
        section = section.table(head, map(_cells, regions[:_MOST_REGIONS]))
        if len(regions) > _MOST_REGIONS:
            section = section.paragraph(f"The {_MOST_REGIONS} regions of most rows are shown.")
    else:
        section = section.paragraph("Proved: no decision differs, over all values.")
    for remark in found.changes.remarks:
        section = section.paragraph(remark)
    names, *lines = found.curve.cells()
    words = "Models between the old one and one learned without regard to it, by the price of changing a decision."
    return section.paragraph(words).table(names, lines)


def _cells(region: Disagreement) -> tuple[str, ...]:
    shares = ("" if share is None else f"{share:.0%}" for share in (region.before, region.after))
    decision = f"{label_words(region.old)} becomes {label_words(region.new)}"
    return decision, together(region.phrases) or "always", f"{region.rows:,}", *shares
