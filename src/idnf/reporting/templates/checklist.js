// The boxes of a checklist, ticked as the case is or by the reader: what they count together, and what that gives.
const checklist = (function () {
  "use strict";
  const { element } = liveCase, boxes = [...document.querySelectorAll("#checklist input")];

  function count() {
    if (!boxes.length) return;
    const { least, points, named } = GIVEN.checklist, sum = (some) => some.reduce((a, b) => a + b, 0);
    const reached = sum(points.filter((_, i) => boxes[i].checked)), unit = Math.max(...points) > 1 ? " points" : "";
    const said = element("strong", { id: "ticked-label" }, named[Number(reached >= least)]);
    document.getElementById("ticked").replaceChildren(`${reached} of ${sum(points)}${unit}: `, said);
  }

  function tick(row) {
    const at = idnf.placed(row);
    boxes.forEach((box, i) => {
      const [column, mask] = GIVEN.checklist.conditions[i];
      box.checked = squares.allows(mask, at[column].merged);
    });
    count();
  }

  boxes.forEach((box) => box.addEventListener("change", count));
  return { tick };
})();
