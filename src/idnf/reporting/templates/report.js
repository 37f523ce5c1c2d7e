// The live case: one widget for each column the model looks at; every change is answered at once.
(function () {
  "use strict";
  const form = document.getElementById("case"), answer = document.getElementById("answer");
  const columns = idnf.model.columns, values = idnf.model.values;
  let row = {};

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
    let why, change;
    try {
      why = idnf.explain(row);
      change = idnf.recourse(row);
    } catch (error) {
      answer.replaceChildren(line("", error.message));
      return;
    }
    const kind = why.label === idnf.model.classes[1] ? "one" : "zero";
    const reasons = why.axp.map((c) => c.said).join(" and ") || "of nothing in particular: it is always so";
    const parts = [
      line("decision", element("strong", { class: kind, id: "decision" }, String(why.label)), " because ",
        element("span", { id: "reason" }, reasons)),
    ];
    if (why.reason !== null) parts.push(line("muted", "reason ", element("span", { id: "reason-id" }, why.reason)));
    parts.push(line("", element("span", { id: "change" }, towards(why, change))));
    answer.replaceChildren(...parts);
  }

  function towards(why, change) {
    if (change) {
      const steps = change.changes.map((c) => `${c.column} from ${c.old} to ${c.new}`).join(" and ");
      return `Cheapest change to ${change.label}: ${steps}.`;
    }
    if (!why.cxp.length) return "No change gives another decision.";
    return why.text.slice(why.text.lastIndexOf("Otherwise the same"));
  }

  function set(name, value) {
    row[name] = value;
    show();
  }

  function choices(column, options, current, read) {
    const select = element("select", {});
    const all = column.missing ? [...options, ["missing", null]] : options;
    all.forEach(([text, value], i) => {
      const option = element("option", { value: String(i) }, text);
      option.selected = value === current || (i === 0 && !all.some(([, v]) => v === current));
      select.append(option);
    });
    select.addEventListener("change", () => read(all[Number(select.value)][1]));
    return select;
  }

  function typed(kind, column, current, parse) {
    const input = element("input", { type: kind, value: current === null ? "" : String(current), step: "any" });
    input.addEventListener("input", () => {
      const value = input.value === "" ? null : parse(input.value);
      input.setAttribute("aria-invalid", String(value === null && !column.missing));
      set(column.name, value);
    });
    return input;
  }

  // A category that training did not have: the row's own if it is one.
  function unseen(seen, current) {
    if (current !== null && !seen.includes(current)) return current;
    if (typeof seen[0] === "number") return Math.max(...seen) + 1;
    let name = "another one";
    while (seen.includes(name)) name += "!";
    return name;
  }

  function widget(column, place) {
    const current = row[column.name] === undefined ? null : row[column.name];
    if (column.kind === "boolean") {
      const options = column.digits ? [["0", 0], ["1", 1]] : [["false", false], ["true", true]];
      return choices(column, options, current === null ? null : options[Number(current > 0.5)][1], (v) => set(column.name, v));
    }
    if (column.kind === "category" || column.kind === "ordered") {
      const options = column.values.map((value) => [String(value), value]);
      if (column.kind === "category") options.push(["another one", unseen(column.values, current)]);
      return choices(column, options, current, (v) => set(column.name, v));
    }
    if (column.kind === "one-hot" || column.kind === "ordered-group") return members(column, place);
    if (column.kind === "date") return typed("date", column, current && String(current).slice(0, 10), (text) => text);
    if (column.kind === "datetime" || column.kind === "datetime-utc")
      return typed("datetime-local", column, current && String(current).slice(0, 19), (text) => (column.kind === "datetime" ? text : text + "Z"));
    if (column.kind === "duration")
      return typed("number", column, current === null ? null : current / 86400, (text) => Number(text) * 86400);
    return typed("number", column, current, Number);
  }

  function members(column) {
    const ordered = column.kind === "ordered-group";
    const pattern = (chosen) => column.members.map((_, i) => (ordered ? i >= chosen : i === chosen) ? 1 : 0);
    const options = column.members.map((name, i) => [name, i]);
    if (ordered || column.none) options.push(["none of these", column.members.length]);
    const bits = column.members.map((name) => Number(row[name]));
    const current = options.findIndex(([, i]) => pattern(i).every((bit, j) => bit === bits[j]));
    return choices({ missing: false }, options, current, (chosen) => {
      pattern(chosen).forEach((bit, i) => (row[column.members[i]] = bit));
      show();
    });
  }

  function hint(column, place) {
    const seen = values[place] && values[place].seen && values[place].seen.filter((pair) => pair);
    const typedIn = ["number", "duration", "date", "datetime", "datetime-utc"].includes(column.kind);
    const notes = column.kind === "duration" ? ["days"] : [];
    if (typedIn && seen && seen.length) notes.push(`${seen[0][2]} to ${seen[seen.length - 1][3]} in training`);
    if (typedIn && column.missing) notes.push("empty: missing");
    return notes.join("; ");
  }

  function build() {
    const fields = columns.map((column, place) => {
      const input = widget(column, place), note = hint(column, place);
      const label = element("label", {}, element("span", {}, column.name), input);
      input.dataset.column = column.name;
      if (note) label.append(element("span", { class: "muted" }, note));
      return label;
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
    row = { ...given };
    build();
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  idnf.show(CASES[0] || {});
})();
