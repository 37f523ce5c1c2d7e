// The rows on their grid: for each column the number of each row's cell, for each label how many rows are alike.
const editorGrid = (() => {
  "use strict";

  function bytes(text) {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  }

  // Opens what the page carries: `cells[j][row]` is a number of `columns[j].cells`, `counts[label][row]` a weight.
  function open(plain) {
    const { columns, rows } = plain;
    const cells = rows.cells.map(bytes), counts = rows.counts.map((text) => new Uint32Array(bytes(text).buffer));
    const total = counts.reduce((sum, some) => some.reduce((a, b) => a + b, sum), 0);
    return { columns, cells, counts, total, size: rows.size, group: rows.group === null ? null : bytes(rows.group) };
  }

  return { open };
})();
