"""Break one line at a time, in a copy of the tree, and show that a test notices: `make mutants`.

    python tests/mutants.py               all of them, after a run of the same tests on the unbroken copy
    python tests/mutants.py recognition   those whose file or tests have this word in their name

Code mutants break `logic`, `learning`, `explaining` and records of decisions. Statement mutants make a bound too small
in tests/test_paper.py and tests/test_theorems.py: a test that passes all the same could not have failed. A line that
is not found exactly once is an error, so that the list keeps up with the code. Exits with 1 if a mutant survives.
"""

from __future__ import annotations

import importlib
import os
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Loaded once, before each test run is forked off; none of them imports idnf.
HEAVY = ("numpy", "scipy.sparse", "sklearn.tree", "sklearn.model_selection", "pandas", "polars", "duckdb")
HEAVY += ("hypothesis", "pytest")
PASSED, FAILED, INTERRUPTED = 0, 1, 2


@dataclass(frozen=True)
class Mutant:
    """One broken line, and the tests that must notice."""

    path: str
    old: str
    new: str
    tests: tuple[str, ...]

    def __str__(self) -> str:
        old, new = (text.strip().partition("\n")[0][:70] or "nothing" for text in (self.old, self.new))
        return f"{self.path}: {old} -> {new}"


def _of(room: str, file: str, tests: str, *changes: tuple[str, str]) -> list[Mutant]:
    """List changes of one file that the same tests must notice."""
    return [Mutant(f"src/idnf/{room}/{file}.py", old, new, tuple(tests.split())) for old, new in changes]


