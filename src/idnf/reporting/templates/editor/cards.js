// The lines as cards: what each decides, a control for each condition, and what can be dropped or added.
const editorCards = (() => {
  "use strict";
  const { element } = liveCase, { allows, condition, chosenOf, known } = editorLines, { lineCounts } = editorDecisions;

  // Starts the cards; `words(j, allowed)` says a condition, `edit(edit)` takes one.
  function start({ grid, labels, label, words, edit, lines }) {
    const place = document.getElementById("edit-lines"), controls = new Map();
    let highest = 0;
    const counts = grid.columns.map((_, j) => editorConditions.countCells(grid, j));
    const lineOf = (number) => lines().find((line) => line.number === number);

    function card(line) {
      const name = `Line ${line.number}`, said = element("p", {});
      const drop = element("button", { type: "button", "data-key": `${line.number} drop` }, "Drop line");
      drop.addEventListener("click", () => edit({ kind: "drop", line: line.number, note: "" }));
      const conditions = [...line.conditions.keys()].sort((a, b) => a - b).map((j) => conditionOf(line, j));
      const free = [...grid.columns.keys()].filter((j) => !line.conditions.has(j));
      const add = chooser("Add a condition on …", `${line.number} add`, free, (j) => edit(condition(grid.columns, lineOf(line.number), j, starting(j))));
      const node = element("section", { class: "edit-line", "aria-label": name, "data-line": String(line.number) },
        element("header", {}, element("strong", {}, name), said),
        element("div", { class: "edit-conditions" }, ...conditions),
        element("div", { class: "edit-tools" }, ...(free.length ? [add] : []), drop));
      controls.set(`${line.number}`, { said, node });
      return node;
    }

    function conditionOf(line, j) {
      const column = grid.columns[j], key = `${line.number} ${j}`, legend = element("legend", {});
      const change = (allowed) => edit(condition(grid.columns, lineOf(line.number), j, allowed));
      const { parts, update, draw } = editorConditions.control(column, counts[j], key, change);
      const drop = element("button", { type: "button", "data-key": `${key} drop`, "aria-label": `Drop the condition on ${column.name}` }, "Drop condition");
      drop.addEventListener("click", () => change(new Uint8Array(column.cells.length).fill(1)));
      controls.set(key, { legend, update, draw });
      return element("fieldset", { class: "edit-condition" }, legend, ...parts, drop);
    }

    // A list of columns that does something with the one that is chosen.
    function chooser(title, key, free, choose) {
      const select = element("select", { "data-key": key, "aria-label": title }, element("option", { value: "" }, title));
      free.forEach((j) => select.append(element("option", { value: String(j) }, grid.columns[j].name)));
      select.addEventListener("change", () => select.value !== "" && choose(Number(select.value)));
      return select;
    }

    // What a new condition begins with: the lower half of the rows, or the most frequent cell.
    function starting(j) {
      const column = grid.columns[j], sums = counts[j].map(([a, b]) => a + b), allowed = new Uint8Array(sums.length);
      if (column.cuts === null || !column.cuts.length) {
        allowed[sums.indexOf(Math.max(...sums))] = 1;
        return allowed;
      }
      const half = sums.slice(0, known(column)).reduce((a, b) => a + b, 0) / 2;
      let sum = 0, last = 0;
      while (last < known(column) - 2 && sum + sums[last] < half) sum += sums[last++];
      return allowed.fill(1, 0, last + 1);
    }

    function addLine() {
      return chooser("Add a line on …", "add line", [...grid.columns.keys()], (j) =>
        edit({ kind: "add", line: highest + 1, conditions: [[grid.columns[j].name, chosenOf(grid.columns[j], starting(j))]], note: "" }));
    }

    // Builds all cards; the focus stays where it was. `number` is the highest that a line has had.
    function build(number) {
      highest = number;
      const key = document.activeElement?.dataset?.key;
      controls.clear();
      place.replaceChildren(...lines().map(card), element("div", { class: "edit-tools" }, addLine()));
      if (key) [...document.querySelectorAll("#editor [data-key]")].find((node) => node.dataset.key === key)?.focus();
    }

    // Shows what the lines are, and what each decides.
    function show(count) {
      for (const line of lines()) {
        const { counts: held, alone } = lineCounts(grid, line, count), total = held[0] + held[1], { said, node } = controls.get(`${line.number}`);
        const mark = markOf(line, total, alone);
        const right = total ? `holds for ${total.toLocaleString("en")} rows, ${((100 * held[label]) / total).toFixed(1)}% of them ${labels[label]}` : "";
        said.replaceChildren(element("span", {}, right), mark ? element("span", { class: "edit-mark" }, `${right ? "; " : ""}${mark}`) : "");
        node.classList.toggle("edit-idle", Boolean(mark));
        for (const [j, allowed] of line.conditions) {
          const { legend, update } = controls.get(`${line.number} ${j}`);
          legend.replaceChildren(element("span", {}, words(j, allowed)));
          update(allowed);
        }
      }
    }

    function markOf(line, total, alone) {
      const wider = lines().find((other) => other !== line && [...other.conditions].every(([j, allowed]) =>
        allows(grid.columns[j], line.conditions.get(j)).every((held, cell) => !held || allowed[cell])));
      if (wider) return `adds nothing: line ${wider.number} holds whenever it does`;
      if (!total) return "never holds on these rows";
      return alone ? "" : "adds nothing on these rows: other lines hold whenever it does";
    }

    // Shows every control as its condition is, whatever was touched.
    const restore = () => controls.forEach(({ draw }) => draw?.());

    return { build, show, restore };
  }

  return { start };
})();
