// Decisions, reasons and cheapest changes from a model held as plain data; depends on nothing.
const idnf = (function () {
  "use strict";
  const MODEL = {};

  const DAY = 86400000000n;
  const UNITS = [[DAY, "day"], [3600000000n, "hour"], [60000000n, "minute"], [1000000n, "second"]];
  const NEGATIVE = new Set(["no", "none", "never", "false", "nein", "non"]);
  const UNSEEN = "(or unseen)";
  const RESERVED = new Set(["is", "but", "or", "nor", "not", "neither", "and", "missing", "anything"]);

  // Masks of cells are BigInts: a column may have more cells than a number has bits.
  const asBoxes = (boxes) => boxes && boxes.map((box) => new Map(box.map(([j, mask]) => [j, BigInt(mask)])));
  const sizes = MODEL.columns.map((column) => Math.max(...column.merged) + 1);
  const full = sizes.map((size) => (1n << BigInt(size)) - 1n);
  const boxes = MODEL.boxes.map(asBoxes);
  const othersOf = (label) => [...boxes.keys()].filter((other) => other !== label);
  const regions = (MODEL.maximal || []).map((maximal, label) => ({
    byMaximal: maximal !== null,
    boxes: maximal !== null ? asBoxes(maximal) : othersOf(label).flatMap((other) => boxes[other]),
  }));
  const has = (mask, cell) => ((mask >> BigInt(cell)) & 1n) === 1n;
  const bit = (cell) => 1n << BigInt(cell);
  const at = (box, j) => (box.has(j) ? box.get(j) : full[j]);

  // The label of a row, an object from the names of columns to values; null and NaN are missing.
  function predict(row) {
    return MODEL.classes[labelOf(pointOf(row))];
  }

  // The label of a row, its smallest reason and its smallest change, which spares columns that are fixed; nothing is
  // proposed to those who get the favourable label.
  function explain(row) {
    const point = pointOf(row), label = labelOf(point);
    const own = regions[label];
    const axp = smallestAxp(own, point), cxp = label === MODEL.favourable ? [] : smallestCxp(own, point);
    const box = new Map(axp.map((j) => [j, bit(point[j])]));
    for (const j of axp) box.set(j, widest(j, allowed(own, box, j), point[j]));
    const [contrast, other] = contrastOf(label, point, cxp);
    const said = axp.filter((j) => box.get(j) !== full[j]).map((j) => condition(j, box.get(j), valueWords(j, row)));
    const changes = cxp.map((j) => condition(j, contrast.get(j), null));
    const reason = reasonOf(label, box);
    const why = whyOf(label, reason, said), otherwise = otherwiseOf(other, changes);
    return {
      label: MODEL.classes[label], reason, axp: said.map(plain), cxp: changes.map(plain),
      why, otherwise, text: `${why} ${otherwise}`.trimEnd(),
    };
  }

  // The training share of the second of two labels among the rows for which the same reasons hold.
  function probability(row) {
    const scores = MODEL.scores, point = pointOf(row);
    if (!scores) throw new Error("probability needs two labels whose reasons are in the script and can be listed");
    const inBox = ([label, place]) => MODEL.catalogue[label][place].every(([j, mask]) => has(BigInt(mask), point[j]));
    const held = scores.reasons.flatMap((reason, i) => (inBox(reason) ? [i] : []));
    const counts = (places) => (scores.exact ? places.join() === held.join() : places.every((i) => held.includes(i)));
    const found = scores.listed.find(([places]) => counts(places));
    return found ? found[1] : scores.otherwise[held[0]];
  }

  const plain = ({ column, condition, said }) => ({ column, condition, said });

  function whyOf(label, reason, said) {
    const name = MODEL.given[label];
    if (!said.length) return `${name} always: nothing in the example matters.`;
    const given = reason !== null && Object.hasOwn(MODEL.texts, reason) ? MODEL.texts[reason] : "";
    return `${name} because ${given || listed(said.map((c) => c.said), "and")}.`;
  }

  function otherwiseOf(other, changes) {
    if (!changes.length) return "";
    const parts = changes.map((c) => (c.choice && changes.length > 1 ? `(${c.said})` : c.said));
    return `If ${listed(parts, "and")}, ${MODEL.would_be[other]}.`;
  }

  function reasonOf(label, box) {
    const known = MODEL.catalogue[label];
    if (known === null) return null;
    const found = [...box.keys()].sort((a, b) => a - b).filter((j) => box.get(j) !== full[j]);
    const key = found.map((j) => `${j}:${box.get(j)}`).join();
    const letters = (label >= 26 ? String.fromCharCode(97 + Math.floor(label / 26)) : "") + String.fromCharCode(97 + (label % 26));
    return `${letters}${known.findIndex((other) => other.map(([j, mask]) => `${j}:${BigInt(mask)}`).join() === key) + 1}`;
  }

  // A class is known by the boxes of the others, or by its own maximal boxes.
  function inside(region, box) {
    if (region.byMaximal) return region.boxes.some((b) => [...b].every(([j, mask]) => (at(box, j) & ~mask) === 0n));
    return region.boxes.every((b) => [...b].some(([j, mask]) => (at(box, j) & mask) === 0n));
  }

  // The cells of a column for which the box, with only that cell there, lies inside the class.
  function allowed(region, box, column) {
    let found = 0n;
    for (const other of region.boxes) {
      const rest = [...other].filter(([j]) => j !== column);
      const meets = region.byMaximal
        ? rest.every(([j, mask]) => (at(box, j) & ~mask) === 0n)
        : rest.every(([j, mask]) => (at(box, j) & mask) !== 0n);
      if (meets) found |= at(other, column);
    }
    return region.byMaximal ? found : full[column] & ~found;
  }

  function smallestAxp(region, point) {
    return region.byMaximal ? firstOf(setsOf(region, point)) : transversal(setsOf(region, point));
  }

  function smallestCxp(region, point) {
    const sets = setsOf(region, point), free = (j) => !MODEL.fixed.includes(j);
    if (!region.byMaximal) return firstOf(sets.filter((s) => s.every(free)));
    const changeable = sets.map((s) => s.filter(free));
    return changeable.some((s) => !s.length) ? [] : transversal(changeable);
  }

  function setsOf(region, point) {
    const all = region.byMaximal
      ? region.boxes.filter((b) => [...b].every(([j, mask]) => has(mask, point[j]))).map((b) => [...b.keys()])
      : region.boxes.map((b) => [...b].filter(([j, mask]) => !has(mask, point[j])).map(([j]) => j));
    return [...new Map(all.map((s) => [s.join(), s])).values()].sort(bySize);
  }

  function byOrder(a, b) {
    for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i] - b[i];
    return a.length - b.length;
  }

  const bySize = (a, b) => a.length - b.length || byOrder(a, b);
  const firstOf = (sets) => sets[0] || [];

  // The smallest set that meets all sets: fewest columns, then column order.
  function transversal(family) {
    let level = [[]];
    for (;;) {
      const found = [], longer = new Map();
      for (const partial of level) {
        const missed = family.find((s) => !s.some((j) => partial.includes(j)));
        if (missed === undefined) found.push(partial);
        else for (const j of missed) {
          const more = [...partial, j].sort((a, b) => a - b);
          longer.set(more.join(), more);
        }
      }
      if (found.length) return found.sort(byOrder)[0];
      level = [...longer.values()];
    }
  }

  function lowest(mask) {
    let cell = 0;
    while (!has(mask, cell)) cell++;
    return cell;
  }

  function widest(j, allowedCells, cell) {
    const column = MODEL.columns[j];
    if (!column.ordered) return allowedCells;
    const missing = column.missing ? bit(sizes[j] - 1) : 0n;
    const present = allowedCells & ~missing;
    if (missing && cell === sizes[j] - 1) {
      if (!present) return allowedCells & missing;
      cell = lowest(present);
    }
    let low = cell, high = cell;
    while (low > 0 && has(present, low - 1)) low--;
    while (has(present, high + 1)) high++;
    return (bit(high + 1) - bit(low)) | (allowedCells & missing);
  }

  // The conditions of the change, and the class that they give.
  function contrastOf(label, point, changed) {
    const box = new Map(point.map((cell, j) => [j, bit(cell)]));
    const target = [...point];
    for (const j of changed) box.set(j, full[j]);
    for (const j of changed) {
      for (const cell of nearToFar(j, point[j])) {
        box.set(j, bit(cell));
        if (!inside(regions[label], box)) {
          target[j] = cell;
          break;
        }
      }
    }
    const others = othersOf(label), other = others.length > 1 ? others.find((o) => inside(regions[o], box)) ?? others[0] : others[0];
    for (const j of changed) box.set(j, widest(j, allowed(regions[other], box, j), target[j]));
    return [box, other];
  }

  function nearToFar(j, cell) {
    const column = MODEL.columns[j], missing = column.missing ? sizes[j] - 1 : -1;
    const known = [...Array(sizes[j]).keys()].filter((c) => c !== cell && c !== missing);
    const near = column.ordered && cell !== missing
      ? [...known.filter((c) => c < cell).reverse(), ...known.filter((c) => c > cell)] : known;
    return missing < 0 || missing === cell ? near : [...near, missing];
  }

  function labelOf(point) {
    const holds = (box) => [...box].every(([j, mask]) => has(mask, point[j]));
    const label = boxes.findIndex((side, i) => i !== MODEL.default && side.some(holds));
    return label < 0 ? MODEL.default : label;
  }

  // Where a row lies in each column: its cell, that cell among those the model distinguishes, and the number that orders it.
  function placed(row) {
    return MODEL.columns.map((column) => {
      const cell = cellOf(column, row);
      return { cell, merged: column.merged[cell], position: positionOf(column, row) };
    });
  }

  const pointOf = (row) => MODEL.columns.map((column) => column.merged[cellOf(column, row)]);

  // The first cell whose test holds.
  function cellOf(column, row) {
    const read = new Map(column.fields.map(([name, kind]) => [name, readField(column, name, kind, given(row, name))]));
    for (const [test, rule] of column.refusals) {
      if (!holds(test, read)) continue;
      const subject = read.size === 1 ? "column" : "group", got = [...read.keys()].map((name) => row[name]).join(", ");
      throw new Error(`${subject} ${JSON.stringify(column.name)} ${rule}; got ${got}.`);
    }
    return column.tests.findIndex((test) => holds(test, read));
  }

  function holds([word, ...parts], read) {
    if (word === "and") return parts.every((part) => holds(part, read));
    if (word === "or") return parts.some((part) => holds(part, read));
    const values = parts[0].map((name) => read.get(name));
    if (word === "missing") return (values[0] === null) !== parts[1];
    if (values.includes(null)) return false;
    const value = values.length === 1 ? values[0] : values.reduce((a, b) => a + b, 0);
    if (word === "one of") return parts[1].includes(value) !== parts[2];
    return (parts[1] === null || value > parts[1]) && (parts[2] === null || value <= parts[2]);
  }

  // A value of a field as tests see it, null where it is missing.
  function readField(column, name, kind, value) {
    const named = `column ${JSON.stringify(name)}`;
    if (isMissing(value)) {
      if (!column["takes missing"]) throw new Error(`${named} must have no missing values, as in training.`);
      return null;
    }
    if (kind === "any") return value;
    if (kind === "text") {
      if (typeof value !== "string") throw new Error(`${named} must hold categories, as in training; got ${brief(value)}.`);
      return value.replace(/^[ \t\n\r\u00a0]+|[ \t\n\r\u00a0]+$/g, "");
    }
    if (kind === "truth") {
      if (![true, false, 0, 1].includes(value)) throw new Error(`${named} must be true or false, or 1 or 0, as in training; got ${brief(value)}.`);
      return Number(value);
    }
    return kind === "number" || kind === "digit" ? finite(name, value) : Number(microseconds(name, kind, value));
  }

  function given(row, name) {
    if (!Object.hasOwn(row, name) || row[name] === undefined)
      throw new Error(`row must have a value for ${JSON.stringify(name)}.`);
    return row[name];
  }

  const isMissing = (value) => value === null || Number.isNaN(value);

  function finite(name, value) {
    const number = ["number", "boolean", "bigint"].includes(typeof value) ? Number(value) : NaN;
    if (!Number.isFinite(number))
      throw new Error(`column ${JSON.stringify(name)} must hold finite numbers; got ${brief(value)}.`);
    return number;
  }

  // A known value as the number that orders it; null where there is none.
  function positionOf(column, row) {
    const [name, kind] = column.fields[0];
    if (!column.order) return null;
    const value = readField(column, name, kind, row[name]);
    return column.order === "value" ? value : column.order.indexOf(value);
  }

  // Durations are given in seconds, times as ISO text, with a zone where the column has one, or as a Date, by its UTC clock.
  function microseconds(name, kind, value) {
    if (kind === "duration") return BigInt(Math.round(finite(name, value) * 1000000));
    const moment = parsed(name, kind, value instanceof Date && !Number.isNaN(value.getTime()) ? dated(value, kind) : value);
    return kind === "date" ? floored(moment, DAY) * DAY : moment;
  }

  const dated = (value, kind) => (kind === "datetime-utc" ? value.toISOString() : value.toISOString().slice(0, -1));

  function floored(a, b) {
    const quotient = a / b;
    return a % b !== 0n && a < 0n ? quotient - 1n : quotient;
  }

  function parsed(name, kind, text) {
    const part = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6})\d*)?)?)?( ?UTC|Z|[+-]\d\d:\d\d)?$/.exec(text);
    const [year, month, number] = part ? part.slice(1, 4).map(Number) : [0, 0, 0], day = new Date(0);
    day.setUTCFullYear(year, month - 1, number);
    const zone = part && /^[+-]/.test(part[8]) ? part[8] : "+00:00";
    const clock = part && [part[4], part[5], part[6], zone.slice(1, 3), zone.slice(4)].map((digits) => Number(digits || 0));
    if (!part || !year || day.getUTCMonth() !== month - 1 || day.getUTCDate() !== number || clock.some((n, i) => n > (i % 3 ? 59 : 23)))
      throw new Error(`column ${JSON.stringify(name)} must hold dates such as 2020-12-31; got ${brief(text)}.`);
    if ((part[8] !== undefined) !== (kind === "datetime-utc"))
      throw new Error(`column ${JSON.stringify(name)} must hold times ${part[8] ? "without" : "with a"} time zone; got ${brief(text)}.`);
    const away = BigInt(zone.slice(1, 3)) * 60n + BigInt(zone.slice(4, 6));
    const minutes = BigInt(part[4] || 0) * 60n + BigInt(part[5] || 0) - (zone[0] === "-" ? -away : away);
    return BigInt(day.getTime()) * 1000n + (minutes * 60n + BigInt(part[6] || 0)) * 1000000n + BigInt((part[7] || "").padEnd(6, "0"));
  }

  // A condition in words: alone, and beside the row's own value or as something to have instead.
  function condition(j, mask, value) {
    const { name } = MODEL.columns[j], words = MODEL.words[j];
    const [alone, beside, instead, , exact, choice] = words.said ? words.said[String(mask)] : listing(j, mask);
    if (value === null) return { column: name, condition: alone, said: `${name} were ${instead}`, choice };
    if (value === "missing" && !beside.includes("missing"))
      return { column: name, condition: alone, said: `${name} is missing (counts as ${beside})`, choice };
    const bare = beside.replace(/, or missing$/, "").replace(/, missing$/, "").replace(/^neither ([^]*) nor missing$/, (_, label) => noneOf([label]));
    const known = bare.endsWith(" or missing") ? instead : bare;
    if (known.endsWith(UNSEEN) && ![instead, "missing"].includes(value)) return { column: name, condition: alone, said: `${name} is ${value} (unseen)`, choice };
    const once = exact || [instead, "missing"].includes(value) || value.endsWith(` (read as ${known})`);
    const said = `${name} is ${value}${once ? "" : ` (${known})`}`;
    return { column: name, condition: alone, said, choice };
  }

  function noneOf(labels) {
    if (labels.length > 2) return labels.at(-1) === "missing" ? `none of ${labels.join(", ")}` : `not ${listed(labels, "or")}`;
    if (labels.length === 2) return `neither ${labels[0]} nor ${labels[1]}`;
    return `${NEGATIVE.has(labels[0].toLowerCase()) ? "anything but" : "not"} ${labels[0]}`;
  }

  const listed = (words, last) => (words.length === 1 ? words[0] : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`);

  const sayIs = (name, words, instead, exact, choice) => [`${name} is ${words}`, words, instead, null, exact, choice];

  // What is said about a set of cells that are distinguished by their labels.
  const listing = (j, mask) =>
    listLabels(MODEL.words[j], MODEL.columns[j].merged.map((cell) => has(mask, cell)), MODEL.columns[j].missing);

  function listLabels({ labels, rest, pair, both, name }, held, hasMissing) {
    const known = held.slice(0, labels.length - Number(hasMissing)), orMissing = hasMissing && held.at(-1);
    if (!known.includes(true)) return sayIs(name, "missing", "missing", true, false);
    if (!known.includes(false)) return sayIs(name, "not missing", "not missing", false, false);
    const named = labels.filter((_, i) => known[i]);
    if (!(rest && known.at(-1))) {
      const words = listed(orMissing ? [...named, "missing"] : named, "or");
      return sayIs(name, words, listed(named, "or"), !orMissing && named.length === 1, named.length > 1);
    }
    const excepted = labels.filter((_, i) => i < known.length && !known[i]);
    const keptOut = orMissing || !hasMissing ? excepted : [...excepted, "missing"];
    const instead = noneOf(keptOut);
    const others = instead + (orMissing ? ", or missing" : "");
    if (!pair || excepted.length !== 1) return sayIs(name, others, instead, false, false);
    if (both) return [`${name} is ${named[0]}${orMissing ? " or missing" : ""}`, others, named[0], null, false, false];
    const wide = `${named[0]} ${UNSEEN}${orMissing ? ", or missing" : ""}`;
    return [`${name} is ${wide}`, wide, named[0], null, false, false];
  }

  // The row's own value the way it is written and, where that is another one, the way it is read.
  function valueWords(j, row) {
    const column = MODEL.columns[j], [name, kind] = column.fields[0];
    const value = readField(column, name, kind, row[name]);
    if (value === null) return "missing";
    if (column.own !== null) {
      const label = column.own[cellOf(column, row)];
      return kind === "digit" && value !== 0 && value !== 1 ? `${numberWords(value)} (read as ${label})` : label;
    }
    if (!["number", "text", "truth", "any"].includes(kind)) return timeWords(microseconds(name, kind, row[name]), kind);
    const plain = kind === "number" ? measuredWords(value) : categoryWords(kind === "text" ? value : row[name]);
    const words = plain + (column.unit ? ` ${column.unit}` : "");
    if (!column.whole || value >= column.whole[1]) return words;
    const [least] = column.whole, read = Math.max(Math.ceil(value), least === null ? -Infinity : least);
    return read === value ? words : `${words} (read as ${numberWords(read)})`;
  }

  function brief(value) {
    const text = String(value);
    return text.length > 80 ? `${text.slice(0, 80)}...` : text;
  }

  function categoryWords(value) {
    if (typeof value !== "string") return typeof value === "boolean" ? String(value) : numberWords(value);
    const printable = !/[\p{C}\p{Z}]/u.test(value.replaceAll(" ", ""));
    const tidy = value !== "" && printable && value === value.split(" ").filter(Boolean).join(" ");
    const plain = tidy && !value.includes(UNSEEN) && !/[<>=&|~,;:"'`\\]/.test(value) && !value.toLowerCase().split(" ").some((word) => RESERVED.has(word));
    return plain ? value : JSON.stringify(value);
  }

  // The shortest text that reads back as the same number, as Python writes it.
  function numberWords(value) {
    if (Number.isInteger(value) && Math.abs(value) < 1e16) return String(value === 0 ? 0 : value);
    const [digits, exponent] = value.toExponential().split("e");
    const power = Number(exponent);
    if (power >= -4 && power < 16) {
      const sign = value < 0 ? "-" : "", bare = digits.replace("-", "").replace(".", "");
      if (power < 0) return `${sign}0.${"0".repeat(-power - 1)}${bare}`;
      return `${sign}${bare.slice(0, power + 1)}.${bare.slice(power + 1) || "0"}`;
    }
    return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  }

  // A number that single precision holds has the digits that tell it from its neighbours there.
  function measuredWords(value) {
    const written = numberWords(value);
    if (written.length < 12 || Math.fround(value) !== value) return written;
    const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((count) => Number(value.toPrecision(count)));
    const found = digits.find((one) => Math.fround(one) === value);
    return found === undefined ? written : numberWords(found);
  }

  function timeWords(value, kind) {
    if (kind === "duration") {
      for (const [size, unit] of UNITS)
        if (value % size === 0n) return `${value / size} ${unit}${value === size ? "" : "s"}`;
      return `${numberWords(Number(value) / 1000000)} seconds`;
    }
    const moment = new Date(Number(floored(value, 1000n)));
    const iso = moment.toISOString(), small = ((value % 1000000n) + 1000000n) % 1000000n;
    if (kind === "date") return iso.slice(0, 10);
    const seconds = iso.slice(17, 19) !== "00" || small ? `:${iso.slice(17, 19)}` : "";
    const parts = small ? `.${String(small).padStart(6, "0")}` : "";
    return `${iso.slice(0, 10)} ${iso.slice(11, 16)}${seconds}${parts}${kind === "datetime-utc" ? " UTC" : ""}`;
  }

  // The cheapest change of known values into a class, any other one by default: fewest columns, then the nearest values;
  // null if none.
  function recourse(row, to) {
    const point = pointOf(row), label = labelOf(point);
    const free = MODEL.favourable === null ? othersOf(label) : [MODEL.favourable];
    const wanted = to === undefined ? free : [MODEL.classes.indexOf(to)];
    const cells = MODEL.columns.map((column) => cellOf(column, row));
    let best = null;
    for (const other of wanted) {
      for (const box of boxes[other] || []) {
        const way = wayInto(box, point, cells, row);
        if (way && (best === null || nearer(way, best))) best = { ...way, label: other };
      }
    }
    if (best === null) return null;
    const changes = best.moves.map((move, i) => changeTo(best, move, best.columns[i], row));
    return { label: MODEL.classes[best.label], cost: best.moves.length, changes };
  }

  function nearer(a, b) {
    return (a.columns.length - b.columns.length || a.distance - b.distance || byOrder(a.columns, b.columns)) < 0;
  }

  function wayInto(box, point, cells, row) {
    const outside = [...box].filter(([j, mask]) => !has(mask, point[j]));
    if (outside.some(([j]) => MODEL.fixed.includes(j))) return null;
    const moves = outside.map(([j, mask]) => bestMove(j, mask, cells[j], row));
    if (moves.includes(null)) return null;
    return { box, columns: outside.map(([j]) => j), moves, distance: moves.reduce((sum, move) => sum + move.distance, 0) };
  }

  function bestMove(j, mask, from, row) {
    const column = MODEL.columns[j], missing = column.missing ? column.merged.length - 1 : -1;
    let best = null;
    column.merged.forEach((merged, cell) => {
      if (cell === missing || !has(mask, merged)) return;
      const move = moveTo(j, cell, from, missing, row);
      if (best === null || move.distance < best.distance) best = move;
    });
    return best;
  }

  function moveTo(j, cell, from, missing, row) {
    const column = MODEL.columns[j], values = MODEL.values[j];
    const pair = values.seen && values.seen[cell];
    const target = pair ? (cell > from || from === missing ? [pair[0], pair[2]] : [pair[1], pair[3]]) : null;
    const words = target ? target[1] : values.labels[cell];
    if (!column.ordered || from === missing) return { cell, words, distance: 1 - (values.seen ? values.shares[cell] : 0) };
    if (!values.seen || !target) return { cell, words, distance: Math.abs(cell - from) / Math.max(1, column.merged.length - 1) };
    const old = positionOf(column, row);
    if (old === null) {
      const here = values.seen[from];
      const near = here ? (cell < from ? here[0] : here[1]) : null;
      return { cell, words, distance: near === null ? 1 : Math.abs(quantile(values, target[0]) - quantile(values, near)) };
    }
    return { cell, words, distance: Math.abs(quantile(values, target[0]) - quantile(values, old)) };
  }

  function quantile(values, position) {
    const marks = values.quantiles;
    if (marks.length < 2) return 0.5;
    const below = marks.filter((mark) => mark < position).length, upTo = marks.filter((mark) => mark <= position).length;
    return Math.min(1, Math.max(0, (below + upTo - 1) / 2 / (marks.length - 1)));
  }

  function changeTo(way, move, j, row) {
    const column = MODEL.columns[j];
    const known = column.missing ? way.box.get(j) & ~bit(sizes[j] - 1) : way.box.get(j);
    return { column: column.name, old: valueWords(j, row), new: move.words, condition: condition(j, known, null).condition };
  }

  return { predict, explain, recourse, probability, placed, listLabels, transversal, model: MODEL };
})();
if (typeof module !== "undefined") module.exports = idnf;