LOGIC = [
    *_of(
        "logic",
        "checklists",
        "tests/logic/test_checklists.py tests/logic/test_forms.py",
        ("all(total - points[i] < least for i in chosen)", "True"),
        ("least -= sure", "least -= 2 * sure"),
        ("< least for block in blocks):", "< least for block in blocks[1:]):"),
    ),
    *_of(
        "logic",
        "forms",
        "tests/logic/test_forms.py",
        ("if quotient <= left)", "if quotient & left)"),
        ("return min(forms, key=", "return max(forms, key="),
    ),
    *_of(
        "logic",
        "question_trees",
        "tests/logic/test_forms.py",
        ("left = size - 1 - (", "left = size - ("),
        ("self.known[part] = min(ways, key=_length)", "self.known[part] = max(ways, key=_length)"),
    ),
    *_of(
        "learning",
        "near_models",
        "tests/learning/test_near_models.py",
        ("ranked[0][0] + wanted.within + _ROUNDING", "ranked[0][0] + wanted.within / 2 + _ROUNDING"),
        ("<= best + within + _ROUNDING", "<= best + within / 2 + _ROUNDING"),
        ("- least + within)", "- least)"),
        (" or not rows.complete", ""),
        (" or task.accepts is not None", ""),
        (" and task.k <= 2 and is_boolean", " and task.k <= 2"),
        (
            "NearBest(rows.features, np.stack([costs, marks], axis=1)",
            "NearBest(rows.features, np.stack([costs, 0 * marks], axis=1)",
        ),
    ),
    *_of(
        "logic",
        "literals",
        "tests/logic/test_literals.py",
        ("    return code ^ 1\n", "    return code ^ 2\n"),
        ("(mask & positive) << 1 | (mask >> 1) & positive", "(mask & positive) << 1"),
    ),
    *_of(
        "logic",
        "literals",
        "tests/logic/test_terms.py",
        ("return Term(self.bits | other.bits)", "return Term(self.bits & other.bits)"),
    ),
    *_of(
        "logic",
        "transversals",
        "tests/logic/test_transversals.py tests/logic/test_regions.py",
        ("    return needed == transversal\n", "    return True\n"),
        ("staying = [t for t in transversals if t & new]", "staying = [t for t in transversals if t & new == new]"),
    ),
    *_of(
        "logic",
        "primes",
        "tests/logic/test_primes.py tests/logic/test_dnf.py tests/test_paper.py",
        (
            "return [mask & ~literals for mask in masks if not mask & against]",
            "return [mask & ~literals for mask in masks]",
        ),
        ("if size(mask) <= k), layout=layout) is None", "if size(mask) < k), layout=layout) is None"),
        ("sorted(set(map(size, masks)))", "sorted(set(map(size, masks)))[1:]"),
        ("max(0, term.bit_count() - k)", "max(0, term.bit_count() - k - 1)"),
        ("while ones and zeros and any(", "while ones and zeros and all("),
    ),
    *_of(
        "logic",
        "verification",
        "tests/logic/test_double.py tests/logic/test_class_dnfs.py",
        ("if size(widest) > self.k:", "if size(widest) > self.k + 1:"),
        ("if pair is not None:", "if pair is None and pair:"),
        ("if left is not None:", "if left is None and left:"),
    ),
    *_of(
        "logic",
        "cubes",
        "tests/logic/test_cubes.py",
        ("if not any(other < rest for other in cases)", "if not any(rest < other for other in cases)"),
        ("all(column & ~mask for column in self.wide)", "all(column & mask for column in self.wide)"),
        ("apart |= reduce(and_, ", "apart |= reduce(or_, "),
        ("inside = [other & ~mask for", "inside = [other for"),
    ),
    *_of(
        "logic",
        "transversals",
        "tests/logic/test_matchings.py",
        ("(terms[j] >> l | terms[i] >> m) & 1", "(terms[j] >> l & terms[i] >> m) & 1"),
        ("if colours > enough:", "if colours > enough + 1:"),
    ),
    *_of(
        "logic",
        "nested",
        "tests/logic/test_nested.py tests/test_paper.py",
        ("if not fits or sum(r) > k:", "if not fits or sum(r) > k + 1:"),
        ("return max(rows, max(map(sum, self.prefixes), default=0))", "return max(map(sum, self.prefixes), default=0)"),
        ("if r[i] > j)", "if r[i] >= j)"),
        ("r[feature] = successor - feature", "r[feature] = successor - feature - 1"),
    ),
    *_of(
        "logic",
        "recognition",
        "tests/logic/test_recognition.py",
        ("self.vectors = _vectors(k, k)", "self.vectors = _vectors(k, k + 1)"),
        ("if len(heads) > k:", "if len(heads) > k + 1:"),
        ("not mask & negated_mask(mask) and not table & ~self.function", "not mask & negated_mask(mask)"),
        ("        k += 1\n        lower = k\n", "        k += 1\n"),
        ("if _has_large_matchings(ones, k):", "if not ones:"),
        ("if len(terms) <= k:  # Example 4", "if len(terms) <= k + 1:  # Example 4"),
    ),
    *_of(
        "logic",
        "tree_depth",
        "tests/logic/test_landscape.py",
        ("if len(splits) >= 1 << depth:", "if len(splits) >= (1 << depth) - 1:"),
        ("if n <= depth or n >= 1 << depth:", "if n <= depth or n >= (1 << depth) - 1:"),
    ),
    *_of(
        "logic",
        "small_matchings",
        "tests/logic/test_landscape.py",
        ("len(maximum_induced_matching(terms)) <= self.k", "len(maximum_induced_matching(terms)) <= self.k + 1"),
        ("for more in range(min(k - size, len(others)) + 1):", "for more in range(1):"),
    ),
    *_of(
        "logic",
        "trees",
        "tests/logic/test_trees.py",
        ("if leaf.k > self.k - columns:", "if leaf.k > self.k - columns + 1:"),
        (
            "return self.label if self.nested.evaluate(point) else self.otherwise",
            "return int(self.nested.evaluate(point))",
        ),
        ("1 + min(max(depth(low), depth(high))", "1 + min(min(depth(low), depth(high))"),
    ),
    *_of(
        "logic",
        "trees",
        "tests/logic/test_models.py",
        ("return low ^ (low ^ high) & examples[literal(self.feature)]", "return low"),
        ("yield from self.nested.terms(label == self.label)", "yield from self.nested.terms(label)"),
        ("return replace(self, label=labels[self.label], otherwise=labels[self.otherwise])", "return self"),
    ),
    *_of(
        "logic",
        "class_dnfs",
        "tests/logic/test_models.py",
        ("return examples.any_of(others) ^ examples.everything", "return examples.any_of(others)"),
        ("dnfs[label] = dnf", "dnfs[-1] = dnf"),
    ),
    *_of(
        "logic",
        "literals",
        "tests/logic/test_literals.py tests/logic/test_trees.py",
        ("return low | low << half, high | high >> half", "return low | low << half, high | high << half"),
    ),
    *_of(
        "logic",
        "boxes",
        "tests/logic/test_boxes.py",
        ("return not all(a & b for a, b in zip(first", "return not any(a & b for a, b in zip(first"),
        ("masks[column] &= ~mask if is_negated(code) else mask", "masks[column] &= mask"),
    ),
    *_of(
        "logic",
        "function_counts",
        "tests/logic/test_function_counts.py tests/test_paper.py",
        ("if sum(r) <= k]", "if sum(r) < k]"),
        ("(2**k - 1) * log2(n)", "2**k * log2(n)"),
    ),
    *_of(
        "logic",
        "dnf",
        "tests/test_paper.py",
        ("return self.certificate_complexity() <= k", "return self.certificate_complexity() < k"),
        ("both_sides(self.masks)) <= k", "both_sides(self.masks)) < k"),
    ),
    *_of(
        "logic",
        "analysis",
        "tests/logic/test_analysis.py",
        ("tree_depth=k if tree is True", "tree_depth=k + 1 if tree is True"),
        ("if with_small_matchings(list(side.masks), k) is not None:", "if side.size <= k:"),
    ),
]

