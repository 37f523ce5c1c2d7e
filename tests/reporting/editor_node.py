"""The engine of the page's editor, in one process of node."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from idnf import exporting
from idnf.reporting.editor import ENGINE, engine_script

_SERVE = """
const fs = require("fs");
eval(fs.readFileSync(process.argv[1], "utf-8") + `; globalThis.all = { ${process.argv[2]} };`);
const { editorGrid, editorLines, editorDecisions, editorVerdict, editorMends, editorReasons, editorWords } = all;
function replay({ data, edits, script, milliseconds, sets, mending }) {
  const idnf = new Function("module", `${script}; return idnf;`)(undefined);
  const grid = editorGrid.open(data), before = editorLines.first(grid.columns, data.lines);
  let lines = before;
  for (const edit of edits) lines = editorLines.apply(grid.columns, lines, edit);
  const count = editorDecisions.decide(grid, lines), old = editorDecisions.decide(grid, before);
  const verdict = editorVerdict.judge(grid, lines, data.k, milliseconds);
  const names = (conditions) => [...conditions.keys()].map((j) => grid.columns[j].name).sort();
  const opposite = (row) => (count[row] ? verdict.short : lines.map((line) => line.conditions));
  const reason = (row) => names(editorReasons.reasonOf(grid, row, opposite(row), idnf.transversal));
  const reasons = verdict.answer !== "proved" ? null : [...count.keys()].slice(0, 40).map(reason);
  return {
    given: [...count].map((held) => (held ? data.label : 1 - data.label)),
    ...editorDecisions.figures(grid, count, data.label, data.costs),
    changed: editorDecisions.changes(grid, old, count).counts,
    answer: verdict.answer, rows: verdict.rows ?? null,
    point: verdict.point ? [...verdict.point].map(([j, cell]) => [grid.columns[j].name, cell]) : null,
    outcome: verdict.given ?? null,
    reasons,
    words: sets.map(([j, cells]) =>
      editorWords.conditionWords(grid.columns[j], Uint8Array.from(cells), idnf.listLabels)),
    again: edits.filter((edit) => edit.kind === "condition").map(({ column, old }) => {
      const j = grid.columns.findIndex((one) => one.name === column);
      return [old, editorLines.chosenOf(grid.columns[j], editorLines.allowedOf(grid.columns[j], old))];
    }),
    mends: mending && verdict.answer === "broken"
      ? [...editorMends.search(grid, lines, data.k, mending)].filter(Boolean) : [],
  };
}
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  process.stdout.write(`${JSON.stringify(replay(JSON.parse(line)))}\\n`);
});
"""


@pytest.fixture(scope="module")
def node(tmp_path_factory) -> Iterator:
    """Return a function that replays edits on a page's data, in one process of node."""
    program = shutil.which("node")
    if program is None:
        pytest.fail("this test needs node: apt-get install nodejs (or put node on PATH)")
    path: Path = tmp_path_factory.mktemp("editor") / "engine.js"
    path.write_text(engine_script(), "utf-8")
    names = ", ".join("editor" + name.removesuffix(".js").capitalize() for name in ENGINE)
    with subprocess.Popen(
        [program, "-e", _SERVE, str(path), names], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:

        def ask(clf, data, edits, *, milliseconds=2000, sets=(), mending=0):
            given = {"data": data, "edits": edits, "script": exporting.to_javascript(clf), "sets": list(sets)}
            given |= {"milliseconds": milliseconds, "mending": mending}
            print(json.dumps(given), file=process.stdin, flush=True)
            answer = process.stdout.readline()
            assert answer, "node ended: what it said is above"
            return json.loads(answer)

        yield ask
        process.stdin.close()
