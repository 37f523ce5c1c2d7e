"""What a model file keeps of the choice of k: the figures of each k tried, and of other methods beside them."""

from __future__ import annotations

from idnf.classifier.k_choices import KChoice, KChoices, Measure
from idnf.exporting.documents import Place

MOST_TRIED = 100

_FIGURES = ("accuracy", "spread", "reasons", "conditions")


def choices_to_plain(found: KChoices) -> dict[str, object]:
    """Return the figures as plain data; a mean number of reasons that is not known is null.

    >>> none = Measure(0.5, 0.0)
    >>> choices_to_plain(KChoices((KChoice(1, 0.9, 0.1, float("nan"), 2.0, none),), none, none, 3))["tried"]
    [[1, 0.9, 0.1, None, 2.0, 0.5, 0.0]]
    """
    tried = [
        [one.k, *(_known(getattr(one, name)) for name in _FIGURES), one.tree.accuracy, one.tree.spread]
        for one in found.choices
    ]
    others = [found.forest.accuracy, found.forest.spread, found.constant.accuracy, found.constant.spread]
    return {"tried": tried, "others": others, "folds": found.folds}


def read_choices(place: Place) -> KChoices:
    """Return the figures that a document has."""
    place.object(["tried", "others", "folds"])
    choices = []
    for row in place.key("tried").items(MOST_TRIED, least=1):
        k, *figures = row.items(7, least=7)
        known = [float("nan") if item.is_null else item.number() for item in figures]
        choices.append(KChoice(k.integer(1, MOST_TRIED), known[0], known[1], known[2], known[3], Measure(*known[4:])))
    forest, spread, constant, other = (item.number() for item in place.key("others").items(4, least=4))
    folds = place.key("folds").integer(1, 10**6)
    return KChoices(tuple(choices), Measure(forest, spread), Measure(constant, other), folds)


def _known(figure: float) -> float | None:
    return None if figure != figure else float(figure)
