// The editor: it holds the edits, shows what they do at once, asks the worker for the verdict, and saves a file.
(() => {
  "use strict";
  const { element } = liveCase, { decide } = editorDecisions, { apply, first, allowedOf, allows, only, same } = editorLines;
  const find = (name) => document.getElementById(`edit-${name}`);
  const grid = editorGrid.open(EDITED), original = first(grid.columns, EDITED.lines), old = decide(grid, original);
  const base = editorProof.prove(grid, original, EDITED.k, 2000), history = editorHistory.start();
  const given = { ...EDITED, grid };
  let lines = original, count = old, verdict = null, ticket = 0, sent = 0;

  // Names in quotes stay as they are.
  const signs = (text) => text.replace(/"(?:[^"\\]|\\.)*"| <= | >= /g, (found) => ({ " <= ": " ≤ ", " >= ": " ≥ " })[found] || found);
  const words = (j, allowed) => signs(editorWords.conditionWords(grid.columns[j], allowed, idnf.listLabels));
  const together = (conditions) => signs(editorWords.together(grid.columns, conditions, idnf.listLabels));
  const placeOf = (name) => grid.columns.findIndex((column) => column.name === name);

  // A row or a point of the grid in words, by the columns that matter in the lines before or after.
  function cellWords(cellAt, columns) {
    return columns.map((j) => words(j, only(grid.columns[j], cellAt(j)))).join(", ") || "any values";
  }

  const looked = () => [...new Set([...original, ...lines].flatMap((line) => [...line.conditions.keys()]))].sort((a, b) => a - b);
  const rowWords = (row) => cellWords((j) => grid.cells[j][row], looked());
  const pointWords = (point) => cellWords((j) => point.get(j), [...point.keys()].sort((a, b) => a - b));

  // Why a row is decided as it is: by the smallest reason or, while nothing is proved, the line that holds.
  function reason(row, after) {
    const some = after ? lines : original, proof = after ? verdict : base, held = (after ? count : old)[row];
    if (!held) return together(editorReasons.reasonOf(grid, row, some.map((line) => line.conditions), idnf.transversal));
    if (proof?.answer === "proved") return together(editorReasons.reasonOf(grid, row, proof.short, idnf.transversal));
    return together(some.find((line) => editorDecisions.holding(grid, line)[row]).conditions);
  }

  // An edit in words.
  function editWords(edit) {
    if (edit.kind === "drop") return `drop line ${edit.line}`;
    if (edit.kind === "add") return `add line ${edit.line}: ${together(edit.conditions.map(([name, chosen]) => [placeOf(name), allowedOf(grid.columns[placeOf(name)], chosen)]))}`;
    const j = placeOf(edit.column), [before, after] = [edit.old, edit.new].map((chosen) => chosen && words(j, allowedOf(grid.columns[j], chosen)));
    if (after === null) return `line ${edit.line}: drop ${before}`;
    return before === null ? `line ${edit.line}: add ${after}` : `line ${edit.line}: ${before} → ${after}`;
  }

  const cards = editorCards.start({ ...given, words, lines: () => lines, edit: (edit) => take(edit) });
  const shape = (some) => some.map((line) => `${line.number}:${[...line.conditions.keys()].sort()}`).join(";");

  // On a narrow screen nothing is changed, and what was touched is shown as it is again.
  const wide = matchMedia("(min-width: 64rem)");

  function take(edit) {
    if (!wide.matches) return cards.restore();
    history.push(edit);
    return update();
  }

  // Replays the edits and shows what they do; the worker is asked for the verdict.
  function update() {
    const before = shape(lines);
    lines = history.edits().reduce((some, edit) => apply(grid.columns, some, edit), original);
    count = decide(grid, lines);
    verdict = null;
    if (shape(lines) !== before || !find("lines").firstChild) cards.build(Math.max(original.length, 0, ...lines.map((line) => line.number), ...history.edits().map((edit) => edit.line)));
    cards.show(count);
    editorEffect.showFigures(given, old, count);
    editorEffect.showChanges(given, old, count, rowWords, reason);
    editorEffect.showVerdict(given, null, pointWords);
    editorEffect.showMends(null);
    showLog();
    ask();
  }

  // Everything that waits for the verdict.
  function judged(answer) {
    verdict = answer;
    editorEffect.showVerdict(given, verdict, pointWords);
    editorEffect.showChanges(given, old, count, rowWords, reason);
  }

  function showLog() {
    const edits = history.edits();
    find("log").replaceChildren(...edits.map((edit, i) => {
      const note = element("input", { value: edit.note, placeholder: "note", maxlength: "2000", "aria-label": `note on edit ${i + 1}`, "data-key": `note ${i}` });
      note.addEventListener("input", () => history.note(i, note.value));
      return element("li", {}, editWords(edit), note);
    }));
    find("undo").disabled = find("reset").disabled = find("save").disabled = !edits.length;
    find("redo").disabled = !history.canRedo();
    find("diff").lastElementChild.replaceChildren(element("ul", {}, ...differences()));
  }

  // The lines beside the original ones.
  function differences() {
    const numbers = [...new Set([...original, ...lines].map((line) => line.number))].sort((a, b) => a - b);
    return numbers.map((number) => {
      const [before, after] = [original, lines].map((some) => some.find((line) => line.number === number));
      const text = (line) => together(line.conditions);
      if (!before) return element("li", {}, `line ${number} added: `, element("ins", {}, text(after)));
      if (!after) return element("li", {}, `line ${number} dropped: `, element("del", {}, text(before)));
      const equal = [...new Set([...before.conditions.keys(), ...after.conditions.keys()])].every((j) => same(allows(grid.columns[j], before.conditions.get(j)), allows(grid.columns[j], after.conditions.get(j))));
      return equal ? element("li", {}, `line ${number} unchanged: ${text(before)}`) : element("li", {}, `line ${number}: `, element("del", {}, text(before)), " → ", element("ins", {}, text(after)));
    });
  }

  const source = ["engine", "worker"].map((name) => document.getElementById(`editor-${name}`).textContent).join("\n");
  const worker = startWorker();

  // A browser may refuse workers: then nothing is settled here.
  function startWorker() {
    try {
      const made = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
      made.postMessage({ open: { columns: EDITED.columns, rows: EDITED.rows } });
      made.addEventListener("message", ({ data }) => answered(data));
      made.addEventListener("error", () => judged({ answer: "unsettled" }));
      return made;
    } catch {
      return null;
    }
  }

  // One question at a time: lines that change meanwhile are asked about when the answer is there.
  function ask() {
    ticket++;
    if (worker === null) judged({ answer: "unsettled" });
    if (sent || worker === null) return;
    sent = ticket;
    worker.postMessage({ ticket, lines, k: EDITED.k, milliseconds: EDITED.milliseconds, mending: EDITED.mending });
  }

  function answered(data) {
    const current = data.ticket === ticket;
    if (data.mends) {
      if (current) editorEffect.showMends(data.mends, editWords, take);
      return;
    }
    sent = 0;
    if (current) judged(data.verdict);
    else ask();
  }

  for (const name of ["undo", "redo", "reset"]) {
    find(name).addEventListener("click", () => {
      history[name]();
      update();
    });
  }

  find("save").addEventListener("click", () => {
    const time = `${new Date().toISOString().slice(0, 19)}Z`, { model, label } = EDITED;
    const file = { format: "idnf-edits", version: 1, model, label, name: find("name").value.trim(), time, edits: history.edits() };
    const link = element("a", { href: URL.createObjectURL(new Blob([`${JSON.stringify(file, null, 1)}\n`], { type: "application/json" })), download: "edits.json" });
    link.click();
  });

  document.addEventListener("DOMContentLoaded", () => {
    find("if").replaceChildren(element("span", {}, `${EDITED.named[EDITED.label]} if any of these lines holds.`));
    const key = (label) => element("span", { class: "key" }, element("i", { class: ["zero", "one"][label] }), `actually ${EDITED.labels[label]}`);
    find("legend").replaceChildren("The histograms count the rows: ", key(EDITED.label), key(1 - EDITED.label));
    find("otherwise").replaceChildren(element("span", {}, `${EDITED.named[1 - EDITED.label]} otherwise.`));
    update();
  });
})();
