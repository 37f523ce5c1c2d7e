// The reason of a row of the grid by the library's rule: fewest columns, then column order, then the widest box.
const editorReasons = (() => {
  "use strict";
  const { every, known, only } = editorLines;

  // `opposite` are conditions of boxes that together are the other label; `transversal` finds the smallest set that
  // meets all sets, and is the exported model's own.
  function reasonOf(grid, row, opposite, transversal) {
    const outside = opposite.map((box) => [...box].filter(([j, allowed]) => !allowed[grid.cells[j][row]]).map(([j]) => j));
    const chosen = transversal(outside.map((set) => set.sort((a, b) => a - b)));
    const box = new Map(chosen.map((j) => [j, only(grid.columns[j], grid.cells[j][row])]));
    for (const j of chosen) box.set(j, widest(grid.columns[j], allowedCells(grid.columns, box, j, opposite), grid.cells[j][row]));
    return box;
  }

  // The cells of a column for which the box, with only that cell there, meets no opposite one.
  function allowedCells(columns, box, j, opposite) {
    const allowed = every(columns[j]);
    for (const other of opposite) {
      const meets = [...other].every(([c, cells]) => c === j || !box.has(c) || box.get(c).some((held, cell) => held && cells[cell]));
      if (meets) (other.get(j) || every(columns[j])).forEach((held, cell) => held && (allowed[cell] = 0));
    }
    return allowed;
  }

  // On an ordered column the run around the row's cell, with the missing one if it is allowed; else all allowed cells.
  function widest(column, allowed, cell) {
    if (!column.ordered) return allowed;
    const last = known(column), run = new Uint8Array(allowed.length);
    if (column.missing) run[last] = allowed[last];
    const start = cell < last ? cell : allowed.subarray(0, last).indexOf(1);
    if (start < 0) return run;
    for (let at = start; at >= 0 && allowed[at]; at--) run[at] = 1;
    for (let at = start; at < last && allowed[at]; at++) run[at] = 1;
    return run;
  }

  return { reasonOf };
})();
