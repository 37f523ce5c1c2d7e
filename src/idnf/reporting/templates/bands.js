// The live case on the ladder of bands, and cutoffs that a reader moves.
(function () {
  "use strict";
  const { element, line, listed } = liveCase, answer = document.getElementById("answer"), { names } = idnf.model;
  const rungs = [...document.querySelectorAll("tr[data-band]")];

  const legend = GIVEN.names.length ? {} : { labels: [] };
  const pictures = idnf.models.map((one, j) => squaresOf(one, { ...GIVEN.drawn[j], ...legend }).pictures);

  // One side of the band: which, why, and the conditions over their columns.
  function because(id, side, place, why, row) {
    const reasons = listed(why.axp.map((c) => c.said)) || "it always is";
    return [line("because", element("span", { id }, `${side} because ${reasons}`)), ...pictures[place](why, row)];
  }

  // What the cheapest change across a boundary is.
  function change(place, row) {
    const model = idnf.models[place].model, way = idnf.models[place].recourse(row);
    if (!way || !way.changes.length) return [];
    const steps = listed(way.changes.map((c) => `${c.column} from ${c.old} to ${c.new}`));
    return [element("li", {}, `${model.to_be[model.classes.indexOf(way.label)]}: change ${steps}.`)];
  }

  function show(row, start) {
    let why, changes;
    try {
      why = idnf.explain(row);
      changes = [...(why.below ? change(why.band, row) : []), ...(why.at_least ? change(why.band - 1, row) : [])];
    } catch (error) {
      answer.replaceChildren(line("", error.message));
      rungs.forEach((rung) => light(rung, null));
      return;
    }
    rungs.forEach((rung) => light(rung, why.band));
    const parts = [line("decision", element("strong", { id: "band" }, why.name), element("small", {}, GIVEN.about[why.band]))];
    if (why.at_least) parts.push(...because("at-least", `above ${names[why.band - 1]}`, why.band - 1, why.at_least, row));
    if (why.below) parts.push(...because("below", `below ${names[why.band + 1]}`, why.band, why.below, row));
    if (start in GIVEN.names) {
      parts.push(line("muted", element("span", { id: "truth" }, `${GIVEN.names[start]} is actually ${GIVEN.labels[GIVEN.truths[start]]}`)));
    }
    if (changes.length) parts.push(element("ul", { id: "change" }, ...changes));
    answer.replaceChildren(...parts);
  }

  // The rung of the case stands out.
  function light(rung, band) {
    const here = Number(rung.dataset.band) === band;
    rung.classList.toggle("lit", here);
    if (here) rung.setAttribute("aria-current", "step");
    else rung.removeAttribute("aria-current");
  }

  const low = document.getElementById("low"), high = document.getElementById("high");

  // Bands before the first cutoff are said the lower label, from the second on the higher one, the others referred.
  function cut(moved) {
    const first = Number(low.value), second = Number(high.value);
    if (first > second) (moved === low ? high : low).value = moved.value;
    const [from, to] = [Number(low.value), Number(high.value)], sums = [[0, 0], [0, 0], [0, 0]];
    const kind = (band) => (band < from ? 0 : band < to ? 1 : 2);
    GIVEN.counts.forEach((counts, band) => counts.forEach((count, label) => (sums[kind(band)][label] += count)));
    const said = [`say ${GIVEN.ends[0]}`, "to a person", `say ${GIVEN.ends[1]}`];
    for (const rung of rungs) rung.querySelector(".cut").textContent = said[kind(Number(rung.dataset.band))];
    const all = GIVEN.counts.flat().reduce((a, b) => a + b, 0), total = sums.map((pair) => pair[0] + pair[1]);
    const wrong = [sums[0][1], sums[2][0]], decided = total[0] + total[2], share = (a, b) => (b ? `${((100 * a) / b).toFixed(1)}%` : "–");
    const shown = {
      "rows-low": total[0], "rows-person": total[1], "rows-high": total[2], "wrong-low": wrong[0], "wrong-high": wrong[1],
      "share-low": share(total[0], all), "share-person": share(total[1], all), "share-high": share(total[2], all),
      "error-low": share(wrong[0], total[0]), "error-high": share(wrong[1], total[2]),
      "cut-said": `${share(decided, all)} of rows decided, ${share(wrong[0] + wrong[1], decided)} of these wrongly; ${share(total[1], all)} go to a person.`,
    };
    for (const [id, value] of Object.entries(shown)) document.getElementById(id).textContent = typeof value === "number" ? value.toLocaleString("en") : value;
  }

  if (low) {
    for (const one of [low, high]) one.addEventListener("change", () => cut(one));
    cut(low);
  }
  liveCase.start(idnf.models.map((one) => one.model), show, (given) => names[idnf.predict(given)]);
})();
