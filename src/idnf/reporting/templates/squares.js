// Reasons over the values of their columns: what a reason allows, over a histogram, with the case as a mark.
const squares = (function () {
  "use strict";
  const { element } = liveCase, { columns, catalogue, classes } = idnf.model, KINDS = 8;

  const drawn = [...document.querySelectorAll("tr[data-reason]")].map((line) => {
    const [side, i] = line.dataset.reason.split("-").map(Number);
    const marks = [...line.querySelectorAll("td[data-place]")].map((cell) => {
      const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
      cell.firstChild.append(path);
      return [Number(cell.dataset.place), path];
    });
    return { line, side, marks, box: GIVEN.boxes[side][i].map(BigInt) };
  });
  const outcomes = [...document.querySelectorAll(".outcome")];

  const allows = (mask, cell) => Boolean((mask >> BigInt(cell)) & 1n);

  // How far across its square a value stands.
  function across({ span, known, places }, { cell, position }) {
    if (span === null || position === null) return places[cell];
    return Math.min(Math.max((position - span[0]) / (span[1] - span[0]), 0), 1) * known;
  }

  const line = (j, at) => `M${across(GIVEN.axes[j], at).toFixed(1)} -2V38`;

  // What Python draws in a square, and the mark of the case.
  function square(j, mask, label, at) {
    const kind = `idnf-${label % KINDS}`, use = `<use href="#h${j}"`, { merged } = columns[j];
    let x = 0, shapes = "", wide = 0;
    const close = () => {
      if (!wide) return;
      shapes += `<rect class="idnf-room ${kind}" x="${x - wide}" width="${wide}" height="34"/>`
        + `<svg x="${x - wide}" width="${wide}" height="34" viewBox="${x - wide} 0 ${wide} 34">${use}/></svg>`
        + `<rect class="${kind}" x="${x - wide}" y="34" width="${wide}" height="3"/>`;
      wide = 0;
    };
    for (const [cell, steps] of GIVEN.axes[j].steps) {
      if (cell < 0 || !allows(mask, merged[cell])) close();
      else wide += steps;
      x += steps;
    }
    close();
    const mark = `<path class="idnf-mark" d="${line(j, at)}"/>`;
    return `<svg viewBox="0 -2 100 40" preserveAspectRatio="none" aria-hidden="true">${use} class="idnf-pale"/>${shapes}${mark}</svg>`;
  }

  // The conditions of a reason, a square each; none if the reasons are too many to be listed.
  function pictures(why, row) {
    const label = classes.indexOf(why.label);
    const own = (catalogue[label] || [])[Number((why.reason || "").replace(/\D/g, "")) - 1];
    if (!own || !own.length) return [];
    const at = idnf.placed(row), said = new Map(why.axp.map((c) => [c.column, c.condition]));
    const parts = own.map(([j, mask]) => {
      const svg = element("span", {}), { ends } = GIVEN.axes[j];
      svg.innerHTML = square(j, BigInt(mask), label, at[j]);
      const words = said.get(columns[j].name).replaceAll(" <= ", " ≤ ").replaceAll(" >= ", " ≥ ");
      return element("div", {}, element("strong", {}, words), svg, element("small", {}, ...ends.map((end) => element("span", {}, end))));
    });
    const legend = element("small", {}, "How many rows have each value, by their actual class:");
    legend.append(...[...document.getElementById("legend").childNodes].map((node) => node.cloneNode(true)));
    return [element("div", { class: "squares" }, ...parts), legend];
  }

  // The case as a line in every square, dashed if it is outside; reasons that hold are lit, and can be seen.
  function mark(row, label) {
    const at = idnf.placed(row), held = outcomes.map(() => 0);
    for (const { line: tr, box, side, marks } of drawn) {
      const holds = box.every((mask, j) => allows(mask, at[j].merged));
      tr.classList.toggle("lit", holds);
      held[side] += Number(holds);
      if (holds) tr.closest("details:not(.outcome)")?.setAttribute("open", "");
      for (const [place, path] of marks) {
        path.setAttribute("d", line(place, at[place]));
        path.setAttribute("class", allows(box[place], at[place].merged) ? "idnf-mark" : "idnf-mark idnf-out");
      }
    }
    for (const one of outcomes) {
      const side = Number(one.id.split("-")[1]), count = held[side];
      one.querySelector(".held").textContent = count ? `(${count} hold${count === 1 ? "s" : ""} for this case)` : "";
      if (side === classes.indexOf(label)) one.open = true;
    }
  }

  return { allows, mark, pictures };
})();
