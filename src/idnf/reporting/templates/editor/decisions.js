// What lines decide for the rows of a grid, and figures of it. A row gets the edited label if some line holds.
const editorDecisions = (() => {
  "use strict";
  const remembered = new WeakMap();

  // Which rows a line holds for; a line that was not changed is asked once.
  function holding(grid, line) {
    if (remembered.has(line)) return remembered.get(line);
    const held = new Uint8Array(grid.size).fill(1);
    for (const [j, allowed] of line.conditions) {
      const cells = grid.cells[j];
      for (let row = 0; row < held.length; row++) held[row] &= allowed[cells[row]];
    }
    remembered.set(line, held);
    return held;
  }

  // How many lines hold for each row.
  function decide(grid, lines) {
    const count = new Uint16Array(grid.size);
    for (const line of lines) {
      const held = holding(grid, line);
      for (let row = 0; row < count.length; row++) count[row] += held[row];
    }
    return count;
  }

  const weight = (grid, row) => grid.counts[0][row] + grid.counts[1][row];

  // Accuracy, confusion by true label and label given, and what mistakes cost on average; `label` is the edited one.
  function figures(grid, count, label, costs, among = () => true) {
    const confusion = [[0, 0], [0, 0]];
    for (let row = 0; row < grid.size; row++) {
      if (!among(row)) continue;
      const given = count[row] ? label : 1 - label;
      confusion[0][given] += grid.counts[0][row];
      confusion[1][given] += grid.counts[1][row];
    }
    const rows = confusion.flat().reduce((a, b) => a + b, 0);
    const cost = costs && rows ? (confusion[0][1] * costs[0][1] + confusion[1][0] * costs[1][0]) / rows : null;
    return { rows, confusion, accuracy: rows ? (confusion[0][0] + confusion[1][1]) / rows : null, cost };
  }

  // The rows that two sets of lines decide differently: how many of each true label, and which on the grid.
  function changes(grid, before, after) {
    const rows = [], counts = [0, 0];
    for (let row = 0; row < grid.size; row++) {
      if (Boolean(before[row]) === Boolean(after[row])) continue;
      rows.push(row);
      counts[0] += grid.counts[0][row];
      counts[1] += grid.counts[1][row];
    }
    return { rows, counts };
  }

  // How many rows of each true label a line holds for, and how many no other line decides so.
  function lineCounts(grid, line, count) {
    const held = holding(grid, line), counts = [0, 0];
    let alone = 0;
    for (let row = 0; row < grid.size; row++) {
      if (!held[row]) continue;
      counts[0] += grid.counts[0][row];
      counts[1] += grid.counts[1][row];
      if (count[row] === 1) alone += weight(grid, row);
    }
    return { counts, alone };
  }

  return { holding, decide, figures, changes, lineCounts, weight };
})();
