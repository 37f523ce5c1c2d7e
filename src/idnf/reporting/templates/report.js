// The live case of a classifier: its decision, reason and change, and where it stands in the reasons that are drawn.
(function () {
  "use strict";
  const { element, line, listed } = liveCase, answer = document.getElementById("answer"), columns = idnf.model.columns;
  // Where no column may change, nothing is proposed.
  const proposes = idnf.model.fixed.length < columns.length || !columns.length;
  const KINDS = ["zero", "one", "two", "three", "four", "five", "six", "seven"];

  const outcomes = [...document.querySelectorAll(".outcome")];
  const drawn = [...document.querySelectorAll("tr[data-reason]")].map((line) => {
    const [side, i] = line.dataset.reason.split("-").map(Number);
    const squares = [...line.querySelectorAll("td[data-place]")].map((cell) => {
      const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
      cell.firstChild.append(path);
      return [Number(cell.dataset.place), path];
    });
    return { line, side, squares, box: GIVEN.boxes[side][i].map(BigInt) };
  });

  // The boxes of a checklist, ticked as the case says or by the reader: what they count together, and what that gives.
  const boxes = [...document.querySelectorAll("#checklist input")];
  boxes.forEach((box) => box.addEventListener("change", count));

  function count() {
    if (!boxes.length) return;
    const { least, points, named } = GIVEN.checklist, sum = (some) => some.reduce((a, b) => a + b, 0);
    const reached = sum(points.filter((_, i) => boxes[i].checked)), unit = Math.max(...points) > 1 ? " points" : "";
    const said = element("strong", { id: "ticked-label" }, named[Number(reached >= least)]);
    document.getElementById("ticked").replaceChildren(`${reached} of ${sum(points)}${unit}: `, said);
  }

  // Models as good that look only at columns that are ticked.
  const offered = [...document.querySelectorAll("#near-columns input")];
  offered.forEach((box) => box.addEventListener("change", () => {
    const models = [...document.querySelectorAll("#near tbody tr")];
    for (const model of models) model.hidden = model.dataset.columns.split(" ").some((i) => i && !offered[Number(i)].checked);
    const left = models.filter((model) => !model.hidden).length;
    document.getElementById("near-left").textContent = left ? `${left} of ${models.length} remain.` : "None works without these.";
  }));

  function show(row, start) {
    let why, changes;
    const classes = idnf.model.classes;
    try {
      why = idnf.explain(row);
      const others = classes.filter((label) => label !== why.label);
      const one = others.length === 1 || idnf.model.favourable !== null;
      changes = one ? [idnf.recourse(row)] : others.map((label) => idnf.recourse(row, label) || label);
    } catch (error) {
      answer.replaceChildren(line("", error.message));
      return;
    }
    mark(row, why.label);
    const kind = KINDS[classes.indexOf(why.label) % KINDS.length];
    const reasons = listed(why.axp.map((c) => c.said)) || "every row gets this decision";
    const { target } = idnf.model, decision = element("strong", { class: kind, id: "decision" }, String(why.label));
    const parts = [
      line("decision", ...(target === null ? [] : [element("small", {}, `${target}: `)]), decision),
      line("because", "because ", element("span", { id: "reason" }, reasons)),
      ...pictures(why, classes.indexOf(why.label), row),
    ];
    const notes = why.reason === null ? [] : ["reason ", element("span", { id: "reason-id" }, why.reason)];
    if (start in GIVEN.cases) {
      const right = classes[GIVEN.truths[start]] === why.label ? "right" : "wrong";
      const truth = `${GIVEN.names[start]} is actually ${GIVEN.labels[GIVEN.truths[start]]}: the decision is ${right}`;
      notes.push(notes.length ? "; " : "", element("span", { id: "truth" }, truth));
    }
    if (notes.length) parts.push(line("muted", ...notes));
    if (!proposes || classes.indexOf(why.label) === idnf.model.favourable) return answer.replaceChildren(...parts);
    if (changes.length === 1) parts.push(line("", element("span", { id: "change" }, towards(why, changes[0]))));
    else parts.push(element("ul", { id: "change" }, ...changes.map((change) => element("li", {}, wouldMake(change)))));
    answer.replaceChildren(...parts);
  }

  // The conditions of a reason over the values of their columns; none if the reasons are too many to be listed.
  function pictures(why, label, row) {
    const own = (idnf.model.catalogue[label] || [])[Number((why.reason || "").replace(/\D/g, "")) - 1];
    if (!own || !own.length) return [];
    const at = idnf.placed(row), said = new Map(why.axp.map((c) => [c.column, c.condition]));
    const squares = own.map(([j, mask]) => {
      const svg = element("span", {}), { name } = columns[j], { ends } = GIVEN.axes[j];
      svg.innerHTML = square(j, BigInt(mask), label, at[j]);
      const words = said.get(name).replaceAll(" <= ", " ≤ ").replaceAll(" >= ", " ≥ ");
      return element("div", {}, element("strong", {}, words), svg, element("small", {}, ...ends.map((end) => element("span", {}, end))));
    });
    const legend = element("small", {}, "How many rows have each value, by their actual class:");
    legend.append(...[...document.getElementById("legend").childNodes].map((node) => node.cloneNode(true)));
    return [element("div", { class: "squares" }, ...squares), legend];
  }

  // What Python draws in a square, and the mark of the case.
  function square(j, mask, label, at) {
    const kind = `idnf-${label % KINDS.length}`, use = `<use href="#h${j}"`, { merged } = columns[j];
    let x = 0, shapes = "", wide = 0;
    const close = () => {
      if (!wide) return;
      shapes += `<rect class="idnf-room ${kind}" x="${x - wide}" width="${wide}" height="34"/>`
        + `<svg x="${x - wide}" width="${wide}" height="34" viewBox="${x - wide} 0 ${wide} 34">${use}/></svg>`
        + `<rect class="${kind}" x="${x - wide}" y="34" width="${wide}" height="3"/>`;
      wide = 0;
    };
    for (const [cell, steps] of GIVEN.axes[j].steps) {
      if (cell < 0 || !((mask >> BigInt(merged[cell])) & 1n)) close();
      else wide += steps;
      x += steps;
    }
    close();
    const mark = `<path class="idnf-mark" d="M${where(GIVEN.axes[j], at).toFixed(1)} -2V38"/>`;
    return `<svg viewBox="0 -2 100 40" preserveAspectRatio="none" aria-hidden="true">${use} class="idnf-pale"/>${shapes}${mark}</svg>`;
  }

  // The case as a line in every square, dashed where it is outside; reasons that hold are lit, and can be seen.
  function mark(row, label) {
    const at = idnf.placed(row), held = outcomes.map(() => 0);
    boxes.forEach((box, i) => (box.checked = Boolean((BigInt(GIVEN.checklist.conditions[i][1]) >> BigInt(at[GIVEN.checklist.conditions[i][0]].merged)) & 1n)));
    count();
    for (const { line: tr, box, side, squares } of drawn) {
      const holds = box.every((mask, j) => (mask >> BigInt(at[j].merged)) & 1n);
      tr.classList.toggle("lit", holds);
      held[side] += Number(holds);
      if (holds) tr.closest("details:not(.outcome)")?.setAttribute("open", "");
      for (const [place, path] of squares) {
        path.setAttribute("d", `M${where(GIVEN.axes[place], at[place]).toFixed(1)} -2V38`);
        path.setAttribute("class", (box[place] >> BigInt(at[place].merged)) & 1n ? "idnf-mark" : "idnf-mark idnf-out");
      }
    }
    for (const one of outcomes) {
      const side = Number(one.id.split("-")[1]), count = held[side];
      one.querySelector(".held").textContent = count ? `(${count} hold${count === 1 ? "s" : ""} for this case)` : "";
      if (side === idnf.model.classes.indexOf(label)) one.open = true;
    }
  }

  function where({ span, known, places }, { cell, position }) {
    if (span === null || position === null) return places[cell];
    return Math.min(Math.max((position - span[0]) / (span[1] - span[0]), 0), 1) * known;
  }

  // What would make it another class: the cheapest change, or the class itself if there is none.
  function wouldMake(change) {
    if (change.changes === undefined) return `No change of known values gives ${change}.`;
    const steps = listed(change.changes.map((c) => `${c.column} from ${c.old} to ${c.new}`));
    return `${idnf.model.to_be[idnf.model.classes.indexOf(change.label)]}: change ${steps}.`;
  }

  function towards(why, change) {
    if (change) return wouldMake(change);
    if (why.cxp.length) return why.otherwise;
    const fixed = listed(idnf.model.fixed.map((j) => columns[j].name));
    return fixed ? `No change gives another decision while ${fixed} cannot change.` : "No change gives another decision.";
  }

  liveCase.start([idnf.model], show, (given) => `decided ${GIVEN.labels[idnf.model.classes.indexOf(idnf.predict(given))]}`);
})();
