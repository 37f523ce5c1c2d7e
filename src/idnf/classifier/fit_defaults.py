"""What a fit assumes if the user has not said: the favourable outcome by its name, and that dates do not change."""

from __future__ import annotations

from idnf.classifier.fitted_model import State
from idnf.explaining.wording import label_words
from idnf.tables.column_check import ColumnDecision, ColumnsReport
from idnf.tables.outcomes import favourable_label


def with_defaults(fitted: State, target: str | None, favourable: object) -> State:
    """Return a state that was just learned, with the favourable outcome and dates that stay as they are.

    What was guessed is remarked in the report on the columns.
    """
    notes: list[ColumnDecision] = []
    wanted = favourable
    if favourable is None:
        labels = fitted.classes.tolist()
        wanted = favourable_label(labels)
        if wanted is not None:
            text = f"{label_words(wanted)} is taken for the outcome that people want, by its name"
            (other,) = (str(label) for label in labels if label != wanted)
            notes.append(ColumnDecision(None, "labels", text, parameter="favourable", value=other))
    used = [fitted.columns[j].name for j in fitted.used]
    for name in fitted.dates:
        if name in used:
            notes.append(ColumnDecision(name, "codes", "a date, of which no change is proposed"))
    fitted.binariser.report_ = ColumnsReport([*fitted.binariser.report_, *notes])
    return fitted.with_settings(target=target, favourable=wanted, immutable=fitted.dates)
