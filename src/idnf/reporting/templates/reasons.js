// The table of all reasons: the case is a line in every square, reasons that hold are lit.
const squares = squaresOf(idnf, { axes: GIVEN.axes, prefix: "h0-", labels: GIVEN.names.length ? GIVEN.labels : [] });
const markReasons = (function () {
  "use strict";
  const outcomes = [...document.querySelectorAll(".outcome")];
  const drawn = [...document.querySelectorAll("tr[data-reason]")].map((line) => {
    const [side, i] = line.dataset.reason.split("-").map(Number);
    const marks = [...line.querySelectorAll("td[data-place]")].map((cell) => {
      const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
      cell.firstChild.append(path);
      return [Number(cell.dataset.place), path];
    });
    return { line, side, marks, box: GIVEN.boxes[side][i] };
  });

  // A line is dashed if the case is outside; reasons that hold can be seen, and the outcome of the case is open.
  return function (row, label) {
    const at = idnf.placed(row), held = outcomes.map(() => 0);
    for (const { line, box, side, marks } of drawn) {
      const holds = box.every((mask, j) => squares.allows(mask, at[j].merged));
      line.classList.toggle("lit", holds);
      held[side] += Number(holds);
      if (holds) line.closest("details:not(.outcome)")?.setAttribute("open", "");
      for (const [place, path] of marks) {
        path.setAttribute("d", squares.line(place, at[place]));
        path.setAttribute("class", squares.allows(box[place], at[place].merged) ? "idnf-mark" : "idnf-mark idnf-out");
      }
    }
    for (const one of outcomes) {
      const side = Number(one.id.split("-")[1]), count = held[side];
      one.querySelector(".held").textContent = count ? `(${count} hold${count === 1 ? "s" : ""} for this case)` : "";
      if (side === idnf.model.classes.indexOf(label)) one.open = true;
    }
  };
})();
