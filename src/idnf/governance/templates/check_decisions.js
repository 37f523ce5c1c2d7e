// Check records of decisions against the model file that made them: node check_decisions.js decisions.jsonl MODEL...
//
// For each line: the model is the one named (SHA-256), it gives this decision to these values, the reason holds of
// them, has at most k columns, gives the decision whatever the other columns are and does not without any of its
// conditions; the change gives what it says and no part of it would change the decision; and a correction names the
// record it corrects. Sentences beside the cells are not read. Shares no code with idnf.
// Exit code 0: all hold; 1: some do not; 2: a file cannot be read.
"use strict";
const { createHash } = require("crypto");
const { readFileSync } = require("fs");

const MOST_STEPS = 1000000;
const MOST_CELLS = 10000;
const KEYS = ["format", "version", "id", "time", "model", "values", "decision", "reasons", "changes", "principal", "text"];
const MORE = ["about", "alternatives", "corrects", "units"];
const TIMES = ["date", "datetime", "datetime-utc", "duration"];
const NEEDS = new Map([
  ...["number", ...TIMES].map((kind) => [kind, ["cuts"]]),
  ["ordered", ["values", "cuts"]],
  ["category", ["values", "rare"]],
  ["value-groups", ["groups", "sets", "closed"]],
  ["boolean", ["digits"]],
  ["one-hot", ["members", "none"]],
  ["ordered-group", ["members"]],
]);
const FLAGS = ["rare", "digits", "none", "closed"];
const MICROSECONDS = { day: 86400e6, hour: 3600e6, minute: 60e6, second: 1e6 };

class Refused extends Error {}

function need(held, why) {
  if (!held) throw new Refused(why);
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const has = (object, key) => Object.prototype.hasOwnProperty.call(object, key);
const hash = (data) => createHash("sha256").update(data).digest("hex");
const parsed = (data) => JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data));
const keysAre = (object, keys) =>
  isObject(object) && Object.keys(object).length === keys.length && keys.every((key) => has(object, key));

// Truths are 0 and 1 as numbers, but no labels.
const asNumber = (value) => (typeof value === "boolean" ? Number(value) : value);

function number(value) {
  const found = asNumber(value);
  need(typeof found === "number" && Number.isFinite(found), `${value} is no number`);
  return found;
}

function whole(value, size) {
  need(Number.isInteger(value) && value >= 0 && value < size, `${value} is no whole number below ${size}`);
  return value;
}

function listed(value, is = () => true) {
  need(Array.isArray(value) && value.every(is), "what should be a list is not");
  return value;
}

const isText = (value) => typeof value === "string";
const isScalar = (value) => ["string", "number", "boolean"].includes(typeof value);

// Half to even, as the model's own durations were rounded.
function rounded(value) {
  const low = Math.floor(value);
  const more = value - low;
  return low + (more > 0.5 || (more === 0.5 && low % 2 !== 0) ? 1 : 0);
}

function microseconds(value, kind) {
  if (kind === "duration" && typeof value !== "string") return Math.floor(number(value) * 1e6 + 0.5);
  need(typeof value === "string", `${value} is no ${kind}`);
  if (kind === "duration") {
    const part = /^(-?[0-9.]+(?:e[-+]?\d+)?) (day|hour|minute|second)s?$/.exec(value);
    need(part, `${value} is no duration`);
    return rounded(number(Number(part[1])) * MICROSECONDS[part[2]]);
  }
  const part = /^(\d{4})-(\d\d)-(\d\d)(?: (\d\d):(\d\d)(?::(\d\d)(?:\.(\d{6}))?)?( UTC)?)?$/.exec(value);
  need(part && (part[8] !== undefined) === (kind === "datetime-utc"), `${value} is no ${kind}`);
  const [year, month, day, hour, minute, second, more] = part.slice(1, 8).map((digits) => Number(digits || 0));
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, day);
  moment.setUTCHours(hour, minute, second);
  const real = moment.getUTCMonth() === month - 1 && moment.getUTCDate() === day && moment.getUTCFullYear() === year;
  need(real && year > 0 && hour < 24 && minute < 60 && second < 60, `${value} is no ${kind}`);
  const days = Math.floor(moment.getTime() / 86400000) * 86400e6;
  return kind === "date" ? days : Number(BigInt(moment.getTime()) * 1000n + BigInt(more));
}