EXACT = [
    *_of(
        "learning/exact",
        "problem",
        "tests/learning/exact/test_problem.py tests/learning/exact/test_prices.py",
        ("np.where(turned[:, None], permitted[:, ::-1], permitted)", "permitted"),
        ("if is_integral(self.weights) and not self.price else", "if is_integral(self.weights) else"),
        ("self.base + self.price * model.literal_count", "self.base"),
        ("replace(self, weights=-self.weights, allowed=opposite)", "replace(self, weights=-self.weights)"),
    ),
    *_of(
        "learning/exact",
        "levels",
        "tests/learning/exact/test_levels.py",
        ("(above - signed[:, :, ::-1] - self.price)", "(above - signed[:, :, ::-1])"),
        ("reshape(-1, 1 << size) + self.price", "reshape(-1, 1 << size)"),
        ("np.maximum(found, (above", "np.minimum(found, (above"),
    ),
    *_of(
        "learning/exact",
        "leaves",
        "tests/learning/exact/test_leaves.py tests/learning/exact/test_prices.py",
        (" - self.price - self._barred_splits", " - self.price"),
        ("axis=(1, 2)) + 6 * self.price", "axis=(1, 2)) + 9 * self.price"),
        ("xp.max(flat, axis=1) + 6 * self.price", "xp.max(flat, axis=1) + 2 * self.price"),
        ("gain = xp.maximum(xp.maximum(gain, whole), 0 * gain)", "gain = xp.maximum(gain, 0 * gain)"),
    ),
    *_of(
        "learning/exact",
        "unions",
        "tests/learning/exact/test_leaves.py tests/learning/exact/test_optimum.py",
        ("axis=1) + charges.price", "axis=1) + 9 * charges.price"),
        ("gain = single - cover.triples[:, block, :]", "gain = 0 * single - cover.triples[:, block, :]"),
        ("missed = weight - covered - running_maximum(backend, covered)", "missed = weight - covered"),
        ("better = error < best.error", "better = error > best.error"),
    ),
    *_of(
        "learning/exact",
        "leaf_trees",
        "tests/learning/exact/test_optimum.py tests/learning/exact/test_prices.py",
        (
            "return min(incumbent, self.levels.best(), self.levels.bound())",
            "return min(incumbent, self.levels.best())",
        ),
        ("problem.literals @ problem.weights - problem.price", "problem.literals @ problem.weights"),
    ),
    *_of(
        "learning/exact",
        "leaf_trees",
        "tests/learning/exact/test_optimum.py",
        ("prefixes += [(2, 0)] if a_gain > 0 else []", "prefixes += []"),
        ("complemented=form == INTERSECTION", "complemented=False"),
    ),
    *_of(
        "learning/exact",
        "optimum",
        "tests/learning/exact/test_nested_optimum.py tests/learning/exact/test_prices.py",
        ("combinations(range(2 * k), k)", "combinations(range(2 * k - 1), k)"),
        ("self.formula.prefer(-chosen, self.price * sum(r))", "self.formula.prefer(-chosen, self.price)"),
        ("                    if not usable:\n", "                    if usable is None:\n"),
    ),
    *_of(
        "learning/exact",
        "maxsat",
        "tests/learning/exact/test_maxsat.py",
        ("weight = min(self._weights[literal] for literal in core)", "weight = max(self._weights[l] for l in core)"),
    ),
    *_of(
        "learning/exact",
        "optimum",
        "tests/learning/exact/test_optimum.py",
        ("proved = reached and is_of(family, model, options.polarity)", "proved = reached"),
        ("reached = candidate.bound > candidate.cost - problem.tolerance", "reached = True"),
    ),
    *_of(
        "learning",
        "proved_families",
        "tests/learning/exact/test_optimum.py",
        ("all(leaf.k <= 2 for", "all(leaf.k <= 9 for"),
    ),
    *_of(
        "learning",
        "families",
        "tests/learning/exact/test_optimum.py",
        ("self.proved_up_to_two if k <= 2 else self.proved_beyond", "self.proved_up_to_two"),
    ),
]

