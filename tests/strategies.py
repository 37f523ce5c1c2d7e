"""The generators of formulas and models for property tests, and how many cases a run draws."""

from __future__ import annotations

import os
from itertools import product
from random import Random

from hypothesis import settings
from hypothesis import strategies as st

from idnf.logic.dnf import DNF
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import Leaf, NestedTree, Split


def seeds(gate, slow):
    """Seeds of generated cases: the first ones in the gate, in `make slow` more, and other ones in every run."""
    first = os.environ.get("IDNF_FIRST_SEED")
    return range(gate) if first is None else Random(int(first)).sample(range(10**6), slow)


def few(count, **more):
    """Settings of a test whose cases take long: this many in the gate, in proportion in other runs, up to 60 times."""
    usual = settings.get_profile("gate").max_examples
    return settings(max_examples=max(1, count * min(60 * usual, settings().max_examples) // usual), **more)


def literals(n):
    """Literal codes over n features."""
    return st.integers(0, 2 * n - 1) if n else st.nothing()


def terms(n, *, consistent=True, size=4):
    """Masks of literals; inconsistent ones too where asked."""
    if not consistent:
        return st.sets(literals(n), max_size=min(size, 2 * n)).map(_mask)
    chosen = st.dictionaries(st.integers(0, max(n - 1, 0)), st.booleans(), max_size=min(size, n))
    return chosen.map(lambda signs: _mask(2 * feature + negated for feature, negated in signs.items()))


def _mask(codes):
    return sum(1 << code for code in set(codes))


def feature_names(n):
    return tuple("abcdefghij"[:n])


@st.composite
def dnfs(draw, *, max_features=6, max_terms=6, consistent=False, size=4, names=None):
    """DNFs over up to max_features features, some of which may not occur; repeated terms are not drawn."""
    n = draw(st.integers(0, max_features)) if names is None else len(names)
    masks = draw(st.lists(terms(n, consistent=consistent, size=size), max_size=max_terms, unique=True))
    return DNF.from_masks(feature_names(n) if names is None else names, masks)


def awkward_names(**kwargs):
    """Distinct names that hold spaces, quotes, signs, words of the syntax, newlines and anything of unicode."""
    signs = st.text(st.sampled_from(list("ab01 '\"\\&|~!()∧∨¬\n\t<=é²")), max_size=6)
    words = st.sampled_from(["and", "or", "not", "0", "1", "", "age <= 41", "it's", "x1", "\\n", "\n", "наука"])
    return st.lists(st.one_of(signs, words, st.text(max_size=4)), unique=True, **kwargs)


@st.composite
def nested_dnfs(draw, *, k=None, n=None, max_k=3, max_features=6):
    """Nested DNFs over ragged matrices in which literals may repeat and contradict each other."""
    k = draw(st.integers(0, max_k)) if k is None else k
    n = draw(st.integers(0 if k == 0 else 1, max_features)) if n is None else n
    rows = st.lists(literals(n), max_size=k).map(tuple)
    matrix = tuple(draw(st.lists(rows, max_size=k))) if n else ()
    vectors = [r for r in product(*(range(len(row) + 1) for row in matrix)) if sum(r) <= k]
    prefixes = draw(st.lists(st.sampled_from(vectors), max_size=6))
    return NestedDNF(feature_names(n), matrix, tuple(prefixes), k)


@st.composite
def nested_trees(draw, *, k=None, n=4):
    """Nested trees of order k; a feature may be asked twice on a path."""
    k = draw(st.integers(0, 3)) if k is None else k

    def node(bound):
        if bound == 0 or draw(st.booleans()):
            return Leaf.of(draw(nested_dnfs(k=bound, n=n)), complemented=draw(st.booleans()))
        return Split(draw(st.integers(0, n - 1)), node(bound - 1), node(bound - 1))

    return NestedTree(feature_names(n), node(k), k)


def functions(n):
    """Truth tables over n features."""
    return st.lists(st.integers(0, 1), min_size=2**n, max_size=2**n)