// The first place among ascending cuts that is not below a value.
function placeOf(cuts, value) {
  let place = 0;
  while (place < cuts.length && cuts[place] < value) place += 1;
  return place;
}

class Column {
  constructor(plain) {
    this.plain = plain;
    this.kind = plain.kind;
    this.name = plain.name;
    const needs = NEEDS.get(plain.kind);
    need(isText(plain.name) && needs, `${plain.kind} is no kind of column`);
    need(["refused", "counted", "allowed", "seen"].includes(plain.missing), `${plain.name} does not say what is missing`);
    for (const key of needs) {
      const read = FLAGS.includes(key) ? typeof plain[key] === "boolean" : Array.isArray(plain[key]);
      need(read, `${key} of ${plain.name} cannot be read`);
      need(!Array.isArray(plain[key]) || plain[key].length < MOST_CELLS, "it has too many cells");
    }
    this.sources = needs.includes("members") ? listed(plain.members, isText) : [plain.name];
    this.cuts = (needs.includes("cuts") ? plain.cuts : []).map((cut) => (TIMES.includes(this.kind) ? microseconds(cut, this.kind) : number(cut)));
    need(this.cuts.every((cut, i) => i === 0 || this.cuts[i - 1] < cut), `cuts of ${plain.name} do not ascend`);
    const [inner, named] = this.cells();
    this.size = inner + (["allowed", "seen"].includes(plain.missing) ? 1 : 0);
    // Where missing values count with others, it is with the last of them, or with false.
    const last = this.kind === "boolean" ? 0 : inner - 1;
    this.missing = this.size > inner ? inner : plain.missing === "counted" ? last : null;
    this.full = (1n << BigInt(this.size)) - 1n;
    this.literals = plain.missing === "seen" ? [...named, 1n << BigInt(inner)] : named;
  }

  cells() {
    const seen = this.plain.missing === "seen";
    const single = (count) => Array.from({ length: count }, (_, i) => 1n << BigInt(i));
    if (this.kind === "category") {
      const n = this.plain.values.length;
      const cells = (one) => [...new Set(listed(one).map((cell) => whole(cell, n + 1)))];
      const sets = this.wide("sets").map((one) => cells(one).reduce((mask, cell) => mask | (1n << BigInt(cell)), 0n));
      return [n + 1, [...single(n + (this.plain.rare ? 1 : 0)), ...sets]];
    }
    if (this.kind === "value-groups") {
      const groups = listed(this.plain.groups, Array.isArray);
      this.groups = new Map(groups.flatMap((some, i) => listed(some, isScalar).map((value) => [asNumber(value), i])));
      need(this.groups.size === groups.reduce((sum, some) => sum + some.length, 0), `${this.name} has a value twice`);
      const masks = listed(this.plain.sets).map((one) => [...new Set(listed(one).map((cell) => whole(cell, groups.length + 1)))]);
      return [groups.length + 1, masks.map((cells) => cells.reduce((mask, cell) => mask | (1n << BigInt(cell)), 0n))];
    }
    if (this.kind === "boolean") return [2, seen ? [2n, 1n] : [2n]];
    const n = NEEDS.get(this.kind).includes("cuts") ? this.cuts.length : this.sources.length;
    if (this.kind === "one-hot") return [n + (this.plain.none ? 1 : 0), single(n)];
    const upto = Array.from({ length: n }, (_, i) => (2n << BigInt(i)) - 1n);
    const known = (2n << BigInt(n)) - 1n;
    const runs = this.wide("inner").map((ends) => listed(ends).map((end) => whole(end, n)));
    need(runs.every((ends) => ends.length === 2 && ends[0] > 0 && ends[0] <= ends[1]), `inner of ${this.name} cannot be read`);
    const over = seen ? upto.map((mask) => known & ~mask) : [];
    return [n + 1, [...upto, ...over, ...runs.map(([low, high]) => (2n << BigInt(high)) - (1n << BigInt(low)))]];
  }

  // The intervals between two cuts, or the sets of categories, that are literals.
  wide(key) {
    return listed(has(this.plain, key) ? this.plain[key] : []);
  }

  cell(values) {
    const own = this.sources.map((name) => (has(values, name) ? values[name] : undefined));
    if (own[0] === null && this.missing !== null) return this.missing;
    need(!own.includes(null) && !own.includes(undefined), `${this.name} is missing, which the model refuses`);
    return this.known(own);
  }

