// The lines of the edited label and what edits do to them. A line is { number, conditions }, its conditions a map from
// columns to the cells they allow, one truth per cell; a column that is not there allows all. Nothing is changed in
// place: an edit gives new lines. Edits are written as in the file of edits, so that saving is copying.
const editorLines = (() => {
  "use strict";

  const every = (column) => new Uint8Array(column.cells.length).fill(1);
  const allows = (column, condition) => condition || every(column);
  const same = (one, other) => one.every((held, cell) => held === other[cell]);

  // The lines of the model as the page carries them.
  function first(columns, plain) {
    return plain.map((conditions, i) => ({
      number: i + 1,
      conditions: new Map(conditions.map(([j, cells]) => [j, cellsOf(columns[j], cells)])),
    }));
  }

  function cellsOf(column, cells) {
    const allowed = new Uint8Array(column.cells.length);
    for (const cell of cells) allowed[cell] = 1;
    return allowed;
  }

  const only = (column, cell) => cellsOf(column, [cell]);

  // The cells that a file of edits names; null is all of them.
  function allowedOf(column, chosen) {
    if (chosen === null) return every(column);
    if (chosen.kind === "cells") return cellsOf(column, chosen.cells);
    const allowed = new Uint8Array(column.cells.length), last = known(column);
    for (const [low, high] of chosen.intervals) {
      const from = low === null ? 0 : column.cuts.indexOf(low) + 1, to = high === null ? last : column.cuts.indexOf(high) + 1;
      allowed.fill(1, from, to);
    }
    if (chosen.missing) allowed[last] = 1;
    return allowed;
  }

  // The same the other way round: intervals between cuts, or the numbers of cells.
  function chosenOf(column, allowed) {
    if (!allowed.includes(0)) return null;
    if (column.cuts === null) return { kind: "cells", cells: [...allowed.keys()].filter((cell) => allowed[cell]) };
    const ends = [null, ...column.cuts, null];
    const intervals = runs(allowed.subarray(0, known(column))).map(([low, high]) => [ends[low], ends[high + 1]]);
    return { kind: "intervals", intervals, missing: Boolean(column.missing && allowed.at(-1)) };
  }

  const known = (column) => column.cells.length - Number(column.missing);

  // The first and the last cell of each run of cells that are allowed.
  function runs(allowed) {
    const found = [];
    allowed.forEach((held, cell) => {
      if (!held) return;
      if (cell && allowed[cell - 1]) found.at(-1)[1] = cell;
      else found.push([cell, cell]);
    });
    return found;
  }

  // The lines after an edit.
  function apply(columns, lines, edit) {
    const place = (name) => columns.findIndex((column) => column.name === name);
    if (edit.kind === "drop") return lines.filter((line) => line.number !== edit.line);
    if (edit.kind === "add") {
      const conditions = new Map(edit.conditions.map(([name, chosen]) => [place(name), allowedOf(columns[place(name)], chosen)]));
      return [...lines, { number: edit.line, conditions }];
    }
    return lines.map((line) => (line.number === edit.line ? changed(columns, line, place(edit.column), edit.new) : line));
  }

  function changed(columns, line, j, chosen) {
    const conditions = new Map(line.conditions);
    if (chosen === null) conditions.delete(j);
    else conditions.set(j, allowedOf(columns[j], chosen));
    return { number: line.number, conditions };
  }

  // The edit that gives a line other cells on a column.
  function condition(columns, line, j, allowed, note = "") {
    const old = chosenOf(columns[j], allows(columns[j], line.conditions.get(j)));
    return { kind: "condition", line: line.number, column: columns[j].name, old, new: chosenOf(columns[j], allowed), note };
  }

  return { first, apply, condition, chosenOf, allowedOf, allows, every, known, only, runs, same };
})();
