// Conditions over the values of their columns: what each allows, over a histogram, with the case as a mark.
const KINDS = ["zero", "one", "two", "three", "four", "five", "six", "seven"];

// The pictures of one model: its axes as Python drew them, the names of its histograms, and what its colours mean.
function squaresOf(engine, given) {
  "use strict";
  const { axes, prefix, labels } = given;
  const { element } = liveCase, { columns, catalogue, classes } = engine.model;

  const allows = (mask, cell) => Boolean((BigInt(mask) >> BigInt(cell)) & 1n);

  // How far across its square a value stands.
  function across({ span, known, places }, { cell, position }) {
    if (span === null || position === null) return places[cell];
    return Math.min(Math.max((position - span[0]) / (span[1] - span[0]), 0), 1) * known;
  }

  const line = (j, at) => `M${across(axes[j], at).toFixed(1)} -2V38`;

  // What Python draws in a square, and the mark of the case.
  function square(j, mask, label, at) {
    const kind = `idnf-${label % KINDS.length}`, use = `<use href="#${prefix}${j}"`, { merged } = columns[j];
    let x = 0, shapes = "", wide = 0;
    const close = () => {
      if (!wide) return;
      shapes += `<rect class="idnf-room ${kind}" x="${x - wide}" width="${wide}" height="34"/>`
        + `<svg x="${x - wide}" width="${wide}" height="34" viewBox="${x - wide} 0 ${wide} 34">${use}/></svg>`
        + `<rect class="${kind}" x="${x - wide}" y="34" width="${wide}" height="3"/>`;
      wide = 0;
    };
    for (const [cell, steps] of axes[j].steps) {
      if (cell < 0 || !allows(mask, merged[cell])) close();
      else wide += steps;
      x += steps;
    }
    close();
    const mark = `<path class="idnf-mark" d="${line(j, at)}"/>`;
    return `<svg viewBox="0 -2 100 40" preserveAspectRatio="none" aria-hidden="true">${use} class="idnf-pale"/>${shapes}${mark}</svg>`;
  }

  // What the colours mean.
  function legend() {
    if (!labels.length) return element("small", {}, "How many training rows have each value");
    const keys = labels.map((name, i) => element("span", { class: "key" }, element("i", { class: KINDS[i % KINDS.length] }), name));
    return element("small", {}, "How many rows have each value, by their actual class:", ...keys);
  }

  // The conditions of a reason, a square each; none if the reasons are too many to be listed.
  function pictures(why, row) {
    const label = classes.indexOf(why.label);
    const own = (catalogue[label] || [])[Number((why.reason || "").replace(/\D/g, "")) - 1];
    if (!own || !own.length) return [];
    const at = engine.placed(row), said = new Map(why.axp.map((c) => [c.column, c.condition]));
    const parts = own.map(([j, mask]) => {
      const svg = element("span", {}), { ends } = axes[j];
      svg.innerHTML = square(j, mask, label, at[j]);
      const words = said.get(columns[j].name).replaceAll(" <= ", " ≤ ").replaceAll(" >= ", " ≥ ");
      return element("div", {}, element("strong", {}, words), svg, element("small", {}, ...ends.map((end) => element("span", {}, end))));
    });
    return [element("div", { class: "squares" }, ...parts), legend()];
  }

  return { allows, line, pictures };
}