  known(own) {
    const value = own[0];
    if (this.kind === "number") return placeOf(this.cuts, number(value));
    if (TIMES.includes(this.kind)) return placeOf(this.cuts, microseconds(value, this.kind));
    if (this.kind === "category" || this.kind === "ordered") {
      need(isScalar(value), `${value} is no category`);
      need(isText(value) || !this.plain.values.every(isText), `${value} is no text`);
      const accepted = has(this.plain, "accepted") ? listed(this.plain.accepted).map(asNumber) : [];
      need(!accepted.length || accepted.includes(asNumber(value)), `${value} is new`);
      const found = this.plain.values.findIndex((other) => asNumber(other) === asNumber(value));
      if (this.kind === "category") return found < 0 ? this.plain.values.length : found;
      need(found >= 0, `${value} is not declared in ${this.name}`);
      return placeOf(this.cuts, found);
    }
    if (this.kind === "value-groups") {
      need(isScalar(value), `${value} is no category`);
      need(isText(value) || ![...this.groups.keys()].every(isText), `${value} is no text`);
      need(this.groups.has(asNumber(value)) || !this.plain.closed, `${value} is new`);
      return this.groups.has(asNumber(value)) ? this.groups.get(asNumber(value)) : this.plain.groups.length;
    }
    if (this.kind === "boolean" && this.plain.digits) return number(value) > 0.5 ? 1 : 0;
    const bits = own.map(asNumber);
    need(bits.every((bit) => bit === 0 || bit === 1), `${this.name} must be 0 or 1`);
    return this.kind === "boolean" ? bits[0] : this.coded(bits);
  }

  coded(bits) {
    const total = bits.reduce((sum, bit) => sum + bit, 0);
    if (this.kind === "ordered-group") {
      need(bits.every((bit, i) => i === 0 || bits[i - 1] <= bit), `${this.name} must have every column imply the next`);
      return bits.length - total;
    }
    need(total === 1 || (total === 0 && this.plain.none), `${this.name} must have one column set`);
    return total ? bits.indexOf(1) : bits.length;
  }
}

// A box and a term are arrays of sets of cells, a column each; a term has no entry where it says nothing.
const meets = (term, box) => term.every(([j, mask]) => box[j] & mask);
const replaced = (box, column, mask) => box.map((own, j) => (j === column ? mask : own));

class Model {
  constructor(plain) {
    need(plain.format === "idnf-model" && plain.version === 2, "it is no model file");
    const space = plain.space;
    need(isObject(space), "it is no model file");
    this.columns = listed(space.columns, isObject).map((one) => new Column(one));
    this.literals = this.columns.flatMap((column, j) => column.literals.map((mask) => [j, mask]));
    need(this.literals.length === listed(space.literals).length, "its literals are not those of its columns");
    this.full = this.columns.map((column) => column.full);
    this.k = number(plain.k);
    this.classes = listed(plain.classes, isScalar);
    this.sources = new Set(this.columns.flatMap((column) => column.sources));
    this.fixed = new Set(has(plain, "immutable") ? listed(plain.immutable, isText) : []);
    this.favourable = has(plain, "favourable") ? whole(plain.favourable, this.classes.length) : null;
    this.places = new Map(this.columns.map((column, j) => [column.name, j]));
    const rows = has(plain, "reason_texts") ? listed(plain.reason_texts) : [];
    need(rows.every((row) => listed(row, isText).length === 3), "its texts cannot be read");
    this.texts = new Map(rows.map(([column, code, text]) => [column, [code, text]]));
    this.root = this.node(plain.model);
    this.steps = 0;
  }

  // Whether every point of a box is given a label.
  always(box, label) {
    this.steps = 0;
    for (const found of this.labels(this.root, box)) if (found !== label) return false;
    return true;
  }

