// The live case: one widget for each column the model looks at; every change is answered at once.
(function () {
  "use strict";
  const form = document.getElementById("case"), answer = document.getElementById("answer");
  const columns = idnf.model.columns, values = idnf.model.values;
  let row = {};

  function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
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
    const steps = change && change.changes.map((c) => `${c.column} from ${c.old} to ${c.new}`).join(" and ");
    const towards = change ? `Cheapest change to ${change.label}: ${steps}.` : "No change of known values gives another decision.";
    parts.push(line("", element("span", { id: "change" }, towards)));
    answer.replaceChildren(...parts);
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

  function widget(column, place) {
    const current = row[column.name] === undefined ? null : row[column.name];
    if (column.kind === "boolean")
      return choices(column, [["false", false], ["true", true]], current === null ? null : Boolean(current), (v) => set(column.name, v));
    if (column.kind === "category" || column.kind === "ordered") {
      const options = column.values.map((value) => [String(value), value]);
      if (column.kind === "category") options.push(["another one", typeof column.values[0] === "number" ? NaN : "\u0000other"]);
      if (current !== null && !column.values.includes(current)) row[column.name] = options[options.length - 1][1];
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
    if (column.kind === "duration") return "days";
    if (column.kind !== "number" || !seen || !seen.length) return "";
    return `${seen[0][2]} to ${seen[seen.length - 1][3]} in training`;
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
    row = { ...CASES[Number(picker.value)] };
    build();
  });
  const starter = element("label", {}, element("span", {}, "start from"), picker);
  form.addEventListener("submit", (event) => event.preventDefault());
  row = { ...CASES[0] };
  build();
})();
