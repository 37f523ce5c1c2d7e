"""A model that is longer than a screen, cut to what decides most rows."""

from __future__ import annotations

from idnf.classifier.bands import DNFBands
from idnf.classifier.estimator import DNFClassifier
from idnf.explaining.wording import label_words

MOST_LINES = 25
"""Lines of a model that are printed as they are, and five reasons otherwise."""
_FIRST = 5
# Characters of a line on a screen: longer ones count as several.
_WIDE = 120

_ALL = "--verbose prints all; idnf report draws them by columns"


def shown_model(classifier: DNFClassifier, text: str, *, verbose: bool = False) -> str:
    """Return the text of a model; of a long one, the reasons that most training rows get.

    >>> policy = DNFClassifier.from_dnf("late | owner", classes=("no", "yes"))
    >>> shown_model(policy, policy.to_text()) == policy.to_text()
    True
    """
    fitted = classifier.fitted_
    if verbose or _count_lines(text) <= MOST_LINES or not fitted.is_written:
        return text
    tally = fitted.tally()
    total = float(tally.weights.sum())
    if not total:
        return text
    labels = {reason.id: label_words(reason.label) for reason in fitted.explainer.reasons()}
    names = list(tally.words)
    order = sorted(range(len(names)), key=lambda place: -tally.weights[place])[:_FIRST]
    shares = [float(tally.weights[place]) / total for place in order]
    lines = [
        f"  {share:.1%}  {labels[names[place]]} if {tally.words[names[place]]}  [{names[place]}]"
        for place, share in zip(order, shares)
    ]
    head, more = text.partition("\n")[0], len(names) - len(order)
    most = f"The {len(order)} reasons given to most training rows, {sum(shares):.1%} of them:"
    return "\n".join([head, "", most, *lines, f"{more} more reasons: {_ALL}."])


def shown_bands(bands: DNFBands, *, verbose: bool = False) -> str:
    """Return the text of bands; of long ones, as many lines as a screen has."""
    text = bands.to_text()
    if verbose or _count_lines(text) <= MOST_LINES:
        return text
    lines: list[str] = []
    for line in text.split("\n"):
        if _count_lines("\n".join([*lines, line])) > MOST_LINES:
            break
        lines.append(line)
    more = text.count("\n") + 1 - len(lines)
    rest = f"({more} more line{'s' * (more != 1)}: --verbose prints all; idnf report has them on its page)"
    return "\n".join([*lines, rest])


def _count_lines(text: str) -> int:
    """Return how many lines of a screen a text takes.

    >>> _count_lines("a" * 250)
    3
    """
    return sum(1 + max(0, len(line) - 1) // _WIDE for line in text.split("\n"))