  node(node) {
    need(isObject(node), "a part of the model cannot be read");
    if (has(node, "root")) return this.node(node.root);
    if (has(node, "feature")) {
      return { split: this.literals[whole(node.feature, this.literals.length)], yes: this.node(node.if_true), no: this.node(node.if_false) };
    }
    if (has(node, "matrix")) {
      const keys = [["label", 1], ["otherwise", 0]];
      const labels = keys.map(([key, usual]) => whole(has(node, key) ? node[key] : usual, this.classes.length));
      const terms = listed(node.prefixes).map((prefix) => this.prefixes(listed(node.matrix), listed(prefix)));
      return { terms, inside: labels[0], outside: labels[1] };
    }
    if (has(node, "codes")) {
      const counts = listed(node.points).map((count) => whole(count, MOST_STEPS));
      const items = listed(node.codes).map((code, i) => [...this.term([code])[0], counts[i]]);
      need(counts.length === items.length && this.classes.length === 2, "a checklist cannot be read");
      return { items, least: whole(node.least, MOST_STEPS) };
    }
    const sides = has(node, "dnfs") ? node.dnfs : [node.negative, node.positive];
    need(listed(sides).length === this.classes.length, "there must be terms of each class");
    return { classes: sides.map((side) => listed(side).map((codes) => this.term(codes))) };
  }

  prefixes(matrix, prefix) {
    need(matrix.length === prefix.length, "there must be a prefix of each row");
    return this.term(prefix.flatMap((most, i) => listed(matrix[i]).slice(0, whole(most, MOST_STEPS))));
  }

  term(codes) {
    const term = new Map();
    for (const code of listed(codes)) {
      whole(code, 2 * this.literals.length);
      const [j, mask] = this.literals[Math.floor(code / 2)];
      const meant = code % 2 ? this.full[j] & ~mask : mask;
      term.set(j, (term.has(j) ? term.get(j) : this.full[j]) & meant);
    }
    return [...term];
  }

  // The labels that occur in a box, null for a point that has none.
  *labels(node, box) {
    if (node.split) {
      for (const [held, part] of this.halves(box, ...node.split)) yield* this.labels(held ? node.yes : node.no, part);
    } else if (node.terms) {
      for (const held of this.holds(node.terms, box)) yield held ? node.inside : node.outside;
    } else if (node.items) {
      yield* this.counted(node.items, node.least, box);
    } else {
      const met = [...node.classes.keys()].filter((i) => node.classes[i].some((term) => meets(term, box)));
      yield* met.length ? met : [null];
      // No other is met here, so this one must leave nothing out.
      if (met.length === 1) for (const held of this.holds(node.classes[met[0]], box)) yield held ? met[0] : null;
    }
  }

  // 1 or 0, whether what holds counts enough, for parts that make up a box.
  *counted(items, least, box) {
    const sure = items.reduce((sum, [j, mask, count]) => sum + (box[j] & ~mask ? 0 : count), 0);
    const open = items.find(([j, mask]) => box[j] & mask && box[j] & ~mask);
    if (sure >= least || !open) yield sure >= least ? 1 : 0;
    else for (const [, part] of this.halves(box, open[0], open[1])) yield* this.counted(items, least, part);
  }

  *halves(box, column, mask) {
    this.steps += 1;
    need(this.steps < MOST_STEPS, "the model is too large to be checked this way");
    const inside = box[column] & mask;
    const outside = box[column] & ~mask;
    if (inside) yield [true, replaced(box, column, inside)];
    if (outside) yield [false, replaced(box, column, outside)];
  }

  // Whether some term holds, for parts that make up a box.
  *holds(given, box) {
    this.steps += given.length;
    const terms = given.filter((term) => meets(term, box));
    const left = terms.map((term) => term.filter(([j, mask]) => box[j] & ~mask));
    if (!left.length || left.some((one) => !one.length)) {
      yield left.length > 0;
      return;
    }
    const least = left.reduce((best, one) => (one.length < best.length ? one : best));
    for (const [, part] of this.halves(box, ...least[0])) yield* this.holds(terms, part);
  }
}

// A model file: one model, or bands with a model for each boundary.
class ModelFile {
  constructor(data) {
    const plain = parsed(data);
    this.names = null;
    if (!has(plain, "kind")) {
      this.models = [new Model(plain)];
      return;
    }
    need(plain.kind === "bands", "it is no model file");
    this.names = listed(plain.names, isText);
    const parts = listed(plain.models, isObject), count = new Set(this.names).size;
    need(parts.length && count === this.names.length && count === parts.length + 1, "there must be a model between bands");
    this.models = parts.map((part, j) => {
      const name = this.names[j + 1];
      return new Model({ ...plain, classes: [`below ${name}`, `at least ${name}`], model: part.model });
    });
  }

