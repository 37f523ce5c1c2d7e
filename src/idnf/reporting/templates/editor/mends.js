// Single edits that mend lines whose guarantee is broken, those that change fewest decisions first, each proved.
const editorMends = (() => {
  "use strict";
  const { apply, condition, allows, every, known, runs, same } = editorLines;
  const { decide, holding, weight } = editorDecisions;

  // Yields the edits to try: drop a line or a condition; on a column give a line what another one has, or leave that out.
  function* candidates(grid, lines) {
    for (const line of lines) {
      yield { kind: "drop", line: line.number, note: "" };
      for (const j of new Set(lines.flatMap((other) => [...other.conditions.keys()]))) {
        const own = allows(grid.columns[j], line.conditions.get(j)), tried = [every(grid.columns[j])];
        for (const other of lines) {
          const theirs = other.conditions.get(j);
          if (theirs) tried.push(theirs, own.map((held, cell) => held & theirs[cell]), own.map((held, cell) => held & (1 - theirs[cell])));
        }
        for (const allowed of tried) {
          if (!same(allowed, own) && isCondition(grid.columns[j], allowed)) yield condition(grid.columns, line, j, allowed);
        }
      }
    }
  }

  // Some cells and, if they are ordered, a single run of them.
  function isCondition(column, allowed) {
    return allowed.includes(1) && (!column.ordered || runs(allowed.subarray(0, known(column))).length <= 1);
  }

  // How many decisions an edit of one line changes.
  function changedBy(grid, lines, count, edit) {
    const [before, after] = [lines, apply(grid.columns, lines, edit)].map((some) => some.find((line) => line.number === edit.line));
    const old = holding(grid, before), now = after ? holding(grid, after) : new Uint8Array(grid.size);
    let changed = 0;
    for (let row = 0; row < grid.size; row++) {
      if (!count[row] !== !(count[row] - old[row] + now[row])) changed += weight(grid, row);
    }
    return changed;
  }

  // Candidates with the number of decisions that each changes, fewest first, and changed conditions before dropped lines;
  // as many as half the time allows.
  function* ranked(grid, lines, clock) {
    const count = decide(grid, lines), seen = new Set(), found = [], half = clock.left() / 2;
    for (const edit of candidates(grid, lines)) {
      if (clock.left() < half) break;
      const key = JSON.stringify(edit);
      if (seen.has(key)) continue;
      seen.add(key);
      found.push({ edit, changed: changedBy(grid, lines, count, edit) });
      yield null;
    }
    const rough = ({ edit }) => Number(edit.kind === "drop") * 2 + Number(edit.new === null);
    return found.sort((a, b) => a.changed - b.changed || rough(a) - rough(b));
  }

  // Yields up to `most` edits that mend while the clock lasts, and null after each step, so that a worker may stop.
  function* search(grid, lines, k, milliseconds, most = 3) {
    const clock = editorProof.clockOf(milliseconds), some = yield* ranked(grid, lines, clock);
    let found = 0;
    for (const one of some) {
      if (clock.left() <= 0 || found === most) return;
      const { answer } = editorProof.prove(grid, apply(grid.columns, lines, one.edit), k, Math.min(100, clock.left()));
      found += Number(answer === "proved");
      yield answer === "proved" ? one : null;
    }
  }

  return { search };
})();
