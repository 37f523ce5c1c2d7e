// A case that is typed: one widget for each column that a model looks at; every change is answered at once.
const liveCase = (function () {
  "use strict";
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

  // Starts the form of some models; `show` is called with the row and the number of the case it started from.
  function start(models, show, groupOf) {
    const form = document.getElementById("case"), known = new Map();
    for (const model of models) {
      model.columns.forEach((column, j) => known.has(column.name) || known.set(column.name, [column, model.values[j]]));
    }
    const columns = [...known.values()];
    // Where no column may change, nothing is proposed.
    const proposes = models.some((model) => model.fixed.length < model.columns.length) || !columns.length;
    let row = Object.create(null), begun = 0;

    function answer() {
      show(row, begun);
    }

    function set(name, value) {
      row[name] = value;
      begun = null;
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
        column.fields.forEach(([name], i) => set(name, all[Number(select.value)][1][i]));
        answer();
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
        set(name, value);
        answer();
      });
      return input;
    }

    // A number of many digits with those that matter to a hint.
    const short = (words) => (/^-?\d*\.\d{4,}$/.test(words) ? String(Number(Number(words).toPrecision(4))) : words);

    function hint(column, values) {
      const seen = values && values.seen && values.seen.filter((pair) => pair);
      const notes = column.fields[0][1] === "duration" ? ["in days"] : [];
      if (column.order === "value" && seen && seen.length) notes.push(`${short(seen[0][2])} to ${short(seen.at(-1)[3])} in training`);
      if (!column.choices && column.missing) notes.push("leave empty if missing");
      return notes.join("; ");
    }

    // Whether a column may change: where it is ticked, no change of it is proposed.
    function keeper(name) {
      const box = element("input", { type: "checkbox", "aria-label": `${name} cannot change` });
      const owners = models.map((model) => [model, model.columns.findIndex((column) => column.name === name)]).filter(([, j]) => j >= 0);
      box.checked = owners.some(([model, j]) => model.fixed.includes(j));
      box.addEventListener("change", () => {
        for (const [model, place] of owners) {
          const others = model.fixed.filter((j) => j !== place);
          model.fixed = box.checked ? [...others, place].sort((a, b) => a - b) : others;
        }
        answer();
      });
      return element("label", { class: "keep muted" }, box, " cannot change");
    }

    function build() {
      const fields = columns.map(([column, values]) => {
        const inputs = column.choices ? [choices(column)] : column.fields.map((field) => typed(column, field));
        const note = hint(column, values), label = element("label", {}, element("span", {}, column.name), ...inputs);
        inputs.forEach((input) => (input.dataset.column = column.name));
        if (note) label.append(element("span", { class: "muted" }, note));
        return element("div", {}, label, ...(proposes ? [keeper(column.name)] : []));
      });
      form.replaceChildren(...starter, ...fields);
      answer();
    }

    const picker = element("select", { id: "start" });
    GIVEN.names.forEach((name, i) => {
      const given = GIVEN.cases[i];
      const label = `${groupOf(given)}, actually ${GIVEN.labels[GIVEN.truths[i]]}`;
      let group = picker.lastChild;
      if (group?.label !== visible(label)) picker.append((group = element("optgroup", { label: visible(label) })));
      group.append(element("option", { value: String(i) }, name));
    });
    picker.addEventListener("change", () => idnf.show(GIVEN.cases[Number(picker.value)], Number(picker.value)));
    const starter = GIVEN.names.length ? [element("label", {}, element("span", {}, "start from"), picker)] : [];
    // Shows any case, as the starting rows are shown.
    idnf.show = (given, number = null) => {
      row = Object.assign(Object.create(null), given);
      begun = number;
      build();
    };
    form.addEventListener("submit", (event) => event.preventDefault());
    idnf.show(GIVEN.cases[0] || {}, 0);
  }

  // Words as a sentence lists them.
  const listed = (words) => [words.slice(0, -1).join(", "), ...words.slice(-1)].filter(Boolean).join(" and ");

  return { element, line, listed, start };
})();