EXPLAINING = [
    *_of(
        "logic",
        "regions",
        "tests/test_paper.py",
        (
            "return all(in_conflict(box, other) for other in self.boxes)",
            "return any(in_conflict(box, o) for o in self.boxes)",
        ),
    ),
    *_of(
        "explaining",
        "batch",
        "tests/explaining/test_batch.py",
        ("((size == least) & (sets > best))", "((size == least) & (sets < best))"),
    ),
    *_of(
        "logic",
        "primes",
        "tests/logic/test_maximal.py tests/logic/test_column_functions.py",
        ("layout.size(box | part) <= k)", "layout.size(box | part) <= k + 1)"),
        ("column & ~(run << start)) for run", "column & ~term) for run"),
    ),
    *_of(
        "logic",
        "regions",
        "tests/explaining/test_widening.py",
        ("while low > 0 and present >> low - 1 & 1:", "while low > 1 and present >> low - 1 & 1:"),
    ),
    *_of(
        "logic",
        "sides",
        "tests/logic/test_sides.py",
        ("if any(mask != space.full[j] for mask in masks[j])]", "if all(mask != space.full[j] for mask in masks[j])]"),
    ),
    *_of(
        "logic",
        "sides",
        "tests/explaining/test_catalogue.py",
        ("(len(space.constrained(box)), space.constrained(box), box))", "(space.constrained(box), box))"),
    ),
    *_of(
        "explaining",
        "recourse",
        "tests/explaining/test_recourse.py",
        ("if not any(set(other.columns) < set(way.columns)", "if not any(set(other.columns) > set(way.columns)"),
        ("way.key < best[way.columns].key", "way.key > best[way.columns].key"),
    ),
    *_of(
        "proving",
        "independent_check",
        "tests/proving/test_independent_check.py",
        ("_require(not truth.finds(box),", "_require(True,"),
        ("_require(truth.finds(rest),", "_require(True,"),
        ("_require(not found,", "_require(True,"),
    ),
    *_of(
        "proving",
        "independent_check",
        "tests/explaining/test_proofs.py tests/proving/test_independent_check.py",
        ("& ~self._inside(claim.outside)", "& self._inside(claim.outside)"),
        ("if j in claim.free else column for", "if j not in claim.free else column for"),
    ),
    *_of(
        "explaining",
        "explainer",
        "tests/explaining/test_explainer.py",
        ("self._is_decidable(after, questions - 1)", "self._is_decidable(after, questions)"),
    ),
    *_of(
        "explaining",
        "reading",
        "tests/explaining/test_explanation.py",
        ("if not box[j] & term[j]), None)", "if box[j] & term[j]), None)"),
    ),
    *_of(
        "proving",
        "lines",
        "tests/proving/test_lines.py",
        ("masks, sides.k, layout", "masks, sides.k + 1, layout"),
        ("return None if pair is None else pair[0]", "return None"),
    ),
    *_of(
        "explaining",
        "printed_lines",
        "tests/proving/test_lines.py",
        (
            "{label: reading.boxes[label] for label in listed}",
            "{label: explainer.sides.reasons[label] for label in listed}",
        ),
    ),
]


