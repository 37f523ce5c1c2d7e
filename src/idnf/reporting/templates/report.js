// The live case: one widget for each column the model looks at; every change is answered at once.
(function () {
  "use strict";
  const form = document.getElementById("case"), answer = document.getElementById("answer");
  const columns = idnf.model.columns, values = idnf.model.values;
  // Where no column may change, nothing is proposed.
  const proposes = idnf.model.fixed.length < columns.length || !columns.length;
  const KINDS = ["zero", "one", "two", "three", "four", "five", "six", "seven"];
  let row = Object.create(null);

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
    const kind = KINDS[classes.indexOf(why.label) % KINDS.length];
    const reasons = why.axp.map((c) => c.said).join(" and ") || "of nothing in particular: it is always so";
    const { target } = idnf.model, decision = element("strong", { class: kind, id: "decision" }, String(why.label));
    const parts = [
      line("decision", ...(target === null ? [] : [`${target}: `]), decision, target === null ? " because " : ", because ",
        element("span", { id: "reason" }, reasons)),
    ];
    if (why.reason !== null) parts.push(line("muted", "reason ", element("span", { id: "reason-id" }, why.reason)));
    if (!proposes) return answer.replaceChildren(...parts);
    if (changes.length === 1) parts.push(line("", element("span", { id: "change" }, towards(why, changes[0]))));
    else parts.push(element("ul", { id: "change" }, ...changes.map((change) => element("li", {}, wouldMake(change)))));
    answer.replaceChildren(...parts);
  }

  // What would make it another class: the cheapest change, or the class itself where there is none.
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
      show();
    });
    return input;
  }

  function hint(column, place) {
    const seen = values[place] && values[place].seen && values[place].seen.filter((pair) => pair);
    const notes = column.fields[0][1] === "duration" ? ["days"] : [];
    if (column.order === "value" && seen && seen.length) notes.push(`${seen[0][2]} to ${seen[seen.length - 1][3]} in training`);
    if (!column.choices && column.missing) notes.push("empty: missing");
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
  CASES.forEach((_, i) => picker.append(element("option", { value: String(i) }, `row ${i + 1}`)));
  picker.addEventListener("change", () => {
    idnf.show(CASES[Number(picker.value)]);
  });
  const starter = element("label", {}, element("span", {}, "start from"), picker);
  // Shows any case, as the starting rows are shown.
  idnf.show = (given) => {
    row = Object.assign(Object.create(null), given);
    build();
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  idnf.show(CASES[0] || {});
})();
