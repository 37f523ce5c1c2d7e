// The live case of a classifier: its decision, the reason over its columns, and what would change it.
(function () {
  "use strict";
  const { element, line, listed } = liveCase, answer = document.getElementById("answer");
  const { classes, columns, favourable, fixed, scores, target, to_be } = idnf.model;
  // If no column may change, nothing is proposed.
  const proposes = fixed.length < columns.length || !columns.length;

  function show(row, start) {
    let why, changes;
    try {
      why = idnf.explain(row);
      changes = proposes && classes.indexOf(why.label) !== favourable ? changesOf(why, row) : [];
    } catch (error) {
      answer.replaceChildren(line("", error.message));
      return;
    }
    markReasons(row, why.label);
    checklist.tick(row);
    answer.replaceChildren(...decision(why), ...squares.pictures(why, row), ...notes(why, row, start), ...changes);
  }

  function decision(why) {
    const kind = KINDS[classes.indexOf(why.label) % KINDS.length];
    const reasons = listed(why.axp.map((c) => c.said)) || "every row gets this decision";
    const of = target === null ? [] : [element("small", {}, `${target}: `)];
    return [
      line("decision", ...of, element("strong", { class: kind, id: "decision" }, String(why.label))),
      line("because", "because ", element("span", { id: "reason" }, reasons)),
    ];
  }

  // The number of the reason, what a row of the table really is, and the share of two labels.
  function notes(why, row, start) {
    const parts = why.reason === null ? [] : ["reason ", element("span", { id: "reason-id" }, why.reason)];
    if (start in GIVEN.names) {
      const right = classes[GIVEN.truths[start]] === why.label ? "right" : "wrong";
      const truth = `${GIVEN.names[start]} is actually ${GIVEN.labels[GIVEN.truths[start]]}: the decision is ${right}`;
      parts.push(parts.length ? "; " : "", element("span", { id: "truth" }, truth));
    }
    if (scores && scores.listed.length) {
      const share = `${(100 * idnf.probability(row)).toFixed(1)}%`;
      const where = ` are ${classes[1]} among training rows for which the same reasons hold; a cutoff on this share would have no short reason`;
      parts.push(parts.length ? "; " : "", "about ", element("span", { id: "share" }, share), where);
    }
    return parts.length ? [line("muted", ...parts)] : [];
  }

  // The cheapest change to the favourable class, or to each other class if none of several is favourable.
  function changesOf(why, row) {
    const others = classes.filter((label) => label !== why.label);
    if (others.length === 1 || favourable !== null) {
      return [line("", element("span", { id: "change" }, towards(why, idnf.recourse(row))))];
    }
    const lines = others.map((label) => element("li", {}, wouldMake(idnf.recourse(row, label) || label)));
    return [element("ul", { id: "change" }, ...lines)];
  }

  // What would make it another class: the cheapest change, or the class itself if there is none.
  function wouldMake(change) {
    if (change.changes === undefined) return `No change of known values gives ${change}.`;
    const steps = listed(change.changes.map((c) => `${c.column} from ${c.old} to ${c.new}`));
    return `${to_be[classes.indexOf(change.label)]}: change ${steps}.`;
  }

  function towards(why, change) {
    if (change) return wouldMake(change);
    if (why.cxp.length) return why.otherwise;
    const held = listed(idnf.model.fixed.map((j) => columns[j].name));
    return held ? `No change gives another decision while ${held} cannot change.` : "No change gives another decision.";
  }

  liveCase.start([idnf.model], show, (given) => `decided ${GIVEN.labels[classes.indexOf(idnf.predict(given))]}`);
})();
