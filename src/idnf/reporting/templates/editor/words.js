// Conditions in words, as the library prints them.
const editorWords = (() => {
  "use strict";
  const { known, runs } = editorLines;

  // `listing` writes lists of labels; it is the exported model's own.
  function conditionWords(column, allowed, listing) {
    const { words } = column, last = known(column), inside = allowed.subarray(0, last), missing = column.missing && allowed[last];
    if (!inside.includes(1)) return words.missing;
    if (!inside.includes(0)) return missing ? `${words.name} is anything` : words.known;
    if (words.labels) return listing(words, [...allowed].map(Boolean), column.missing)[0];
    if (words.said) return words.said[[...allowed].join("")];
    const parts = runs(inside).map(([low, high]) => runWords(words, low, high, last));
    return [...parts, ...(missing ? ["missing"] : [])].join(" or ");
  }

  // A run of cells between bounds; runs that are said otherwise are listed.
  function runWords({ name, bounds, odd }, low, high, last) {
    const own = odd[`${low}-${high}`];
    if (own !== undefined) return own;
    if (low === 0) return `${name} <= ${bounds[high]}`;
    return high === last - 1 ? `${name} > ${bounds[low - 1]}` : `${bounds[low - 1]} < ${name} <= ${bounds[high]}`;
  }

  // Conditions by column as one, in brackets those that name alternatives.
  function together(columns, conditions, listing) {
    const parts = [...conditions].sort((a, b) => a[0] - b[0]).map(([j, allowed]) => conditionWords(columns[j], allowed, listing));
    return parts.map((part) => (parts.length > 1 && part.includes(" or ") ? `(${part})` : part)).join(" and ") || "always";
  }

  return { conditionWords, together };
})();
