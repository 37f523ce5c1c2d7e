"""Conditions joined by "and" and "or", and trees of questions, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from idnf.columns.phrases import Phrase, joined
from idnf.explaining.reading import phrases_of
from idnf.logic.boxes import Box
from idnf.logic.forms import ANSWER, BRACKET, Compound, Condition, disjunction, negation
from idnf.logic.question_trees import Question, smallest_tree, tree_of_lines
from idnf.logic.sides import ClassBoxes
from idnf.logic.trees import fold

if TYPE_CHECKING:
    from idnf.explaining.explainer import Explainer


def condition_phrase(explainer: Explainer, condition: Condition) -> Phrase:
    """Return a condition of the frame in words."""
    full, (column, mask) = explainer.sides.frame.inner.full, condition
    box = (*full[:column], mask, *full[column + 1 :])
    (phrase,) = phrases_of(explainer, explainer.sides.frame.expand(box))
    return phrase


def joined_words(explainer: Explainer, part: Compound) -> str:
    """Return parts joined by "and" or "or", conditions first; in brackets what is joined inside them.

    A condition that says "or" stands in brackets beside an "and", and before a comma beside another "or".
    """
    phrases = [condition_phrase(explainer, one) for one in part.plain]
    said = [(phrase.condition, phrase.alternatives and part.every) for phrase in phrases]
    said += [(joined_words(explainer, one), len(one.parts) > 1) for one in part.inner]
    commas = any(phrase.alternatives for phrase in phrases)
    return joined(said, "and" if part.every else ", or" if commas else "or")


def brackets_in_brackets(explainer: Explainer, part: Compound, depth: int = 0) -> int:
    """Return how many brackets stand in brackets; a condition that says "or" beside another "or" counts as one."""
    own = len(part.inner) if depth else 0
    if depth or not part.every:
        own += sum(condition_phrase(explainer, one).alternatives for one in part.plain)
    return own + sum(brackets_in_brackets(explainer, one, depth + 1) for one in part.inner)


def term_of(box: Box, full: Box) -> frozenset[Condition]:
    """Return the conditions of a box."""
    return frozenset((j, mask) for j, mask in enumerate(box) if mask != full[j])


def framed(sides: ClassBoxes, feature: int) -> Condition:
    """Return what a feature that the model is written with says about the frame."""
    column, mask = sides.space.literals[feature]
    place = sides.frame.columns.index(column)
    return place, sum(1 << cell for cell, members in enumerate(sides.frame.members[place]) if members & mask)


def short_tree(explainer: Explainer, most: int) -> Question:
    """Return the smallest tree of at most that many questions, or a shorter one that asks for several conditions."""
    boxes, inner = explainer.reading.boxes, explainer.sides.frame.inner
    asked = {one for side in boxes for box in side for one in term_of(box, inner.full)}
    splits = sorted({(column, min(mask, inner.full[column] & ~mask)) for column, mask in asked})
    plain = smallest_tree(boxes, inner.full, splits, most)
    short = tree_of_lines(boxes, inner, splits, _learned_tree(explainer.sides))
    assert not isinstance(short, int), "a model of several classes asks something"
    return short if plain is None else min(plain, short, key=lambda tree: tree.length)


def _learned_tree(sides: ClassBoxes) -> Question | int:
    """Return the questions of the tree that a model was learned as, if it was; the answers mean nothing.

    A column that decides nothing is not asked for.
    """

    def split(feature: int, no: Question | int, yes: Question | int) -> Question | int:
        is_used = sides.space.literals[feature][0] in sides.frame.columns
        return Question(framed(sides, feature), yes, no) if is_used else no

    return 0 if sides.source is None else fold(sides.source.node(), lambda _: 0, split)


def beside_conditions(explainer: Explainer, tree: Question) -> float:
    """Return what there is to read beside the conditions of a tree: brackets in brackets, answers given again."""
    brackets = sum(brackets_in_brackets(explainer, one) for one in tree.tests)
    return BRACKET * brackets + ANSWER * max(0, len(tree.tests) + 1 - len(explainer.sides.labels))


def plainer_tree(explainer: Explainer, tree: Question, part: Box) -> Question:
    """Return a tree that asks the same of a part of the space and repeats no bound that earlier questions have settled.

    Within the part, cells outside it may be added to a condition or left out: what is shorter to say is asked.
    """
    inner = explainer.sides.frame.inner

    def plainer(condition: Condition, part: Box) -> Condition:
        column, mask = condition
        full, missing = inner.full[column], inner.columns[column].missing_cell
        outside = full & ~part[column]
        unknown = outside & (0 if missing is None else 1 << missing)
        less, more = mask & ~outside, mask | outside

        def length(way: int) -> int:
            return sum(len(condition_phrase(explainer, (column, one)).condition) for one in (way, full & ~way))

        return column, min((mask, less, more, less | unknown, more & ~unknown), key=length)

    return tree.map_conditions(part, plainer)


def tree_lines(explainer: Explainer, tree: Question, head: str = "if") -> Iterator[str]:
    """Yield the lines of a tree; an answer comes before further questions, once for all that give it in turn."""
    asked, yes, no = _in_turn(explainer, tree)
    words, names = joined_words(explainer, asked), [one.named for one in explainer.outcomes]
    if isinstance(yes, int):
        yield f"{head} {words}: {names[yes]}"
    else:
        yield f"{head} {words}:"
        yield from (f"    {line}" for line in tree_lines(explainer, yes))
    if isinstance(no, int):
        yield f"otherwise: {names[no]}"
    else:
        yield from tree_lines(explainer, no, "otherwise if")


def _in_turn(explainer: Explainer, tree: Question) -> tuple[Compound, Question | int, Question | int]:
    """Return questions whose "yes" is one answer, all of them if that ends the tree, else while none says "or".

    None is joined whose conditions would stand in brackets. Of two answers at the end, the one is asked for that leaves
    fewer an "or" inside another.
    """
    asked, yes, no = found = _shorter_question(explainer, tree)
    while isinstance(yes, int) and not isinstance(no, int):
        further, again, no = _shorter_question(explainer, no, yes)
        asked = disjunction([asked, further])
        if again != yes or asked.inner:
            break
        if isinstance(no, int) or not any(condition_phrase(explainer, one).alternatives for one in asked.plain):
            found = asked, yes, no
    asked, yes, no = found
    turn = disjunction([negation(asked, explainer.sides.frame.inner.full)])
    if isinstance(yes, int) and isinstance(no, int):
        return min(found, (turn, no, yes), key=lambda way: brackets_in_brackets(explainer, way[0]))
    return found


def _shorter_question(
    explainer: Explainer, tree: Question, wanted: int | None = None
) -> tuple[Compound, Question | int, Question | int]:
    """Return a question so put that "yes" gives the answer wanted or, failing that, one answer; else the shorter."""
    turn = negation(tree.condition, explainer.sides.frame.inner.full)
    ways = [(disjunction([tree.condition]), tree.yes, tree.no), (disjunction([turn]), tree.no, tree.yes)]
    said = {way[0]: len(joined_words(explainer, way[0])) for way in ways}
    return min(ways, key=lambda way: (way[1] != wanted, not isinstance(way[1], int), said[way[0]]))
