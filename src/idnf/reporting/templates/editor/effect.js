// What the edits do, in words and tables: the verdict, figures before and after, decisions that change, with their reasons.
const editorEffect = (() => {
  "use strict";
  const { element, line } = liveCase, { figures, changes, weight } = editorDecisions;
  const percent = (share) => (share === null ? "–" : `${(100 * share).toFixed(1)}%`);
  const number = (count) => count.toLocaleString("en");
  const EXAMPLES = 2;

  function table(head, rows) {
    const top = head.map((text, i) => element("th", { scope: "col", class: i ? "n" : "" }, text));
    const body = rows.map(([name, ...cells]) => element("tr", {}, element("th", { scope: "row" }, name), ...cells.map((cell) => element("td", { class: "n" }, cell))));
    return element("table", {}, element("thead", {}, element("tr", {}, ...top)), element("tbody", {}, ...body));
  }

  // Figures before and after, overall and by group.
  function showFigures({ grid, label, labels, costs, groups }, old, count) {
    const [before, after] = [old, count].map((held) => figures(grid, held, label, costs));
    const rows = [["right", percent(before.accuracy), percent(after.accuracy)]];
    if (costs) rows.push(["cost per row", before.cost.toFixed(3), after.cost.toFixed(3)]);
    for (const truth of [label, 1 - label]) {
      for (const given of [label, 1 - label]) {
        rows.push([`actually ${labels[truth]}, decided ${labels[given]}`, ...[before, after].map((one) => number(one.confusion[truth][given]))]);
      }
    }
    const parts = [table(["", "before", "after"], rows)];
    if (groups) {
      const among = groups.map((name, group) => [name, ...[old, count].flatMap((held) => {
        const { accuracy, confusion, rows: total } = figures(grid, held, label, costs, (row) => grid.group[row] === group);
        return [percent(accuracy), percent(total ? (confusion[0][label] + confusion[1][label]) / total : null)];
      })]);
      parts.push(table(["group", "right before", `${labels[label]} before`, "right after", `${labels[label]} after`], among));
    }
    document.getElementById("edit-figures").replaceChildren(...parts);
  }

  // How many decisions change, by actual label, with examples; `reason(row, after)` is why a row is decided so.
  function showChanges({ grid, label, labels }, old, count, said, reason) {
    const { rows, counts } = changes(grid, old, count), place = document.getElementById("edit-changes");
    const total = counts[0] + counts[1];
    if (!total) return place.replaceChildren(line("", "None."));
    const by = [0, 1].filter((truth) => counts[truth]).map((truth) => `${number(counts[truth])} actually ${labels[truth]}`);
    const shown = [0, 1].flatMap((truth) => rows.filter((row) => grid.counts[truth][row]).sort((a, b) => weight(grid, b) - weight(grid, a)).slice(0, EXAMPLES)
      .map((row) => element("li", {}, `${said(row)}, actually ${labels[truth]}: was ${labels[old[row] ? label : 1 - label]} because ${reason(row, false)}; now ${labels[count[row] ? label : 1 - label]} because ${reason(row, true)}.`)));
    return place.replaceChildren(line("", `${number(total)} of ${number(grid.total)}: ${by.join(", ")}. For example:`), element("ul", {}, ...shown));
  }

  const plural = (k) => `${k} condition${k === 1 ? "" : "s"}`;

  // The verdict; null while it is being worked out, and the last one pales.
  function showVerdict({ k, labels, label }, verdict, said) {
    const place = document.getElementById("edit-verdict");
    place.setAttribute("aria-busy", String(verdict === null));
    if (verdict === null) return place.firstChild || place.append(line("", element("strong", {}, "Proving …")));
    place.className = verdict.answer;
    const heads = { proved: "Proved", broken: "Broken", unsettled: "Not settled here" };
    const text = {
      proved: () => `Every decision has a reason of at most ${plural(k)}.`,
      broken: () => `A case with ${said(verdict.point)} is decided ${labels[verdict.given ? label : 1 - label]}, and no ${plural(k)} are reason enough. ${concerned(verdict.rows)}`,
      unsettled: () => `There was not enough time to find out whether every decision still has a reason of at most ${plural(k)}: adopting settles it.`,
    }[verdict.answer]();
    return place.replaceChildren(line("", element("strong", {}, heads[verdict.answer])), line("", text));
  }

  function concerned(rows) {
    if (rows === null) return "It is a row of the table.";
    return rows ? `${number(rows)} row${rows === 1 ? "" : "s"} of the table ${rows === 1 ? "is such a case" : "are such cases"}.` : "No row of the table is such a case.";
  }

  // Edits that mend, each a button.
  function showMends(mends, words, take) {
    const place = document.getElementById("edit-mends");
    if (mends === null) return place.replaceChildren();
    if (!mends.length) return place.replaceChildren(line("muted", "No single edit was found that mends it; undo does."));
    const buttons = mends.map(({ edit, changed }) => {
      const button = element("button", { type: "button" }, `${words(edit)} (changes ${number(changed)} decision${changed === 1 ? "" : "s"})`);
      button.addEventListener("click", () => take(edit));
      return button;
    });
    return place.replaceChildren(line("", "Each of these mends it, proved:"), ...buttons);
  }

  return { showFigures, showChanges, showVerdict, showMends };
})();