def _statement(test: str, old: str, new: str, path: str = "tests/test_paper.py") -> Mutant:
    return Mutant(path, old, new, (f"{path}::{test}",))


def _theorem(test: str, old: str, new: str) -> Mutant:
    return _statement(test, old, new, "tests/test_theorems.py")


STATEMENTS = [
    _statement(
        "test_theorem_1_at_most_k_to_the_k_terms",
        "assert double.negative.size <= double.k**double.k",
        "assert double.negative.size <= double.k**double.k - 1",
    ),
    _statement(
        "test_theorem_1_at_most_k_to_the_k_terms",
        "assert double.positive.size <= double.k**double.k",
        "assert double.positive.size <= double.k**2",
    ),
    _statement("test_theorem_1_all_functions_of_four_features_at_k_2", "max(sizes) == 2**2", "max(sizes) == 2"),
    _statement(
        "test_corollary_1_there_are_at_most_2_k_to_the_k",
        "<= 2 * f.double().k ** f.double().k",
        "<= f.double().k ** f.double().k",
    ),
    _statement(
        "test_corollary_2_interpretable_functions_have_short_dnfs",
        "<= double.k * double.k**double.k",
        "<= double.k**double.k",
    ),
    _statement(
        "test_corollary_2_short_dnfs_are_interpretable",
        "assert f.is_interpretable(k)\n\n\ndef test_corollary_2_no",
        "assert f.is_interpretable(k - 1)\n\n\ndef test_corollary_2_no",
    ),
    _statement("test_proposition_1_if", "assert len(smallest) <= k", "assert len(smallest) <= k - 1"),
    _statement(
        "test_lemma_1_axp_interpretable_functions_are_cxp_interpretable",
        "assert f.is_cxp_interpretable(f.certificate_complexity())",
        "assert f.is_cxp_interpretable(max(0, f.certificate_complexity() - 1))",
    ),
    _statement(
        "test_lemma_2_induced_matchings_bound_the_complement",
        "transversal.bit_count() <= mim",
        "transversal.bit_count() < mim",
    ),
    _statement(
        "test_example_3_majority",
        "assert len(f.maximum_induced_matching()) <= k",
        "assert len(f.maximum_induced_matching()) < k",
    ),
    _statement(
        "test_proposition_2_nested_dnfs_are_interpretable", "for term in terms])) <= f.k", "for term in terms])) < f.k"
    ),
    _statement("test_proposition_4_bounds_for_larger_k", "(k >= 7)", "(k >= 6)"),
    _statement(
        "test_figure_1_every_region_has_a_function",
        '(four_features(0x1BD8), 3, {"tree", "matchings"})',
        '(four_features(0x1BD8), 3, {"tree"})',
    ),
]

