// Single edits that mend lines whose guarantee is broken, those that change fewest decisions first, each proved.
const editorMends = (() => {
  "use strict";
  const { apply, condition, allows, every, known, runs, same } = editorLines;
  const { decide, changes } = editorDecisions;

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

  // Candidates with the number of decisions that each changes, fewest first, and changed conditions before dropped lines.
  function ranked(grid, lines) {
    const before = decide(grid, lines), seen = new Set(), found = [];
    for (const edit of candidates(grid, lines)) {
      const key = JSON.stringify(edit);
      if (seen.has(key)) continue;
      seen.add(key);
      const { counts } = changes(grid, before, decide(grid, apply(grid.columns, lines, edit)));
      found.push({ edit, changed: counts[0] + counts[1] });
    }
    const rough = ({ edit }) => Number(edit.kind === "drop") * 2 + Number(edit.new === null);
    return found.sort((a, b) => a.changed - b.changed || rough(a) - rough(b));
  }

  // Up to `most` edits that mend, while the clock lasts.
  function mends(grid, lines, k, milliseconds, most = 3) {
    const clock = editorProof.clockOf(milliseconds), found = [];
    for (const one of ranked(grid, lines)) {
      if (clock.left() <= 0 || found.length === most) break;
      const { answer } = editorProof.prove(grid, apply(grid.columns, lines, one.edit), k, Math.min(100, clock.left()));
      if (answer === "proved") found.push(one);
    }
    return found;
  }

  return { mends };
})();
