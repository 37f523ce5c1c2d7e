"""All the paper says of one formula: what ``idnf analyse`` prints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from idnf.logic.dnf import DNF
from idnf.logic.literals import feature_of, renumbered
from idnf.logic.nested import NestedDNF
from idnf.logic.parsing import literal_text, term_text
from idnf.logic.primes import both_sides, least_covering_size
from idnf.logic.recognition import Undecided, recognise, recognise_primes
from idnf.logic.trees import least_depth
from idnf.logic.truthtables import dnf_table

_DEPTH_FEATURES = 10
_SHOWN_TERMS = 60
_MATCHED_TERMS = 60


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
    matching : list of (literal, term)
        A largest induced matching of G_D of the simplified formula.
    nested, complement_nested : list of list of str, False or None
        The literal matrix where the function (or its complement) is a nested k-DNF for k = least_k, False where that
        is proved impossible, None where undecided.
    tree_depth : int or None
        The least depth of a decision tree; None for functions of too many features.
    landscape : list of str
        The classes of the paper's Figure 1 that are known to hold the function, for k = least_k.
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
    matching: list[tuple[str, str]]
    nested: list[list[str]] | bool | None
    complement_nested: list[list[str]] | bool | None
    tree_depth: int | None
    landscape: list[str]

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
            ("induced matching", "\n".join([str(len(self.matching)), *(f"{l} in {t}" for l, t in self.matching)])),
            (f"nested {k}-DNF", _nested_text(self.nested)),
            (f"complement nested {k}-DNF", _nested_text(self.complement_nested)),
            ("least tree depth", "not computed" if self.tree_depth is None else str(self.tree_depth)),
            (f"landscape for k = {k}", "\n".join(self.landscape)),
        ]
        wide = max(len(name) for name, _ in rows) + 2
        return "\n".join(name.ljust(wide) + value.replace("\n", "\n" + " " * wide) for name, value in rows)


def analyse(f: DNF) -> Analysis:
    """Return what the paper's notions say of a formula.

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
    depth = _depth(primes, relevant) if len(relevant) <= _DEPTH_FEATURES else None
    nested = isinstance(rows, list) or isinstance(complement_rows, list)
    few_matched = nested or any(_has_small_matchings(side, k) for side in (simple, primes, complement))
    classes = (
        (f"function of {k} variables", len(relevant) <= k),
        (f"depth-{k} decision tree", depth is not None and depth <= k),
        (f"nested {k}-DNF", isinstance(rows, list)),
        (f"complement of a nested {k}-DNF", isinstance(complement_rows, list)),
        (f"{k}-DNF (or complement) with induced matchings of size <= {k}", few_matched),
        (f"{k}-AXp-interpretable", True),
    )
    return Analysis(
        formula=str(f),
        features=list(f.names),
        size=f.size,
        length=f.length,
        width=f.width,
        complement=_shown(complement),
        complement_size=complement.size,
        complement_width=complement.width,
        primes=_shown(primes),
        primes_size=primes.size,
        least_k=k,
        matching=[(literal_text(code, f.names), term_text(term.bits, f.names)) for code, term in matching],
        nested=rows,
        complement_nested=complement_rows,
        tree_depth=depth,
        landscape=[name for name, holds in classes if holds],
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
    return least_depth(dnf_table((renumbered(mask, place) for mask in primes.masks), n), n)


def _has_small_matchings(f: DNF, k: int) -> bool:
    """Tell whether the terms of size at most k are all of the function and have no induced matching above k."""
    short = DNF.from_masks(f.names, (mask for mask in f.masks if mask.bit_count() <= k))
    return short.size <= _MATCHED_TERMS and short.is_equivalent(f) and len(short.maximum_induced_matching()) <= k


def _nested_text(rows: list[list[str]] | bool | None) -> str:
    if rows is None:
        return "undecided"
    if isinstance(rows, bool):
        return "no"
    if not rows:
        return "yes, a constant"
    wide = max(len(text) for row in rows for text in row)
    return "yes, with the matrix\n" + "\n".join("  ".join(text.ljust(wide) for text in row).rstrip() for row in rows)


def _shown(f: DNF) -> str:
    if f.size <= _SHOWN_TERMS:
        return str(f)
    first = DNF.from_masks(f.names, f.masks[:_SHOWN_TERMS])
    return f"{first} | ... {f.size - _SHOWN_TERMS} more"