  // Each model with the number of the label that a decision means there.
  sides(decision) {
    if (this.names === null) return [[this.models[0], labelOf(this.models[0], decision)]];
    const band = this.names.indexOf(decision);
    need(band >= 0, `${decision} is no band of the model`);
    return this.models.map((model, j) => [model, j < band ? 1 : 0]);
  }

  // Those that reasons are given for: of a band, the boundary below it and the one above.
  beside(decision) {
    const passed = this.names === null ? 0 : this.names.indexOf(decision);
    return this.sides(decision).slice(Math.max(passed - 1, 0), passed + 1);
  }
}

function conditions(model, given) {
  const found = new Map();
  for (const one of listed(given)) {
    need(keysAre(one, ["column", "cells", "words", "said"]), "a condition has other fields than it should");
    need(model.places.has(one.column), `${one.column} is no column`);
    const j = model.places.get(one.column);
    const cells = listed(one.cells).map((cell) => whole(cell, model.columns[j].size));
    need(cells.every((cell, i) => i === 0 || cells[i - 1] < cell), `cells of ${one.column} are not a set`);
    need(!found.has(j), `cells of ${one.column} are not a set`);
    const mask = cells.reduce((sum, cell) => sum | (1n << BigInt(cell)), 0n);
    need(mask && mask !== model.full[j], `cells of ${one.column} are none or all`);
    found.set(j, mask);
  }
  return found;
}

const within = (box, given) => box.map((mask, j) => (given.has(j) ? given.get(j) : mask));

function labelOf(model, given) {
  const found = [...model.classes.keys()].filter((i) => model.classes[i] === given);
  need(found.length === 1, `${given} is no outcome of the model`);
  return found[0];
}

function checkReason(model, reason, own, label) {
  need(keysAre(reason, ["gives", "id", "conditions", "text"]), "a reason has other fields than it should");
  need(labelOf(model, reason.gives) === label, "the reason is for another decision");
  const given = conditions(model, reason.conditions);
  need(given.size <= model.k, `the reason has more than ${model.k} columns`);
  need([...given].every(([j, mask]) => !(own[j] & ~mask)), "the reason does not hold for the values");
  need(model.always(within(model.full, given), label), "the reason does not give the decision");
  for (const j of given.keys()) {
    const rest = replaced(within(model.full, given), j, model.full[j]);
    need(!model.always(rest, label), `the reason gives the decision without ${model.columns[j].name}`);
  }
}

function checkChange(model, change, own, label) {
  if (label === model.favourable) {
    need(change === null, "a change of the favourable decision is named");
    return;
  }
  const fixed = (j) => model.fixed.has(model.columns[j].name);
  if (change === null) {
    const free = own.map((mask, j) => (fixed(j) ? mask : model.full[j]));
    need(model.always(free, label), "a change would give another decision, and none is named");
    return;
  }
  need(keysAre(change, ["gives", "conditions"]), "the change has other fields than it should");
  const other = labelOf(model, change.gives);
  const given = conditions(model, change.conditions);
  need(given.size && other !== label, "the change changes nothing");
  need(![...given.keys()].some(fixed), "the change is of a column that cannot change");
  need(model.always(within(own, given), other), "the change does not give what it says");
  for (const j of given.keys()) {
    const part = own.map((mask, i) => (given.has(i) && i !== j ? model.full[i] : mask));
    need(model.always(part, label), `the change needs no ${model.columns[j].name}`);
  }
}

function checkPrincipal(model, given) {
  for (const one of listed(given)) {
    need(keysAre(one, ["code", "text", "columns", "conditions", "share"]), "a principal reason has other fields");
    need(listed(one.columns).length && one.columns.every((name) => model.places.has(name)), "a principal reason has no column");
    need(number(one.share) > 0 && one.share <= 1, "the share of a principal reason is none");
    for (const name of one.columns) {
      const known = model.texts.get(name) || model.texts.get("") || [null, listed(one.conditions, isText).join(" and ")];
      need(one.code === known[0] && one.text === known[1], "a principal reason is not in the words of the model");
    }
  }
}

function checkDecision(file, values, decision) {
  // Of a column that is not there, any value must do.
  const own = file.models[0].columns.map((column) =>
    column.sources.some((name) => has(values, name)) ? 1n << BigInt(column.cell(values)) : column.full
  );
  for (const [model, label] of file.sides(decision)) {
    need(model.always(own, label), `the model does not give ${decision} to these values`);
  }
  return own;
}

