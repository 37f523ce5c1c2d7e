"""The paper's notions applied to one formula: the output of ``idnf analyse``.

Membership in the classes of the paper's Figure 1 is a property of the function, not of the formula. Each class is
decided by a witness or a proof, and otherwise reported as not known, with the methods tried. If a search is out of
reach, the formula as written is tried too, which can only turn "not known" into "yes".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from idnf.logic.dnf import DNF
from idnf.logic.literals import dnf_table, feature_of, renumber
from idnf.logic.nested import NestedDNF
from idnf.logic.parsing import literal_text, term_text
from idnf.logic.primes import both_sides, least_covering_size, most_changes
from idnf.logic.recognition import Undecided, least_order, recognise, recognise_primes
from idnf.logic.small_matchings import with_small_matchings
from idnf.logic.tree_depth import is_tree
from idnf.logic.trees import least_depth
from idnf.logic.witnesses import NotFound

_DEPTH_FEATURES = 10
_ORDER_FEATURES = 6
_SHOWN_TERMS = 60
_MATCHED_TERMS = 60

# Membership in a class: yes, no, or the methods that were tried without an answer.
Answer = bool | str


@dataclass(frozen=True)
class Analysis:
    """Facts about a formula, as plain data.

    Attributes
    ----------
    formula, features, size, length, width
        The formula as read, its features, |D|, ||D|| and its largest term.
    complement, complement_size, complement_width, primes, primes_size
        All prime implicants of the complement and of the function; long lists are cut in the text.
    least_k : int
        The certificate complexity: the function is k-AXp-interpretable from this k on.
    least_cxp_k : int
        The function is k-CXp-interpretable from this k on; 0 for a constant.
    matching : list of (literal, term)
        A largest induced matching of G_D of the formula as written, without absorbed terms.
    nested, complement_nested : list of list of str, False or None
        The literal matrix if the function (or its complement) is a nested k-DNF for k = least_k, False if that is
        proved impossible, None if undecided.
    nested_order : list of int, or None
        The least k for which the function is a nested k-DNF, as a lower and an upper bound; None for functions of too
        many features.
    tree_depth : int or None
        The least depth of a decision tree; None for functions of too many features.
    landscape : list of str
        The classes of the paper's Figure 1 that hold the function, for k = least_k.
    not_known : dict of str to str
        The classes for which neither a witness nor a proof was found, with the methods tried.
    """

    formula: str
    features: list[str]
    size: int
    length: int
    width: int
    complement: str
    complement_size: int
    complement_width: int
    primes: str
    primes_size: int
    least_k: int
    least_cxp_k: int
    matching: list[tuple[str, str]]
    nested: list[list[str]] | bool | None
    complement_nested: list[list[str]] | bool | None
    nested_order: list[int] | None
    tree_depth: int | None
    landscape: list[str]
    not_known: dict[str, str]

    def to_dict(self) -> dict[str, object]:
        """Return the facts as a dictionary for JSON."""
        return asdict(self)

    def to_text(self) -> str:
        """Return the facts as aligned plain text."""
        k = self.least_k
        rows = [
            ("formula", self.formula),
            ("features", f"{', '.join(self.features)}  ({len(self.features)})".strip()),
            ("terms", f"{self.size} of width at most {self.width}, {self.length} literals in all"),
            ("complement", f"{self.complement}  ({self.complement_size} terms, width {self.complement_width})"),
            ("prime implicants", f"{self.primes}  ({self.primes_size})"),
            ("certificate complexity", f"{k}: k-AXp-interpretable for every k >= {k} and no smaller k"),
            ("largest least change", f"{self.least_cxp_k}: k-CXp-interpretable for every k >= {self.least_cxp_k}"),
            ("induced matching", "\n".join([str(len(self.matching)), *(f"{l} in {t}" for l, t in self.matching)])),
            (f"nested {k}-DNF", _nestedness_words(self.nested)),
            (f"complement nested {k}-DNF", _nestedness_words(self.complement_nested)),
            ("least nested order", _order_text(self.nested_order)),
            ("least tree depth", "not computed" if self.tree_depth is None else str(self.tree_depth)),
            (f"landscape for k = {k}", "\n".join(self.landscape)),
        ]
        if self.not_known:
            rows.append(("not known", "\n".join(f"{name}: {tried}" for name, tried in self.not_known.items())))
        wide = max(len(name) for name, _ in rows) + 2
        return "\n".join(name.ljust(wide) + value.replace("\n", "\n" + " " * wide) for name, value in rows)


def analyse(f: DNF) -> Analysis:
    """Analyse a formula by the paper's notions.

    >>> analyse(DNF.parse("a & b | c & d")).landscape
    ['nested 2-DNF', '2-DNF (or complement) with induced matchings of size <= 2', '2-AXp-interpretable']
    """
    simple = f.simplified()
    ones, zeros = both_sides(f.masks)
    k = least_covering_size(ones + zeros)
    primes, complement = DNF.from_masks(f.names, ones), DNF.from_masks(f.names, zeros)
    matching = simple.maximum_induced_matching()
    rows = _matrix(f.names, lambda: recognise(simple, k))
    complement_rows = _matrix(f.names, lambda: recognise_primes(f.names, zeros, ones, k))
    # The features of the prime implicants are those the function depends on.
    relevant = sorted({feature_of(code) for code in primes.literals()})
    tree = _is_tree(ones, k)
    nested = isinstance(rows, list) or isinstance(complement_rows, list)
    classes: dict[str, Answer] = {
        f"function of {k} variables": len(relevant) <= k,
        f"depth-{k} decision tree": tree,
        f"nested {k}-DNF": _nestedness(rows),
        f"complement of a nested {k}-DNF": _nestedness(complement_rows),
        f"{k}-DNF (or complement) with induced matchings of size <= {k}": (
            nested or _has_small_matchings(simple, (primes, complement), k)
        ),
        f"{k}-AXp-interpretable": True,
    }
    order = least_order(primes) if len(relevant) <= _ORDER_FEATURES else None
    return Analysis(
        formula=str(f),
        features=list(f.names),
        size=f.size,
        length=f.length,
        width=f.width,
        complement=_short_text(complement),
        complement_size=complement.size,
        complement_width=complement.width,
        primes=_short_text(primes),
        primes_size=primes.size,
        least_k=k,
        least_cxp_k=most_changes(ones, zeros),
        matching=[(literal_text(code, f.names), term_text(term.bits, f.names)) for code, term in matching],
        nested=rows,
        complement_nested=complement_rows,
        nested_order=None if order is None else [order.lower, order.upper],
        # No tree is less deep than the certificate complexity.
        tree_depth=k if tree is True else _depth(primes, relevant) if len(relevant) <= _DEPTH_FEATURES else None,
        landscape=[name for name, answer in classes.items() if answer is True],
        not_known={name: answer for name, answer in classes.items() if isinstance(answer, str)},
    )


def _matrix(names: Sequence[str], recognition: Callable[[], NestedDNF | None]) -> list[list[str]] | bool | None:
    try:
        nested = recognition()
    except Undecided:
        return None
    return nested is not None and [[literal_text(code, names) for code in row] for row in nested.matrix]


def _depth(primes: DNF, relevant: list[int]) -> int:
    place = {feature: j for j, feature in enumerate(relevant)}
    n = len(relevant)
    return least_depth(dnf_table((renumber(mask, place) for mask in primes.masks), n), n)


def _is_tree(ones: list[int], k: int) -> Answer:
    try:
        return is_tree(ones, k)
    except NotFound as tried:
        return str(tried)


def _has_small_matchings(written: DNF, sides: Sequence[DNF], k: int) -> Answer:
    """Return whether some k-DNF of either side has no induced matching above k."""
    tried = ""
    for side in sides:
        try:
            if with_small_matchings(list(side.masks), k) is not None:
                return True
        except NotFound as error:
            tried = str(error)
    return bool(tried) and (any(_is_such_dnf(f, k) for f in (written, *sides)) or tried)


def _nestedness(rows: list[list[str]] | bool | None) -> Answer:
    if rows is None:
        return "the terms as written, the prime implicants and a search for a literal matrix were tried"
    return isinstance(rows, list)


def _is_such_dnf(f: DNF, k: int) -> bool:
    """Return whether the terms of size at most k make up the function and have no induced matching above k."""
    short = DNF.from_masks(f.names, (mask for mask in f.masks if mask.bit_count() <= k))
    return short.size <= _MATCHED_TERMS and short.is_equivalent(f) and len(short.maximum_induced_matching()) <= k


def _order_text(order: list[int] | None) -> str:
    if order is None:
        return "not computed"
    lower, upper = order
    return str(lower) if lower == upper else f"{lower} to {upper}"


def _nestedness_words(rows: list[list[str]] | bool | None) -> str:
    if rows is None:
        return "undecided"
    if isinstance(rows, bool):
        return "no"
    if not rows:
        return "yes, a constant"
    wide = max(len(text) for row in rows for text in row)
    return "yes, with the matrix\n" + "\n".join("  ".join(text.ljust(wide) for text in row).rstrip() for row in rows)


def _short_text(f: DNF) -> str:
    if f.size <= _SHOWN_TERMS:
        return str(f)
    first = DNF.from_masks(f.names, f.masks[:_SHOWN_TERMS])
    return f"{first} | ... {f.size - _SHOWN_TERMS} more"
