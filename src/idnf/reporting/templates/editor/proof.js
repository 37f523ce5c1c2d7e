// Whether every decision has a reason of at most k columns, within a time budget: proved, broken with a row, or
// unsettled. A row without the edited label has such a reason iff it lies in a box of at most k columns that every line
// leaves alone; `shortBoxes` lists enough of these boxes, `uncovered` looks for a row in none. Lines of at most k
// conditions are reasons themselves; if some are longer, the same is asked of the boxes of the other side. In general the
// question is coNP-complete, hence the clock.
const editorProof = (() => {
  "use strict";
  const MOST_CELLS = 31, MOST_BOXES = 200000;

  class OutOfTime extends Error {}

  // Checks the time at every 64th call.
  function clockOf(milliseconds) {
    const end = performance.now() + milliseconds;
    let calls = 0;
    return {
      left: () => end - performance.now(),
      check() {
        if ((calls++ & 63) === 0 && performance.now() > end) throw new OutOfTime();
      },
    };
  }

  // The columns that lines restrict, cells that no line tells apart being one; null if a column has too many then.
  function frameOf(columns, lines) {
    const used = [...new Set(lines.flatMap((line) => [...line.conditions.keys()]))].sort((a, b) => a - b);
    const groups = used.map((j) => {
      const numbers = new Map(), conditions = lines.map((line) => line.conditions.get(j)).filter(Boolean);
      return columns[j].cells.map((_, cell) => {
        const key = conditions.map((allowed) => allowed[cell]).join("");
        if (!numbers.has(key)) numbers.set(key, numbers.size);
        return numbers.get(key);
      });
    });
    const sizes = groups.map((group) => Math.max(...group) + 1);
    if (sizes.some((size) => size > MOST_CELLS)) return null;
    return { used, groups, full: sizes.map((size) => 2 ** size - 1) };
  }

  // A line as a mask of merged cells for each column of the frame.
  function boxOf(frame, line) {
    return frame.used.map((j, c) => {
      const allowed = line.conditions.get(j);
      if (!allowed) return frame.full[c];
      return frame.groups[c].reduce((mask, group, cell) => (allowed[cell] ? mask | (1 << group) : mask), 0);
    });
  }

  const apart = (one, other) => one.some((mask, c) => (mask & other[c]) === 0);
  const within = (one, other) => one.every((mask, c) => (mask & ~other[c]) === 0);
  const width = (box, full) => box.reduce((count, mask, c) => count + Number(mask !== full[c]), 0);

  function outermost(boxes) {
    return boxes.filter((box, i) => !boxes.some((other, j) => j !== i && within(box, other) && (j < i || !within(other, box))));
  }

  // Boxes of at most k columns that meet no term; every such box lies in one of them. The first term that a box meets
  // must be left on one of the term's columns.
  function shortBoxes(terms, full, k, clock) {
    const found = [], seen = new Set();
    function extend(box, size, start) {
      clock.check();
      let i = start;
      while (i < terms.length && apart(box, terms[i])) i++;
      if (i === terms.length) return found.push(box);
      for (let c = 0; c < full.length; c++) {
        const rest = box[c] & ~terms[i][c], wider = size + Number(box[c] === full[c]);
        if (!rest || wider > k) continue;
        const next = box.slice();
        next[c] = rest;
        const key = next.join();
        if (seen.has(key)) continue;
        if (seen.size >= MOST_BOXES) throw new OutOfTime();
        seen.add(key);
        extend(next, wider, i + 1);
      }
    }
    extend(full.slice(), 0, 0);
    return found.length > 2000 ? found : outermost(found);
  }

  // A point in none of some boxes, as a merged cell for each column; null if there is none.
  function uncovered(boxes, full, clock) {
    const point = full.map(() => 0);
    function search(some, columns) {
      clock.check();
      if (!some.length) return true;
      if (some.some((box) => columns.every((c) => box[c] === full[c]))) return false;
      const uses = columns.map((c) => some.filter((box) => box[c] !== full[c]).length);
      const c = columns[uses.indexOf(Math.max(...uses))], others = columns.filter((other) => other !== c);
      const cases = casesOf(some, c, full[c]), settled = [];
      for (const [cell, rest] of cases) {
        // What covers with fewer boxes covers with more.
        if (settled.some((smaller) => smaller.every((box) => rest.includes(box)))) continue;
        point[c] = cell;
        if (search(rest, others)) return true;
        settled.push(rest);
      }
      return false;
    }
    return search(boxes, [...full.keys()]) ? point : null;
  }

  // For each cell of a column the boxes that hold it, those with fewest first.
  function casesOf(some, c, full) {
    const cases = [];
    for (let cell = 0; full >> cell; cell++) cases.push([cell, some.filter((box) => (box[c] >> cell) & 1)]);
    return cases.sort((a, b) => a[1].length - b[1].length);
  }

  // The answer for some lines: { answer, k }, and of a broken one a point, by column of the grid; of a proved one `short`,
  // boxes of at most k columns that together are the other label.
  function prove(grid, lines, k, milliseconds) {
    const clock = clockOf(milliseconds), frame = frameOf(grid.columns, lines);
    if (frame === null) return { answer: "unsettled" };
    const terms = outermost(lines.map((line) => boxOf(frame, line)));
    try {
      const short = shortBoxes(terms, frame.full, k, clock);
      let point = uncovered([...terms, ...short], frame.full, clock), boxes = short, given = false;
      if (point === null && terms.some((term) => width(term, frame.full) > k)) {
        boxes = shortBoxes(short, frame.full, k, clock);
        given = true;
        point = uncovered([...boxes, ...short], frame.full, clock);
      }
      if (point === null) return { answer: "proved", short: short.map((box) => expand(frame, box)) };
      return { answer: "broken", given, point: cellsAt(frame, point), short: boxes.map((box) => expand(frame, box)) };
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
      return { answer: "unsettled" };
    }
  }

  // A box of the frame as conditions of a line.
  function expand(frame, box) {
    const restricted = [...box.keys()].filter((c) => box[c] !== frame.full[c]);
    return new Map(restricted.map((c) => [frame.used[c], Uint8Array.from(frame.groups[c], (group) => (box[c] >> group) & 1)]));
  }

  const cellsAt = (frame, point) => new Map(point.map((group, c) => [frame.used[c], frame.groups[c].indexOf(group)]));

  return { prove, clockOf, OutOfTime };
})();