function checkRecord(record, files, earlier) {
  need(isObject(record) && KEYS.every((key) => has(record, key)), "it has other fields than it should");
  need(Object.keys(record).every((key) => KEYS.includes(key) || MORE.includes(key)), "it has other fields than it should");
  need(record.format === "idnf-decision" && record.version === 1, "it is no record of version 1");
  need([record.id, record.text, record.model, record.time].every(isText), "id, text, model and time must be text");
  need(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(record.time), "time must be a time");
  const file = files.get(record.model);
  need(file, "it is of another model");
  const others = has(record, "alternatives") ? listed(record.alternatives, isObject) : [];
  need(isObject(record.values), "values must be an object");
  const known = Object.keys(record.values).every((name) => file.models[0].sources.has(name));
  need(others.length || known, "values are not those of columns of the model");
  const own = checkDecision(file, record.values, record.decision), beside = file.beside(record.decision);
  const reasons = listed(record.reasons), changes = listed(record.changes);
  need(reasons.length === beside.length && changes.length === beside.length, `it must have as many reasons and changes: ${beside.length}`);
  beside.forEach(([model, label], i) => {
    checkReason(model, reasons[i], own, label);
    checkChange(model, changes[i], own, label);
  });
  const lowest = file.names !== null && beside[0][1] === 0;
  need(!lowest || !listed(record.principal).length, "the lowest band has no principal reasons");
  checkPrincipal(beside[0][0], record.principal);
  for (const one of others) {
    if (files.has(one.sha256)) checkDecision(files.get(one.sha256), record.values, one.decision);
  }
  checkCorrection(record, earlier);
}

function checkCorrection(record, earlier) {
  if (!has(record, "corrects")) {
    need(!earlier.has(`id ${record.id}`), `${record.id} is there already`);
    return;
  }
  const link = record.corrects;
  need(keysAre(link, ["record", "values"]), "a correction has other fields than it should");
  const old = earlier.get(link.record);
  need(old && old.id === record.id, "it corrects no record before it");
  need(isObject(link.values), "a correction has other fields than it should");
  const said = Object.keys(link.values);
  need(said.length && said.every((name) => has(record.values, name)), "it corrects other columns than were recorded");
  for (const [name, value] of Object.entries(record.values)) {
    need(has(old.values, name), "it corrects other columns than were recorded");
    const before = old.values[name];
    need(said.includes(name) || value === before, `it does not say that it corrects ${name}`);
    need(!said.includes(name) || link.values[name] === before, `${name} was another value`);
    need(!said.includes(name) || value !== before, `${name} is not corrected`);
  }
}

// A file as the bytes of its lines, each with the sign that ends it.
function* linesOf(data) {
  for (let start = 0; start < data.length; ) {
    const end = data.indexOf(10, start);
    const stop = end < 0 ? data.length : end + 1;
    yield data.subarray(start, stop);
    start = stop;
  }
}

function checkLine(line, files, earlier) {
  need(line[line.length - 1] === 10, "it is not finished; write it again with idnf record");
  const record = parsed(line);
  checkRecord(record, files, earlier);
  earlier.set(`id ${record.id}`, null);
  earlier.set(hash(line.subarray(0, line.length - 1)), record);
}

const why = (error) =>
  error instanceof Refused ? error.message.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?") : `it cannot be read (${error.name})`;

function main(words) {
  if (words.length < 2) {
    process.stderr.write("usage: node check_decisions.js decisions.jsonl model.json [further models]\n");
    return 2;
  }
  const files = new Map();
  let models = 0;
  for (const path of words.slice(1)) {
    const data = readFileSync(path);
    try {
      files.set(hash(data), new ModelFile(data));
    } catch (error) {
      process.stdout.write(`${path}: refused: ${why(error)}\n`);
      models += 1;
    }
  }
  const earlier = new Map();
  let count = 0;
  let refused = 0;
  for (const line of linesOf(readFileSync(words[0]))) {
    count += 1;
    try {
      checkLine(line, files, earlier);
    } catch (error) {
      refused += 1;
      process.stdout.write(`line ${count}: refused: ${why(error)}\n`);
    }
  }
  process.stdout.write(`${count - refused} of ${count} decisions follow from the model. Their sentences were not read.\n`);
  return refused + models ? 1 : 0;
}

if (require.main === module) {
  try {
    process.exitCode = main(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
}
