// The live case: one widget for each column the model looks at; every change is answered at once.
(function () {
  "use strict";
  const form = document.getElementById("case"), answer = document.getElementById("answer");
  const columns = idnf.model.columns, values = idnf.model.values;
  // Where no column may change, nothing is proposed.
  const proposes = idnf.model.fixed.length < columns.length || !columns.length;
  const KINDS = ["zero", "one", "two", "three", "four", "five", "six", "seven"];
  let row = Object.create(null), start = 0;

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

  // Marks that turn the direction of text are written out: a name must not rearrange the words around it.
  const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

  function visible(text) {
    return String(text).replace(DIRECTION, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);
  }

  function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children.map((child) => (child instanceof Node ? child : visible(child))));
    return made;
  }

  function line(kind, ...parts) {
    return element("p", { class: kind }, ...parts);
  }

  function show() {
    let why, changes;
    const classes = idnf.model.classes;
    try {
      why = idnf.explain(row);
      const others = classes.filter((label) => label !== why.label);
      changes = others.length === 1 ? [idnf.recourse(row)] : others.map((label) => idnf.recourse(row, label) || label);
    } catch (error) {
      answer.replaceChildren(line("", error.message));
      return;
    }
    mark(why.label);
    const kind = KINDS[classes.indexOf(why.label) % KINDS.length];
    const reasons = why.axp.map((c) => c.said).join(" and ") || "of nothing in particular: it is always so";
    const { target } = idnf.model, decision = element("strong", { class: kind, id: "decision" }, String(why.label));
    const parts = [
      line("decision", ...(target === null ? [] : [`${target}: `]), decision, target === null ? " because " : ", because ",
        element("span", { id: "reason" }, reasons)),
    ];
    const notes = why.reason === null ? [] : ["reason ", element("span", { id: "reason-id" }, why.reason)];
    if (start in GIVEN.cases) {
      const right = classes[GIVEN.truths[start]] === why.label ? "right" : "wrong";
      const truth = `${GIVEN.names[start]} is truly ${GIVEN.labels[GIVEN.truths[start]]}: the decision is ${right}`;
      notes.push(notes.length ? "; " : "", element("span", { id: "truth" }, truth));
    }
    if (notes.length) parts.push(line("muted", ...notes));
    if (!proposes) return answer.replaceChildren(...parts);
    if (changes.length === 1) parts.push(line("", element("span", { id: "change" }, towards(why, changes[0]))));
    else parts.push(element("ul", { id: "change" }, ...changes.map((change) => element("li", {}, wouldMake(change)))));
    answer.replaceChildren(...parts);
  }

  // The case as a line in every square, dashed where it is outside; reasons that hold are lit, and can be seen.
  function mark(label) {
    const at = idnf.placed(row), held = outcomes.map(() => 0);
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
    const steps = change.changes.map((c) => `${c.column} from ${c.old} to ${c.new}`).join(" and ");
    return `${idnf.model.to_be[idnf.model.classes.indexOf(change.label)]}: change ${steps}.`;
  }

  function towards(why, change) {
    if (change) return wouldMake(change);
    if (why.cxp.length) return why.otherwise;
    const fixed = idnf.model.fixed.map((j) => columns[j].name).join(" and ");
    return fixed ? `No change gives another decision while ${fixed} cannot change.` : "No change gives another decision.";
  }

  const OWN = { digit: (value) => Number(value > 0.5), truth: Number };

  // A choice sets every field of its column; values that are none of the choices stand for the last one.
  function choices(column) {
    const own = column.fields.map(([name]) => (row[name] === undefined ? null : row[name]));
    const read = (value, kind) => (value === null || !OWN[kind] ? value : OWN[kind](value));
    const same = (values) => values.every((value, i) => read(value, column.fields[i][1]) === read(own[i], column.fields[i][1]));
    const all = column.missing ? [...column.choices, ["missing", [null]]] : [...column.choices];
    let current = all.findIndex(([, values]) => same(values));
    if (current < 0) {
      current = own[0] === null ? 0 : column.choices.length - 1;
      if (own[0] !== null) all[current] = [all[current][0], own];
    }
    const select = element("select", {});
    all.forEach(([text], i) => {
      const option = element("option", { value: String(i) }, text);
      option.selected = i === current;
      select.append(option);
    });
    select.addEventListener("change", () => {
      column.fields.forEach(([name], i) => (row[name] = all[Number(select.value)][1][i]));
      start = null;
      show();
    });
    return select;
  }

  const TIMES = { date: "date", datetime: "datetime-local", "datetime-utc": "datetime-local" };

  // Days of a duration, which the row has in seconds; a time without a zone is in UTC where the column has one.
  function typed(column, [name, kind]) {
    const own = row[name] === undefined ? null : row[name];
    const parse = { duration: (text) => Number(text) * 86400, "datetime-utc": (text) => `${text}Z` }[kind] || (TIMES[kind] ? String : Number);
    let shown = own === null ? "" : String(own);
    if (kind === "duration" && own !== null) shown = String(own / 86400);
    if (TIMES[kind]) shown = shown.slice(0, kind === "date" ? 10 : 19);
    const input = element("input", { type: TIMES[kind] || (kind === "text" ? "text" : "number"), value: shown, step: "any" });
    input.addEventListener("input", () => {
      const value = input.value === "" ? null : kind === "text" ? input.value : parse(input.value);
      input.setAttribute("aria-invalid", String(value === null && !column.missing));
      row[name] = value;
      start = null;
      show();
    });
    return input;
  }

  function hint(column, place) {
    const seen = values[place] && values[place].seen && values[place].seen.filter((pair) => pair);
    const notes = column.fields[0][1] === "duration" ? ["days"] : [];
    if (column.order === "value" && seen && seen.length) notes.push(`${seen[0][2]} to ${seen[seen.length - 1][3]} in training`);
    if (!column.choices && column.missing) notes.push("leave empty if missing");
    return notes.join("; ");
  }

  // Whether a column may change: where it is ticked, no change of it is proposed.
  function keeper(name, place) {
    const box = element("input", { type: "checkbox", "aria-label": `${name} cannot change` });
    box.checked = idnf.model.fixed.includes(place);
    box.addEventListener("change", () => {
      const others = idnf.model.fixed.filter((j) => j !== place);
      idnf.model.fixed = box.checked ? [...others, place].sort((a, b) => a - b) : others;
      show();
    });
    return element("label", { class: "keep muted" }, box, " cannot change");
  }

  function build() {
    const fields = columns.map((column, place) => {
      const inputs = column.choices ? [choices(column)] : column.fields.map((field) => typed(column, field));
      const note = hint(column, place), label = element("label", {}, element("span", {}, column.name), ...inputs);
      inputs.forEach((input) => (input.dataset.column = column.name));
      if (note) label.append(element("span", { class: "muted" }, note));
      return element("div", {}, label, ...(proposes ? [keeper(column.name, place)] : []));
    });
    form.replaceChildren(starter, ...fields);
    show();
  }

  const picker = element("select", { id: "start" });
  GIVEN.cases.forEach((given, i) => {
    const label = `decided ${GIVEN.labels[idnf.model.classes.indexOf(idnf.predict(given))]}, truly ${GIVEN.labels[GIVEN.truths[i]]}`;
    let group = picker.lastChild;
    if (group?.label !== visible(label)) picker.append((group = element("optgroup", { label: visible(label) })));
    group.append(element("option", { value: String(i) }, GIVEN.names[i]));
  });
  picker.addEventListener("change", () => idnf.show(GIVEN.cases[Number(picker.value)], Number(picker.value)));
  const starter = element("label", {}, element("span", {}, "start from"), picker);
  // Shows any case, as the starting rows are shown.
  idnf.show = (given, number = null) => {
    row = Object.assign(Object.create(null), given);
    start = number;
    build();
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  idnf.show(GIVEN.cases[0] || {}, 0);
})();
