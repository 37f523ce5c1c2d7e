// The control of one condition over the histogram of its column: ends to drag or to type, or cells to tick.
const editorConditions = (() => {
  "use strict";
  const { element } = liveCase, { known, runs } = editorLines;
  const SVG = "http://www.w3.org/2000/svg";

  function drawn(name, attributes, ...parts) {
    const node = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...parts);
    return node;
  }

  // How many rows of each label lie in each cell of a column.
  function countCells(grid, j) {
    const counts = grid.columns[j].cells.map(() => [0, 0]);
    grid.cells[j].forEach((cell, row) => [0, 1].forEach((label) => (counts[cell][label] += grid.counts[label][row])));
    return counts;
  }

  // Bars of the known cells, each as wide as the others, the labels on top of each other; `allowed` are in full colour.
  function bars(counts, allowed) {
    const highest = Math.max(1, ...counts.map(([a, b]) => a + b));
    const parts = counts.flatMap((pair, cell) => {
      let top = 40;
      return pair.map((count, label) => {
        const height = (count / highest) * 40;
        top -= height;
        return drawn("rect", { class: `idnf-${label}${allowed[cell] ? "" : " idnf-pale"}`, x: cell, y: top, width: 1, height });
      });
    });
    return drawn("svg", { viewBox: `0 0 ${counts.length} 40`, preserveAspectRatio: "none", "aria-hidden": "true" }, ...parts);
  }

  const lastOf = (column) => known(column) - 1;

  // The run of known cells that a condition allows; an empty one if it is about missing values alone.
  function runOf(column, allowed) {
    const [run] = runs(allowed.subarray(0, known(column)));
    return run || null;
  }

  function withRun(column, allowed, low, high) {
    const next = new Uint8Array(allowed.length);
    next.fill(1, low, high + 1);
    if (column.missing) next[lastOf(column) + 1] = allowed[lastOf(column) + 1];
    return next;
  }

  // Two ends over a histogram; `change(allowed)` is called at every step of a drag.
  function range(column, counts, key, change) {
    let allowed, run;
    const size = known(column), { bounds } = column.words;
    const frame = element("div", { class: "edit-range" });
    const handles = ["lower", "upper"].map((side) => element("span", {
      role: "slider", tabindex: "0", "aria-label": `${column.name}: ${side} end`, "aria-valuemin": "0", "aria-valuemax": String(size), "data-key": `${key} ${side}`,
    }));
    const inputs = ["over", "up to"].map((word) => element("input", { type: "text", "aria-label": `${column.name} ${word}`, "data-key": `${key} ${word}` }));
    const message = element("small", { role: "alert" });

    // Moves an end to a border between cells, from 0 to `size`; one cell remains.
    function move(side, border) {
      const [low, high] = run;
      const next = side === 0 ? [Math.min(Math.max(0, border), high), high] : [low, Math.max(Math.min(size, border) - 1, low)];
      if (next[0] !== low || next[1] !== high) change(withRun(column, allowed, ...next));
    }

    handles.forEach((handle, side) => {
      handle.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        handle.focus();
        handle.setPointerCapture(event.pointerId);
      });
      handle.addEventListener("pointermove", (event) => {
        if (!handle.hasPointerCapture(event.pointerId)) return;
        const { left, width } = frame.getBoundingClientRect();
        move(side, Math.round(((event.clientX - left) / width) * size));
      });
      handle.addEventListener("keydown", (event) => {
        const border = side === 0 ? run[0] : run[1] + 1;
        const to = { ArrowLeft: border - 1, ArrowDown: border - 1, ArrowRight: border + 1, ArrowUp: border + 1, PageDown: border - 5, PageUp: border + 5, Home: 0, End: size }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        move(side, to);
      });
    });

    inputs.forEach((input, side) => input.addEventListener("change", () => {
      const border = input.value.trim() === "" ? (side === 0 ? 0 : size) : nearest(column, input.value.trim());
      input.setAttribute("aria-invalid", String(border === null));
      message.textContent = border === null ? `Type a value such as ${bounds[0]}; the cut nearest to it is taken.` : "";
      if (border !== null) {
        move(side, border);
        update(allowed);
      }
    }));

    function update(next) {
      allowed = next;
      run = runOf(column, allowed) || [0, 0];
      frame.querySelector("svg")?.remove();
      frame.prepend(bars(counts.slice(0, size), allowed));
      [run[0], run[1] + 1].forEach((border, side) => {
        const words = border === 0 ? "no lower limit" : border === size ? "no upper limit" : `${["over", "up to"][side]} ${bounds[border - 1]}`;
        handles[side].style.left = `${(border / size) * 100}%`;
        handles[side].setAttribute("aria-valuenow", String(border));
        handles[side].setAttribute("aria-valuetext", words);
        inputs[side].value = border === 0 || border === size ? "" : bounds[border - 1];
      });
    }

    frame.append(...handles);
    const ends = element("div", { class: "edit-ends" }, ...inputs.map((input, side) => element("label", {}, ["over", "up to"][side], input)));
    return { parts: [frame, ends, message], update };
  }

  // The border of the cut nearest to what was typed; null if that is no value.
  function nearest(column, text) {
    const own = column.words.bounds.indexOf(text);
    if (own >= 0) return own + 1;
    const value = valueOf(column, text);
    if (value === null) return null;
    const far = column.cuts.map((cut) => Math.abs(cut - value));
    return far.indexOf(Math.min(...far)) + 1;
  }

  const UNITS = { day: 86400e6, hour: 3600e6, minute: 60e6, second: 1e6 };

  // Numbers as they are, times in microseconds.
  function valueOf(column, text) {
    if (column.kind === "number") return Number.isFinite(Number.parseFloat(text)) ? Number.parseFloat(text) : null;
    const span = /^(-?[\d.]+) *(day|hour|minute|second)s?$/.exec(text);
    if (column.kind === "duration") return span ? Number(span[1]) * UNITS[span[2]] : null;
    const moment = Date.parse(/\d:\d/.test(text) ? `${text.replace(" UTC", "").replace(" ", "T")}Z` : text);
    return Number.isNaN(moment) ? null : moment * 1000;
  }

  // A box to tick for each cell.
  function ticks(column, counts, key, change) {
    let allowed;
    const highest = Math.max(1, ...counts.map(([a, b]) => a + b));
    const boxes = column.cells.map((label, cell) => {
      const box = element("input", { type: "checkbox", "data-key": `${key} ${cell}` });
      box.addEventListener("change", () => {
        const next = allowed.slice();
        next[cell] = Number(box.checked);
        change(next);
      });
      return box;
    });
    const labels = column.cells.map((label, cell) => {
      const [zero, one] = counts[cell].map((count) => (count / highest) * 100);
      const bar = drawn("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
        drawn("rect", { class: "idnf-0", x: 0, y: 0, width: zero, height: 10 }), drawn("rect", { class: "idnf-1", x: zero, y: 0, width: one, height: 10 }));
      return element("label", {}, boxes[cell], element("span", {}, label), bar);
    });
    function update(next) {
      allowed = next;
      boxes.forEach((box, cell) => (box.checked = Boolean(allowed[cell])));
    }
    return { parts: [element("div", { class: "edit-ticks" }, ...labels)], update };
  }

  // A box for missing values beside ends.
  function missing(column, counts, key, change) {
    let allowed;
    const box = element("input", { type: "checkbox", "data-key": `${key} missing` });
    box.addEventListener("change", () => {
      const next = allowed.slice();
      next[known(column)] = Number(box.checked);
      change(next);
    });
    function update(next) {
      allowed = next;
      box.checked = Boolean(allowed[known(column)]);
    }
    const rows = counts[known(column)][0] + counts[known(column)][1];
    return { parts: [element("label", {}, box, ` or missing (${rows.toLocaleString("en")} row${rows === 1 ? "" : "s"})`)], update };
  }

  // The controls of a condition; `update(allowed)` shows other cells without losing the focus.
  function control(column, counts, key, change) {
    let shown = null;
    // A condition that allowed every cell would be none: it is dropped by its button alone.
    const some = (allowed) => (allowed.includes(0) && allowed.includes(1) ? change(allowed) : draw());
    const parts = column.cuts === null || !column.cuts.length
      ? [ticks(column, counts, key, some)]
      : [range(column, counts, key, some), ...(column.missing ? [missing(column, counts, key, some)] : [])];
    const draw = () => parts.forEach((part) => part.update(shown));
    function update(allowed) {
      if (allowed === shown) return;
      shown = allowed;
      draw();
    }
    return { parts: parts.flatMap((part) => part.parts), update, draw };
  }

  return { control, countCells };
})();
