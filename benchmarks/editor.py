"""The editor of a page: how long a drag takes to new figures and to the verdict, and how often it settles.

    python benchmarks/editor.py --drag         in Chromium, at 2,000 and 20,000 different rows
    python benchmarks/editor.py --verdicts     in node: single random edits of learned models, by k and number of lines

A drag is forty steps of one end of a condition, each a change of the model. Figures are there when the page has laid
them out; the verdict when the worker has answered. Both are wall time, with the load of the machine beside them.
Verdicts have 300 milliseconds of processor time each. The models are those that the default search finds with a tenth
of its effort; an edit moves a cut or changes values, drops a condition or a line, or adds a line of one or two
conditions.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer

from idnf import DNFClassifier, datasets, exporting, reporting
from idnf.columns.column import TableColumn
from idnf.exporting.adoption import first_lines
from idnf.exporting.edits_json import AddedLine, ConditionEdit, DroppedLine, Edit, Edits, chosen_of, edits_to_plain
from idnf.logic.boxes import Box
from idnf.reporting.edit_grid import Grid
from idnf.reporting.editor import ENGINE, MILLISECONDS, editor_data, engine_script

EDITS = 60

DRAG = """
async (steps) => {
  const handle = document.querySelector('[role="slider"]'), verdict = document.getElementById("edit-verdict");
  const figures = [], verdicts = [];
  for (let step = 0; step < steps; step++) {
    const key = step % 16 < 8 ? "ArrowRight" : "ArrowLeft", start = performance.now();
    handle.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    document.body.offsetHeight;
    figures.push(performance.now() - start);
    await new Promise((done) => {
      const watch = () => (verdict.getAttribute("aria-busy") === "false" ? done() : setTimeout(watch, 1));
      setTimeout(watch, 0);
    });
    verdicts.push(performance.now() - start);
  }
  return { figures, verdicts };
}
"""

SERVE = """
const fs = require("fs"), { performance: wall } = require("perf_hooks");
const clock = { now: () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; } };
Object.defineProperty(globalThis, "performance", { value: clock });
eval(fs.readFileSync(process.argv[1], "utf-8") + `; globalThis.all = { ${process.argv[2]} };`);
const { editorGrid, editorLines, editorVerdict } = all;
const found = JSON.parse(fs.readFileSync(process.argv[3], "utf-8")).map(({ data, edits }) => {
  const grid = editorGrid.open(data), first = editorLines.first(grid.columns, data.lines);
  return edits.map((some) => {
    const lines = some.reduce((now, edit) => editorLines.apply(grid.columns, now, edit), first);
    const start = clock.now(), { answer } = editorVerdict.judge(grid, lines, data.k, data.milliseconds);
    return [answer, clock.now() - start];
  });
});
console.log(JSON.stringify(found));
"""


def generated_rows(rows: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Return a table of numbers and categories, nearly all of whose rows differ on the grid."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({f"x{j}": rng.normal(size=rows).round(3) for j in range(5)})
    X["kind"] = rng.choice(["red", "green", "blue", "grey"], rows)
    signal = (X["x0"] > 0.2) & (X["x1"] < 0.7) | (X["x2"] > 1) & (X["kind"] == "red") | (X["x3"] < -1.2)
    return X, np.where(signal ^ (rng.random(rows) < 0.08), "yes", "no")


def drag(rows: int) -> None:
    """Print how long steps of a drag take in a browser."""
    from playwright.sync_api import sync_playwright

    X, y = generated_rows(rows)
    clf = DNFClassifier(k=3, effort=0.1).fit(X, y)
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "page.html"
        reporting.to_html(clf, file, X, y, editable=True)
        plain = Path(folder) / "plain.html"
        reporting.to_html(clf, plain, X, y)
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        page.goto(file.as_uri())
        page.wait_for_selector("#edit-verdict.proved", timeout=120_000)
        size, lines = page.evaluate("EDITED.rows.size"), page.locator(".edit-line").count()
        found = page.evaluate(DRAG, 40)
        page.locator('[data-key="add line"]').select_option(label="x4")
        page.wait_for_selector("#edit-verdict.broken")
        broken = page.evaluate(DRAG, 40)
        browser.close()
        print(
            f"{size:,} different rows, {lines} lines: figures {words(found['figures'])}, verdict "
            f"{words(found['verdicts'])}; broken by a line more, figures {words(broken['figures'])}, verdict "
            f"{words(broken['verdicts'])}; page {file.stat().st_size / 1e3:,.0f} kB, without the editor "
            f"{plain.stat().st_size / 1e3:,.0f} kB; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"
        )


def words(times: list[float]) -> str:
    """Return the median and the longest time."""
    return f"{np.median(times):.0f} ms (longest {max(times):.0f})"


def single_edit(columns: Sequence[TableColumn], lines: Mapping[int, Box], rng: random.Random) -> Edit:
    """Return a random edit of some lines."""
    kind = rng.choice(("change", "change", "drop condition", "drop line", "add"))
    number = rng.choice(list(lines)) if lines else None
    if kind == "add" or number is None:
        places = rng.sample(range(len(columns)), min(len(columns), rng.randint(1, 2)))
        conditions = tuple((columns[j].name, chosen_of(columns[j], some_cells(columns[j], rng))) for j in places)
        return AddedLine(max(lines, default=0) + 1, conditions, "")
    if kind == "drop line":
        return DroppedLine(number, "")
    box = lines[number]
    place = rng.choice([j for j, column in enumerate(columns) if box[j] != column.full])
    column, old = columns[place], box[place]
    new = column.full if kind == "drop condition" else some_cells(column, rng)
    return ConditionEdit(number, column.name, chosen_of(column, old), chosen_of(column, new), "")


def some_cells(column: TableColumn, rng: random.Random) -> int:
    """Return an initial or final run of an ordered column, else any set of cells."""
    if not column.ordered:
        return rng.randint(1, column.full - 1)
    cut = rng.randrange(1, len(column.known_labels))
    low = (1 << cut) - 1
    return low if rng.random() < 0.5 else column.known_mask & ~low


def tables() -> Iterator[tuple[str, object, object]]:
    """Yield tables of two labels by name."""
    for name in ("loans", "tic-tac-toe", "balance-scale", "monks-2"):
        yield name, *datasets.load(name)
    data = load_breast_cancer(as_frame=True)
    yield "breast cancer", data.data, np.where(data.target == 0, "malignant", "benign")
    yield "generated", *generated_rows(3000)


def verdicts() -> None:
    """Print how often single edits of learned models are settled, by k and by the number of lines."""
    cases, keys = [], []
    for name, X, y in tables():
        for k in (2, 3, 4, 5):
            clf = DNFClassifier(k=k, effort=0.1).fit(X, y)
            label = clf.fitted_.explainer.reading.order()[0]
            true, model = clf.fitted_.numbers_of(np.asarray(y)), exporting.model_hash(clf)
            grid = Grid.of(clf.fitted_, X, true)
            lines = first_lines(clf, label, grid.columns)
            rng = random.Random(f"{name} {k}")
            files = [
                Edits(model, label, "", "2026-01-01T00:00:00Z", (single_edit(grid.columns, lines, rng),))
                for _ in range(EDITS)
            ]
            data = editor_data(clf, X, true, label=label, model=model)
            cases.append(
                {
                    "data": {**data, "milliseconds": MILLISECONDS},
                    "edits": [edits_to_plain(one)["edits"] for one in files],
                }
            )
            keys.append((k, len(lines)))
    found = answers(cases)
    show("k", keys, found, lambda key: str(key[0]))
    show(
        "lines",
        keys,
        found,
        lambda key: (
            "1 to 4" if key[1] < 5 else "5 to 9" if key[1] < 10 else "10 to 19" if key[1] < 20 else "20 or more"
        ),
    )


def answers(cases: Sequence[object]) -> list[list[list]]:
    """Return the verdict on each edit of each case, with the processor time it took, in milliseconds."""
    with TemporaryDirectory() as folder:
        engine, given = Path(folder) / "engine.js", Path(folder) / "cases.json"
        engine.write_text(engine_script(), "utf-8")
        given.write_text(json.dumps(cases), "utf-8")
        names = ", ".join("editor" + name.removesuffix(".js").capitalize() for name in ENGINE)
        ran = subprocess.run(
            ["node", "-e", SERVE, str(engine), names, str(given)], check=True, capture_output=True, text=True
        )
    return json.loads(ran.stdout)


def show(
    what: str, keys: Sequence[tuple[int, int]], found: Sequence[list], group: Callable[[tuple[int, int]], str]
) -> None:
    """Print the answers by a group of the cases."""
    by: dict[str, list[list]] = {}
    for key, some in zip(keys, found, strict=True):
        by.setdefault(group(key), []).extend(some)
    print(f"\n{what:>12} {'edits':>6} {'proved':>8} {'broken':>8} {'unsettled':>10} {'median ms':>10} {'longest':>8}")
    for name, some in sorted(by.items(), key=lambda pair: (len(pair[0]) > 2, pair[0])):
        count = Counter(answer for answer, _ in some)
        times = [time for _, time in some]
        shares = (f"{count[answer] / len(some):.1%}" for answer in ("proved", "broken", "unsettled"))
        line = f"{name:>12} {len(some):>6} {next(shares):>8} {next(shares):>8} {next(shares):>10}"
        print(f"{line} {np.median(times):>10.1f} {max(times):>8.0f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--drag", action="store_true")
    parser.add_argument("--verdicts", action="store_true")
    options = parser.parse_args()
    if options.drag or not options.verdicts:
        for rows in (2_000, 20_000):
            drag(rows)
    if options.verdicts or not options.drag:
        verdicts()
