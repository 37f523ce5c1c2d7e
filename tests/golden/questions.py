"""What auditors ask: other people's rules, differences of models, rules, near equals, the nearest model, choices."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from sklearn.tree import DecisionTreeClassifier
from tests.golden.answers import Made, Parts, cells, numbers, plain
from tests.golden.entries import QUICK, Named, fair, fitted, learn, policy
from tests.golden.tables import table

from idnf import DNFClassifier, auditing, check_rules, choose_k, difference
from idnf.choosing import near_optimal_models, operating_points, rectify
from idnf.governance import audit

RULES = {
    "whole": "if age < 18 then no\nif age < 12 and member then no\notherwise yes",
    "gaps": "if age < 18 then no\nif age > 30 and income > 20 then yes",
    "overlaps": "if age < 40 then no\nif age > 30 and member then yes\nif income > 10 then yes\notherwise no",
    "three": "if a > 1 and b <= 0 then gold\nif c > 0.5 and a <= 0 then silver\notherwise iron",
    "sql": "SELECT id, CASE WHEN age < 18 THEN 'no' WHEN job IN ('clerk', 'smith') THEN 'yes' ELSE 'no' END FROM t",
    "broken": "if age is then no",
}


def audited(given: Callable[[], object]) -> Parts:
    """Say what rules amount to."""
    found = given()
    counted = [len(found.gaps), [one.conflict for one in found.overlaps], len(found.idle), len(found.spare)]
    meaning = {
        "needs": [found.k, found.sizes, found.hardest()],
        "gaps, overlaps, idle, spare": counted,
        "rows of overlaps": [one.row for one in found.overlaps],
    }
    return Parts(meaning, {"audit": [found.to_text(), found.to_dict(), found.check()]})


def tree_audit(depth: int, classes: int) -> object:
    given = table("ring", classes=classes)
    tree = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(given.X.to_numpy(), given.y)
    return audit(tree, names=given.X.columns)


@cache
def model(name: str, classes: int = 2, **settings: object) -> Made:
    return learn(name, classes=classes, **{"k": 2, "learner": "greedy", "tune": False, **settings})


def compared(old: Callable[[], object], new: Callable[[], object], *, counted: bool = False) -> Parts:
    """Say where two models differ."""
    found = difference(old(), new(), table("mixed").later if counted else None)
    regions = [[one.old, one.new, list(map(cells, one.box)), one.rows] for one in found.regions]
    meaning = {
        "equal": found.equal,
        "regions": regions,
        "counts": [found.complete, found.pairs, found.rows, found.total],
        "rows": {f"{old} to {new}": count for (old, new), count in found.changes.items()},
    }
    return Parts(meaning, {"difference": [found.to_text(), found.to_dict(), found.check(), found.remarks]})


OBEYED = {
    "mixed": [
        "if late > 3 then no",
        "no row with income > 60 and late <= 0 is no",
        "yes never falls as income rises",
        "no never rises as late rises",
        "age alone never decides",
        "member and late alone never decide",
    ],
    "broken": ["if late > 3 then perhaps"],
}


def ruled(rules: str, classes: int = 2, *, counted: bool = False) -> Parts:
    """Prove or refute rules."""
    made = model("mixed", classes)
    found = check_rules(made.clf, OBEYED[rules], made.later if counted else None)
    meaning = {
        "holds": [one.holds for one in found],
        "witnesses": [[one.labels, one.witness, one.rows] for one in found],
    }
    return Parts(meaning, {"rules": [[str(one), one.check()] for one in found]})


def deciding(columns: tuple[str, ...], classes: int) -> Parts:
    """Say whether columns alone can decide."""
    made = model("mixed", classes)
    found = auditing.can_decide(made.clf, columns, made.later)
    meaning = {"answer": found.answer, "witness": [found.labels, found.witness], "rows": [found.count, found.total]}
    return Parts(meaning, {"invariance": [str(found), found.check()]})


def nearly_equal(name: str, subgroup: str | None = None, **settings: object) -> Parts:
    """List models that are as good."""
    made = model(name, **settings)
    found = near_optimal_models(made.clf, made.X, made.y, resamples=3, count=8, subgroup=subgroup)
    back = found.recurrence
    special = (found.shortest, found.fairest, found.steadiest)
    meaning = {
        "models": numbers(found.columns()),
        "columns": [one.columns for one in found.models],
        "complete": found.complete,
        "share": found.share,
        "comes back": [back.by_column, list(back.by_condition.values())],
        "special": [found.models.index(one) for one in special],
    }
    return Parts(meaning, {"near equals": [str(found), found.to_text(), back.to_text()]})


def mended(rules: str | list[str], **settings: object) -> Parts:
    """Return the nearest model that keeps rules."""
    given = table("mixed")
    found = rectify(fitted(given, tune=False, **settings).clf, rules, given.X, given.y)
    given_labels = None if found.classifier is None else found.classifier.predict(given.later)
    meaning = {
        "nearest": [found.nearest, found.impossible],
        "changed": [found.changed, found.rows, found.before, found.after],
        "labels": given_labels,
    }
    return Parts(meaning, {"rectified": [found.to_text(), found.check()]})


def choices(classes: int) -> Parts:
    """Measure every k."""
    given = table("mixed", classes=classes)
    found = choose_k(given.X, given.y, ks=[1, 2, 3], cv=3, estimator=DNFClassifier(learner="greedy"))
    beside = [found.logistic, found.forest, found.constant]
    meaning = {
        "figures": numbers(found.columns()),
        "best": found.best,
        "beside": [[one.accuracy, one.spread] for one in beside],
    }
    return Parts(meaning, {"choices": [found.to_text(), found.plot().svg]})


def points() -> Parts:
    """Measure recall against precision."""
    given = table("mixed")
    base = DNFClassifier(learner="greedy", effort=QUICK)
    found = operating_points(given.X, given.y, 2, costs=[0.5, 1, 4], positive="yes", estimator=base)
    chosen = found.at(recall=0.5)
    meaning = {"figures": numbers(found.columns()), "rows": [found.rows, found.cases], "chosen": chosen.cost}
    return Parts(meaning, {"points": found.to_text()})


def fairness(learner: str, metric: str, family: str) -> Parts:
    """Say what a limit on the gap between groups costs."""
    found = fair(learner, metric, family).clf.fairness_
    meaning = {
        "chosen": [found.chosen, found.error, found.gap],
        "models": [[one.error, one.gap, one.terms, plain(one.rates)] for one in found.alternatives],
        "bounds": found.bounds,
    }
    return Parts(meaning, {"fairness": found.to_text()})


POLICY = "if income > 40 and late <= 1 then yes\notherwise no"


def entries() -> Named:
    """All questions."""
    yield from ((f"questions/rules-{name}", partial(audited, partial(audit, text))) for name, text in RULES.items())
    for depth, classes in ((2, 2), (3, 3)):
        yield f"questions/tree-{depth}", partial(audited, partial(tree_audit, depth, classes))
    greedy, deep = (lambda: model("mixed").clf), (lambda: model("mixed", k=3, learner="search").clf)
    several = lambda: model("mixed", 3).clf  # noqa: E731 - a model that is learned when it is asked for
    yield "questions/difference-none", partial(compared, greedy, greedy)
    yield "questions/difference", partial(compared, greedy, deep)
    yield "questions/difference-rows", partial(compared, greedy, deep, counted=True)
    yield "questions/difference-policy", partial(compared, greedy, lambda: POLICY, counted=True)
    yield "questions/difference-three", partial(compared, several, lambda: model("mixed", 3, k=3).clf, counted=True)
    yield "questions/difference-policies", partial(compared, *[lambda: policy("numbers").clf] * 2)
    yield "questions/obeyed", partial(ruled, "mixed")
    yield "questions/obeyed-rows", partial(ruled, "mixed", counted=True)
    yield "questions/obeyed-broken", partial(ruled, "broken")
    for columns, classes in ((("age",), 2), (("income",), 2), (("income", "late"), 3)):
        yield f"questions/alone-{'-'.join(columns)}-{classes}", partial(deciding, columns, classes)
    yield "questions/near-equals", partial(nearly_equal, "mixed")
    yield "questions/near-equals-tree", partial(nearly_equal, "mixed", family="tree", learner="search")
    yield "questions/near-equals-groups", partial(nearly_equal, "groups", subgroup="group")
    yield "questions/nearest", partial(mended, "if late > 3 then no", k=3)
    yield (
        "questions/nearest-two",
        partial(mended, ["if late > 3 then no", "if income > 70 and late <= 1 then yes"], k=2),
    )
    yield "questions/nearest-refused", partial(mended, ["if late > 3 then no", "if late > 2 then yes"], k=2)
    yield "questions/nearest-none", partial(mended, "if age > 70 and member is true and late > 2 then yes", k=1)
    yield from ((f"questions/choose-{classes}", partial(choices, classes)) for classes in (2, 3))
    yield "questions/points", points
    yield "questions/fair", partial(fairness, "search", "demographic_parity", "any")
    yield "questions/fair-tree", partial(fairness, "search", "equal_opportunity", "tree")