THEOREMS = [
    _theorem("test_count_at_k_2", "EXACTLY = (2, 2, 10, 80, 288)", "EXACTLY = (2, 2, 10, 80, 287)"),
    _theorem("test_count_at_k_2_over_all_functions_of_five_features", "<= 2) == 2352", "<= 1) == 2352"),
    _theorem(
        "test_the_logarithm_is_of_at_least_all_functions",
        "found = exp(log_interpretable_functions(k, n))",
        "found = exp(log_interpretable_functions(k, n)) - 1",
    ),
    _theorem(
        "test_a_function_of_many_features", "== k\n    assert idnf.DoubleDNF", "== k - 1\n    assert idnf.DoubleDNF"
    ),
    _theorem("test_influences_are_not_small_and_add_up_to_no_more_than_the_complexity", "4 ** (1 - k)", "4 ** (2 - k)"),
    _theorem(
        "test_influences_are_not_small_and_add_up_to_no_more_than_the_complexity",
        "sum(felt) <= k",
        "sum(felt) <= k - 1",
    ),
    _theorem("test_at_k_2_the_most_features_are_four", "for f in forms(5)) == 4", "for f in forms(5)) == 3"),
    _theorem(
        "test_k_squared_questions_decide_any_case",
        "list(sides.frame.inner.full), budget) <= k**2",
        "list(sides.frame.inner.full), budget) <= k**2 - k",
    ),
    _theorem("test_fewer_questions_than_k_squared_are_not_enough", "budget) == k**2", "budget) < k**2"),
    _theorem(
        "test_the_reduction_from_tautology", "with_fresh_terms(terms, n, k, k + 1)", "with_fresh_terms(terms, n, k, k)"
    ),
    _theorem(
        "test_recognition_at_k_2_by_implications",
        "return is_tautology_by_implications([*terms, *zero], n)",
        "return True",
    ),
    _theorem(
        "test_and_and_or_add_complexities", "known[f & g] <= known[f] + known[g]", "known[f & g] < known[f] + known[g]"
    ),
    _theorem(
        "test_and_and_or_add_complexities",
        "known[f | g] <= known[f] + known[g]",
        "known[f | g] <= max(known[f], known[g])",
    ),
    _theorem("test_composition_multiplies_complexities", "values_of(outer, 2), 2) * widest", "values_of(outer, 2), 2)"),
    _theorem("test_occam_bound_by_hand", "(678 / 0.05)", "(630 / 0.05)"),
    _theorem(
        "test_occam_bound_is_broken_by_no_more_than_its_share_of_samples",
        "occam_bound(clf, X, y, confidence=0.9) < 0.5",
        "1 - clf.score(X, y) < 0.5",
    ),
]

CHOOSING = [
    *_of(
        "learning",
        "path",
        "tests/learning/test_path.py",
        ("half = np.minimum(HALF * spread, MOST)", "half = np.minimum(HALF * spread, 10 * MOST)"),
        ("np.round(behind + np.log2(1 + conditions), 9)", "np.round(behind, 9)"),
    ),
    *_of(
        "learning",
        "chains",
        "tests/learning/test_chains.py",
        ("return all(term & against for term in self.inside", "return any(term & against for term in self.inside"),
        ("if narrow is None or self.is_within(narrow, one)]", "if narrow is None or self.is_within(one, narrow)]"),
        ("longer[place] = areas[came] - _AREA", "longer[place] = areas[came]"),
        ("(low + high) <= 1e-9 * rows.total", "(low + high) < 0"),
        ("for earlier in came[:0:-1]:", "for earlier in came[:1:-1]:"),
    ),
    *_of(
        "learning",
        "path",
        "tests/learning/test_path.py",
        ("return gain > CLEARLY * math.sqrt", "return gain > 0 * math.sqrt"),
    ),
    *_of(
        "tables",
        "column_check",
        "tests/first_hour/test_found.py",
        ("different > _MOSTLY * len(known)", "different == len(known)"),
    ),
    *_of(
        "tables",
        "cuts",
        "tests/tables/test_cuts.py",
        ("return step < 0 and ends[1] - ends[0] ==", "return step < 0 and ends[1] - ends[0] !="),
    ),
    *_of(
        "explaining",
        "printing",
        "tests/explaining/test_reading.py",
        ("return min(short or found, key=", "return max(short or found, key="),
    ),
    *_of(
        "governance",
        "records",
        "tests/governance/test_records.py",
        ('if old is not None and old["values"] != record["values"]:', "if old is None and old:"),
        ('if new["values"][column] != own[column]}', 'if new["values"][column] == own[column]}'),
    ),
]

