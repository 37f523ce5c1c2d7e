"""Audits of rule lists, SQL text, trees and forests, row by row."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier
from tests.auditing import naive_tables as naive
from tests.auditing.naive_audits import World, axps, holds
from tests.auditing.test_rules import is_met, random_text
from tests.strategies import seeds

from idnf.auditing.conditions import ConditionError, parse_condition
from idnf.auditing.rule_readers import read_rule_set, read_tree
from idnf.columns.column import space_of
from idnf.governance.rule_audits import RulesAudit
from idnf.proving import independent_check


def first_label(rules, point):
    """The class of the first rule that a point meets."""
    return next((r.label for r in rules.rules if any(holds(b, point) for b in r.boxes)), rules.otherwise)


@pytest.mark.parametrize("chunk", seeds(1, 20))
def test_rule_lists_say_what_their_rows_say(chunk):
    for seed in range(30 * chunk, 30 * chunk + 30):
        rng = naive.seeded(seed)
        kinds = naive.random_kinds(rng)
        columns = naive.random_columns(rng, kinds=kinds, missing=naive.random_missing(rng, kinds))
        texts = [(random_text(rng, columns, 1), rng.choice("abc")) for _ in range(rng.randint(1, 4))]
        rows = naive.rows(naive.probes(columns))
        texts = [(text, label) for text, label in texts if any(is_met(parse_condition(text), row) for row in rows)]
        if not texts:
            continue
        rules = read_rule_set([*texts, *(["a"] if rng.random() < 0.6 else [])], columns)
        audit = RulesAudit(rules)
        space = space_of(rules.columns)
        points = World(0, classes=2, space=space).points
        labels = {point: first_label(rules, point) for point in points}
        for row in rows:
            expected = next((label for text, label in texts if is_met(parse_condition(text), row)), rules.otherwise)
            assert labels[tuple(int(c.cells([row[c.name]])[0]) for c in rules.columns)] == expected
        assert bool(audit.gaps) == (None in labels.values())
        met = [{p for p in points if any(holds(b, p) for b in r.boxes)} for r in rules.rules]
        pairs = [(i, j) for i in range(len(met)) for j in range(i + 1, len(met)) if met[i] & met[j]]
        assert [(o.first, o.second) for o in audit.overlaps] == [
            (rules.rules[i].text, rules.rules[j].text) for i, j in pairs
        ]
        shadowed = [r.text for i, r in enumerate(rules.rules) if met[i] <= set().union(*met[:i])]
        assert audit.idle == shadowed
        assert len(audit.spare) == sum(is_spare(rules, points, labels, *place) for place in conditions_of(rules))
        if audit.rules.function is None:
            continue
        assert all(audit.rules.function.label(p) == labels[p] for p in points)
        world = World(0, space=space)
        world.table = labels
        if len(points) <= 64:
            needed = dict.fromkeys(labels.values(), 0)
            for point in points:
                needed[labels[point]] = max(needed[labels[point]], len(axps(world, point)[0]))
            assert audit.sizes == needed
        assert audit.check() == "every row has exactly one class, proved by truth table"


def conditions_of(rules):
    for i, rule in enumerate(rules.rules):
        for b, box in enumerate(rule.boxes):
            for j, column in enumerate(rules.columns):
                if box[j] != column.full:
                    yield i, b, j, column.full
                    known = [c for c in range(len(column.known_labels)) if box[j] >> c & 1]
                    last = len(column.known_labels) - 1
                    if column.ordered and known and known[0] > 0 and known[-1] < last:
                        yield i, b, j, box[j] | sum(1 << c for c in range(known[-1] + 1, last + 1))
                        yield i, b, j, box[j] | sum(1 << c for c in range(known[0]))


def is_spare(rules, points, labels, i, b, j, wider):
    boxes = [list(rule.boxes) for rule in rules.rules]
    box = boxes[i][b]
    boxes[i][b] = (*box[:j], wider, *box[j + 1 :])
    for point in points:
        found = next(
            (r.label for r, bs in zip(rules.rules, boxes) if any(holds(x, point) for x in bs)), rules.otherwise
        )
        if found != labels[point]:
            return False
    return True


@pytest.mark.parametrize("seed", seeds(3, 60))
@pytest.mark.parametrize("kind", ["tree", "forest"])
def test_trees_and_forests_are_read_as_they_predict(kind, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, size=(80, 3)).astype(float)
    y = np.array(["a", "b", "c"])[rng.integers(0, 2 + seed % 2, size=80)]
    tree = DecisionTreeClassifier(max_depth=3, random_state=seed)
    forest = RandomForestClassifier(n_estimators=3, max_depth=2, random_state=seed)
    fitted = (tree if kind == "tree" else forest).fit(X, y)
    audit = RulesAudit(read_tree(fitted, ["x", "y", "z"]))
    model = audit.rules.function
    cells = np.column_stack([c.cells(X[:, "xyz".index(c.name)]) for c in model.columns])
    found = [model.label(tuple(point)) for point in cells.tolist()]
    assert found == fitted.predict(X).tolist()
    assert audit.overlaps == []
    assert audit.gaps == []
    audit.check()
    assert 0 < audit.k <= 3
    assert set(audit.hardest()) == set(audit.sizes)


def test_sql_is_read(monkeypatch):
    text = """
    -- the bank's own table
    CASE WHEN income <= 20 AND late = true THEN 'declined'
         WHEN late = true THEN 'referred'
         ELSE 'approved' END
    """
    audit = RulesAudit(read_rule_set(text))
    assert audit.sizes == {"approved": 1, "declined": 2, "referred": 2}
    assert audit.idle == []
    assert [overlap.conflict for overlap in audit.overlaps] == [True]
    monkeypatch.setattr(independent_check, "SMALL", 0)
    assert audit.check() == "every row has exactly one class, proved by SAT"
    assert audit.hardest()["declined"] == {"income": 20.0, "late": True}
    assert audit.to_dict()["k"] == 2


def test_words():
    text = "if age < 18 then no\nif age < 10 then no\nif age >= 65 and member then yes"
    assert RulesAudit(read_rule_set(text)).to_text().splitlines()[1:4] == [
        "Rows that get no class: 2.",
        "- 18 <= age < 65, for example age = 18, member = false",
        "- age >= 65 and member is false, for example age = 65, member = false",
    ]


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("if age < 3 and age > 5 then no", "contradicts itself"),
        ("if age < 3", "must go on with then; got the end"),
        ("", "must hold at least one rule"),
        ([("age < 3", "no"), "yes", ("age > 3", "no")], "must come last"),
        ("if name < bob then no", "column 'name' must be compared with numbers or dates"),
    ],
)
def test_bad_rules_are_refused(rules, message):
    with pytest.raises(ConditionError, match=message):
        read_rule_set(rules)


def test_large_forests_are_refused():
    rng = np.random.default_rng(0)
    X, y = rng.random((300, 8)), rng.integers(0, 2, 300)
    forest = RandomForestClassifier(n_estimators=30, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="a forest must have at most 20000 joint leaves; got more from 30 trees"):
        read_tree(forest, [f"x{j}" for j in range(8)])
