// The verdict on edited lines as the page tells it: the proof, and rows of the table that need longer reasons.
const editorVerdict = (() => {
  "use strict";
  const { decide, weight } = editorDecisions;

  const holds = (grid, conditions, row) => [...conditions].every(([j, allowed]) => allowed[grid.cells[j][row]]);

  // { answer, point, rows, row }: of a broken guarantee the row to show, from the table if one of it is concerned, and how
  // many rows of the table are. Lines that the clock leaves open can still be broken by a row of the table.
  function judge(grid, lines, k, milliseconds) {
    const clock = editorProof.clockOf(milliseconds), proof = editorProof.prove(grid, lines, k, milliseconds * 0.7);
    if (proof.answer === "broken") return { ...proof, ...concerned(grid, lines, proof) };
    return proof.answer === "proved" ? proof : searchRows(grid, lines, k, clock);
  }

  // The rows of the table in no box of at most k columns.
  function concerned(grid, lines, { given, point, short }) {
    const count = decide(grid, lines);
    let rows = 0, first = null;
    for (let row = 0; row < grid.size; row++) {
      if (Boolean(count[row]) !== given || short.some((box) => holds(grid, box, row))) continue;
      rows += weight(grid, row);
      if (first === null) first = row;
    }
    const shown = first === null ? point : new Map([...point.keys()].map((j) => [j, grid.cells[j][first]]));
    return { rows, point: shown };
  }

  // A row without the label has a reason of k columns iff k columns meet, for every line, those on which it lies outside.
  function searchRows(grid, lines, k, clock) {
    const count = decide(grid, lines), used = new Set(lines.flatMap((line) => [...line.conditions.keys()]));
    try {
      for (let row = 0; row < grid.size; row++) {
        if (count[row]) continue;
        const outside = lines.map((line) => [...line.conditions].filter(([j, allowed]) => !allowed[grid.cells[j][row]]).map(([j]) => j));
        if (!canMeet(outside, k, clock)) {
          return { answer: "broken", given: false, rows: null, point: new Map([...used].map((j) => [j, grid.cells[j][row]])) };
        }
      }
    } catch (error) {
      if (!(error instanceof editorProof.OutOfTime)) throw error;
    }
    return { answer: "unsettled" };
  }

  // Whether some k columns meet all sets.
  function canMeet(sets, k, clock) {
    clock.check();
    if (!sets.length) return true;
    if (!k) return false;
    const least = sets.reduce((a, b) => (b.length < a.length ? b : a));
    return least.some((j) => canMeet(sets.filter((set) => !set.includes(j)), k - 1, clock));
  }

  return { judge };
})();
