"""Categories that have an order: school grades, low to high, answers to a questionnaire."""

from __future__ import annotations

import re
from collections.abc import Collection
from string import ascii_lowercase

_SCALES = (
    ("very low", "low", ("medium", "middle", "moderate"), "high", "very high"),
    ("below average", "average", "above average"),
    ("none", ("slight", "mild"), "moderate", "severe", "very severe"),
    ("never", ("rarely", "seldom"), ("sometimes", "occasionally"), ("often", "frequently"), "very often", "always"),
    (*("strongly disagree", "disagree"), ("neutral", "neither agree nor disagree"), "agree", "strongly agree"),
    ("very dissatisfied", "dissatisfied", "neutral", "satisfied", "very satisfied"),
    (*("very poor", "poor", "fair"), ("average", "ok"), "good", "very good", "excellent"),
    ("not at all", ("a little", "slightly"), ("somewhat", "moderately"), "very", "extremely"),
    ("very unlikely", "unlikely", "neutral", "likely", "very likely"),
    ("extra small", "small", ("medium", "middle"), "large", "extra large"),
)
_FEWEST, _FEWEST_GRADES = 3, 4


def shown_order(values: Collection[str]) -> str:
    """Return categories in the order that their words show, as in "low<medium<high"; nothing if they show none.

    >>> shown_order(["Medium", "high", "LOW", "very_high"]), shown_order(["D", "A", "C", "B"]), shown_order(["red"])
    ('LOW<Medium<high<very_high', 'A<B<C<D', '')
    """
    plain = {text: re.sub(r"[\s_-]+", " ", text.strip().lower()) for text in values}
    if len(set(plain.values())) < len(plain) or len(plain) < _FEWEST or any("<" in text for text in values):
        return ""
    ranks = next((found for found in map(_ranks, _SCALES) if set(plain.values()) <= found.keys()), None)
    if ranks is None and len(plain) >= _FEWEST_GRADES and set(plain.values()) == set(ascii_lowercase[: len(plain)]):
        ranks = {letter: place for place, letter in enumerate(ascii_lowercase)}
    if ranks is None or len({ranks[word] for word in plain.values()}) < len(plain):
        return ""
    known = ranks
    return "<".join(sorted(plain, key=lambda text: known[plain[text]]))


def _ranks(scale: Collection[str | tuple[str, ...]]) -> dict[str, int]:
    steps = ((step,) if isinstance(step, str) else step for step in scale)
    return {word: rank for rank, words in enumerate(steps) for word in words}