EDITING = [
    *_of(
        "exporting",
        "adoption",
        "tests/exporting/test_adoption.py",
        ("        if found.k > k:\n", "        if found.k > k + 1:\n"),
        ("    if old != box[place]:\n", "    if old == 0:\n"),
        ("sides = (others, lines) if self.label else (lines, others)", "sides = (others, lines)"),
        ("masks[place] &= chosen.mask(columns[place])", "masks[place] = chosen.mask(columns[place])"),
        ("if step == 1 or self._at(step - 1).k <= k)", "if step == 1)"),
    ),
    *_of(
        "exporting",
        "edits_json",
        "tests/exporting/test_adoption.py",
        ("            if first >= last:\n", "            if first > last + 99:\n"),
        ("        if self.missing and not column.missing_mask:\n", "        if not column.labels:\n"),
    ),
    *_of(
        "reporting",
        "edit_grid",
        "tests/reporting/test_editor.py",
        ("self.alike * (MOST_CELLS + 2) + cells", "self.alike * MOST_CELLS // 2 + cells"),
        ("alike[labels == label]", "alike[labels >= label]"),
    ),
]

MUTANTS = [*LOGIC, *EDITING, *CHOOSING, *EXACT, *EXPLAINING, *STATEMENTS, *THEOREMS]


class Copy:
    """A copy of the tree in which lines are broken; the tree itself is never touched."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.log = folder, folder / "log"
        for part in ("src", "tests"):
            shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", folder)
        (folder / "experiments").symlink_to(ROOT / "experiments")

    def broken(self, mutant: Mutant) -> str:
        """Return the text of a file with one line changed."""
        text = (ROOT / mutant.path).read_text("utf-8")
        if text.count(mutant.old) != 1:
            raise SystemExit(f"{mutant.path} must hold this once; got {text.count(mutant.old)}: {mutant.old!r}")
        return text.replace(mutant.old, mutant.new)

    def result(self, mutant: Mutant, *options: str) -> int:
        """Return the exit code of the tests of a mutant."""
        place = self.folder / mutant.path
        place.write_text(self.broken(mutant), "utf-8")
        try:
            return self.run(mutant.tests, *options)
        finally:
            shutil.copy2(ROOT / mutant.path, place)  # with its time, by which compiled files are known to be of it

    def run(self, tests: tuple[str, ...], *options: str) -> int:
        """Run tests in a process forked off this one, in which the heavy libraries are loaded already."""
        child = os.fork()
        if child:
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os.chdir(self.folder)
        log = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(log, 1)
        os.dup2(log, 2)
        sys.path[:0] = [str(self.folder / "src"), str(self.folder)]
        os.environ["PYTHONPATH"] = str(self.folder / "src")
        pytest = importlib.import_module("pytest")
        arguments = ["-x", "-q", "-p", "no:cacheprovider", "-m", "not slow", *options, *tests]
        os._exit(int(pytest.main(arguments)))


def survives(copy: Copy, mutant: Mutant) -> bool:
    """Return whether no test notices, with few generated cases first."""
    for options in (["--fast"], []):
        code = copy.result(mutant, *options)
        if code in (FAILED, INTERRUPTED):
            return False
        if code != PASSED:
            raise SystemExit(f"the tests of {mutant} must run; pytest gave exit code {code}.")
    return True


def main() -> int:
    """Run the mutants that the command line asks for."""
    words = sys.argv[1:]
    chosen = [m for m in MUTANTS if not words or any(word in f"{m.path} {m.tests}" for word in words)]
    if not chosen:
        raise SystemExit(f"words must name the file or the tests of a mutant; got {' '.join(words)}.")
    for name in HEAVY:
        importlib.import_module(name)
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder))
        for mutant in chosen:
            copy.broken(mutant)
        began = time.monotonic()
        every = tuple(dict.fromkeys(test for mutant in chosen for test in mutant.tests))
        code = copy.run(every, "--fast")
        if code != PASSED:
            lines = copy.log.read_text("utf-8").splitlines()[-40:]
            raise SystemExit("\n".join([*lines, f"the unbroken tree must pass its tests; got exit code {code}."]))
        sys.dont_write_bytecode = True  # what that run compiled is read from here on, except the broken file
        survivors = 0
        for number, mutant in enumerate(chosen, 1):
            alive = survives(copy, mutant)
            survivors += alive
            print(f"{number:3d}  {'SURVIVED' if alive else 'killed'}  {mutant}", flush=True)
        print(f"{len(chosen) - survivors} of {len(chosen)} killed, {time.monotonic() - began:.0f} s")
    return int(survivors > 0)


if __name__ == "__main__":
    sys.exit(main())
