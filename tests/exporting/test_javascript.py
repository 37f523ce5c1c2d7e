from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from tests.exporting.cases import Case, cases, plain_value, random_case, wide_case
from tests.strategies import seeds

from idnf import DNFClassifier, exporting
from idnf.exporting.programs import compiled
from idnf.exporting.row_engine import Reasoner

_SERVE = """
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const [path, question, rows] = JSON.parse(line);
  const idnf = require(path);
  const answers = rows.map((row) => {
    try { return idnf[question](row); } catch (error) { return { error: error.message }; }
  });
  process.stdout.write(`${JSON.stringify(answers)}\\n`);
});
"""


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str, str, list[dict[str, object]]], list]]:
    """Return a function that asks an exported script about rows, in one process of node for all scripts of a file."""
    program = shutil.which("node")
    if program is None:
        pytest.fail("this test needs node: apt-get install nodejs (or put node on PATH)")
    folder = tmp_path_factory.mktemp("node")
    with subprocess.Popen(
        [program, "-e", _SERVE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def ask(script: str, question: str, rows: list[dict[str, object]]) -> list:
            path = folder / f"{sha256(script.encode()).hexdigest()}.js"
            path.write_text(script, "utf-8")
            plain = [{name: plain_value(value) for name, value in row.items()} for row in rows]
            print(json.dumps([str(path), question, plain]), file=process.stdin, flush=True)
            answer = process.stdout.readline()
            assert answer, "node ended: what it said is above"
            return json.loads(answer)

        yield ask
        process.stdin.close()


def test_predicts_as_the_classifier_on_all_rows(node) -> None:
    for case in cases():
        script = exporting.to_javascript(case.clf, reasons=False)
        assert case.labels == node(script, "predict", list(case.each()))


def test_explains_as_the_classifier(node) -> None:
    for case in cases():
        expected = [explanation.to_dict() for explanation in case.clf.explain(case.frame[:150])]
        assert expected == node(exporting.to_javascript(case.clf), "explain", list(case.each())[:150])


def test_a_column_of_more_cells_than_a_number_has_bits(node) -> None:
    case = wide_case(200)
    assert max(mask for box in case.clf.fitted_.sides.terms[1] for mask in box) > 2**53
    script = exporting.to_javascript(case.clf)
    assert case.labels == node(script, "predict", list(case.each()))
    assert [e.to_dict() for e in case.clf.explain(case.frame)] == node(script, "explain", list(case.each()))


def test_cheapest_change_as_the_classifier(node) -> None:
    for case in cases()[:12]:
        rows = list(case.each())[: len(seeds(15, 60))]
        expected = [cheapest_change(case.clf, row) for row in rows]
        assert expected == node(exporting.to_javascript(case.clf), "recourse", rows)


def cheapest_change(clf: DNFClassifier, row: dict[str, object]) -> dict[str, object] | None:
    ways = clf.recourse(row)
    plain = ways[0].to_dict() if len(ways) else None
    return plain and {key: plain[key] for key in ("label", "cost", "changes")}


@pytest.mark.parametrize("seed", seeds(4, 60))
def test_the_engines_of_both_languages_and_the_classifier_agree_on_generated_models(node, seed: int) -> None:
    case = random_case(1000 + seed, 40)
    script, rows = exporting.to_javascript(case.clf), list(case.each())
    reasoner = Reasoner(json.loads(json.dumps(compiled(case.clf))))
    explained = [reasoner.explain(row) for row in rows]
    assert case.labels == [reasoner.predict(row) for row in rows] == node(script, "predict", rows)
    assert explained == node(script, "explain", rows)
    assert explained == [explanation.to_dict() for explanation in case.clf.explain(case.frame)]
    assert [cheapest_change(case.clf, row) for row in rows] == node(script, "recourse", rows)


@pytest.mark.parametrize("seed", seeds(3, 60))
def test_columns_that_cannot_change_and_the_name_of_the_target_go_with_the_programs(node, seed: int) -> None:
    case = random_case(2000 + seed, 40)
    used = [case.clf.fitted_.columns[j].name for j in case.clf.fitted_.used]
    clf = case.clf.with_settings(immutable=used[: 1 + seed % len(used)])
    clf.fitted_ = clf.fitted_.with_settings(target="it's </script> \u202e")
    script, rows = exporting.to_javascript(clf), list(case.each())
    explained = [explanation.to_dict() for explanation in clf.explain(case.frame)]
    assert not {c["column"] for one in explained for c in one["cxp"]} & {*clf.fitted_.immutable}
    assert all(one["why"].startswith("It's </script> \\u202e: ") for one in explained)
    assert explained == node(script, "explain", rows)
    assert explained == [Reasoner(json.loads(json.dumps(compiled(clf)))).explain(row) for row in rows]
    assert [cheapest_change(clf, row) for row in rows] == node(script, "recourse", rows)


def test_refuses_rows_as_the_classifier_does(node) -> None:
    clf = DNFClassifier.from_dnf("'age <= 5' & late", columns={"age": [5], "late": bool})
    rows = [{"age": 3}, {"age": None, "late": 0}, {"age": 3, "late": 7}, {"age": "3", "late": 1}]
    errors = [answer["error"] for answer in node(exporting.to_javascript(clf), "predict", rows)]
    assert errors[0] == 'row must have a value for "late".'
    assert errors[1] == 'column "age" must have no missing values, as in training.'
    assert errors[2] == 'column "late" must be true or false, or 1 or 0, as in training; got 7.'
    assert errors[3] == 'column "age" must hold finite numbers; got 3.'


def test_is_a_module_when_asked(tmp_path: Path) -> None:
    clf = DNFClassifier.from_dnf("late", columns={"late": bool})
    (tmp_path / "model.mjs").write_text(exporting.to_javascript(clf, module=True))
    (tmp_path / "main.mjs").write_text('import idnf from "./model.mjs"; console.log(idnf.predict({ late: true }));')
    done = subprocess.run(["node", tmp_path / "main.mjs"], capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"


def hostile(case: Case) -> bool:
    return any("script" in name for name in case.rows)


def test_hostile_names_stay_inert_inside_a_script_element() -> None:
    found = [case for case in cases() if hostile(case)]
    assert found
    for case in found:
        script = exporting.to_javascript(case.clf).lower()
        assert "</script" not in script
        assert "<!--" not in script
        assert script.isascii()
