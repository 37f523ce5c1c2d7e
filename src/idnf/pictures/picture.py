"""The picture that fits a model: its matrix, its tree, or its terms over their columns."""

from __future__ import annotations

from idnf.explaining.explainer import Explainer
from idnf.explaining.outcomes import label_words
from idnf.logic.class_dnfs import ClassDNFs
from idnf.logic.class_trees import ClassLeaf, ClassNode, DNFLeaf, decision_tree_of
from idnf.logic.literals import feature_of, is_negated
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import Leaf, NestedTree, Node
from idnf.pictures.drawing import Drawn, DrawnLeaf, Inner, matrix_svg, terms_svg, tree_svg

_MOST_TERMS = 60
_MOST_LEAVES = 64


def model_svg(explainer: Explainer) -> str:
    """Draw a model over the columns of a table.

    >>> from idnf.logic.boxes import Space
    >>> from idnf.logic.dnf import DNF
    >>> model_svg(Explainer.of(DNF.parse("a & b").double(), Space.boolean("ab"))).startswith("<svg")
    True
    """
    model = explainer.sides.source
    labels = [label_words(label) for label in explainer.classes]
    if isinstance(model, NestedDNF) and model.matrix:
        return _nested_svg(explainer, model, labels, 1)
    if isinstance(model, NestedTree):
        root = model.root
        if isinstance(root, Leaf) and root.nested.matrix:
            return _nested_svg(explainer, root.nested, labels, 0 if root.complemented else 1)
        if sum(1 for _ in model.leaves()) <= _MOST_LEAVES:
            return tree_svg(_drawn(explainer, root, labels))
    if isinstance(model, ClassDNFs):
        tree = decision_tree_of(model)
        if tree is not None and tree.depth and sum(1 for _ in tree.leaves()) <= _MOST_LEAVES:
            return tree_svg(_drawn(explainer, tree.root, labels))
    return _terms(explainer, labels)


def _literal_words(explainer: Explainer, code: int) -> str:
    """Return a literal of the model in the words of the table."""
    column, mask = explainer.space.literals[feature_of(code)]
    return (
        explainer.wordings[column].phrase(explainer.space.full[column] & ~mask if is_negated(code) else mask).condition
    )


def _nested_svg(explainer: Explainer, nested: NestedDNF, labels: list[str], side: int) -> str:
    longest = [max((r[i] for r in nested.prefixes), default=0) for i in range(len(nested.matrix))]
    used = [i for i, length in enumerate(longest) if length]
    rows = [[_literal_words(explainer, code) for code in nested.matrix[i][: longest[i]]] for i in used]
    return matrix_svg(rows, [[r[i] for i in used] for r in nested.prefixes], label=labels[side], side=side)


def _drawn(explainer: Explainer, node: Node | ClassNode, labels: list[str]) -> Drawn:
    if isinstance(node, ClassLeaf):
        return DrawnLeaf((labels[node.label],), node.label)
    assert not isinstance(node, DNFLeaf), "a tree read off terms has constant leaves"
    if isinstance(node, Leaf):
        terms = node.nested.masks()
        own, other = (0, 1) if node.complemented else (1, 0)
        if not terms or terms == [0]:
            side = other if not terms else own
            return DrawnLeaf((labels[side],), side)
        said = [" and ".join(_literal_words(explainer, c) for c in term.codes) for term in node.nested.to_dnf().terms]
        return DrawnLeaf(
            (f"{labels[own]} if {said[0]}", *(f"or {text}" for text in said[1:]), f"else {labels[other]}"), None
        )
    branches = _drawn(explainer, node.if_false, labels), _drawn(explainer, node.if_true, labels)
    if branches[0] == branches[1] and isinstance(branches[0], DrawnLeaf):
        return branches[0]
    return Inner(_literal_words(explainer, 2 * node.feature), *branches)


def _terms(explainer: Explainer, labels: list[str]) -> str:
    sides = explainer.sides
    space = sides.space
    used = sorted({j for side in sides.terms for box in (side or ())[:_MOST_TERMS] for j in space.constrained(box)})
    drawn = []
    for label in sides.labels:
        boxes = (sides.terms[label] or ())[:_MOST_TERMS]
        uses = [[j in space.constrained(box) for j in used] for box in boxes]
        drawn.append((labels[label], uses))
    return terms_svg([space.columns[j].name for j in used], drawn)
