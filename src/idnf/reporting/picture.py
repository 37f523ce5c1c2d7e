"""The picture that fits a classifier: its matrix, its tree, or its terms over their columns."""

from __future__ import annotations

from idnf.classifier.estimator import DNFClassifier
from idnf.logic.literals import feature_of, is_negated
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import Leaf, NestedTree, Node
from idnf.reporting.drawing import Drawn, Inner, Outcome, matrix_svg, terms_svg, tree_svg

_MOST_TERMS = 60
_MOST_LEAVES = 64


def to_svg(classifier: DNFClassifier) -> str:
    """Draw a fitted classifier."""
    model = classifier.nested_
    labels = [str(label) for label in classifier.classes_.tolist()]
    if isinstance(model, NestedDNF) and model.matrix:
        return _nested_svg(classifier, model, labels, 1)
    if isinstance(model, NestedTree):
        root = model.root
        if isinstance(root, Leaf) and root.nested.matrix:
            return _nested_svg(classifier, root.nested, labels, 0 if root.complemented else 1)
        if sum(1 for _ in model.leaves()) <= _MOST_LEAVES:
            return tree_svg(_drawn(classifier, root, labels))
    return _terms(classifier, labels)


def literal_words(classifier: DNFClassifier, code: int) -> str:
    """Return a literal of the model in the words of the table."""
    column, mask = classifier.binariser_.space_.literals[feature_of(code)]
    said = classifier.binariser_.columns_[column]
    return said.words(said.full & ~mask if is_negated(code) else mask)


def _nested_svg(classifier: DNFClassifier, nested: NestedDNF, labels: list[str], side: int) -> str:
    longest = [max((r[i] for r in nested.prefixes), default=0) for i in range(len(nested.matrix))]
    used = [i for i, length in enumerate(longest) if length]
    rows = [[literal_words(classifier, code) for code in nested.matrix[i][: longest[i]]] for i in used]
    return matrix_svg(rows, [[r[i] for i in used] for r in nested.prefixes], label=labels[side], side=side)


def _drawn(classifier: DNFClassifier, node: Node, labels: list[str]) -> Drawn:
    if isinstance(node, Leaf):
        terms = node.nested.masks()
        own, other = (0, 1) if node.complemented else (1, 0)
        if not terms or terms == [0]:
            side = other if not terms else own
            return Outcome((labels[side],), side)
        said = [" and ".join(literal_words(classifier, c) for c in term.codes) for term in node.nested.to_dnf().terms]
        return Outcome(
            (f"{labels[own]} if {said[0]}", *(f"or {text}" for text in said[1:]), f"else {labels[other]}"), None
        )
    branches = _drawn(classifier, node.if_false, labels), _drawn(classifier, node.if_true, labels)
    if branches[0] == branches[1] and isinstance(branches[0], Outcome):
        return branches[0]
    return Inner(literal_words(classifier, 2 * node.feature), *branches)


def _terms(classifier: DNFClassifier, labels: list[str]) -> str:
    sides = classifier.fitted_.sides
    space = sides.space
    used = sorted({j for side in sides.terms for box in (side or ())[:_MOST_TERMS] for j in space.constrained(box)})
    drawn = []
    for label in (0, 1):
        boxes = (sides.terms[label] or ())[:_MOST_TERMS]
        uses = [[j in space.constrained(box) for j in used] for box in boxes]
        drawn.append((labels[label], uses))
    return terms_svg([space.columns[j].name for j in used], drawn)
